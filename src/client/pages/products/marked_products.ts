/** The products of a selection: those that are marked by hand, or all that the filter finds. */
import type { Call } from "../../api/call.ts";
import type { Selection } from "../../parts/table/use_selection.ts";
import { filterQuery, type ProductFilter } from "./market_query.ts";
import type { MarketProduct, ProductPage } from "./product.ts";

/** Rows per page: as many as the service gives at once. */
const ROWS_AT_ONCE = 200;

/** The filter in the form that changes take: without what is empty or only about the list. */
export function bodyFilter({ values }: ProductFilter): Readonly<Record<string, string>> {
  const { includeDeleted: _, ...wanted } = filterQuery(values);
  return wanted;
}

interface Marked<T> {
  readonly selection: Selection;
  readonly rows: readonly MarketProduct[];
  readonly query: Readonly<Record<string, string>>;
  /** What is kept of each; null leaves it out. */
  keep(product: MarketProduct): T | null;
  /** Told after each page how many were read. */
  onRead?(count: number): void;
}

/** Page after page where all that fit are marked; a product that moves meanwhile comes once. */
export async function markedProducts<T>(
  call: Call,
  { selection, rows, query, keep, onRead }: Marked<T>,
): Promise<T[]> {
  if (!selection.isAll) return rows.filter(({ id }) => selection.has(id)).flatMap(kept(keep));
  const seen = new Set<string>();
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: ProductPage = await call((api) =>
      api.GET("/api/products", { params: { query: { ...query, limit: ROWS_AT_ONCE, cursor } } })
    );
    const fresh = page.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...fresh.flatMap(kept(keep)));
    onRead?.(seen.size);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

const kept = <T>(keep: (product: MarketProduct) => T | null) => (product: MarketProduct): T[] => {
  const one = keep(product);
  return one === null ? [] : [one];
};
