/** Filter and layout of the product list. The address contains the complete filter and layout. */
import { FILTERED_NAMES } from "../../../catalogue/products/product_field_table.ts";
import type { Filter } from "../../parts/filter.tsx";

/** Filters that need market data (docs/decisions/market.md). */
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

/** Filters in the address, with the names of the query parameters of `GET /api/products`. */
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
export type FilterPatch = Readonly<Partial<Record<FilterName, string>>>;

/** `view` is the id of the opened view; `shape` is `matrix` or empty. */
export const LAYOUT_NAMES = ["sort", "order", "columns", "shape", "view"] as const;
export type Layout = Filter<(typeof LAYOUT_NAMES)[number]>;

export const CHIPS = [
  { name: "compared", patch: { state: "ok" } },
  { name: "dearer", patch: { undercutAbovePct: "3" } },
  { name: "room", patch: { roomAbovePct: "0" } },
  { name: "margin", patch: { marginBelowPct: "10" } },
  { name: "noLinks", patch: { state: "no_links" } },
  { name: "stale", patch: { state: "stale" } },
  { name: "proposal", patch: { hasProposal: "true" } },
  { name: "held", patch: { isHeld: "true" } },
] as const satisfies readonly { readonly name: string; readonly patch: FilterPatch }[];

export type MarketChip = (typeof CHIPS)[number];

export function isPressed(values: FilterValues, patch: FilterPatch): boolean {
  return namesOf(patch).every((name) => values[name] === patch[name]);
}

export function without(names: readonly FilterName[]): FilterPatch {
  const patch: Partial<Record<FilterName, string>> = {};
  for (const name of names) patch[name] = "";
  return patch;
}

export function namesOf(patch: FilterPatch): FilterName[] {
  return PRODUCT_FILTERS.filter((name) => name in patch);
}

/** Active filters except the search text and filters that a chip shows. */
export function ownNames(values: FilterValues): FilterName[] {
  const ofChips = new Set<FilterName>(
    CHIPS.filter(({ patch }) => isPressed(values, patch)).flatMap(({ patch }) => namesOf(patch)),
  );
  return PRODUCT_FILTERS.filter((name) =>
    name !== "q" && values[name] !== "" && !ofChips.has(name)
  );
}

export function filterQuery(values: FilterValues): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** The query that a view stores, with sorted parameters: equal queries are equal texts. */
export function viewQuery(values: FilterValues, { sort, order }: ViewOrder): string {
  const ordered = sort === "" ? {} : { sort, order: order === "desc" ? "desc" : "asc" };
  const entries = Object.entries({ ...filterQuery(values), ...ordered });
  return new URLSearchParams(entries.toSorted(([a], [b]) => a < b ? -1 : 1)).toString();
}

type ViewOrder = { readonly sort: string; readonly order: string };

export function sameQuery(query: string): string {
  const given = new URLSearchParams(query);
  const values: Partial<Record<FilterName, string>> = {};
  for (const name of PRODUCT_FILTERS) values[name] = given.get(name) ?? "";
  const isWhole = (part: FilterPatch): part is FilterValues =>
    PRODUCT_FILTERS.every((name) => name in part);
  if (!isWhole(values)) throw new Error("A filter has lost a name");
  return viewQuery(values, { sort: given.get("sort") ?? "", order: given.get("order") ?? "" });
}
