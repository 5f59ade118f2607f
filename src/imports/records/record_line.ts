/** A checked record between the two passes of an import: one line of text. */
import { hash as hashOnce } from "node:crypto";
import { type FileDay, joinedDays } from "./file_date.ts";
import type { RecordPatch, WrittenValues } from "./record_patch.ts";

const HASH_CHARACTERS = 22;

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
  /** JSON of what the file says where its values read otherwise; empty without any. No part of the hash. */
  readonly written?: string;
  /** Records of the same SKU that lost against this one. */
  readonly losers: number;
}

/** Fields are parted by tabs: neither a SKU nor JSON holds a control character. */
export function lineOf(
  patch: RecordPatch,
  { index, line, file, rows = "", sold = [], written }:
    & Pick<RecordLine, "index" | "line" | "file">
    & {
      readonly rows?: string;
      readonly sold?: readonly FileDay[];
      readonly written?: WrittenValues | undefined;
    },
): string {
  const json = JSON.stringify(patch);
  const hash = hashOnce("sha256", json, "base64url").slice(0, HASH_CHARACTERS);
  const record = `${hash}\t${index}\t${line}\t${file}\t${patch.sku}\t${json}`;
  if (written) {
    const days = sold.length > 0 ? JSON.stringify(sold) : "";
    return `${record}\t${rows}\t${days}\t${JSON.stringify(written)}\n`;
  }
  if (sold.length > 0) return `${record}\t${rows}\t${JSON.stringify(sold)}\n`;
  return rows === "" ? `${record}\n` : `${record}\t${rows}\n`;
}

/** Says that a SKU stands in the upload, with a record that was refused. */
export function seenLine(sku: string, index: number): string {
  return `-\t${index}\t0\t0\t${sku}\t\n`;
}

const TAB = "\t".charCodeAt(0);
const LINE_END = "\n".charCodeAt(0);
const FIELDS_BEFORE_PATCH = 5;
const decoder = new TextDecoder();

/** Reads the fields of a line in front of its patch; the line begins at `start`. */
export function headOf(
  bytes: Uint8Array,
  start: number,
): Pick<RecordLine, "sku" | "index"> & { readonly isPatch: boolean } {
  let end = start;
  for (let n = 0; n < FIELDS_BEFORE_PATCH; n++) end = bytes.indexOf(TAB, end) + 1;
  const [, index = "", , , sku = ""] = decoder.decode(bytes.subarray(start, end - 1)).split("\t");
  return { sku, index: Number(index), isPatch: bytes[end] !== LINE_END };
}

/** The inverse of `lineOf`, without the end of the line. */
export function recordOf(bytes: Uint8Array): RecordLine {
  const fields = decoder.decode(bytes).split("\t", 9);
  const [hash = "", index = "", line = "", file = "", sku = "", patch = ""] = fields;
  const [rows = "", sold = "", written = ""] = fields.slice(6);
  return {
    hash,
    index: Number(index),
    line: Number(line),
    file: Number(file),
    sku,
    patch,
    rows,
    sold,
    written,
    losers: 0,
  };
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

export function writtenOf({ written }: RecordLine): WrittenValues {
  return written ? JSON.parse(written) : {};
}

export function soldOf({ sold }: Pick<RecordLine, "sold">): readonly FileDay[] {
  return sold === "" ? [] : JSON.parse(sold);
}

/** Days that several records of a SKU tell of are those of all; of two for one day the later counts. */
export function withSoldOf(winner: RecordLine, loser: RecordLine): RecordLine {
  if (loser.sold === "") return winner;
  const [first, second] = winner.index > loser.index ? [loser, winner] : [winner, loser];
  return { ...winner, sold: JSON.stringify(joinedDays(soldOf(first), soldOf(second))) };
}
