/**
 * Suggests links from pages to our products: after a page was read, and after products have
 * changed. Sends no requests to shops.
 */
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import {
  checkProduct,
  documentPages,
  findAnyProduct,
  findDocuments,
  findProduct,
  listDocuments,
} from "../../catalogue/products/product_store.ts";
import { SUGGESTED_SCORE } from "../../engine/matching/title_likeness.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { type PublicEvent, SUGGESTED_TOGETHER_MAX } from "../../platform/events/event.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact, type Write } from "../../platform/store/kv.ts";
import { competitors } from "../../shops/competitor_store.ts";
import {
  changeSuggestion,
  comparedChanges,
  findPages,
  findPagesByNumber,
  type FoundPage,
  foundPages,
  listSuggestionsOf,
  OPEN_PER_SHOP_MAX,
  type PagePlace,
  type ShopPage,
  type StoredSuggestion,
  suggestions,
} from "../../shops/pages/found_page_store.ts";
import { isLinkRemoved } from "../../shops/matches/match_store.ts";
import { checkOffers, findOffers } from "../../shops/offers/offer_store.ts";
import { type Candidate, judgePage, KeyedTitles } from "./product_indexes.ts";
import { batchesOf, keepNewest } from "../../base/collections.ts";
import { DAY_MS } from "../../base/time.ts";
import { idMark } from "../../base/id.ts";
import { changesSince, findLogEnd } from "../../catalogue/products/change_log_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import { discoveries, findDiscovery } from "../../shops/pages/discovery_store.ts";

type Suggester = Pick<Context, "store" | "workspaceId" | "now" | "newId">;

/**
 * Adds at most six version checks to the commit. If `page` is null (the page shows no product), the
 * page's open suggestions for the `candidates` become `superseded`.
 */
export async function suggestPage(
  write: Write,
  ctx: Suggester,
  found: PagePlace & { readonly page: ShopPage | null },
  candidates: readonly Candidate[],
): Promise<NewSuggestion[]> {
  const added: NewSuggestion[] = [];
  let checksLeft = 6;
  for (const candidate of candidates) {
    if (checksLeft < (found.page ? 2 : 1)) break;
    const stored = await findProduct(ctx, candidate.productId);
    if (!stored) continue;
    const { product } = stored;
    const content = found.page && contentFor(product, found.page, candidate);
    const outcome = await suggestPair(write, ctx, found, product, content);
    if (outcome === "nothing") continue;
    checksLeft -= outcome === "changed" ? 1 : 2;
    if (outcome !== "changed") added.push(outcome);
  }
  return added;
}

type Content = Pick<StoredSuggestion, "page" | "verdict" | "score" | "reasons" | "packFactor">;

function contentFor(
  product: Product,
  page: ShopPage,
  { score: indexScore, words }: Candidate,
): Content | null {
  const { verdict, reasons, packFactor, score } = judgePage(product, page, words);
  const content = {
    page,
    verdict,
    score: indexScore ?? score ?? 0,
    reasons: [...reasons],
    packFactor: packFactor ?? page.pack,
  };
  const isSuggested = verdict === "same" || verdict === "probably" ||
    (verdict === "unknown" && content.score >= SUGGESTED_SCORE) ||
    // A pack factor means that the page shows our product in another pack size.
    packFactor !== null;
  return isSuggested ? content : null;
}

async function suggestPair(
  write: Write,
  ctx: Suggester,
  { competitorId, urlHash }: PagePlace,
  product: Product,
  content: Content | null,
): Promise<NewSuggestion | "changed" | "nothing"> {
  const others = await listSuggestionsOf(ctx, product.id);
  const known = others.find((one) => one.urlHash === urlHash);
  const now = ctx.now().toISOString();
  if (known && known.status !== "superseded") {
    if (known.status !== "open") return "nothing";
    const after: StoredSuggestion = content
      ? { ...known, ...content }
      : { ...known, status: "superseded", decidedAt: now };
    if (saysAsBefore(known, after)) return "nothing";
    return await changeSuggestion(write, ctx, known, after) ? "changed" : "nothing";
  }
  if (!content || await isLinkedOrRemoved(ctx, product.id, urlHash)) return "nothing";
  const rivals = others.filter((one) => one.competitorId === competitorId && one.status === "open");
  if (rivals.length >= OPEN_PER_SHOP_MAX) {
    const weakest = rivals.toSorted((a, b) => weightOf(a) - weightOf(b))[0]!;
    if (weightOf(weakest) >= weightOf(content)) return "nothing";
    const superseded = { ...weakest, status: "superseded", decidedAt: now } as const;
    await changeSuggestion(write, ctx, weakest, superseded);
  }
  const id = known?.id ?? ctx.newId();
  const open = { ...content, status: "open", decidedAt: null, decidedBy: null } as const;
  if (known) await changeSuggestion(write, ctx, known, { ...known, ...open });
  else {
    const { id: productId } = product;
    const pair = { id, productId, competitorId, urlHash, rejectedAs: null, createdAt: now };
    suggestions.add(write, ctx, { ...pair, ...open });
  }
  const { verdict, score } = content;
  return { suggestionId: id, productId: product.id, sku: product.sku, verdict, score };
}

