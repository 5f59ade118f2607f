/**
 * The undo data of a product: changed fields before and after, and links that the import created,
 * enabled or disabled. Pure functions. Compressed, the entries of a commit take about 20 bytes per
 * product.
 */
import { promisify } from "node:util";
import { deflateRaw, type ZlibOptions } from "node:zlib";
import { utf8Bytes } from "../../base/text.ts";
import { PRICE_FIELDS, type Product, type TierPrice } from "../../catalogue/products/product.ts";
import { FOLLOWING_NAMES } from "../../catalogue/products/product_field_table.ts";
import type { ProductChange } from "../../catalogue/products/product_store.ts";
import type { SalesChange } from "../../catalogue/sales/sales_store.ts";
import type { SoldDay } from "../../catalogue/sales/sale.ts";
import type { CommitCost } from "../../platform/store/kv.ts";
import type { LinkPlan } from "../../shops/matches/link_plan.ts";

/** `links`: only links and sales of the product changed. */
export const UNDO_KINDS = ["changed", "inserted", "deleted", "links"] as const;
type UndoKind = (typeof UNDO_KINDS)[number];

/** Fields without a step. Prices and attributes are compared part by part. */
const NOT_UNDONE: readonly string[] = [...FOLLOWING_NAMES, "sku", "prices", "attributes"];

export const AMOUNT_FIELDS: readonly string[] = PRICE_FIELDS.map((name) => `${name}Cents`);

/** A named value before and after a change; null if absent. */
export type Step<Value> = readonly [name: string, from: Value | null, to: Value | null];
export type PriceValue = readonly [amountCents: number, validFrom: string | null];
/** A stored tier price before and after a change; null if absent. */
export type PriceStep = readonly [
  tier: string | null,
  currency: string,
  minQty: number | null,
  from: PriceValue | null,
  to: PriceValue | null,
];
export type SoldValue = readonly [units: number, revenueCents?: number, currency?: string];
/** A match that the import enabled (1) or disabled (0). */
type SwitchStep = readonly [matchId: string, isOn: 0 | 1];

export interface UndoEntry {
  readonly productId: string;
  readonly kind: UndoKind;
  /** `updatedAt` of the product after the import; 0 for `links`. */
  readonly atMs: number;
  readonly currency: string;
  readonly fields: readonly Step<unknown>[];
  readonly prices: readonly PriceStep[];
  readonly attributes: readonly Step<string>[];
  readonly added: readonly string[];
  readonly switched: readonly SwitchStep[];
  readonly sold: readonly Step<SoldValue>[];
}

export function entryOf(before: Product | null, after: Product): UndoEntry {
  const isDeleted = before !== null && before.deletedAt === null && after.deletedAt !== null;
  const kind = before === null ? "inserted" : isDeleted ? "deleted" : "changed";
  const entry = entryWithout(after.id, kind, Date.parse(after.updatedAt), after.currency);
  if (before === null || isDeleted) return entry;
  return {
    ...entry,
    fields: fieldSteps(before, after),
    prices: before.prices === after.prices ? [] : priceSteps(before, after),
    attributes: isSameValue(before.attributes, after.attributes) ? [] : stepsBetween(
      new Map(Object.entries(before.attributes)),
      new Map(Object.entries(after.attributes)),
    ),
  };
}

const NONE: readonly never[] = [];

/** An entry without steps. */
function entryWithout(
  productId: string,
  kind: UndoKind = "links",
  atMs = 0,
  currency = "",
): UndoEntry {
  return {
    productId,
    kind,
    atMs,
    currency,
    fields: NONE,
    prices: NONE,
    attributes: NONE,
    added: NONE,
    switched: NONE,
    sold: NONE,
  };
}

function soldSteps({ days }: Pick<SalesChange, "days">): Step<SoldValue>[] {
  return days.map(({ date, from, to }) => [date, soldValue(from), soldValue(to)]);
}

export function soldValue(day: SoldDay | null): SoldValue | null {
  if (day === null) return null;
  const { units, revenueCents, currency } = day;
  return revenueCents === null || currency === null ? [units] : [units, revenueCents, currency];
}

