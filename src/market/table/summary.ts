/** Summarises the market positions of products, grouped by brand, category or competitor. */

import { z } from "@hono/zod-openapi";
import { fromKeys, pick } from "../../base/collections.ts";
import { MARKET_STATES } from "../../engine/pricing/market_facts.ts";
import type { TimeSlice } from "../../platform/event_loop.ts";
import type { MarketTable } from "./market_table.ts";
import type { RowTest } from "./table_page.ts";

/** Dimensions by which a summary groups products, at most two at a time. */
export const SUMMARY_DIMENSIONS = ["brand", "category", "competitor"] as const;
export type SummaryDimension = (typeof SUMMARY_DIMENSIONS)[number];

export const GROUPS_MAX = 4_000;

export const MarketSummary = z.object({
  items: z.array(z.object({
    brand: z.string().nullable().optional(),
    category: z.string().nullable().optional(),
    competitorId: z.string().optional(),
    competitor: z.string().nullable().optional(),
    products: z.int(),
    compared: z.int().describe("Number of products with an own price and an offer that counts"),
    cheapest: z.int(),
    middle: z.int(),
    dearest: z.int(),
    indexPct: z.number().nullable().describe("Mean of the products' values"),
    marginPct: z.number().nullable().describe("Mean of the products' values"),
    states: z.object(fromKeys(MARKET_STATES, () => z.int()))
      .extend({ ok: z.int().describe("Number of products that can be compared") }),
  })).describe("Groups, largest first"),
  total: z.int().describe("Number of groups"),
  isCut: z.boolean().describe(`True if there are more than ${GROUPS_MAX} groups`),
  asOf: z.iso.datetime(),
}).meta({ id: "MarketSummary" });

/**
 * Percentages have 2 decimals. Fields of dimensions that were not requested are absent. With
 * `competitorId`, our prices are compared only with the offers of this competitor.
 */
export type SummaryGroup = Omit<z.output<typeof MarketSummary>["items"][number], "competitor">;

type Sum = ReturnType<typeof newSum>;

/** `brand` and `category` are word ids of the table (`WordList`); 0 means none. */
export type SummarySum = Readonly<Pick<Sum, "brand" | "category" | "products">>;

const ROWS_PER_SLICE = 2_000;

export interface Slicing {
  readonly slice: Pick<TimeSlice, "yield">;
  readonly signal?: AbortSignal;
}

/** Calls `work` for slices of the rows, but not for rows that are added meanwhile. */
export async function inSlices(
  { rows }: MarketTable,
  { slice, signal }: Slicing,
  work: (from: number, until: number) => void,
): Promise<void> {
  for (let row = 0; row < rows; row += ROWS_PER_SLICE) {
    work(row, Math.min(rows, row + ROWS_PER_SLICE));
    await slice.yield();
    signal?.throwIfAborted();
  }
}

interface SummaryOptions extends Slicing {
  /** Word id (`WordList`) of the only shop whose offers are compared; null for all shops. */
  readonly onlyShop?: number | null;
  /** Returns a row filter that is valid until the table's `capacity` changes. */
  testOf?(): RowTest;
}

export async function summarise(
  table: MarketTable,
  by: readonly SummaryDimension[],
  { onlyShop = null, testOf = () => () => true, ...slicing }: SummaryOptions,
) {
  const sums = new Map<number, Map<number, Sum>>();
  const has = fromKeys(SUMMARY_DIMENSIONS, (name) => by.includes(name));
  const sumFor: SumFinder = (brand, category, shop) => {
    const first = has.brand ? brand : category;
    const second = has.competitor ? shop : has.brand ? category : 0;
    let own = sums.get(first);
    if (own === undefined) sums.set(first, own = new Map());
    let sum = own.get(second);
    if (sum === undefined) own.set(second, sum = newSum(brand, category, shop));
    return sum;
  };
  if (by.length === 0) sumFor(0, 0, 0);
  let [fits, capacity] = [testOf(), table.capacity];
  await inSlices(table, slicing, (from, until) => {
    if (table.capacity !== capacity) [fits, capacity] = [testOf(), table.capacity];
    const { bytes: { state }, words } = table.columns;
    const brands = has.brand ? words.brand : null;
    const categories = has.category ? words.category : null;
    const addRow = has.competitor
      ? shopsAdder(table, sumFor, onlyShop)
      : productAdder(table, sumFor);
    for (let row = from; row < until; row++) {
      if (state[row] !== 0 && fits(row)) addRow(row, brands?.[row] ?? 0, categories?.[row] ?? 0);
    }
  });
  const all = [...sums.values()].flatMap((own) => [...own.values()]);
  return {
    size: all.length,
    groups(max = Infinity, isWanted: (sum: SummarySum) => boolean = () => true): SummaryGroup[] {
      return largest(all.filter(isWanted), max).map((sum) => ({
        ...(has.brand && { brand: table.list("brand").textOf(sum.brand) }),
        ...(has.category && { category: table.list("category").textOf(sum.category) }),
        ...(has.competitor && { competitorId: table.list("competitor").textOf(sum.shop) ?? "" }),
        ...figuresOf(sum),
      }));
    },
  };
}

