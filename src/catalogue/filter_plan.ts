/**
 * How a filtered page is found (design §5). An index plan merges the ranges of the matching values of
 * one dimension and judges the other filters on their rows; a scan reads documents in order. The
 * index costs 25 rows for opening a range, its rows, and two rows for each scattered document; the
 * scan costs the documents that it must pass to fill a page. Counts choose, so an old count costs
 * time and never a product.
 */
import type { Dictionary } from "./dictionary_store.ts";
import type { ProductFilter } from "./product_filter.ts";
import type { Dimension } from "./product_tally.ts";

/** The values of one dimension that a filter matches. */
export interface ValueFilter {
  readonly dimension: Dimension;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Sum of the counts. */
  readonly count: number;
}

export interface IndexPlan {
  readonly kind: "index";
  readonly driver: ValueFilter;
  /** Index rows that a page probably takes. */
  readonly rowsExpected: number;
}

export interface ScanPlan {
  readonly kind: "scan";
  /** Counts know nothing of correlation: after this many documents the index goes on. */
  readonly documentsMax: number;
  readonly otherwise: IndexPlan;
}

const RANGE_COST = 25;
const SCATTERED_COST = 2;
const SCAN_COST = 1.5;
const PATIENCE = 10;

/** The values that brand, category and tier match; a filter that is not set is left out. */
export function matchValues(dictionary: Dictionary, filter: ProductFilter): ValueFilter[] {
  const { brand, category, tier } = filter;
  const filters: ValueFilter[] = [];
  if (brand !== null) {
    filters.push(collect(dictionary, "b", (value) => value.includes(brand)));
  }
  if (category !== null) {
    filters.push(collect(dictionary, "c", (value) => value.includes(category)));
  }
  if (tier !== null) filters.push(exactly(dictionary, "t", tier));
  return filters;
}

function collect(
  dictionary: Dictionary,
  dimension: Dimension,
  isMatch: (value: string) => boolean,
): ValueFilter {
  const values = [...dictionary.values[dimension]]
    .filter(([value]) => isMatch(value))
    .map(([value, count]) => ({ value, count }));
  return { dimension, values, count: values.reduce((sum, { count }) => sum + count, 0) };
}

function exactly(dictionary: Dictionary, dimension: Dimension, value: string): ValueFilter {
  const count = dictionary.values[dimension].get(value);
  return {
    dimension,
    values: count === undefined ? [] : [{ value, count }],
    count: count ?? 0,
  };
}

/** The filter with the fewest products, which an index plan reads. */
export function driverOf(filters: readonly [ValueFilter, ...ValueFilter[]]): ValueFilter {
  return filters.reduce((best, filter) => filter.count < best.count ? filter : best);
}

/** The cheaper plan for a page of `limit` out of `total` products. */
export function planFilter(
  filters: readonly [ValueFilter, ...ValueFilter[]],
  total: number,
  limit: number,
): IndexPlan | ScanPlan {
  const driver = driverOf(filters);
  const shares = filters.map(({ count }) => total > 0 ? Math.min(1, count / total) : 0);
  const share = shares.reduce((product, part) => product * part, 1);
  const otherShare = share / Math.max(shares[filters.indexOf(driver)] ?? 0, 1 / (total + 1));
  const rowsExpected = Math.min(driver.count, limit / Math.max(otherShare, 1e-9));
  const index: IndexPlan = { kind: "index", driver, rowsExpected };
  if (share === 0) return index;

  const indexCost = RANGE_COST * driver.values.length + rowsExpected + SCATTERED_COST * limit;
  const documents = Math.min(total, limit / share);
  if (SCAN_COST * documents >= indexCost) return index;
  return { kind: "scan", documentsMax: Math.ceil(PATIENCE * documents), otherwise: index };
}
