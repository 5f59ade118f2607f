/** The search of a shop is asked for products of ours that have no page there, by their numbers. */
import type { Product } from "../../catalogue/products/product.ts";
import { findProduct, listDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { StoredSearch } from "../../shops/discovery/discovery.ts";
import { mergeLikely } from "../../shops/discovery/known_url.ts";
import { findPagesByNumber } from "../../shops/discovery/page_store.ts";
import { listSuggestionsOf } from "../../shops/discovery/suggestion_store.ts";
import { domainOf } from "../../shops/domain.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { requestOf } from "../page/job_request.ts";
import { chooseHits, HITS_MAX, searchNumber, searchUrl } from "./choose_hits.ts";
import { fetchSearch } from "./fetch_search.ts";
import { addUrls, NONE_ADDED } from "./change_parts.ts";
import { DAY_MS } from "./days.ts";
import { budgetOf } from "./order_urls.ts";
import {
  askInTurn,
  checkShop,
  endTurn,
  noteShop,
  roomForUrls,
  type ShopStep,
  type Step,
} from "./shop_step.ts";

/** Of the day's requests, with the visits that a search leads to. */
const SHARE = 0.2;
/** All products are looked for again after so long; new ones at once. */
const ROUND_MS = 30 * DAY_MS;
const PRODUCTS = 200;

/** Looks for the product in hand, or for the next one that has no page; then the plan follows. */
export async function askSearch(step: ShopStep): Promise<Step> {
  const { cursor, discovery } = step;
  const { searchTemplate } = discovery.settings;
  const hand = cursor.search ?? null;
  // The shop may have another domain since its search was named.
  const isOwn = searchTemplate !== null &&
    domainOf(new URL(searchUrl(searchTemplate, "0"))) === step.shop.competitor.domain;
  if (!isOwn) return behind(step);
  if (hand === null) return await nextProduct(step, searchTemplate);
  const stored = await findProduct(step.tools, hand.productId);
  const number = stored && searchNumber(stored.product);
  if (!stored || number === null) return { cursor: { ...cursor, search: null } };
  return await askFor(step, hand.url, stored.product, number);
}

function behind({ job, cursor }: ShopStep, lastError: string | null = null): Step {
  return {
    cursor: { ...cursor, phase: "plan", n: 0, search: null },
    ...(lastError !== null && { stats: { ...job.stats, lastError } }),
  };
}

async function nextProduct(step: ShopStep, template: string): Promise<Step> {
  const { tools, cursor, discovery } = step;
  const { total, left } = await budgetOf(step);
  const nowMs = tools.now().getTime();
  const begunMs = discovery.search.begunMs || nowMs;
  const search: StoredSearch = { ...discovery.search, begunMs };
  const today = Math.floor(nowMs / DAY_MS);
  const asked = search.day === today ? search.askedToday : 0;
  if ((asked + 1) * (1 + HITS_MAX) > SHARE * total || left <= HITS_MAX) {
    return behind(step);
  }
  const documents = await listDocuments(tools, search.after, PRODUCTS);
  if (documents.length === 0) {
    if (nowMs - begunMs < ROUND_MS) return behind(step);
    await noteSearch(step, { ...search, after: null, begunMs: nowMs });
    return { cursor: { ...cursor, n: cursor.n + 1 } };
  }
  let after = search.after;
  for (const { bytes } of documents) {
    const product = parseProduct(bytes);
    after = product.id;
    const number = searchNumber(product);
    if (number === null || await hasPage(step, product)) continue;
    await noteSearch(step, {
      ...search,
      after,
      asked: search.asked + 1,
      day: today,
      askedToday: asked + 1,
    });
    return {
      cursor: {
        ...cursor,
        n: cursor.n + 1,
        search: { productId: product.id, url: searchUrl(template, number) },
      },
    };
  }
  await noteSearch(step, { ...search, after });
  return { cursor: { ...cursor, n: cursor.n + 1 } };
}

async function noteSearch(step: ShopStep, search: StoredSearch): Promise<void> {
  checkShop(step.tools.write, step);
  await noteShop(step, () => ({ search }));
}

/** Linked there, suggested, or known by its number. */
async function hasPage(
  { tools, shop: { competitor: { id } } }: ShopStep,
  product: Product,
): Promise<boolean> {
  const { offers } = await findOffers(tools, product.id);
  if (offers.some(({ competitorId }) => competitorId === id)) return true;
  const suggested = await listSuggestionsOf(tools, product.id);
  if (suggested.some((one) => one.competitorId === id && one.status === "open")) return true;
  const known = await findPagesByNumber(tools, product);
  return known.some(({ competitorId }) => competitorId === id);
}

async function askFor(
  step: ShopStep,
  url: string,
  product: Product,
  number: string,
): Promise<Step> {
  const { deps, memory, tools, job, shop: { competitor } } = step;
  const asked = await askInTurn(step, url, "search", async (signal) => ({
    kind: "search",
    search: await fetchSearch(deps.scraper, deps.reader, {
      url,
      domain: competitor.domain,
      ...requestOf(deps.scraper, tools, signal),
    }),
  }));
  if (asked.kind === "step") return asked.step;
  // Where robots.txt keeps programs out of the search, it does so for all products.
  if (asked.kind === "refused") return behind(step, asked.errorCode);
  const { search } = asked;
  const { outcome } = search;
  const noted = outcome.kind === "read"
    ? await addUrls(
      step,
      outcome.landed === null ? chooseHits(product, number, outcome.links) : [outcome.landed],
      roomForUrls(step),
      mergeLikely,
    )
    : NONE_ADDED;
  const after = await endTurn(tools.write, step, search);
  const stats = {
    ...job.stats,
    added: job.stats.added + noted.added,
    searched: (job.stats.searched ?? 0) + 1,
    ...(noted.isFull && { lastError: "too_many_pages" }),
  };
  const committed = () => memory.forget(job.jobId);
  if (outcome.kind === "read") return { cursor: { ...after, search: null }, stats, committed };
  return {
    ...behind({ ...step, cursor: after }),
    stats: { ...stats, lastError: outcome.errorCode },
    committed,
  };
}
