/** Number of bytes at the start of a file that `decideEncoding` needs, because declarations are there. */
export const ENCODING_HEAD_BYTES = 1024;

export interface Encoding {
  /** Its name in the WHATWG Encoding Standard; ISO-8859-1 is "windows-1252" there. */
  readonly label: string;
  /** Bytes of a byte order mark that are no text. */
  readonly bomBytes: number;
  /** False if every byte has a meaning, so that no check of the whole file is needed. */
  readonly canFail: boolean;
  /** Why this is a guess and not what the file says of itself; null when nothing was guessed. */
  readonly guess: string | null;
}

const BOMS = [
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

const NEVER_FAILS: ReadonlySet<string> = new Set(["windows-1252", "iso-8859-15"]);
const DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/;

/**
 * The encoding of a file by docs/decisions/imports.md: byte order mark, `charset` of the part, XML
 * declaration, UTF-16 by its look, else UTF-8. A label that the decoder does not know is returned
 * as `unknown`. A label of UTF-16 on a file that is readable as ASCII is a lie and is passed over.
 */
export function decideEncoding(
  head: Uint8Array,
  charset: string | null,
): { encoding: Encoding } | { unknown: string } {
  const marked = markedEncoding(head);
  if (marked) return { encoding: marked };

  const look = utf16Look(head);
  let lie: string | null = null;
  for (const named of [charset?.trim(), declaredLabel(head)]) {
    if (!named) continue;
    const label = knownLabel(named);
    if (label === null) return { unknown: named };
    if (!label.startsWith("utf-16")) return { encoding: encodingOf(label, 0, lie) };
    if (look) return { encoding: encodingOf(look, 0, lie) };
    lie = `The file says "${named}" but is not UTF-16`;
  }
  return { encoding: encodingOf(look ?? "utf-8", 0, lie) };
}

/** The encoding by the byte order mark; null without one. */
export function markedEncoding(head: Uint8Array): Encoding | null {
  const bom = BOMS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  return bom ? encodingOf(bom.label, bom.bytes.length, null) : null;
}

/** The encoding of this name, of a file without a byte order mark; null when no decoder knows it. */
export function knownEncoding(named: string, guess: string | null): Encoding | null {
  const label = knownLabel(named);
  return label === null ? null : encodingOf(label, 0, guess);
}

/**
 * Where a file ends that does not decode as it declares: windows-1252, as a guess. Null for
 * UTF-16, whose broken bytes would only become other broken text.
 */
export function fallbackEncoding(failed: Encoding): Encoding | null {
  if (failed.label.startsWith("utf-16")) return null;
  const guess = `The file is not ${failed.label} throughout: read as windows-1252`;
  return encodingOf("windows-1252", failed.bomBytes, guess);
}

/** Tells whether a whole file decodes without a fault, chunk by chunk, and keeps nothing of it. */
export class StrictCheck {
  readonly #decoder: TextDecoder;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding.label, { fatal: true });
  }

  /** False as soon as a byte is wrong; to be told the end by `null`. */
  accepts(chunk: Uint8Array | null): boolean {
    try {
      if (chunk === null) this.#decoder.decode();
      else this.#decoder.decode(chunk, { stream: true });
      return true;
    } catch {
      return false; // The decoder says no more than that: the answer is the whole error.
    }
  }
}

/** Bytes to text, chunk by chunk, without the byte order mark; characters may span chunks. */
export class ChunkDecoder {
  readonly #decoder: TextDecoder;
  #skip: number;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding.label, { ignoreBOM: true });
    this.#skip = encoding.bomBytes;
  }

  /** The text of one chunk; `null` gives what is left at the end. */
  text(chunk: Uint8Array | null): string {
    if (chunk === null) return this.#decoder.decode();
    if (this.#skip === 0) return this.#decoder.decode(chunk, { stream: true });
    const start = Math.min(this.#skip, chunk.length);
    this.#skip -= start;
    return this.#decoder.decode(chunk.subarray(start), { stream: true });
  }
}

function encodingOf(label: string, bomBytes: number, guess: string | null): Encoding {
  return { label, bomBytes, canFail: !NEVER_FAILS.has(label), guess };
}

function knownLabel(named: string): string | null {
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return null; // RangeError is the decoder's only answer to a label that it does not know.
  }
}

function declaredLabel(head: Uint8Array): string | null {
  const ascii = new TextDecoder("windows-1252").decode(head.subarray(0, ENCODING_HEAD_BYTES));
  return DECLARATION.exec(ascii)?.[1]?.trim() || null;
}

/** `<` next to a zero byte, which no 8-bit text begins with. */
function utf16Look(head: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (head[0] === 0x3c && head[1] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] === 0x3c) return "utf-16be";
  return null;
}
