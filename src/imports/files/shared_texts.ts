import type { XmlSink } from "../../engine/xml/reader.ts";
import { TABLE_LIMITS } from "./table_row.ts";
import { localName } from "./workbook_parts.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const PIECE_BYTES = 1_048_576;
const PIECE_ENDS = 65_536;
/** Of a UTF-16 unit in UTF-8. */
const UNIT_BYTES_MAX = 3;

/**
 * The texts that the cells of a workbook share, as bytes: millions of strings would be ten times as
 * large. They lie in pieces that stay where they are: who copies them into ever larger buffers leaves
 * as much behind as there is, until the collector comes.
 */
export class SharedTexts implements XmlSink {
  count = 0;
  /** They are more, or longer, than may be. */
  isTooMany = false;
  readonly #bytesMax: number;
  readonly #pieces: Uint8Array[] = [];
  readonly #ends: Uint32Array[] = [];
  #scratch = new Uint8Array(0);
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
    return decoder.decode(this.#read(index === 0 ? 0 : this.#endOf(index - 1), this.#endOf(index)));
  }

  #endOf(index: number): number {
    return this.#ends[Math.floor(index / PIECE_ENDS)]?.[index % PIECE_ENDS] ?? 0;
  }

  /** A view, but where a text goes on in the next piece. */
  #read(from: number, to: number): Uint8Array {
    const piece = Math.floor(from / PIECE_BYTES);
    const at = from % PIECE_BYTES;
    const whole = this.#pieces[piece]?.subarray(at, at + to - from) ?? new Uint8Array();
    if (whole.length === to - from) return whole;
    const bytes = new Uint8Array(to - from);
    for (let done = 0; done < bytes.length;) {
      const place = from + done;
      const part = this.#pieces[Math.floor(place / PIECE_BYTES)]
        ?.subarray(place % PIECE_BYTES, place % PIECE_BYTES + bytes.length - done);
      if (!part?.length) break;
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const at = this.#filled % PIECE_BYTES;
      if (at === 0) this.#pieces.push(new Uint8Array(PIECE_BYTES));
      const part = bytes.subarray(done, done + PIECE_BYTES - at);
      this.#pieces.at(-1)?.set(part, at);
      this.#filled += part.length;
      done += part.length;
    }
  }

  #add(text: string): void {
    const isFull = this.count >= TABLE_LIMITS.sharedTexts || this.#filled > this.#bytesMax;
    if (isFull || this.isTooMany) {
      this.isTooMany = true;
      return;
    }
    const most = text.length * UNIT_BYTES_MAX;
    if (most > this.#scratch.length) this.#scratch = new Uint8Array(most * 2);
    this.#write(this.#scratch.subarray(0, encoder.encodeInto(text, this.#scratch).written));
    const place = this.count++ % PIECE_ENDS;
    if (place === 0) this.#ends.push(new Uint32Array(PIECE_ENDS));
    const ends = this.#ends.at(-1);
    if (ends) ends[place] = this.#filled;
  }
}
