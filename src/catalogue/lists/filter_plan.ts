/**
 * How a filtered page is found (docs/decisions/keys.md). An index plan merges the ranges of the
 * matching values of one dimension and judges the other filters on their rows; an ids plan looks at
 * the documents of what a search found; a scan reads documents in order. The index costs 25 rows
 * for opening a range, its rows, and two rows for each scattered document; the ids cost five rows
 * for each document that is judged; the scan costs the documents that it must pass to fill a page.
 * Counts choose, so an old count costs time and never a product.
 */
import type { Dictionary } from "./dictionary_store.ts";
import type { ProductFilter } from "./product_filter.ts";
import { type Dimension, INDEXED_NAMES, PRODUCT_FIELDS } from "../products/product_field_table.ts";

/** The values of one dimension that a filter matches. */
export interface ValueFilter {
  readonly dimension: Dimension;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Sum of the counts. */
  readonly count: number;
}

/** Products that contain all that a filter leaves: what `q` finds, or what has changed since. */
export interface Candidates {
  /** How many there are, roughly. */
  readonly count: number;
  /** Their ids after `after`, ascending, looked for only as far as they are taken. */
  idsAfter(after: string | null): Iterable<string>;
}

export interface IndexPlan {
  readonly kind: "index";
  readonly driver: ValueFilter;
  /** Index rows that a page probably takes. */
  readonly rowsExpected: number;
  /** Rows of other products need no look at their document; null when any may fit. */
  readonly among: Candidates | null;
}

/** The documents of the candidates, one after the other. */
export interface IdsPlan {
  readonly kind: "ids";
  readonly candidates: Candidates;
}

export interface ScanPlan {
  readonly kind: "scan";
  /** Counts know nothing of correlation: after this many documents the other plan goes on. */
  readonly documentsMax: number;
  readonly otherwise: IndexPlan | IdsPlan;
}

export type Plan = IndexPlan | IdsPlan | ScanPlan;

const RANGE_COST = 25;
const SCATTERED_COST = 2;
const SCAN_COST = 1.5;
/** A scattered document that is parsed to be judged. */
const JUDGED_COST = 5;
const PATIENCE = 10;

/** The values that filters of indexed fields match; a filter that is not set is left out. */
export function matchValues(dictionary: Dictionary, filter: ProductFilter): ValueFilter[] {
  return INDEXED_NAMES.flatMap((name) => {
    const wanted = filter[name];
    if (wanted === null) return [];
    const { index, match } = PRODUCT_FIELDS[name].filter;
    return match === "contains"
      ? [collect(dictionary, index, (value) => value.includes(wanted))]
      : [exactly(dictionary, index, wanted)];
  });
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

/** What a plan is chosen by. */
export interface PlanFacts {
  /** Those of indexed fields, as far as they are set. */
  readonly filters: readonly ValueFilter[];
  /** Null when neither `q` nor `updatedSince` leaves few enough to be listed. */
  readonly candidates: Candidates | null;
  /** Active products. */
  readonly total: number;
  /** Rows of the page. */
  readonly limit: number;
}

/** The cheapest plan for a page; null when there is nothing to go by but the documents. */
export function planFilter({ filters, candidates, total, limit }: PlanFacts): Plan | null {
  const shareOf = (count: number) => total > 0 ? Math.min(1, count / total) : 0;
  const least = 1 / (total + 1);
  const amongShare = candidates ? shareOf(candidates.count) : 1;
  const share = filters.reduce((product, { count }) => product * shareOf(count), amongShare);
  const ways: { plan: IndexPlan | IdsPlan; cost: number }[] = [];
  const [first, ...others] = filters;
  if (first !== undefined) {
    const driver = others.reduce((best, each) => each.count < best.count ? each : best, first);
    const otherShare = share / Math.max(shareOf(driver.count), least);
    const rowsExpected = Math.min(driver.count, limit / Math.max(otherShare, least));
    const cost = RANGE_COST * driver.values.length + rowsExpected + SCATTERED_COST * limit;
    ways.push({ plan: { kind: "index", driver, rowsExpected, among: candidates }, cost });
  }
  if (candidates) {
    const fieldShare = share / Math.max(amongShare, least);
    const documents = Math.min(candidates.count, limit / Math.max(fieldShare, least));
    ways.push({ plan: { kind: "ids", candidates }, cost: JUDGED_COST * documents });
  }
  const best = ways.toSorted((a, b) => a.cost - b.cost)[0];
  if (!best) return null;
  const documents = Math.min(total, limit / share);
  if (share === 0 || SCAN_COST * documents >= best.cost) return best.plan;
  return { kind: "scan", documentsMax: Math.ceil(PATIENCE * documents), otherwise: best.plan };
}