export function soldDayOf(date: string, value: SoldValue | null): SoldDay | null {
  if (value === null) return null;
  const [units, revenueCents = null, currency = null] = value;
  return { date, units, revenueCents, currency };
}

/** After a change of currency every amount counts as changed, even if its number is the same. */
function fieldSteps(before: Product, after: Product): Step<unknown>[] {
  const was: Readonly<Record<string, unknown>> = before;
  const is: Readonly<Record<string, unknown>> = after;
  const amounts = before.currency === after.currency ? [] : AMOUNT_FIELDS;
  const steps: Step<unknown>[] = [];
  for (const field in is) {
    if (was[field] === is[field] && !amounts.includes(field)) continue;
    if (!NOT_UNDONE.includes(field)) steps.push([field, was[field], is[field]]);
  }
  return steps;
}

function priceSteps({ prices: before }: Product, { prices: after }: Product): PriceStep[] {
  const steps: PriceStep[] = [];
  const note = (place: TierPrice, was: TierPrice | undefined, is: TierPrice | undefined) => {
    const { tier, currency, minQty } = place;
    if (was?.amountCents === is?.amountCents && was?.validFrom === is?.validFrom) return;
    steps.push([tier, currency, minQty, was ? valueOf(was) : null, is ? valueOf(is) : null]);
  };
  for (const is of after) note(is, before.findLast((was) => isSamePlace(was, is)), is);
  for (const was of before) {
    if (!after.some((is) => isSamePlace(was, is))) note(was, was, undefined);
  }
  return steps;
}

function isSamePlace(one: TierPrice, other: TierPrice): boolean {
  return one.tier === other.tier && one.currency === other.currency && one.minQty === other.minQty;
}

function valueOf({ amountCents, validFrom }: TierPrice): PriceValue {
  return [amountCents, validFrom];
}

/** Keys are JSON, such as `["B2B","EUR",1]`. */
export function pricesByPlace(prices: Product["prices"]): Map<string, PriceValue> {
  return new Map(
    prices.map((price) => [
      JSON.stringify([price.tier, price.currency, price.minQty]),
      valueOf(price),
    ]),
  );
}

function stepsBetween<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): Step<Value>[] {
  const steps: Step<Value>[] = [];
  for (const name of new Set([...after.keys(), ...before.keys()])) {
    const [from, to] = [before.get(name) ?? null, after.get(name) ?? null];
    if (!isSameValue(from, to)) steps.push([name, from, to]);
  }
  return steps;
}

export function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** The stored form. Id and time are differences from the previous entry. */
type Packed = [
  id: number | string,
  sinceMs: number,
  kind: number,
  currency: string,
  ...parts: (readonly unknown[])[],
];

const COUNTER_DIGITS = 6;

/** Encodes entries as text, each relative to the previous one. */
export class UndoPacker {
  #last: Pick<UndoEntry, "productId" | "atMs"> = { productId: "", atMs: 0 };

  /** JSON. `unpackEntries` reads these texts joined by commas. */
  pack(entry: UndoEntry): string {
    const { productId, kind, atMs, currency } = entry;
    const { fields, prices, attributes, added, switched, sold } = entry;
    const parts: (readonly unknown[])[] = [fields, prices, attributes, added, switched, sold];
    while (parts.at(-1)?.length === 0) parts.pop();
    const id = idStep(this.#last.productId, productId);
    const sinceMs = atMs === 0 ? 0 : atMs - this.#last.atMs;
    const packed: Packed = [id, sinceMs, UNDO_KINDS.indexOf(kind), currency, ...parts];
    this.#last = { productId, atMs: atMs === 0 ? this.#last.atMs : atMs };
    return JSON.stringify(packed);
  }
}

const ROW_BYTES_MAX = 60_000;

const deflate = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw);
/** Takes a third of the default level's time, for 2 % more bytes. */
const LEVEL = 3;

export class UndoLog {
  readonly #packer = new UndoPacker();
  readonly #texts: string[] = [];
  #bytes = 0;
  /** Not encoded yet, because changes of the product's links may follow. */
  #last: UndoEntry | null = null;

