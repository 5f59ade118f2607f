/** A checked record between the two passes of an import: one line of text. */
import { hash as hashOnce } from "node:crypto";
import type { RecordPatch } from "./record_patch.ts";

const HASH_CHARACTERS = 22;

/** What is known of a record without parsing its patch, which an unchanged record never needs. */
export interface RecordLine {
  readonly hash: string;
  readonly index: number;
  /** Line of its start tag. */
  readonly line: number;
  /** Number of its file within the upload. */
  readonly file: number;
  readonly sku: string;
  /** JSON of the patch; empty for a record that was refused. */
  readonly patch: string;
  /** Records of the same SKU that lost against this one. */
  readonly losers: number;
}

/** Fields are parted by tabs: neither a SKU nor JSON holds a control character. */
export function lineOf(
  patch: RecordPatch,
  { index, line, file }: Pick<RecordLine, "index" | "line" | "file">,
): string {
  const json = JSON.stringify(patch);
  const hash = hashOnce("sha256", json, "base64url").slice(0, HASH_CHARACTERS);
  return `${hash}\t${index}\t${line}\t${file}\t${patch.sku}\t${json}\n`;
}

/** Says that a SKU stands in the upload, with a record that was refused. */
export function seenLine(sku: string, index: number): string {
  return `-\t${index}\t0\t0\t${sku}\t\n`;
}

/** The inverse of `lineOf` for many lines. */
export function parseLines(text: string): RecordLine[] {
  const lines: RecordLine[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    if (end === -1) throw new Error("A line of records breaks off before its end");
    const fields = text.slice(start, end).split("\t", 6);
    const [hash = "", index = "", line = "", file = "", sku = "", patch = ""] = fields;
    lines.push({
      hash,
      index: Number(index),
      line: Number(line),
      file: Number(file),
      sku,
      patch,
      losers: 0,
    });
    start = end + 1;
  }
  return lines;
}

/**
 * Whether the record brings a price or a cost, without parsing it: inside of a text the quotes of such
 * a name would be escaped.
 */
export function bringsPrice({ patch }: RecordLine): boolean {
  return /"(?:our|cost)PriceCents":\d/.test(patch);
}

export function patchOf({ patch }: RecordLine): RecordPatch {
  return JSON.parse(patch);
}
