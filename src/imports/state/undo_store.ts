/**
 * Stores what an import changed in each product, for a week, so that the import can be undone. The
 * changes are stored per part of a product: a field, a price row, an attribute, or a day's sales.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  IMPORT_KIND,
  type ImportJob,
  isUndo,
  type QueuedImport,
  type UndoRows,
} from "./import_job.ts";
import { partsOf as cutBytes } from "../../base/bytes.ts";
import { leastIdAt } from "../../base/id.ts";
import { DAY_MS, monthOf } from "../../base/time.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import { fromKeys } from "../../base/collections.ts";
import { utf8Bytes } from "../../base/text.ts";
import { type Product, TierPrice } from "../../catalogue/products/product.ts";
import {
  AMOUNT_NAMES,
  FIELD_NAMES,
  type FieldName,
  FOLLOWING_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import { changeOf, type SalesChange, type SoldDay } from "../../catalogue/sales/sale.ts";
import type { LinkPlan } from "../../shops/matches/link_plan.ts";
import { Attributes } from "../../catalogue/products/product_fields.ts";
import { byPlace, PRICES_MAX } from "../records/price_rows.ts";
import { isDeepStrictEqual, promisify } from "node:util";
import { deflateRaw, inflateRaw, type ZlibOptions } from "node:zlib";
import { z } from "@hono/zod-openapi";

/** Values of the part before and after the import; null if the part was absent. */
export type Step = readonly [part: string, from: unknown, to: unknown];

/** `wasEnabled` is null if the import created the link. */
type LinkStep = readonly [matchId: string, wasEnabled: boolean | null];

export interface UndoEntry {
  readonly productId: string;
  /** `updatedAt` of the product after the import; null if only links or units sold changed. */
  readonly atMs: number | null;
  readonly currency: string;
  readonly steps: readonly Step[];
  readonly links: readonly LinkStep[];
}

const UNDONE = FIELD_NAMES.filter((name) => name !== "sku" && !FOLLOWING_NAMES.includes(name));
const MONEY = ["currency", ...AMOUNT_NAMES] as const;

const NOT_CREATED = "";

export function isOfNewProduct({ steps }: UndoEntry): boolean {
  return steps.some(([part, from]) => part === "deletedAt" && from === NOT_CREATED);
}

interface ProductTrace {
  readonly before?: Product | null;
  /** The product after the import; null if the import changes only links or units sold. */
  readonly after?: Product | null;
  readonly sales?: readonly SalesChange[];
  readonly links?: LinkPlan | null;
}

export function entryOf(
  productId: string,
  { before = null, after = null, sales = [], links = null }: ProductTrace,
): UndoEntry {
  const days = sales.flatMap(({ days }) => days);
  return {
    productId,
    atMs: after ? Date.parse(after.updatedAt) : null,
    currency: after?.currency ?? "",
    steps: [
      ...(after ? stepsBetween(before, after) : []),
      ...days.map((
        { date, from, to },
      ): Step => [`units:${date}`, valueOfDay(from), valueOfDay(to)]),
    ],
    links: [
      ...(links?.added ?? []).map(({ match }): LinkStep => [match.id, null]),
      ...(links?.switched ?? []).map(({ matchId, enabled }): LinkStep => [matchId, !enabled]),
    ],
  };
}

function stepsBetween(before: Product | null, after: Product): Step[] {
  if (before === null) return [["deletedAt", NOT_CREATED, null]];
  const isConverted = before.currency !== after.currency;
  const contained: readonly string[] = isConverted ? AMOUNT_NAMES : [];
  const fields = UNDONE.filter((name) => before[name] !== after[name] && !contained.includes(name));
  const [was, is] = [partsOf(before, fields), partsOf(after, fields)];
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((part): Step => [part, was.get(part) ?? null, is.get(part) ?? null])
    .filter(([, from, to]) => from !== to && !isDeepStrictEqual(from, to));
}

/**
 * Returns the parts of a product by name, such as `title`, `attributes:Farbe` or
 * `prices:["B2B","EUR",1]`. The part `currency` also contains all amounts, so that an undo restores
 * the currency and the amounts together.
 */
