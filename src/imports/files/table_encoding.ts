/** The encoding of a file that says nothing of itself as XML does (docs/decisions/imports.md, "Tables"). */
import {
  type Encoding,
  knownEncoding,
  markedEncoding,
  StrictCheck,
} from "../../engine/xml/encoding.ts";
import type { FileBytes } from "./byte_source.ts";
import { headOf } from "./byte_source.ts";
import type { FileFault, LookEvent } from "./file_fault.ts";

const HEAD_BYTES = 65_536;
/** Of the bytes at even or odd places: a text in Latin letters as UTF-16 has zeros in every other. */
const ZERO_SHARE_MIN = 0.3;
const OTHER_SHARE_MAX = 0.05;
/** ¤ in windows-1252, € in ISO-8859-15. */
const EURO_OF_LATIN9 = 0xa4;

/**
 * Byte order mark, then what the request declares, then zeros in every other byte, then UTF-8 if all of
 * the file is (its head proves nothing of its end), else windows-1252, or ISO-8859-15 where only that
 * makes sense. Refuses what holds zeros otherwise: it is no text.
 */
export async function* tableEncoding(
  file: FileBytes,
): AsyncGenerator<LookEvent, Encoding | FileFault> {
  const head = await headOf(file, HEAD_BYTES);
  const marked = markedEncoding(head);
  if (marked) return marked;
  const declared = file.charset?.trim();
  if (declared) {
    const known = knownEncoding(declared, null);
    if (known) return known;
    const message = `The encoding "${declared.slice(0, 80)}" is not known`;
    return { code: "unknown_encoding", line: 1, message, value: declared };
  }
  const zeros = zerosOf(head);
  if (zeros === "other") {
    return { code: "unknown_format", line: null, message: "The file is no text" };
  }
  if (zeros !== null) return known(zeros, `Every other byte is zero: read as ${zeros}`);
  return yield* eightBit(file);
}

/** The half of the pairs that holds the zeros; null where there are none. */
function zerosOf(head: Uint8Array): "utf-16le" | "utf-16be" | "other" | null {
  const counts = [0, 0];
  for (const [at, byte] of head.entries()) {
    if (byte === 0) counts[at % 2] = (counts[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = counts.map((count) => count / Math.max(1, head.length / 2));
  if (even === 0 && odd === 0) return null;
  if (odd > ZERO_SHARE_MIN && even < OTHER_SHARE_MAX) return "utf-16le";
  return even > ZERO_SHARE_MIN && odd < OTHER_SHARE_MAX ? "utf-16be" : "other";
}

async function* eightBit(file: FileBytes): AsyncGenerator<LookEvent, Encoding> {
  const check = new StrictCheck(known("utf-8", null));
  let isUtf8 = true;
  let hasEuro = false;
  let hasWindowsOnly = false;
  for await (const chunk of file.chunks()) {
    if (isUtf8 && !check.accepts(chunk)) isUtf8 = false;
    hasEuro ||= chunk.includes(EURO_OF_LATIN9);
    hasWindowsOnly ||= chunk.some((byte) => byte >= 0x80 && byte <= 0x9f);
    yield { kind: "progress", bytes: chunk.length };
  }
  if (isUtf8 && check.accepts(null)) return known("utf-8", null);
  const label = hasEuro && !hasWindowsOnly ? "iso-8859-15" : "windows-1252";
  return known(label, `The file is not UTF-8 throughout: read as ${label}`);
}

/** One of the labels above, which every decoder knows. */
function known(label: string, guess: string | null): Encoding {
  const encoding = knownEncoding(label, guess);
  if (!encoding) throw new Error(`The decoder does not know ${label}`);
  return encoding;
}
