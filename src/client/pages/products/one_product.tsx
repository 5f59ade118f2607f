import type { Workspace } from "../../../accounts/workspace.ts";
import type { MarketOffer, ProductMarket } from "../../../catalogue/prices/product_market.ts";
import type { SingleProduct } from "../../../catalogue/lists/find_product.ts";
import { type Call, get, type Page, PAGE_SIZE_MAX, pagesOf, where } from "../../api/call.ts";
import type { z } from "zod";
import type { Selection } from "../../parts/table/table.tsx";
import type { PriceLimits } from "../../../base/price_doubts.ts";
import type { ProductDocument } from "../../../catalogue/products/product.ts";
import { fromKeys } from "../../../base/collections.ts";
import { FILTERED_NAMES } from "../../../catalogue/products/product_field_table.ts";
import type { Filter } from "../../parts/filter.tsx";

export type OneProduct = z.infer<typeof SingleProduct> & {
  readonly competitorOffers?: readonly MarketOffer[];
};

export function marginTermsOf(
  product: Pick<OneProduct, "costPriceCents" | "vatRatePct">,
  workspace: Workspace | null,
) {
  return {
    costPriceCents: product.costPriceCents,
    pricesIncludeVat: workspace?.pricesIncludeVat ?? true,
    vatRatePct: product.vatRatePct ?? workspace?.vatRatePct ?? null,
  };
}

/** Leaves out `includeDeleted`, because bulk changes never affect deleted products. */
export function bodyFilter({ values }: ProductFilter): Readonly<Record<string, string>> {
  const { includeDeleted: _, ...wanted } = filterQuery(values);
  return wanted;
}

/** The products selected in a list with the filter `query`. */
export interface Marked {
  readonly selection: Selection;
  readonly rows: readonly MarketProduct[];
  readonly query: Readonly<Record<string, string>>;
}

/** If all products are selected, reads them page by page and returns each product only once. */
export async function markedProducts<T>(
  call: Call,
  { selection, rows, query }: Marked,
  keep: (product: MarketProduct) => T | null,
  onRead?: (count: number) => void,
): Promise<T[]> {
  const kept = (some: readonly MarketProduct[]) => some.map(keep).filter((one) => one !== null);
  if (!selection.isAll) return kept(rows.filter(({ id }) => selection.has(id)));
  const seen = new Set<string>();
  const found: T[] = [];
  const pages = pagesOf((cursor) =>
    call(get("/api/products", where({ ...query, limit: PAGE_SIZE_MAX, cursor })))
  );
  for await (const { items } of pages) {
    const fresh = items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...kept(fresh));
    onRead?.(seen.size);
  }
  return found;
}

/** Prices are minor units of the product's currency. */
export type Product = z.infer<typeof ProductDocument>;

export interface MarketProduct extends Product {
  readonly market: ProductMarket | null;
  readonly competitorOffers?: readonly MarketOffer[];
}

export interface ProductPage extends Page<MarketProduct> {
  /** Null if the list includes deleted products. */
  readonly total: number | null;
  readonly asOf: string;
  readonly moved: number;
}

export function limitsOf(
  product: Pick<Product, "minPriceCents" | "maxPriceCents" | "priceLocked" | "heldUntil">,
  nowMs: number,
): PriceLimits {
  const { minPriceCents, maxPriceCents, priceLocked: isLocked } = product;
  return { minPriceCents, maxPriceCents, isLocked, isHeld: heldUntilOf(product, nowMs) !== null };
}

export function heldUntilOf(
  { heldUntil }: Pick<Product, "heldUntil">,
  nowMs: number,
): string | null {
  return heldUntil !== null && Date.parse(heldUntil) > nowMs ? heldUntil : null;
}

const MARKET_FILTERS = [
  "dearerThanPct",
  "undercutAbovePct",
  "roomAbovePct",
  "marginBelowPct",
  "rankMin",
  "rankMax",
  "position",
  "state",
  "hasProposal",
  "competitorId",
  "cheapestCompetitorId",
  "undercutBy",
  "missing",
  "ruleId",
  "newestBefore",
] as const;

export const PRODUCT_FILTERS = [
  "q",
  ...FILTERED_NAMES,
  "sku",
  "updatedSince",
  "includeDeleted",
  "isHeld",
  ...MARKET_FILTERS,
] as const;

export type FilterName = (typeof PRODUCT_FILTERS)[number];
export type ProductFilter = Filter<FilterName>;
type FilterValues = Readonly<Record<FilterName, string>>;
/** `view` is the id of the saved view. `shape` is `matrix` for a table with a column per shop. */
export const LAYOUT_NAMES = ["sort", "order", "columns", "shape", "view"] as const;
export type Layout = Filter<(typeof LAYOUT_NAMES)[number]>;

export const CHIPS = [
  { name: "compared", by: "rankMin", value: "1" },
  { name: "dearer", by: "undercutAbovePct", value: "3" },
  { name: "room", by: "roomAbovePct", value: "0" },
  { name: "margin", by: "marginBelowPct", value: "10" },
  { name: "noLinks", by: "state", value: "no_links" },
  { name: "stale", by: "state", value: "stale" },
  { name: "proposal", by: "hasProposal", value: "true" },
  { name: "held", by: "isHeld", value: "true" },
] as const satisfies readonly {
  readonly name: string;
  readonly by: FilterName;
  readonly value: string;
}[];

export type MarketChip = (typeof CHIPS)[number];

/** Returns the active filters except the search text `q` and those that a chip shows. */
export function ownNames(values: FilterValues): FilterName[] {
  return PRODUCT_FILTERS.filter((name) =>
    name !== "q" && values[name] !== "" &&
    !CHIPS.some(({ by, value }) => by === name && value === values[name])
  );
}

export function filterQuery(values: FilterValues): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** Sorts the parameters, so that equal queries are equal strings. */
export function viewQuery(values: FilterValues, { sort, order }: ViewOrder): string {
  const ordered = sort === "" ? {} : { sort, order: order === "desc" ? "desc" : "asc" };
  const entries = Object.entries({ ...filterQuery(values), ...ordered });
  return new URLSearchParams(entries.toSorted(([a], [b]) => a < b ? -1 : 1)).toString();
}

type ViewOrder = { readonly sort: string; readonly order: string };

export function sameQuery(query: string): string {
  const given: Record<string, string> = Object.fromEntries(new URLSearchParams(query));
  const values = fromKeys(PRODUCT_FILTERS, (name) => given[name] ?? "");
  return viewQuery(values, { sort: given.sort ?? "", order: given.order ?? "" });
}
