/** Finds the rows of a page, and counts all matching rows, in one pass over a market table. */
import { idBytes } from "../../base/id.ts";
import { SortedQueue, TopN } from "../../base/collections.ts";
import type {
  MarketFilter,
  MarketPlace,
  MarketQuery,
  MarketSort,
} from "../../catalogue/prices/product_market.ts";
import { MARKET_STATES } from "../../engine/pricing/market_facts.ts";
import { ANY_SHOP, type FloatColumn, type ListColumn } from "./columns.ts";
import type { MarketTable } from "./market_table.ts";

type SortValue = MarketPlace[0];

export type RowTest = (row: number) => boolean;

const SORTED_FLOATS: Partial<Record<MarketSort, FloatColumn>> = {
  ourPrice: "ourCents",
  cheapest: "cheapestCents",
  cheapestAt: "cheapestAtMs",
  gapPct: "gapPct",
  gapCents: "gapCents",
  room: "roomPct",
  median: "medianCents",
  average: "averageCents",
  index: "indexPct",
  newestAt: "newestAtMs",
  margin: "marginPct",
};

export function pageOf(
  table: MarketTable,
  query: MarketQuery,
  ruleNames: (ruleId: string) => string,
  after: MarketPlace | null,
  limit: number,
) {
  const fits = testOf(table, query);
  const valueOf = sorter(table, query.sort, ruleNames);
  const sign = query.order === "asc" ? 1 : -1;
  const [lastValue, lastId, sinceMs] = after ?? [null, null, Infinity];
  const afterId = lastId === null ? null : idBytes(lastId);
  const changedAtMs = table.columns.floats.changedAtMs;
  const isBefore = (a: Found, b: Found) =>
    (compareValues(a.value, b.value, sign) || table.ids.compare(a.row, b.row)) < 0;
  const best = new TopN(limit, isBefore);
  let total = 0;
  let moved = 0;
  for (let row = 0; row < table.rows; row++) {
    if (table.isEmpty(row) || !fits(row)) continue;
    total++;
    if ((changedAtMs[row] ?? 0) > sinceMs) moved++;
    const value = valueOf(row);
    if (afterId !== null) {
      const order = compareValues(value, lastValue, sign) || table.ids.compareWith(row, afterId);
      if (order <= 0) continue;
    }
    best.add({ row, value });
  }
  return { rows: best.sorted(), total, moved };
}

/** Later changes of the table do not affect the returned list. */
export function frozenList(
  table: MarketTable,
  query: MarketQuery,
  ruleNames: (ruleId: string) => string,
) {
  const fits = testOf(table, query);
  const valueOf = sorter(table, query.sort, ruleNames);
  const sign = query.order === "asc" ? 1 : -1;
  // Refer to `ids` below, not to `table`, so that an outdated table can leave the memory.
  const { ids } = table;
  const rows: number[] = [];
  const values: SortValue[] = [];
  for (let row = 0; row < table.rows; row++) {
    if (table.isEmpty(row) || !fits(row)) continue;
    rows.push(row);
    values[row] = valueOf(row);
  }
  const valueAt = (row: number) => values[row] ?? null;
  const isBefore = (a: number, b: number) =>
    (compareValues(valueAt(a), valueAt(b), sign) || ids.compare(a, b)) < 0;
  const queue = new SortedQueue(rows, isBefore);
  return {
    total: queue.size,
    take: (count: number) => queue.take(count).map((row) => ids.idOf(row)),
  };
}

interface Found {
  readonly row: number;
  readonly value: SortValue;
}

function compareValues(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return a < b ? -sign : a > b ? sign : 0;
}