function figuresOf(sum: Sum) {
  return {
    products: sum.products,
    compared: sum.cheapest + sum.middle + sum.dearest,
    ...pick(sum, ["cheapest", "middle", "dearest"]),
    indexPct: mean(sum.indexSum, sum.indexes),
    marginPct: mean(sum.marginSum, sum.margins),
    states: fromKeys(MARKET_STATES, (state) => sum.states[MARKET_STATES.indexOf(state) + 1] ?? 0),
  };
}

type SumFinder = (brand: number, category: number, shop: number) => Sum;

function productAdder(table: MarketTable, sumFor: SumFinder): RowAdder {
  const count = counter(table);
  const indexes = table.columns.floats.indexPct;
  return (row, brand, category) => {
    const sum = sumFor(brand, category, 0);
    count(row, sum);
    const position = table.positionOf(row);
    if (position !== null) sum[position]++;
    addIndex(sum, indexes[row] ?? NaN);
  };
}

/** If a shop has several offers for a product, only its cheapest counts, which comes first. */
function shopsAdder(table: MarketTable, sumFor: SumFinder, onlyShop: number | null): RowAdder {
  const count = counter(table);
  const { first, shops, units } = table.links;
  const offers = table.columns.bytes.offers;
  const { comparedCents } = table.columns.floats;
  return (row, brand, category) => {
    const begin = first[row] ?? 0;
    const end = begin + (offers[row] ?? 0);
    const ours = comparedCents[row] ?? NaN;
    for (let at = begin; at < end; at++) {
      const shop = shops[at] ?? 0;
      if (onlyShop !== null ? shop !== onlyShop : isBefore(shops, begin, at)) continue;
      const sum = sumFor(brand, category, shop);
      count(row, sum);
      const unit = units[at] ?? NaN;
      if (!Number.isNaN(ours)) {
        if (ours <= unit) sum.cheapest++;
        else sum.dearest++;
        addIndex(sum, unit === 0 ? NaN : ours / unit * 100);
      }
      if (onlyShop !== null) return;
    }
  };
}

type RowAdder = (row: number, brand: number, category: number) => void;

function newSum(brand: number, category: number, shop: number) {
  return {
    brand,
    category,
    shop,
    products: 0,
    cheapest: 0,
    middle: 0,
    dearest: 0,
    indexes: 0,
    indexSum: 0,
    margins: 0,
    marginSum: 0,
    states: [0, ...MARKET_STATES.map(() => 0)],
  };
}

function largest(sums: readonly Sum[], max: number): Sum[] {
  const inOrder = (some: readonly Sum[]) => some.toSorted((a, b) => b.products - a.products);
  if (sums.length <= max) return inOrder(sums);
  const sizes = Uint32Array.from(sums, ({ products }) => products).sort();
  const least = sizes[sizes.length - max] ?? 0;
  const above = sums.filter(({ products }) => products > least);
  const equal = sums.filter(({ products }) => products === least);
  return inOrder([...above, ...equal.slice(0, max - above.length)]);
}

function counter(table: MarketTable): (row: number, sum: Sum) => void {
  const states = table.columns.bytes.state;
  const margins = table.columns.floats.marginPct;
  return (row, sum) => {
    sum.products++;
    const state = states[row] ?? 0;
    sum.states[state] = (sum.states[state] ?? 0) + 1;
    const margin = margins[row] ?? NaN;
    if (Number.isNaN(margin)) return;
    sum.margins++;
    sum.marginSum += margin;
  };
}

function isBefore(shops: Uint32Array, begin: number, at: number): boolean {
  for (let earlier = begin; earlier < at; earlier++) {
    if (shops[earlier] === shops[at]) return true;
  }
  return false;
}

function addIndex(sum: Sum, index: number): void {
  if (Number.isNaN(index)) return;
  sum.indexes++;
  sum.indexSum += index;
}

function mean(sum: number, values: number): number | null {
  return values === 0 ? null : Math.round(sum / values * 100) / 100;
}
