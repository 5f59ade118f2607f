/**
 * The result of evaluating a record: its changes and findings. Also converts it to the line of text that
 * is stored between the two passes of an import.
 */

import { exponentOf } from "../../base/currency.ts";
import { formatDecimalComma, formatMajor } from "../../base/money.ts";
import type { Product, TierPrice } from "../../catalogue/products/product.ts";
import {
  majorName,
  RECORD_AMOUNT_NAMES,
  RECORD_NAMES,
  type RecordAmountName,
  type RecordName,
} from "../../catalogue/products/product_field_table.ts";
import type { FileLink } from "../../shops/matches/link_plan.ts";
import { type Finding, shortened } from "../files/finding.ts";
import { FIELD_SLOTS, ROW_SLOTS } from "./compiled_profile.ts";
import { type FileDay, joinedDays } from "./field_values.ts";
import type { Frame, RawRecord } from "./raw_record.ts";
import { hash as hashOnce } from "node:crypto";

const HASH_CHARACTERS = 22;

export interface RecordLine {
  readonly hash: string;
  readonly index: number;
  readonly line: number;
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
  const days = sold.length > 0 ? JSON.stringify(sold) : "";
  const fields = [hash, index, line, file, patch.sku, json, rows, days];
  if (written) fields.push(JSON.stringify(written));
  while (fields.at(-1) === "") fields.pop();
  return `${fields.join("\t")}\n`;
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
 * Whether the record has a price or a cost, without parsing it. Inside a text the quotes of such a name
 * would be escaped.
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

/** Merges the days of several records of a SKU; of two values for a day the later one counts. */
export function withSoldOf(winner: RecordLine, loser: RecordLine): RecordLine {
  if (loser.sold === "") return winner;
  const [first, second] = winner.index > loser.index ? [loser, winner] : [winner, loser];
  return { ...winner, sold: JSON.stringify(joinedDays(soldOf(first), soldOf(second))) };
}

/** A row in the currency that its record names, or in that of its product, read as if in `currency`. */
export interface PatchRow extends TierPrice {
  /** The row itself says so: its record names no currency, and other rows another one or none. */
  readonly isNamed?: true;
}

const FED = ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const;
export type FedField = (typeof FED)[number];
/** Price rows that amounts of a record were taken from. */
export type FedFrames = Readonly<Partial<Record<FedField, Frame>>>;

/** Fields that a record says by themselves. */
export type RecordFields = { -readonly [Name in RecordName]?: Product[Name] };

/** Amounts that a record says by themselves, in minor units of `amountsIn`. */
type RecordAmounts = { -readonly [Name in RecordAmountName]?: number | null };

/**
 * The changes that one record asks for. A field that the record lacks is absent and stays as it is;
 * null clears it. Keys come in this order, so that equal patches have equal JSON.
 */
export interface RecordPatch extends RecordFields, RecordAmounts {
  sku: string;
  /** The product was found by its EAN; if it was deleted meanwhile, no new one is created. */
  isFound?: true;
  /** The record asks for the product to be deleted; it then says nothing else. */
  isDeleted?: true;
  /** Absent when the file names none: the product's own, or the workspace's for a new one. */
  currency?: string;
  tier?: string | null;
  ourPriceCents?: number;
  prices?: {
    /** Tiers whose stored prices `rows` replace; one without rows loses its prices. */
    readonly tiers: readonly (string | null)[];
    readonly rows: readonly PatchRow[];
    /** The tier that each of these amounts is from; there when a row is named. */
    readonly feeds?: Readonly<Partial<Record<FedField, string | null>>>;
  };
  /** The currency of cost, target and own price; there when there is one of them. */
  amountsIn?: string;
  /** Those that the record names; an empty one goes. The others stay. */
  attributes?: Readonly<Record<string, string>>;
  /** Every address is one that may be kept. */
  links?: readonly FileLink[];
}

/** Texts of the file by the names of fields as they are read: `title`, `ourPrice`. */
export type WrittenValues = Readonly<Record<string, string>>;

/** A record of the upload, judged. `patch` is null when the record is refused. */
export interface EvaluatedRecord {
  readonly index: number;
  readonly line: number;
  readonly sku: string | null;
  readonly patch: RecordPatch | null;
  readonly findings: readonly Finding[];
  readonly written?: WrittenValues;
  /** Units sold of its product; absent if it says nothing of them. */
  readonly sold?: readonly FileDay[];
  /**
   * For tables: the price if all amounts are digits only and it has at least three digits, like amounts
   * in cents; null if an amount has another form, absent without a price.
   */
  readonly wholePrice?: string | null;
  /** A refused record in the house format; null for an accepted one. */
  readonly refusedXml: string | null;
  /** Of a table: the cells of its rows, one or those of one SKU. */
  readonly rows?: readonly (readonly (string | null)[])[];
  /** Nothing is done about it: not sold, or not known by its EAN. Its product is not missing. */
  readonly isPassedOver?: true;
  /** The EAN by which it finds its product, whose SKU the patch then lacks still. */
  readonly byEan?: string;
}

/**
 * The file's text for each value of the patch that looks different: a number that is
 * written in another way, a price that was brought to the other side of VAT or from cents, a text
 * whose blanks were cut. Long texts are shortened.
 */
export function writtenBeside(raw: RawRecord, patch: RecordPatch, fed: FedFrames): WrittenValues {
  const found: Record<string, string> = {};
  for (const name of RECORD_NAMES) {
    const text = raw.item.values[FIELD_SLOTS[name]] ?? null;
    const value = patch[name];
    if (text !== null && value !== undefined && !readsAs(text, value)) {
      found[name] = shortened(text);
    }
  }
  const exponent = exponentOf(patch.amountsIn ?? "");
  const tell = (field: string, text: string | null, cents: number | null | undefined) => {
    if (text !== null && typeof cents === "number" && !isAmount(text, cents, exponent)) {
      found[field] = shortened(text);
    }
  };
  for (const name of RECORD_AMOUNT_NAMES) {
    const field = majorName(name);
    tell(field, raw.item.values[FIELD_SLOTS[field]] ?? null, patch[name]);
  }
  for (const name of FED) {
    const frame = fed[name];
    if (frame) tell(majorName(name), frame.values[ROW_SLOTS.amount] ?? null, patch[name]);
  }
  return found;
}

function readsAs(text: string, value: string | number | null): boolean {
  return typeof value === "number"
    ? text === String(value) || text === String(value).replace(".", ",")
    : text === (value ?? "");
}

function isAmount(written: string, cents: number, exponent: number): boolean {
  // A currency sign around it makes no other number of it.
  const text = written.replace(/^\D+|\D+$/g, "");
  const whole = cents / 10 ** exponent;
  return text === formatMajor(cents, exponent) || text === formatDecimalComma(cents, exponent) ||
    (Number.isInteger(whole) && text === String(whole));
}
