/**
 * What an import changed in a product, so that it can be undone. Parts of a product are its fields,
 * and each price row, attribute and reported day.
 */
import { isDeepStrictEqual, promisify } from "node:util";
import { deflateRaw, type ZlibOptions } from "node:zlib";
import { fromKeys } from "../../base/collections.ts";
import { utf8Bytes } from "../../base/text.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  AMOUNT_NAMES,
  FIELD_NAMES,
  type FieldName,
  FOLLOWING_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import type { ProductChange } from "../../catalogue/products/product_store.ts";
import type { SoldDay } from "../../catalogue/sales/sale.ts";
import type { SalesChange } from "../../catalogue/sales/sales_store.ts";
import type { CommitCost } from "../../platform/store/kv.ts";
import type { LinkPlan } from "../../shops/matches/link_plan.ts";

/** A part before and after the import; null if absent. */
export type Step = readonly [part: string, from: unknown, to: unknown];

/** Whether the match was enabled before; null if the import created it. */
export type LinkStep = readonly [matchId: string, wasEnabled: boolean | null];

export interface UndoEntry {
  readonly productId: string;
  /** `updatedAt` of the product after the import; null if only links or sales changed. */
  readonly atMs: number | null;
  readonly currency: string;
  readonly steps: readonly Step[];
  readonly links: readonly LinkStep[];
}

const UNDONE = FIELD_NAMES.filter((name) => name !== "sku" && !FOLLOWING_NAMES.includes(name));
const MONEY = ["currency", ...AMOUNT_NAMES] as const;

/** Stands for the earlier `deletedAt` of a product that did not exist before the import. */
const NOT_CREATED = "";

export function isOfNewProduct({ steps }: UndoEntry): boolean {
  return steps.some(([part, from]) => part === "deletedAt" && from === NOT_CREATED);
}

export function entryOf(before: Product | null, after: Product): UndoEntry {
  const { id: productId, currency, updatedAt } = after;
  const steps: Step[] = before ? stepsBetween(before, after) : [["deletedAt", NOT_CREATED, null]];
  return { productId, atMs: Date.parse(updatedAt), currency, steps, links: [] };
}

function stepsBetween(before: Product, after: Product): Step[] {
  const isConverted = before.currency !== after.currency;
  const contained: readonly string[] = isConverted ? AMOUNT_NAMES : [];
  const fields = UNDONE.filter((name) => before[name] !== after[name] && !contained.includes(name));
  const [was, is] = [partsOf(before, fields), partsOf(after, fields)];
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((part): Step => [part, was.get(part) ?? null, is.get(part) ?? null])
    .filter(([, from, to]) => from !== to && !isDeepStrictEqual(from, to));
}

/**
 * Parts by name, such as `title`, `attributes:Farbe` or `prices:["B2B","EUR",1]`. The part
 * `currency` also contains all amounts, so that an undo restores them together with their currency.
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

/** Parts of reported days, such as `units:2026-01-31`. */
export function partOfDay(date: string, day: SoldDay | null): [part: string, value: unknown] {
  return [`units:${date}`, day && [day.units, day.revenueCents, day.currency]];
}

const ROW_BYTES_MAX = 60_000;

const deflate = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);
/** Takes a third of the default level's time, for 2 % more bytes. */
const LEVEL = 3;

export class UndoLog {
  readonly #texts: string[] = [];
  #bytes = 0;
  /** Encoded when the next product begins, so that links and sales of this product can be added. */
  #last: UndoEntry | null = null;

  product({ before, after }: Pick<ProductChange, "before" | "after">): void {
    this.#pack();
    this.#last = entryOf(before?.product ?? null, after.product);
  }

