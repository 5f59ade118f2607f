/**
 * Chooses the products of a dry run when the request names none (docs/decisions/rules.md,
 * simulate).
 */

import { compareTexts } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import type { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { filterOf } from "../../catalogue/lists/product_filter.ts";
import { walkProducts } from "../../catalogue/lists/product_list.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { countActiveProducts } from "../../catalogue/products/version_counter_store.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { RuleTerms } from "../../engine/pricing/rule.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { Context } from "../../platform/store/context.ts";
import { idOf, pagesOf } from "../../platform/store/pages_of.ts";
import { decodeOffers, type Offer } from "../../shops/offers/offer.ts";
import { findOffersOf, listOfferRows } from "../../shops/offers/offer_store.ts";
import { pricedProductOf } from "../proposals/priced_product.ts";

export const SAMPLE_MAX = 25;
/** Up to here all products of a scope are looked at, so that the sample is exact. */
const EXACT_MAX = 5_000;
const OFFERS_AT_ONCE = 1_000;
/** In a larger scope the sample is taken from so many that were observed. */
const OBSERVED_MAX = 200;

interface Candidate {
  readonly id: string;
  readonly sku: string;
  readonly isObserved: boolean;
}

/** Ids of up to 25 products of the scope: those observed within 30 days first, then by SKU. */
export async function sampleProducts(
  ctx: Context,
  cache: CatalogueCache,
  rule: Pick<RuleTerms, "scope">,
  compiled: CompiledRule,
): Promise<string[]> {
  const candidates = await listCandidates(ctx, cache, rule, compiled);
  return candidates.sort(bySampleOrder).slice(0, SAMPLE_MAX).map(({ id }) => id);
}

function bySampleOrder(a: Candidate, b: Candidate): number {
  if (a.isObserved !== b.isObserved) return a.isObserved ? -1 : 1;
  return compareTexts(a.sku, b.sku);
}

async function listCandidates(
  ctx: Context,
  cache: CatalogueCache,
  rule: Pick<RuleTerms, "scope">,
  compiled: CompiledRule,
): Promise<Candidate[]> {
  const { scope } = rule;
  if (scope.mode === "sku") {
    const indexRows = await findIndexRows(ctx, scope.list);
    const ids = [...indexRows.values()].filter(({ isDeleted }) => !isDeleted).map(({ id }) => id);
    return await judged(ctx, compiled, ids);
  }
  const isLarge = await countActiveProducts(ctx) > EXACT_MAX;
  if (isLarge && scope.mode === "all") {
    const observed = await listObserved(ctx, compiled);
    if (observed.length >= SAMPLE_MAX) return observed;
  }
  const scoped = await listScope(ctx, cache, rule, compiled);
  if (scoped.length < EXACT_MAX) return await marked(ctx, scoped);
  const observed = await listObserved(ctx, compiled);
  const known = new Set(observed.map(({ id }) => id));
  const others = await marked(ctx, scoped.filter(({ id }) => !known.has(id)));
  return [...observed, ...others];
}

type Scoped = Omit<Candidate, "isObserved">;

/** The first products of the scope by id; a value that the scope names narrows the way to them. */
async function listScope(
  ctx: Context,
  cache: CatalogueCache,
  { scope }: Pick<RuleTerms, "scope">,
  compiled: CompiledRule,
): Promise<Scoped[]> {
  const matches = scope.mode === "attribute" ? scope.matches : {};
  const only = (field: "brand" | "category") => {
    const [wanted, ...others] = matches[field] ?? [];
    if (wanted === undefined || others.length > 0) return undefined;
    return typeof wanted === "string" ? wanted : wanted.contains;
  };
  const filter = filterOf({ brand: only("brand"), category: only("category") });
  const scoped: Scoped[] = [];
  const request = { filter, includeDeleted: false, after: null, limit: EXACT_MAX };
  const slice = new TimeSlice();
  for await (const { id, bytes } of walkProducts(ctx, cache, request)) {
    await slice.yield();
    const product = pricedProductOf(parseProduct(bytes));
    if (!compiled.scope.includes(product)) continue;
    if (scoped.push({ id, sku: product.sku }) === EXACT_MAX) break;
  }
  return scoped;
}

/** In-scope products with an observation in the window, found from the offers. */
async function listObserved(ctx: Context, compiled: CompiledRule): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const rows of pagesOf((...at) => listOfferRows(ctx, ...at), idOf, OFFERS_AT_ONCE)) {
    const ids = rows.filter(({ bytes }) => isObserved(ctx, decodeOffers(bytes))).map((row) =>
      row.id
    );
    found.push(...(await judged(ctx, compiled, ids.slice(0, OBSERVED_MAX))));
    if (found.length >= OBSERVED_MAX) break;
  }
  return found;
}

async function judged(
  ctx: Context,
  compiled: CompiledRule,
  ids: readonly string[],
): Promise<Candidate[]> {
  const documents = await findDocuments(ctx, ids);
  const scoped = documents.map(({ bytes }) => pricedProductOf(parseProduct(bytes)))
    .filter((product) => compiled.scope.includes(product));
  return await marked(ctx, scoped);
}

async function marked(ctx: Context, scoped: readonly Scoped[]): Promise<Candidate[]> {
  const rows = await findOffersOf(ctx, scoped.map(({ id }) => id));
  return scoped.map(({ id, sku }, position) => ({
    id,
    sku,
    isObserved: isObserved(ctx, rows[position]?.offers ?? []),
  }));
}

function isObserved({ now }: Context, offers: readonly Offer[]): boolean {
  const fromMs = now().getTime() - 30 * DAY_MS;
  return offers.some(({ enabled, observedAtMs }) =>
    enabled && observedAtMs !== null && observedAtMs >= fromMs
  );
}
