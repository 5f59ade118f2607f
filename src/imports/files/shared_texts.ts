/**
 * Holds the shared texts of a workbook as bytes, because millions of strings would need much more
 * memory.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import type { XmlSink } from "../../engine/xml/reader.ts";
import { FileError } from "./source_file.ts";
import { TABLE_LIMITS } from "./table_row.ts";

export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

export class SharedTexts implements XmlSink {
  count = 0;
  readonly #bytesMax: number;
  #bytes = new Uint8Array(65_536);
  #filled = 0;
  #ends = new Uint32Array(1_024);
  #text = "";
  #isText = false;
  readonly #open: string[] = [];

  constructor(bytesMax: number = TABLE_LIMITS.sharedTextBytes) {
    this.#bytesMax = bytesMax;
  }

  open(name: string): void {
    const part = localName(name);
    if (part === "si") this.#text = "";
    this.#isText = part === "t";
    this.#open.push(part);
  }

  text(piece: string): void {
    if (this.#isText && this.#text.length <= TABLE_LIMITS.cellChars) this.#text += piece;
  }

  close(): void {
    const part = this.#open.pop();
    if (part === "t") this.#isText = false;
    if (part === "si") this.#add(this.#text);
  }

  at(index: number): string | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return null;
    const start = index === 0 ? 0 : this.#ends[index - 1];
    return decoder.decode(this.#bytes.subarray(start, this.#ends[index]));
  }

  #add(text: string): void {
    const { sharedTexts } = TABLE_LIMITS;
    if (this.count >= sharedTexts || this.#filled > this.#bytesMax) {
      const message = `The cells of a workbook share at most ${sharedTexts} texts of ` +
        `${this.#bytesMax} bytes together`;
      throw new FileError("too_large", message);
    }
    const needed = this.#filled + text.length * 3;
    if (needed > this.#bytes.length) {
      const size = Math.max(needed, Math.min(needed * 2, this.#bytesMax));
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(size));
    }
    this.#filled += encoder.encodeInto(text, this.#bytes.subarray(this.#filled)).written;
    if (this.count === this.#ends.length) {
      this.#ends = new Uint32Array(this.#ends.buffer.transfer(this.#ends.byteLength * 2));
    }
    this.#ends[this.count++] = this.#filled;
  }
}