  product({ before, after }: Pick<ProductChange, "before" | "after">): void {
    this.#pack();
    this.#last = entryOf(before?.product ?? null, after.product);
  }

  links(productId: string, { added, switched }: LinkPlan): void {
    this.#last = {
      ...this.#lastOf(productId),
      added: added.map(({ match }) => match.id),
      switched: switched.map(({ matchId, enabled }) => [matchId, enabled ? 1 : 0]),
    };
  }

  sales(changes: readonly SalesChange[]): void {
    const [first] = changes;
    if (!first) return;
    this.#last = { ...this.#lastOf(first.productId), sold: changes.flatMap(soldSteps) };
  }

  get cost(): Partial<CommitCost> {
    // Reserved for the last entry, not encoded yet. The cost of its record covers a larger one.
    const waits = this.#last === null ? 0 : 500;
    const bytes = this.#bytes + waits;
    const mutations = bytes === 0 ? 0 : 1 + Math.floor(bytes / ROW_BYTES_MAX);
    const keyBytes = mutations * 60;
    return { mutations, keyBytes, bytes: bytes + keyBytes };
  }

  /** Deflated entries in parts that fit into a row. */
  async packed(): Promise<{ readonly entries: number; readonly parts: readonly Uint8Array[] }> {
    this.#pack();
    const entries = this.#texts.length;
    if (entries === 0) return { entries, parts: [] };
    const bytes = await deflate(new TextEncoder().encode(`[${this.#texts.join()}]`), {
      level: LEVEL,
    });
    const parts = Array.from(
      { length: Math.ceil(bytes.length / ROW_BYTES_MAX) },
      (_, n) => bytes.subarray(n * ROW_BYTES_MAX, (n + 1) * ROW_BYTES_MAX),
    );
    return { entries, parts };
  }

  #lastOf(productId: string): UndoEntry {
    if (this.#last?.productId === productId) return this.#last;
    this.#pack();
    return entryWithout(productId);
  }

  #pack(): void {
    if (this.#last === null) return;
    const text = this.#packer.pack(this.#last);
    this.#texts.push(text);
    this.#bytes += utf8Bytes(text) + 1;
    this.#last = null;
  }
}

export function unpackEntries(json: string): UndoEntry[] {
  const rows: [
    id: number | string,
    sinceMs: number,
    kind: number,
    currency: string,
    fields?: Step<unknown>[],
    prices?: PriceStep[],
    attributes?: Step<string>[],
    added?: string[],
    switched?: SwitchStep[],
    sold?: Step<SoldValue>[],
  ][] = JSON.parse(json);
  let lastId = "";
  let lastMs = 0;
  return rows.map(([id, sinceMs, kindAt, currency, ...parts]) => {
    const [fields = [], prices = [], attributes = [], ...rest] = parts;
    const [added = [], switched = [], sold = []] = rest;
    const kind = UNDO_KINDS[kindAt];
    if (kind === undefined) throw new Error("An entry of an import is of no known kind");
    lastId = typeof id === "string" ? id : idBehind(lastId, id);
    const isTimed = kind !== "links";
    if (isTimed) lastMs += sinceMs;
    const atMs = isTimed ? lastMs : 0;
    const steps = { fields, prices, attributes, added, switched, sold };
    return { productId: lastId, kind, atMs, currency, ...steps };
  });
}

/** The difference of the counters if the rest of the ids is equal, else the id. */
function idStep(before: string, id: string): number | string {
  if (before.slice(0, -COUNTER_DIGITS) !== id.slice(0, -COUNTER_DIGITS)) return id;
  return counterOf(id) - counterOf(before);
}

function idBehind(before: string, step: number): string {
  const counter = (counterOf(before) + step).toString(16).padStart(COUNTER_DIGITS, "0");
  return before.slice(0, -COUNTER_DIGITS) + counter;
}

function counterOf(id: string): number {
  return Number.parseInt(id.slice(-COUNTER_DIGITS), 16);
}
