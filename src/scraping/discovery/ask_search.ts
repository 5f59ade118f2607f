/** Finds pages of our products through the search of a shop, by GTIN or part number. */
import { gtin14, trustIn } from "../../base/codes.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import { findProduct, listDocuments } from "../../catalogue/products/product_store.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import { withHeartbeat } from "../../platform/jobs/job.ts";
import { type JudgedProduct, judgePage } from "../suggestions/product_indexes.ts";
import { partNumberKey } from "../../base/title_atoms.ts";
import { SUGGESTED_SCORE } from "../../engine/matching/title_likeness.ts";
import { SEARCH_PLACE, type StoredSearch } from "../../shops/pages/discovery_store.ts";
import { findPagesByNumber, listSuggestionsOf } from "../../shops/pages/found_page_store.ts";
import { domainOf, normaliseUrl } from "../../shops/domain.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { budgetOf, slugTitle } from "./order_urls.ts";
import {
  addUrls,
  askFor,
  checkShop,
  failureIn,
  goOn,
  noteShop,
  type PageSource,
  type Reading,
  type ShopStep,
  type Step,
} from "./shop_step.ts";
import type { PageLink } from "./read_addresses.ts";
import { DAY_MS } from "../../base/time.ts";

const SHARE = 0.2;
const ROUND_MS = 30 * DAY_MS;
const PRODUCTS = 200;

interface SearchAnswer {
  /** URL of another page to which the shop redirected the search; null without such a redirect. */
  readonly landed: string | null;
  readonly links: readonly PageLink[];
}

const ACCEPT_PAGES = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

export const SEARCH: PageSource<
  { readonly url: string; readonly product: Product; readonly number: string },
  Reading<SearchAnswer>
> = {
  async next(step) {
    const { cursor, discovery, tools } = step;
    const { searchTemplate } = discovery.settings;
    const current = cursor.search;
    // Skip the search if the shop's domain has changed since the search was configured.
    const isOwn = searchTemplate !== null &&
      domainOf(new URL(searchUrl(searchTemplate, "0"))) === step.shop.row.domain;
    if (!isOwn) return { step: goOn(step, BEHIND) };
    if (current === null) return { step: await nextProduct(step, searchTemplate) };
    const stored = await findProduct(tools, current.productId);
    const number = stored && searchNumber(stored.product);
    if (!stored || number === null) return { step: { cursor: { ...cursor, search: null } } };
    return { item: { url: current.url, product: stored.product, number } };
  },
  ask: (step, { url: asked }, signal) => {
    const { deps: { reader, scraper }, shop: { row: { domain } } } = step;
    const wanted = { accept: ACCEPT_PAGES, bytesMax: scraper.bytesMax };
    return askFor<SearchAnswer>(step, asked, signal, wanted, async (answer, permit) => {
      const { status, headers, url, body } = answer;
      // Some shops answer 404 for a search without hits.
      if (status === 404) return { kind: "read", landed: null, links: [] };
      const failure = failureIn(answer);
      if (failure) return failure;
      const at = new URL(url);
      const hasLanded = at.pathname !== new URL(asked).pathname && domainOf(at) === domain;
      if (hasLanded) return { kind: "read", landed: normaliseUrl(at), links: [] };
      const question = { body, contentType: headers.get("Content-Type"), url, domain };
      return { kind: "read", landed: null, links: await reader.links(question, permit) };
    });
  },
  async take(step, { product, number }, outcome) {
    if (outcome.kind === "failed") {
      return goOn(step, BEHIND, { searched: 1, lastError: outcome.errorCode });
    }
    const { landed, links } = outcome;
    const { words } = await withHeartbeat(step.tools, () => step.deps.indexes.of(step.tools));
    const urls = landed === null ? chooseHits(product, number, links, words) : [landed];
    const { added, isFull } = await addUrls(step, urls, (one) => {
      return one.state !== "new" || one.score === 1 ? one : { ...one, score: 1 };
    });
    const lastError = isFull ? "too_many_pages" : null;
    return goOn(step, { search: null }, { added, searched: 1, lastError });
  },
  refused: (step, _, lastError) => goOn(step, BEHIND, { lastError }),
};

const BEHIND = { phase: "plan", n: 0, search: null } as const;

async function nextProduct(step: ShopStep, template: string): Promise<Step> {
  const { tools, cursor, discovery } = step;
  const n = cursor.n + 1;
  const { total, left } = await budgetOf(step);
  const nowMs = tools.now().getTime();
  const begunMs = discovery.search.begunMs || nowMs;
  const search: StoredSearch = { ...discovery.search, begunMs };
  const today = Math.floor(nowMs / DAY_MS);
  const asked = search.day === today ? search.askedToday : 0;
  if ((asked + 1) * (1 + HITS_MAX) > SHARE * total || left <= HITS_MAX) return goOn(step, BEHIND);
  const documents = await listDocuments(tools, search.after, PRODUCTS);
  if (documents.length === 0) {
    if (nowMs - begunMs < ROUND_MS) return goOn(step, BEHIND);
    await noteSearch(step, { ...search, after: null, begunMs: nowMs });
    return { cursor: { ...cursor, n } };
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
    const asking = { productId: product.id, url: searchUrl(template, number) };
    return { cursor: { ...cursor, n, search: asking } };
  }
  await noteSearch(step, { ...search, after });
  return { cursor: { ...cursor, n } };
}

async function noteSearch(step: ShopStep, search: StoredSearch): Promise<void> {
  checkShop(step.tools.write, step);
  await noteShop(step, () => ({ search }));
}

async function hasPage(
  { tools, shop: { row: { id } } }: ShopStep,
  product: Product,
): Promise<boolean> {
  const { offers } = await findOffers(tools, product.id);
  if (offers.some(({ competitorId }) => competitorId === id)) return true;
  const suggested = await listSuggestionsOf(tools, product.id);
  if (suggested.some((one) => one.competitorId === id && one.status === "open")) return true;
  const known = await findPagesByNumber(tools, product);
  return known.some(({ competitorId }) => competitorId === id);
}

export const HITS_MAX = 3;

/** Returns the product's GTIN if it is unique worldwide, else the manufacturer's part number. */
function searchNumber({ ean, mpn }: Pick<JudgedProduct, "ean" | "mpn">): string | null {
  const number = ean === null ? null : gtin14(ean);
  if (ean !== null && number !== null && trustIn(number) === "proof") return ean.trim();
  return mpn !== null && partNumberKey(mpn) !== null ? mpn.trim() : null;
}

function searchUrl(template: string, number: string): string {
  return new URL(template.replace(SEARCH_PLACE, () => encodeURIComponent(number))).href;
}

export function chooseHits(
  product: JudgedProduct,
  number: string,
  links: readonly PageLink[],
  words: Vocabulary | null,
): string[] {
  const key = keyOf(number);
  const ours = { ...product, ean: null, mpn: null };
  const ranked = links.map(({ url, text }) => {
    if (keyOf(`${text} ${url}`).includes(key)) return { url, rank: 2 };
    const scores = [text, slugTitle(url)].map((title) =>
      judgePage(ours, { title }, words).score ?? 0
    );
    return { url, rank: Math.max(...scores) };
  });
  return ranked.filter(({ rank }) => rank >= SUGGESTED_SCORE)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, HITS_MAX)
    .map(({ url }) => url);
}

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
