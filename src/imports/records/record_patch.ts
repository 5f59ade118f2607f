/**
 * A patch contains what a record changes in its product. If several records have the same SKU, only
 * the last record is applied. The last record also gets the units sold of the earlier records.
 */
import type { Product, TierPrice } from "../../catalogue/products/product.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { exponentOf, formatDecimalComma, formatMajor } from "../../base/money.ts";
import {
  majorName,
  RECORD_AMOUNT_NAMES,
  RECORD_NAMES,
  type RecordAmountName,
  type RecordName,
} from "../../catalogue/products/product_field_table.ts";
import type { FileLink } from "../../shops/matches/link_plan.ts";
import { type Finding, shortened } from "../files/source_file.ts";
import { type FileDay, joinedDays } from "./field_values.ts";
import type { RawRecord, RowName, Values } from "./raw_record.ts";
import { hash as hashOnce } from "node:crypto";

const HASH_CHARACTERS = 22;

export interface RecordLine {
  readonly hash: string;
  readonly index: number;
  readonly line: number;
  readonly file: number;
  readonly sku: string;
  /** `patch` is JSON, and empty for a refused record. */
  readonly patch: string;
  /**
   * `rows` has the record's rows in the file as JSON; empty unless the record may be refused later.
   */
  readonly rows: string;
  /** `sold` has the units sold per day as JSON, which the hash of the record does not include. */
  readonly sold: string;
  readonly written?: string;
  /** Number of earlier records with the same SKU, which this record replaces. */
  readonly losers: number;
}

/** Fields are separated by tabs, because neither SKUs nor JSON contain tabs. */
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
  const texts = written ? JSON.stringify(written) : "";
  const fields = `${hash}\t${index}\t${line}\t${file}\t${patch.sku}\t${json}`;
  return `${`${fields}\t${rows}\t${days}\t${texts}`.trimEnd()}\n`;
}

export function seenLine(sku: string, index: number): string {
  return `-\t${index}\t0\t0\t${sku}\t\n`;
}

function recordOf(text: string): RecordLine {
  const fields = text.split("\t", 9);
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

/** The pattern matches only keys, because JSON escapes the quotes within texts. */
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

/** If the patch has no `currency`, a row without `isNamed` gets the currency of its product. */
export interface PatchRow extends TierPrice {
  /** `isNamed` marks rows with a currency in a record whose rows do not all name the same one. */
  readonly isNamed?: true;
}

const FED = ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const;
export type FedField = (typeof FED)[number];
type FedRows = Readonly<Partial<Record<FedField, Values<RowName>>>>;

export type RecordFields = { -readonly [Name in RecordName]?: Product[Name] };

type RecordAmounts = { -readonly [Name in RecordAmountName]?: number | null };

/** An absent field is unchanged; null clears the field. Equal patches have equal JSON. */
export interface RecordPatch extends RecordFields, RecordAmounts {
  sku: string;
  /** An import does not restore a deleted product that the record names by EAN (`isFound`). */
  isFound?: true;
  isDeleted?: true;
  /**
   * If `currency` is absent, a stored product keeps its currency, and a new product gets the
   * workspace's currency.
   */
  currency?: string;
  tier?: string | null;
  ourPriceCents?: number;
  prices?: {
    /** `rows` replaces the stored prices of these tiers; a tier without rows loses its prices. */
    readonly tiers: readonly (string | null)[];
    readonly rows: readonly PatchRow[];
    readonly feeds?: Readonly<Partial<Record<FedField, string | null>>>;
  };
  /** Currency of the amounts that are not in `prices`. */
  amountsIn?: string;
  /** An attribute with an empty text is removed; attributes that the patch does not name stay. */
  attributes?: Readonly<Record<string, string>>;
  links?: readonly FileLink[];
}

type WrittenValues = Readonly<Record<string, string>>;

export interface EvaluatedRecord {
  readonly index: number;
  readonly line: number;
  readonly sku: string | null;
  readonly patch: RecordPatch | null;
  readonly findings: readonly Finding[];
  readonly written?: WrittenValues;
  readonly sold?: readonly FileDay[];
  /**
   * The first price, if all amounts consist of digits. Null if an amount has another character, or
   * a price has fewer than three digits. Absent if there is no price, and always for XML files and
   * amounts in minor units.
   */
  readonly wholePrice?: string | null;
  readonly refusedXml: string | null;
  readonly rows?: readonly (readonly (string | null)[])[];
  /** True if the record is skipped, because its product is not for sale or its EAN is unknown. */
  readonly isPassedOver?: true;
  /** Until the product is found by this EAN, the record has no SKU. */
  readonly byEan?: string;
  /**
   * SKUs of the products that a refused or skipped record names, by default its `sku`. An import in
   * the mode `replace` does not delete these products.
   */
  readonly spared?: readonly string[];
}

export function writtenBeside(raw: RawRecord, patch: RecordPatch, fed: FedRows): WrittenValues {
  const found: Record<string, string> = {};
  for (const name of RECORD_NAMES) {
    const text = raw.item.text(name);
    const value = patch[name];
    if (text !== null && value !== undefined && !readsAs(text, value)) {
      found[name] = shortened(text);
    }
  }
  const exponent = exponentOf(patch.amountsIn ?? "");
  const putWritten = (field: string, text: string | null, cents: number | null | undefined) => {
    if (text !== null && typeof cents === "number" && !isAmount(text, cents, exponent)) {
      found[field] = shortened(text);
    }
  };
  for (const name of RECORD_AMOUNT_NAMES) {
    const field = majorName(name);
    putWritten(field, raw.item.text(field), patch[name]);
  }
  for (const name of FED) {
    const row = fed[name];
    if (row) putWritten(majorName(name), row.text("amount"), patch[name]);
  }
  return found;
}

function readsAs(text: string, value: string | number | null): boolean {
  return typeof value === "number"
    ? text === String(value) || text === String(value).replace(".", ",")
    : text === (value ?? "");
}

function isAmount(written: string, cents: number, exponent: number): boolean {
  const text = written.replace(/^\D+|\D+$/g, "");
  const whole = cents / 10 ** exponent;
  return text === formatMajor(cents, exponent) || text === formatDecimalComma(cents, exponent) ||
    (Number.isInteger(whole) && text === String(whole));
}

export interface Winners {
  /** The last record of each SKU, in upload order. */
  readonly records: readonly RecordLine[];
  /** SKUs of all records, including refused records; empty unless the mode is `replace`. */
  readonly mentioned: ReadonlySet<string>;
}

export async function readWinners(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  isMentioning: boolean,
): Promise<Winners> {
  const bySku = new Map<string, RecordLine>();
  const mentioned = new Set<string>();
  const slice = new TimeSlice();
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const record of lines.map(recordOf)) {
      const { sku } = record;
      if (isMentioning) mentioned.add(sku);
      if (record.patch !== "") bySku.set(sku, laterOf(bySku.get(sku), record));
    }
    await slice.yield();
  }
  if (rest !== "") throw new Error("A line of records breaks off before its end");
  const records = [...bySku.values()].sort((one, other) => one.index - other.index);
  return { records, mentioned };
}

function laterOf(before: RecordLine | undefined, record: RecordLine): RecordLine {
  if (before === undefined) return record;
  const [later, earlier] = record.index > before.index ? [record, before] : [before, record];
  const sold = earlier.sold === ""
    ? later.sold
    : JSON.stringify(joinedDays(soldOf(earlier), soldOf(later)));
  return { ...later, sold, losers: before.losers + 1 };
}
