import type { XmlSink } from "../../../xml/reader.ts";
import { TABLE_LIMITS } from "../table_row.ts";
import { localName } from "./workbook_parts.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const FIRST_BYTES = 65_536;
const FIRST_TEXTS = 4_096;

/** The texts that the cells of a workbook share, in one buffer: millions of strings would be ten times as large. */
export class SharedTexts implements XmlSink {
  count = 0;
  /** They are more, or longer, than may be. */
  isTooMany = false;
  readonly #bytesMax: number;
  #bytes = new Uint8Array(FIRST_BYTES);
  #ends = new Uint32Array(FIRST_TEXTS);
  #filled = 0;
  #text = "";
  #isText = false;
  #phonetic = 0;

  constructor(bytesMax: number = TABLE_LIMITS.sharedTextBytes) {
    this.#bytesMax = bytesMax;
  }

  open(name: string): void {
    const part = localName(name);
    if (part === "si") this.#text = "";
    if (part === "rPh") this.#phonetic += 1;
    this.#isText = part === "t" && this.#phonetic === 0;
    this.#open.push(part);
  }

  readonly #open: string[] = [];

  text(piece: string): void {
    if (this.#isText && this.#text.length <= TABLE_LIMITS.cellChars) this.#text += piece;
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "t") this.#isText = false;
    if (part === "rPh") this.#phonetic -= 1;
    if (part === "si") this.#add(this.#text);
  }

  /** The text of this number; null where there is none. */
  at(index: number): string | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return null;
    const from = index === 0 ? 0 : this.#ends[index - 1] ?? 0;
    return decoder.decode(this.#bytes.subarray(from, this.#ends[index]));
  }

  #add(text: string): void {
    const isFull = this.count >= TABLE_LIMITS.sharedTexts || this.#filled > this.#bytesMax;
    if (isFull || this.isTooMany) {
      this.isTooMany = true;
      return;
    }
    const most = this.#filled + text.length * 3;
    if (most > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, Math.max(most, this.#filled * 2));
    }
    this.#filled += encoder.encodeInto(text, this.#bytes.subarray(this.#filled)).written;
    if (this.count === this.#ends.length) {
      const ends = new Uint32Array(this.count * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.count++] = this.#filled;
  }
}

function grown(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}
