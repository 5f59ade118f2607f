/** A checked record between the two passes of an import: one line of text. */
import { hash as hashOnce } from "node:crypto";
import type { RecordPatch } from "./record_patch.ts";
import { type FileDay, joinedDays } from "./record_sold.ts";

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
  /** JSON of the rows of a table that it stands in, where it may be refused yet; else empty. */
  readonly rows: string;
  /** JSON of the days that were sold; empty without any. It is no part of the hash. */
  readonly sold: string;
  /** Records of the same SKU that lost against this one. */
  readonly losers: number;
}

/** Fields are parted by tabs: neither a SKU nor JSON holds a control character. */
export function lineOf(
  patch: RecordPatch,
  { index, line, file, rows = "", sold = [] }: Pick<RecordLine, "index" | "line" | "file"> & {
    readonly rows?: string;
    readonly sold?: readonly FileDay[];
  },
): string {
  const json = JSON.stringify(patch);
  const hash = hashOnce("sha256", json, "base64url").slice(0, HASH_CHARACTERS);
  const record = `${hash}\t${index}\t${line}\t${file}\t${patch.sku}\t${json}`;
  if (sold.length > 0) return `${record}\t${rows}\t${JSON.stringify(sold)}\n`;
  return rows === "" ? `${record}\n` : `${record}\t${rows}\n`;
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
    const fields = text.slice(start, end).split("\t", 8);
    const [hash = "", index = "", line = "", file = "", sku = "", patch = ""] = fields;
    const [rows = "", sold = ""] = fields.slice(6);
    lines.push({
      hash,
      index: Number(index),
      line: Number(line),
      file: Number(file),
      sku,
      patch,
      rows,
      sold,
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

/** What was sold of the product. */
export function soldOf({ sold }: Pick<RecordLine, "sold">): readonly FileDay[] {
  return sold === "" ? [] : JSON.parse(sold);
}

/** Days that several records of a SKU tell of are those of all; of two for one day the later counts. */
export function withSoldOf(winner: RecordLine, loser: RecordLine): RecordLine {
  if (loser.sold === "") return winner;
  const [first, second] = winner.index > loser.index ? [loser, winner] : [winner, loser];
  return { ...winner, sold: JSON.stringify(joinedDays(soldOf(first), soldOf(second))) };
}