function sorter(
  table: MarketTable,
  sort: MarketSort | null,
  ruleNames: (ruleId: string) => string,
): (row: number) => SortValue {
  const column = sort === null ? undefined : SORTED_FLOATS[sort];
  if (column) {
    const values = table.columns.floats[column];
    return (row) => {
      const value = values[row] ?? NaN;
      return Number.isNaN(value) ? null : value;
    };
  }
  switch (sort) {
    case "rank":
      return (row) => table.columns.bytes.rank[row] || null;
    case "offers":
      return (row) => table.columns.bytes.offers[row] ?? 0;
    case "proposal":
      return (row) => table.proposalOf(row)?.changePct ?? null;
    case "rule": {
      const names = new Map(
        table.list("rule").entries().map(({ code, key }) => [code, ruleNames(key)]),
      );
      return (row) => names.get(table.columns.words.rule[row] ?? 0) ?? null;
    }
    case "sku":
    case "title":
      return (row) => table.labels?.get(sort, row) ?? null;
    default:
      return () => null;
  }
}

export function testOf(
  table: MarketTable,
  { filter, among, changedSinceMs }: Omit<MarketQuery, "sort" | "order">,
): RowTest {
  const changedAtMs = table.columns.floats.changedAtMs;
  const tests = [
    ...filterTests(table, filter),
    ...(among === null ? [] : [member(table, among)]),
    ...(changedSinceMs === null ? [] : [(row: number) => (changedAtMs[row] ?? 0) > changedSinceMs]),
  ];
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}

function filterTests(table: MarketTable, filter: MarketFilter): RowTest[] {
  const { floats, bytes: { rank, links, offers, state } } = table.columns;
  const codeOf = (competitorId: string) => table.list("competitor").find(competitorId);
  const given = <T>(value: T | undefined, testOf: (value: T) => RowTest): RowTest[] =>
    value === undefined ? [] : [testOf(value)];
  return [
    ...given(filter.dearerThanPct, (pct) => (row) => table.compare("gapPct", row, pct) > 0),
    ...given(filter.undercutAbovePct, (pct) => (row) => table.compare("roomPct", row, 0 - pct) < 0),
    ...given(filter.roomAbovePct, (pct) => (row) => table.compare("roomPct", row, pct) > 0),
    // `marginPct` is rounded down to 2 decimals. `marginBelowPct` has at most 2 decimals, so the
    // comparison is still exact.
    ...given(filter.marginBelowPct, (pct) => (row) => (floats.marginPct[row] ?? NaN) < pct),
    ...given(filter.newestBeforeMs, (ms) => (row) => (floats.newestAtMs[row] ?? NaN) < ms),
    ...given(filter.rankMin, (least) => (row) => (rank[row] ?? 0) >= least),
    ...given(filter.rankMax, (most) => (row) => rank[row] !== 0 && (rank[row] ?? 0) <= most),
    ...given(filter.position, (position) => (row) => table.positionOf(row) === position),
    ...given(filter.state, (name) => {
      const code = MARKET_STATES.indexOf(name) + 1;
      return (row) => state[row] === code;
    }),
    ...given(filter.hasProposal, (has) => (row) => (table.proposalOf(row) !== null) === has),
    ...given(filter.competitorId, (id) => {
      const shop = codeOf(id);
      return (row) => table.links.find(row, offers[row] ?? 0, shop) >= 0;
    }),
    ...given(filter.cheapestCompetitorId, (id) => equal(table, "competitor", id)),
    ...given(filter.undercutBy, (id) => {
      const shop = codeOf(id);
      return (row) => {
        const at = table.links.find(row, offers[row] ?? 0, shop);
        return at >= 0 && (table.links.units[at] ?? NaN) < (floats.comparedCents[row] ?? NaN);
      };
    }),
    ...given(filter.missing, (id) => {
      const shop = id === "any" ? ANY_SHOP : codeOf(id);
      return (row) => !table.links.hasOwn(row, links[row] ?? 0, shop);
    }),
    ...given(filter.ruleId, (id) => equal(table, "rule", id)),
  ];
}

export function equal(table: MarketTable, column: ListColumn, key: string): RowTest {
  const wanted = table.list(column).find(key);
  const words = table.columns.words[column];
  return (row) => wanted !== 0 && words[row] === wanted;
}

function member(table: MarketTable, ids: Iterable<string>): RowTest {
  const members = new Uint8Array(table.rows);
  for (const id of ids) {
    const row = table.rowOf(id);
    if (row !== undefined) members[row] = 1;
  }
  return (row) => members[row] === 1;
}