function saysAsBefore(before: StoredSuggestion, after: StoredSuggestion): boolean {
  return before.status === after.status && before.verdict === after.verdict &&
    Math.abs(before.score - after.score) < 0.05 && before.page.price === after.page.price &&
    before.packFactor === after.packFactor;
}

const VERDICT_WEIGHTS = { same: 2, probably: 1, unknown: 0, different: -1 } as const;

function weightOf({ verdict, score }: Pick<StoredSuggestion, "verdict" | "score">): number {
  return VERDICT_WEIGHTS[verdict] + score;
}

async function isLinkedOrRemoved(
  ctx: Suggester,
  productId: string,
  urlHash: string,
): Promise<boolean> {
  const { offers } = await findOffers(ctx, productId);
  return offers.some((offer) => offer.urlHash === urlHash) ||
    await isLinkRemoved(ctx, { productId, urlHash });
}

export type NewSuggestion = Extract<
  PublicEvent,
  { type: "match.suggested" }
>["data"]["suggestions"][number];

export async function publishSuggestions(
  write: Write,
  ctx: Suggester,
  competitorId: string,
  suggestions: readonly NewSuggestion[],
): Promise<void> {
  if (suggestions.length === 0) return;
  const shop = await competitors.find(ctx, { id: competitorId });
  if (!shop) return;
  const { displayName: competitor } = shop.row;
  const events: PublicEvent[] = [];
  for (let at = 0; at < suggestions.length; at += SUGGESTED_TOGETHER_MAX) {
    const part = suggestions.slice(at, at + SUGGESTED_TOGETHER_MAX);
    events.push({ type: "match.suggested", data: { competitorId, competitor, suggestions: part } });
  }
  publish(write, ctx, events);
}

const PRODUCTS = 200;
const TITLE_PAGES_MAX = 200_000;
/** Calls of the returned function must not overlap. */
export function createChangeComparer(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
) {
  const ofWorkspaces = new Map<string, Map<string, number>>();
  return async (stopping: AbortSignal): Promise<void> => {
    const shops = new Map<string, string[]>();
    for await (const { workspaceId, row } of discoveries.walkAll(store)) {
      const ofWorkspace = shops.getOrInsertComputed(workspaceId, () => []);
      if (row.settings.mode !== "off") ofWorkspace.push(row.competitorId);
    }
    for (const id of ofWorkspaces.keys()) if (!shops.has(id)) ofWorkspaces.delete(id);
    await eachApart("known pages", shops, async ([workspaceId, competitorIds]) => {
      const compared = ofWorkspaces.getOrInsertComputed(workspaceId, () => new Map());
      const ctx = { ...clock, store, workspaceId, competitorIds, compared, stopping };
      try {
        await compareChanges(ctx);
      } catch (error) {
        // Forget all comparisons, because the results of some were perhaps not committed.
        compared.clear();
        throw error;
      }
    });
  };
}

interface Comparing extends WorkspaceStore, Pick<ClockAndIds, "now" | "newId"> {
  readonly competitorIds: readonly string[];
  /** Hash of the title, brand and MPN with which each product was last compared, by product id. */
  readonly compared: Map<string, number>;
  readonly stopping: AbortSignal;
}

type PagesOf = (competitorId: string) => Promise<KeyedTitles>;

function pageReader(ctx: Comparing): PagesOf {
  const known = new Map<string, Promise<KeyedTitles>>();
  let room = TITLE_PAGES_MAX;
  const read = async (competitorId: string) => {
    const index = new KeyedTitles();
    const slice = new TimeSlice();
    for await (const { row } of foundPages.walk(ctx, { within: { competitorId } })) {
      if (room-- <= 0 || ctx.stopping.aborted) return index;
      index.putTitle(row.urlHash, row.page);
      await slice.yield();
    }
    return index;
  };
  return (id) => known.getOrInsertComputed(id, read);
}