  links(productId: string, { added, switched }: LinkPlan): void {
    this.#add(productId, [], [
      ...added.map(({ match }) => [match.id, null] as const),
      ...switched.map(({ matchId, enabled }) => [matchId, !enabled] as const),
    ]);
  }

  sales(changes: readonly SalesChange[]): void {
    for (const { productId, days } of changes) {
      const steps = days.map(({ date, from, to }): Step => {
        const [part, value] = partOfDay(date, from);
        return [part, value, partOfDay(date, to)[1]];
      });
      this.#add(productId, steps, []);
    }
  }

  get cost(): Partial<CommitCost> {
    const waits = this.#last === null ? 0 : 500;
    const bytes = this.#bytes + waits;
    const mutations = bytes === 0 ? 0 : 1 + Math.floor(bytes / ROW_BYTES_MAX);
    const keyBytes = mutations * 60;
    return { mutations, keyBytes, bytes: bytes + keyBytes };
  }

  /** Returns the deflated entries in parts that fit into a row. */
  async packed(): Promise<{ readonly entries: number; readonly parts: readonly Uint8Array[] }> {
    this.#pack();
    const entries = this.#texts.length;
    if (entries === 0) return { entries, parts: [] };
    const text = new TextEncoder().encode(`[${this.#texts.join()}]`);
    const bytes = await deflate(text, { level: LEVEL });
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += ROW_BYTES_MAX) {
      parts.push(bytes.subarray(at, at + ROW_BYTES_MAX));
    }
    return { entries, parts };
  }

  #add(productId: string, steps: readonly Step[], links: readonly LinkStep[]): void {
    if (this.#last?.productId !== productId) {
      this.#pack();
      this.#last = { productId, atMs: null, currency: "", steps: [], links: [] };
    }
    const { steps: before, links: linksBefore } = this.#last;
    this.#last = { ...this.#last, steps: [...before, ...steps], links: [...linksBefore, ...links] };
  }

  #pack(): void {
    if (this.#last === null) return;
    const text = packEntry(this.#last);
    this.#texts.push(text);
    this.#bytes += utf8Bytes(text) + 1;
    this.#last = null;
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

export function unpackEntries(json: string): UndoEntry[] {
  const rows: Packed[] | FormerPacked[] = JSON.parse(json);
  if (areFormer(rows)) return formerEntries(rows);
  return rows.map(([productId, atMs, currency, steps, links]) => {
    return { productId, atMs, currency, steps, links };
  });
}

/** Entry in stores of earlier versions, relative to the previous entry. */
type FormerPacked = readonly [
  id: number | string,
  sinceMs: number,
  /** 0: changed, 1: inserted, 2: deleted, 3: only links or sales changed. */
  kind: number,
  currency: string,
  fields?: readonly Step[],
  prices?: readonly (readonly [string | null, string, number | null, unknown, unknown])[],
  attributes?: readonly Step[],
  added?: readonly string[],
  switched?: readonly (readonly [matchId: string, isOn: 0 | 1])[],
  sold?: readonly (readonly [date: string, from: FormerDay, to: FormerDay])[],
];
type FormerDay = readonly [units: number, revenueCents?: number, currency?: string] | null;

function areFormer(rows: Packed[] | FormerPacked[]): rows is FormerPacked[] {
  return typeof rows[0]?.[2] === "number";
}

function formerEntries(rows: readonly FormerPacked[]): UndoEntry[] {
  const entries: UndoEntry[] = [];
  let productId = "";
  let lastMs = 0;
  for (const [id, sinceMs, kind, currency, fields = [], prices = [], ...more] of rows) {
    const [attributes = [], added = [], switched = [], sold = []] = more;
    // An id is stored as the difference of its last six hexadecimal digits, if the others repeat.
    const counter = Number.parseInt(productId.slice(-6), 16) + Number(id);
    productId = typeof id === "string"
      ? id
      : productId.slice(0, -6) + counter.toString(16).padStart(6, "0");
    lastMs += sinceMs;
    const values = new Map(fields.map(([name, ...both]) => [name, both]));
    const money = values.has("currency") ? MONEY : [];
    const moneyAt = (at: 0 | 1) => fromKeys(money, (name) => values.get(name)?.[at] ?? null);
    const day = (sold: FormerDay) => sold && [sold[0], sold[1] ?? null, sold[2] ?? null];
    const steps: Step[] = [
      ...fields.filter(([name]) => !money.some((one) => one === name)),
      ...prices.map(([tier, unit, minQty, ...both]): Step => {
        return [`prices:${JSON.stringify([tier, unit, minQty])}`, ...both];
      }),
      ...attributes.map(([name, ...both]): Step => [`attributes:${name}`, ...both]),
      ...sold.map(([date, from, to]): Step => [`units:${date}`, day(from), day(to)]),
    ];
    if (money.length > 0) steps.push(["currency", moneyAt(0), moneyAt(1)]);
    if (kind === 1) steps.push(["deletedAt", NOT_CREATED, null]);
    if (kind === 2) steps.push(["deletedAt", null, new Date(lastMs).toISOString()]);
    const links: LinkStep[] = added.map((matchId) => [matchId, null]);
    for (const [matchId, isOn] of switched) links.push([matchId, isOn === 0]);
    entries.push({ productId, atMs: kind === 3 ? null : lastMs, currency, steps, links });
  }
  return entries;
}
