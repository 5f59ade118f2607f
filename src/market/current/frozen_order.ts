/** All products of a table that fit, sorted once, in slices. */
import type { MarketQuery } from "../../catalogue/prices/product_market.ts";
import type { TimeSlice } from "../../platform/event_loop.ts";
import type { MarketTable } from "../table/market_table.ts";
import { rowOrder } from "../table/table_page.ts";

/** Sorted by themselves before they are merged; so many are a slice of work. */
const RUN_ROWS = 2_048;

const ID_BYTES = 12;

/** The ids of the products that fit at the moment of the call, in their order, as bytes side by side. */
export async function freezeOrder(
  table: MarketTable,
  query: MarketQuery,
  ruleNames: (ruleId: string) => string,
  slice: Pick<TimeSlice, "yield">,
): Promise<Uint8Array> {
  const { rows, compare } = rowOrder(table, query, ruleNames);
  for (let from = 0; from < rows.length; from += RUN_ROWS) {
    rows.subarray(from, from + RUN_ROWS).sort(compare);
    await slice.yield();
  }
  let [sorted, merged] = [rows, new Uint32Array(rows.length)];
  for (let run = RUN_ROWS; run < rows.length; run *= 2) {
    for (let from = 0; from < rows.length; from += 2 * run) {
      await mergeRuns(sorted, merged, from, run, compare, slice);
    }
    [sorted, merged] = [merged, sorted];
  }
  const ids = new Uint8Array(sorted.length * ID_BYTES);
  for (const [at, row] of sorted.entries()) {
    table.copyId(row, ids, at * ID_BYTES);
    if (at % RUN_ROWS === 0) await slice.yield();
  }
  return ids;
}

/** Merges the run at `from` with the one behind it. */
async function mergeRuns(
  sorted: Uint32Array,
  merged: Uint32Array,
  from: number,
  run: number,
  compare: (a: number, b: number) => number,
  slice: Pick<TimeSlice, "yield">,
): Promise<void> {
  const [middle, end] = [from + run, from + 2 * run].map((at) => Math.min(at, sorted.length));
  if (middle === undefined || end === undefined) return;
  let [left, right] = [from, middle];
  for (let at = from; at < end; at++) {
    const isLeft = left < middle &&
      (right >= end || compare(sorted[left] ?? 0, sorted[right] ?? 0) <= 0);
    merged[at] = sorted[isLeft ? left++ : right++] ?? 0;
    if (at % RUN_ROWS === 0) await slice.yield();
  }
}
