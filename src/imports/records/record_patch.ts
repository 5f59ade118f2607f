/** What a record changes, and the line of text in which it waits for pass 2. */
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
  /** JSON of the patch; empty for a refused record. */
  readonly patch: string;
  /** JSON of the record's table rows if it may still be refused; else empty. */
  readonly rows: string;
  /** JSON of the units sold per day; empty if there are none. Not part of the hash. */
  readonly sold: string;
  /** JSON of the file's text of values that look different, or empty. Not part of the hash. */
  readonly written?: string;
  /** Number of earlier records of the same SKU that this one replaces. */
  readonly losers: number;
}

/** Fields are separated by tabs: neither a SKU nor JSON has control characters. */
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

/** Encodes that a SKU is in the upload although its record was not accepted. */
export function seenLine(sku: string, index: number): string {
  return `-\t${index}\t0\t0\t${sku}\t\n`;
}

const TAB = "\t".charCodeAt(0);
const LINE_END = "\n".charCodeAt(0);
const FIELDS_BEFORE_PATCH = 5;
const decoder = new TextDecoder();

/** Reads the fields before the patch of the line that begins at `start`. */
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

/** Finds a price or a cost without parsing: quotes within a text would be escaped. */
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

/** Without a currency it means its product's, but was read as if in `currency`. */
export interface PatchRow extends TierPrice {
  /** True if the row names its currency: the record has none, and other rows another or none. */
  readonly isNamed?: true;
}

const FED = ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const;
export type FedField = (typeof FED)[number];
/** Price rows that provide amounts of a record. */
type FedFrames = Readonly<Partial<Record<FedField, Frame>>>;

export type RecordFields = { -readonly [Name in RecordName]?: Product[Name] };

/** Amounts that are evaluated by themselves, in minor units of `amountsIn`. */
type RecordAmounts = { -readonly [Name in RecordAmountName]?: number | null };

/** Absent: unchanged; null clears. Equal patches have equal JSON, so the order of keys counts. */
export interface RecordPatch extends RecordFields, RecordAmounts {
  sku: string;
  /** Found by EAN: if the product is deleted meanwhile, no new one is created. */
  isFound?: true;
  /** True if the record deletes the product; it then has no other changes. */
  isDeleted?: true;
  /** Absent: the currency of the product, or the workspace's for a new one. */
  currency?: string;
  tier?: string | null;
  ourPriceCents?: number;
  prices?: {
    /** Tiers whose stored prices are replaced by `rows`; a tier without rows loses its prices. */
    readonly tiers: readonly (string | null)[];
    readonly rows: readonly PatchRow[];
    /** The tier from which each amount was taken; present if a row has `isNamed`. */
    readonly feeds?: Readonly<Partial<Record<FedField, string | null>>>;
  };
  /** The currency of cost, target and own price; present if there is one of them. */
  amountsIn?: string;
  /** The attributes of the record; an empty one is removed. Other attributes stay. */
  attributes?: Readonly<Record<string, string>>;
  /** All addresses are allowed ones. */
  links?: readonly FileLink[];
}

/** Texts of the file by field name, such as `title` and `ourPrice`. */
type WrittenValues = Readonly<Record<string, string>>;

/** An evaluated record of the upload. `patch` is null if the record is refused. */
export interface EvaluatedRecord {
  readonly index: number;
  readonly line: number;
  readonly sku: string | null;
  readonly patch: RecordPatch | null;
  readonly findings: readonly Finding[];
  readonly written?: WrittenValues;
  /** Units sold of its product; absent if the record has none. */
  readonly sold?: readonly FileDay[];
  /**
   * For tables: the price if all amounts are digits only and it has at least three digits, like amounts
   * in cents; null if an amount has another form, absent without a price.
   */
  readonly wholePrice?: string | null;
  /** A refused record in the house format; null for an accepted one. */
  readonly refusedXml: string | null;
  /** For tables: the cells of the record's rows. */
  readonly rows?: readonly (readonly (string | null)[])[];
  /** The product is not sold or its EAN is unknown; it does not count as missing. */
  readonly isPassedOver?: true;
  /** The EAN for finding its product; the patch then still lacks the SKU. */
  readonly byEan?: string;
}

/**
 * Returns the file's text for each value of the patch that looks different: a number in another
 * format, a price that was converted between net and gross or from cents, a trimmed text. Long
 * texts are shortened.
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
  // A currency sign next to a number does not matter.
  const text = written.replace(/^\D+|\D+$/g, "");
  const whole = cents / 10 ** exponent;
  return text === formatMajor(cents, exponent) || text === formatDecimalComma(cents, exponent) ||
    (Number.isInteger(whole) && text === String(whole));
}
