import { encoder } from "./bytes.ts";
const FIRST_PRINTED = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_OF_TWO_BYTES = 0x80;
const FIRST_OF_THREE_BYTES = 0x800;
const SHORT = 24;

/** Writes JSON and bytes into one buffer, which the next `begin` reuses. */
export class JsonWriter {
  #bytes = new Uint8Array(4_096);
  #at = 0;

  begin(): void {
    this.#at = 0;
  }

  end(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }

  byte(byte: number): void {
    if (this.#at === this.#bytes.length) this.#withRoom(1);
    this.#bytes[this.#at++] = byte;
  }

  text(text: string): void {
    const bytes = this.#withRoom(3 * text.length);
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (n === SHORT || code >= FIRST_OF_TWO_BYTES) {
        this.#at += encoder.encodeInto(text.slice(n), bytes.subarray(this.#at)).written;
        return;
      }
      bytes[this.#at++] = code;
    }
  }

  /** Like `JSON.stringify`. A number must be finite. */
  json(value: unknown): void {
    if (typeof value === "number") this.text(String(value));
    else if (typeof value !== "string" || !this.#plain(value)) this.text(JSON.stringify(value));
  }

  /** False if the text may need escapes. */
  #plain(text: string): boolean {
    const bytes = this.#withRoom(2 * text.length + 2);
    let at = this.#at;
    bytes[at++] = QUOTE;
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (code < FIRST_PRINTED || code === QUOTE || code === BACKSLASH) return false;
      if (code >= FIRST_OF_THREE_BYTES) return false;
      if (code >= FIRST_OF_TWO_BYTES) {
        bytes[at++] = 0xc0 | code >> 6;
        bytes[at++] = 0x80 | code & 0x3f;
      } else bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.#at = at;
    return true;
  }

  #withRoom(bytes: number): Uint8Array<ArrayBuffer> {
    if (this.#at + bytes > this.#bytes.length) {
      const longer = new Uint8Array(2 * (this.#at + bytes));
      longer.set(this.#bytes.subarray(0, this.#at));
      this.#bytes = longer;
    }
    return this.#bytes;
  }
}
