import { markedEncoding } from "../../engine/xml/encoding.ts";

/** What a body is by its first bytes, whatever its name or type says. */
export type ContentKind = "xml" | "zip" | "gzip" | "ole2" | "pdf" | "empty" | "other";

/** How many bytes `contentKind` wants to see. */
export const KIND_HEAD_BYTES = 1_024;

const ZIP_SIGNATURES: readonly number[] = [0x0403, 0x0605, 0x0807];

const PDF_SIGNATURE = [0x25, 0x50, 0x44, 0x46, 0x2d];
const OLE2_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** XML begins with `<`, after blanks and a byte order mark; ZIP with its signature. */
export function contentKind(head: Uint8Array): ContentKind {
  if (head.length === 0) return "empty";
  if (head[0] === 0x50 && head[1] === 0x4b) {
    const signature = (head[2] ?? 0) | ((head[3] ?? 0) << 8);
    if (ZIP_SIGNATURES.includes(signature)) return "zip";
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  if (PDF_SIGNATURE.every((byte, at) => head[at] === byte)) return "pdf";
  if (OLE2_SIGNATURE.every((byte, at) => head[at] === byte)) return "ole2";
  for (const byte of head.subarray(markedEncoding(head)?.bomBytes ?? 0)) {
    if (byte === 0x3c) return "xml";
    // A zero byte is the other half of a blank or of `<` in UTF-16.
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0) {
      return "other";
    }
  }
  return "other";
}