export function partsOf(
  product: Product,
  fields: readonly FieldName[] = UNDONE,
): Map<string, unknown> {
  const parts = new Map<string, unknown>();
  for (const field of fields) {
    if (field === "prices") {
      for (const { tier, currency, minQty, amountCents, validFrom } of product.prices) {
        const place = JSON.stringify([tier, currency, minQty]);
        parts.set(`prices:${place}`, [amountCents, validFrom]);
      }
    } else if (field === "attributes") {
      for (const [name, text] of Object.entries(product.attributes)) {
        parts.set(`attributes:${name}`, text);
      }
    } else if (field === "currency") parts.set(field, fromKeys(MONEY, (name) => product[name]));
    else parts.set(field, product[field]);
  }
  return parts;
}

export function valueOfDay(day: SoldDay | null): unknown {
  return day && [day.units, day.revenueCents, day.currency];
}

const deflate = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);
const FAST_COMPRESSION_LEVEL = 3;

export class UndoLog {
  readonly #texts: string[] = [];
  bytes = 0;

  add(productId: string, trace: ProductTrace): void {
    const text = packEntry(entryOf(productId, trace));
    this.#texts.push(text);
    this.bytes += utf8Bytes(text) + 1;
  }

  async save(
    write: Write,
    owner: Pick<WorkspaceStore, "workspaceId">,
    jobId: string,
    { rows, entries }: UndoRows,
  ): Promise<UndoRows> {
    if (this.#texts.length === 0) return { rows, entries };
    const text = new TextEncoder().encode(`[${this.#texts.join()}]`);
    const parts = cutBytes(await deflate(text, { level: FAST_COMPRESSION_LEVEL }));
    for (const [at, part] of parts.entries()) {
      const bytes = new Uint8Array(1 + part.length);
      bytes[0] = at < parts.length - 1 ? GOES_ON : 0;
      bytes.set(part, 1);
      undoRows.put(write, owner, { jobId, n: rows + at, bytes });
    }
    return { rows: rows + parts.length, entries: entries + this.#texts.length };
  }
}

type Packed = readonly [
  productId: string,
  atMs: number | null,
  currency: string,
  steps: readonly Step[],
  links: readonly LinkStep[],
];

export function packEntry({ productId, atMs, currency, steps, links }: UndoEntry): string {
  const packed: Packed = [productId, atMs, currency, steps, links];
  return JSON.stringify(packed);
}

/** Omits entries in the format of earlier versions of Kurant, as if they had expired. */
export function unpackEntries(json: string): UndoEntry[] {
  const rows: Packed[] = JSON.parse(json);
  return rows.filter(([, , currency]) => typeof currency === "string")
    .map(([productId, atMs, currency, steps, links]) => {
      return { productId, atMs, currency, steps, links };
    });
}

export const UNDO_DAYS = 7;

export function undoableUntil(job: ImportJob): Date | null {
  const isChanged = (job.cursor?.undo.entries ?? 0) > 0;
  if (!isChanged || !hasEnded(job) || job.finishedAt === null) return null;
  return new Date(Date.parse(job.finishedAt) + UNDO_DAYS * DAY_MS);
}

const GOES_ON = 1;

export const undoRows = defineTable<
  { readonly jobId: string; readonly n: number; readonly bytes: Uint8Array },
  "jobId" | "n"
>({
  prefix: "jv",
  about: "the changes of one commit, kept while the import can be undone: a byte that is 1 if " +
    "row `n + 1` continues them, then deflated JSON",
  key: { jobId: "id", n: "number" },
  value: "bytes",
  batchSize: 16,
  keep: {
    what: "data to undo imports",
    // One more day, because `isOld` counts from the job's creation, and undo from the job's end.
    days: UNDO_DAYS + 1,
    isOld: ({ jobId }, before) => jobId < leastIdAt(before.getTime()),
    isInOrder: true,
  },
  // The next row must exist, because old rows are deleted in ascending order.
  async check({ jobId, n }, workspace) {
    const job = await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
    if (job === null || isUndo(job)) return `Undo data (row ${n}) have no import ${jobId}`;
    const rows = job.cursor?.undo.rows ?? 0;
    if (n >= rows) return `Import ${jobId} made ${rows} commits, but has undo data in row ${n}`;
    if (n + 1 === rows || await undoRows.find(workspace, { jobId, n: n + 1 })) return null;
    return `The undo data of import ${jobId} lack row ${n + 1}`;
  },
});

export const undoers = defineTable<{ readonly jobId: string; readonly undoerId: string }, "jobId">({
  prefix: "ju",
  about: "id of the job that undoes or has undone the import",
  key: { jobId: "id" },
  value: "undoerId",
});

const inflate = promisify<Uint8Array, Uint8Array>(inflateRaw);

export async function readUndoCommit(workspace: WorkspaceStore, jobId: string, row: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let n = row;;) {
    const found = await undoRows.find(workspace, { jobId, n });
    if (found === null && parts.length === 0) return null;
    if (found === null) throw new Error(`The undo data of import ${jobId} lack row ${n}`);
    const { bytes } = found.row;
    n++;
    parts.push(bytes.slice(1));
    if (bytes[0] === GOES_ON) continue;
    const whole = await inflate(await new Blob(parts).bytes());
    return { entries: unpackEntries(new TextDecoder().decode(whole)), nextRow: n };
  }
}

export interface Kept {
  readonly code: "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link";
  readonly field: string | null;
  readonly value: string | null;
}

export const KEPT_PRODUCT: Kept = { code: "kept_product", field: null, value: null };

export function keptPart(part: string, product: Product, is: unknown): Kept {
  const [field = part, date] = part.split(":");
  if (field === "deletedAt") return KEPT_PRODUCT;
  const { [field]: value }: Record<string, unknown> = {
    ...product,
    prices: null,
    attributes: null,
    units: `${date}: ${Array.isArray(is) ? is[0] : 0}`,
  };
  return {
    code: field === "ourPriceCents" ? "kept_price" : "kept_field",
    field: field.replace(/Cents$/, ""),
    value: value === null || value === undefined ? null : String(value),
  };
}

const PriceValue = z.tuple([TierPrice.shape.amountCents, TierPrice.shape.validFrom]);

export function withParts(
  product: Product,
  back: ReadonlyMap<string, unknown>,
  kept: Kept[],
): Product {
  const fields: Record<string, unknown> = {};
  for (const [part, value] of back) {
    if (part === "currency") Object.assign(fields, value);
    else if (!part.includes(":")) fields[part] = value;
  }
  const now = partsOf(product);
  const parts = new Map([...now, ...back]);
  const set = (field: "prices" | "attributes", value: unknown) => {
    if (value === undefined) kept.push(keptPart(field, product, null));
    else fields[field] = value;
  };
  const prices = keyedParts("prices", back);
  if (prices.length > 0) {
    const rows = keyedParts("prices", parts).filter(([, value]) => value !== null).map(priceOf);
    const isAdded = prices.some(([key, value]) => value !== null && !now.has(`prices:${key}`));
    if (isAdded) rows.sort(byPlace);
    set("prices", rows.length > PRICES_MAX ? undefined : rows);
  }
  if (keyedParts("attributes", back).length > 0) {
    const attributes = keyedParts("attributes", parts).filter(([, value]) => value !== null);
    set("attributes", Attributes.safeParse(Object.fromEntries(attributes)).data);
  }
  return Object.keys(fields).length === 0 ? product : { ...product, ...fields };
}

function keyedParts(
  field: "prices" | "attributes" | "units",
  parts: ReadonlyMap<string, unknown>,
): [key: string, value: unknown][] {
  return [...parts].filter(([part]) => part.startsWith(`${field}:`))
    .map(([part, value]) => [part.slice(field.length + 1), value]);
}

function priceOf([key, value]: readonly [string, unknown]): TierPrice {
  const [tier, currency, minQty]: [string | null, string, number | null] = JSON.parse(key);
  const [amountCents, validFrom] = PriceValue.parse(value);
  return { tier, amountCents, currency, minQty, validFrom };
}

const DayValue = z.tuple([z.number(), z.int().nullable(), z.string().nullable()]).nullable();

export function salesToSetBack(
  productId: string,
  sales: ReadonlyMap<number, Uint8Array>,
  back: ReadonlyMap<string, unknown>,
): SalesChange[] {
  const days = keyedParts("units", back).map(([date, value]): [string, SoldDay | null] => {
    const day = DayValue.parse(value);
    return [date, day && { date, units: day[0], revenueCents: day[1], currency: day[2] }];
  });
  return [...Map.groupBy(days, ([date]) => monthOf(date))].flatMap(([month, ofMonth]) => {
    const place = { productId, month };
    return changeOf(place, sales.get(month) ?? null, ofMonth) ?? [];
  });
}

export const KEPT_MESSAGES: Readonly<Record<Kept["code"], string>> = {
  kept_field: "The field was changed since the import: it stays as it is",
  kept_price: "The price was set again since the import: it stays as it is",
  kept_bound:
    "The old price needs a reason or the approval of several people: the price stays as it is",
  kept_product: "The product was changed since the import: it stays as it is",
  kept_link: "The link was changed since the import: it stays as it is",
};