async function compareChanges(ctx: Comparing): Promise<void> {
  const found = await comparedChanges.find(ctx, {});
  const end = await findLogEnd(ctx);
  const changes = found && await changesSince(ctx, found.row.position);
  const position = changes?.position ?? end;
  if (position === found?.row.position) return;
  if (found) {
    const pagesOf = pageReader(ctx);
    // If the log of product changes is incomplete, all products are compared.
    const products = changes
      ? findInTurn(ctx, changes.ids)
      : documentPages(ctx, listDocuments, PRODUCTS);
    for await (const documents of products) {
      if (ctx.stopping.aborted) return;
      for (const { bytes } of documents) {
        for (const fit of await findFits(ctx, parseProduct(bytes), pagesOf)) {
          // Each page has its own commit, because a commit cannot read suggestions that it adds.
          await transact(ctx, (write) => suggestFit(write, ctx, fit));
        }
      }
    }
  }
  // The commit fails if another process has changed the stored position in the log of changes.
  await transact(ctx, (write) => comparedChanges.save(write, ctx, found, { position }));
}

async function* findInTurn(ctx: Comparing, ids: Iterable<string>) {
  for await (const some of batchesOf(ids, PRODUCTS)) {
    for (const id of some) await settleOpen(ctx, id);
    const documents = await findDocuments(ctx, some);
    const gone = new Set(some).difference(new Set(documents.map(({ id }) => id)));
    for (const id of gone) ctx.compared.delete(id);
    yield documents;
  }
}

/**
 * Accepts open suggestions whose pages are already linked to the product. Open suggestions of a
 * deleted product become `superseded`.
 */
async function settleOpen(ctx: Suggester, productId: string): Promise<void> {
  const open = (await listSuggestionsOf(ctx, productId)).filter(({ status }) => status === "open");
  for await (const some of batchesOf(open, COMMIT_MAX.checks - 2)) {
    await transact(ctx, async (write) => {
      const product = await findAnyProduct(ctx, productId);
      const stored = await findOffers(ctx, productId);
      if (product) checkProduct(write, ctx.workspaceId, product);
      checkOffers(write, ctx.workspaceId, stored);
      const decidedAt = ctx.now().toISOString();
      for (const one of some) {
        const isGone = product?.product.deletedAt !== null;
        if (!isGone && !stored.offers.some(({ urlHash }) => urlHash === one.urlHash)) continue;
        const status = isGone ? "superseded" : "accepted";
        await changeSuggestion(write, ctx, one, { ...one, status, decidedAt });
      }
    });
  }
}

interface PageFit {
  readonly found: FoundPage;
  readonly candidate: Candidate;
}

async function findFits(ctx: Comparing, product: Product, pagesOf: PagesOf): Promise<PageFit[]> {
  const numbered = await findPagesByNumber(ctx, product);
  const placeOf = ({ competitorId, urlHash }: PagePlace) => `${competitorId} ${urlHash}`;
  const likely = new Map<string, PagePlace & Omit<Candidate, "productId">>();
  for (const competitorId of isRetitled(ctx, product) ? ctx.competitorIds : []) {
    const index = await pagesOf(competitorId);
    for (const [urlHash, score] of index.scored(product)) {
      const page = { competitorId, urlHash, score, words: index.words };
      likely.set(placeOf(page), page);
    }
  }
  for (const page of numbered) likely.delete(placeOf(page));
  const titled = await findPages(ctx, [...likely.values()]);
  return [...numbered, ...titled].map((found) => {
    const { score = null, words = null } = likely.get(placeOf(found)) ?? {};
    return { found, candidate: { productId: product.id, score, words } };
  });
}

/** True if title, brand or MPN changed, or if an uncompared product changed in the last day. */
function isRetitled(ctx: Comparing, { id, title, brand, mpn, updatedAt }: Product): boolean {
  const words = idMark(`${title}\n${brand ?? ""}\n${mpn ?? ""}`);
  const before = ctx.compared.get(id);
  if (before === words) return false;
  keepNewest(ctx.compared, id, words, 200_000);
  return before !== undefined || ctx.now().getTime() - Date.parse(updatedAt) <= DAY_MS;
}

async function suggestFit(write: Write, ctx: Comparing, { found, candidate }: PageFit) {
  const { competitorId } = found;
  const shop = await competitors.find(ctx, { id: competitorId });
  const { discovery: { settings: { mode } } } = await findDiscovery(ctx, competitorId);
  if (!shop || mode === "off") return;
  const added = await suggestPage(write, ctx, found, [candidate]);
  if (write.isEmpty) return;
  // The commit fails if the shop was changed or is being deleted.
  competitors.check(write, ctx, shop.row, shop);
  await publishSuggestions(write, ctx, competitorId, added);
}
