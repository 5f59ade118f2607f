/**
 * Creates links without a person, for shops with the mode `automatic`. One commit creates the link,
 * accepts its suggestion, and adds the link to the shop's list of automatic links.
 */
import { requireRefusal } from "../../base/failure.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import type { Judgement } from "../../engine/matching/judge_identity.ts";
import type { IdentityCode, Verdict } from "../../engine/matching/identity_codes.ts";
import type { Vocabulary } from "../../engine/matching/word_lists.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import type { Actor, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { competitors } from "../../shops/competitor_store.ts";
import {
  type AutomaticShop,
  automaticShops,
  findPagesByNumber,
  listSuggestionsOf,
  type StoredSuggestion,
  suggestions,
  walkSuggestions,
} from "../../shops/pages/found_page_store.ts";
import {
  discoveries,
  type DiscoverySettings,
  findDiscovery,
} from "../../shops/pages/discovery_store.ts";
import { addLink, requireTarget } from "../../shops/matches/change_match.ts";
import {
  findMatchPlaces,
  findRemovedMatch,
  isLinkRemoved,
} from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { putDecision } from "./list_suggestions.ts";
import { judgePage, type ProductIndex, type ProductIndexes } from "./product_indexes.ts";
import { changedFields } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { findIdentities } from "../../shops/matches/match_identity.ts";

const SUGGESTIONS_PER_STEP = 200;

export const DISCOVERY: Actor = { type: "system", id: "discovery", name: "Discovery" };

interface Linking extends Context {
  readonly indexes: ProductIndexes;
  readonly allowed: AddressAllowList;
}

/**
 * Reads open suggestions of all shops, newest first, beginning after the id `after`. Links the
 * pages of the shop `competitorId` that pass `fitsAutomatic`. Returns the id of the last
 * suggestion; null if none is left or if the mode has become `suggest`.
 */
export async function linkSome(
  ctx: Linking,
  competitorId: string,
  after: string | null,
  goOn: () => Promise<void>,
): Promise<string | null> {
  if (await fallBackIfTakenBack(ctx, competitorId)) return null;
  const walk = walkSuggestions(ctx, "open", after, SUGGESTIONS_PER_STEP);
  const some = await Array.fromAsync(walk);
  for (const one of some) {
    if (one.competitorId !== competitorId || one.verdict !== "same") continue;
    await linkOne(ctx, one);
    await goOn();
  }
  return some.at(-1)?.id ?? null;
}

async function linkOne(
  ctx: Linking,
  { id, competitorId }: Pick<StoredSuggestion, "id" | "competitorId">,
): Promise<void> {
  try {
    await transact(ctx, async (write) => {
      const suggestion = (await suggestions.find(ctx, { id }))?.row;
      const { discovery, found } = await findDiscovery(ctx, competitorId);
      const { settings, isPaused } = discovery;
      if (settings.mode !== "automatic" || isPaused) return;
      if (!suggestion || !await fitsAutomatic(ctx, ctx.indexes, suggestion)) return;
      discoveries.check(write, ctx, discovery, found);
      await putLink(write, ctx, suggestion);
    });
  } catch (error) {
    requireRefusal(error);
  }
}

async function putLink(write: Write, ctx: Linking, suggestion: StoredSuggestion): Promise<void> {
  const { productId, competitorId, packFactor, page: { url } } = suggestion;
  const { progress, found } = await findProgress(ctx, competitorId);
  const target = requireTarget(url, ctx.allowed);
  const link = { productId, url, competitorId, ...(packFactor && { packFactor }) };
  const made = await addLink(write, ctx, link, target, "discovery");
  await putDecision(write, ctx, suggestion, { status: "accepted", rejectedAs: null });
  const linkIds = [...progress.linkIds, made.id];
  automaticShops.save(write, ctx, found, { ...progress, linkIds });
}

async function findProgress(workspace: WorkspaceStore, competitorId: string) {
  const found = await automaticShops.find(workspace, { competitorId });
  const progress: AutomaticShop = found?.row ?? { competitorId, linkIds: [] };
  return { progress, found };
}

const PRICE_FACTOR_MAX = 3;

const RIVAL_VERDICTS: ReadonlySet<Verdict> = new Set<Verdict>(["same", "probably"]);
const NUMBERS_AGREE: ReadonlySet<IdentityCode> = new Set<IdentityCode>(["gtin_same", "mpn_same"]);

function isRival({ verdict, reasons }: Pick<Judgement, "verdict" | "reasons">): boolean {
  return RIVAL_VERDICTS.has(verdict) || reasons.some(({ code }) => NUMBERS_AGREE.has(code));
}

/**
 * True if the page shows the product (verdict `same`) at a price near ours. The page must not fit
 * another product. No other, unrejected page of the shop may fit the product as well. The product
 * must not be linked to the shop, and must not have a removed link to this page.
 */
async function fitsAutomatic(
  workspace: WorkspaceStore,
  indexes: ProductIndexes,
  { status, productId, competitorId, urlHash, page }: StoredSuggestion,
): Promise<boolean> {
  if (status !== "open") return false;
  const product = (await findProduct(workspace, productId))?.product;
  if (!product || !isPriceNear(product, page)) return false;
  const index = await indexes.of(workspace);
  const { words } = index;
  if (judgePage(product, page, words).verdict !== "same") return false;
  const { offers } = await findOffers(workspace, productId);
  if (offers.some((offer) => offer.competitorId === competitorId || offer.urlHash === urlHash)) {
    return false;
  }
  if (await isLinkRemoved(workspace, { productId, urlHash })) return false;
  return !await hasRivalPage(workspace, product, { competitorId, urlHash, page }, words) &&
    !await hasRivalProduct(workspace, index, product, page);
}

/** True if prices of the same pack differ by at most a factor of 3; ignores tax and shipping. */
export function isPriceNear(
  { ourPriceCents, currency }: Pick<Product, "ourPriceCents" | "currency">,
  page: Pick<StoredSuggestion["page"], "price" | "currency" | "pack">,
): boolean {
  if (ourPriceCents === null || page.price === null || page.currency !== currency) return false;
  if (ourPriceCents <= 0 || page.price <= 0) return false;
  const ourPackCents = ourPriceCents * (page.pack ?? 1);
  return page.price <= PRICE_FACTOR_MAX * ourPackCents &&
    ourPackCents <= PRICE_FACTOR_MAX * page.price;
}

async function hasRivalPage(
  workspace: WorkspaceStore,
  product: Product,
  { competitorId, urlHash, page }: Pick<StoredSuggestion, "competitorId" | "urlHash" | "page">,
  words: Vocabulary | null,
): Promise<boolean> {
  const isOther = (one: Pick<StoredSuggestion, "competitorId" | "urlHash">) =>
    one.competitorId === competitorId && one.urlHash !== urlHash;
  const suggested = (await listSuggestionsOf(workspace, product.id)).filter(isOther);
  const ownScore = judgePage(product, page, words).score ?? 0;
  const isOpenRival = (one: StoredSuggestion) => {
    const judged = judgePage(product, one.page, words);
    if (one.status !== "open" || !isRival(judged)) return false;
    const { reasons, score } = judged;
    return reasons.some(({ code }) => NUMBERS_AGREE.has(code)) || (score ?? 0) >= ownScore;
  };
  if (suggested.some(isOpenRival)) return true;
  const rejected = suggested.filter(({ status }) => status === "rejected");
  const pages = (await findPagesByNumber(workspace, product)).filter(isOther);
  return pages.some((one) =>
    isRival(judgePage(product, one.page, words)) &&
    !rejected.some((known) => known.urlHash === one.urlHash)
  );
}

async function hasRivalProduct(
  workspace: WorkspaceStore,
  index: ProductIndex,
  { id }: Product,
  page: StoredSuggestion["page"],
): Promise<boolean> {
  const ids = index.sharing(page);
  ids.delete(id);
  const others = await findDocuments(workspace, [...ids]);
  return others.some(({ bytes }) => isRival(judgePage(parseProduct(bytes), page, index.words)));
}

/** Counts the links that people rejected or removed, but not links that an import removed. */
async function countTakenBack(
  workspace: WorkspaceStore,
  linkIds: readonly string[],
): Promise<number> {
  const places = await findMatchPlaces(workspace, linkIds);
  const identities = await findIdentities(workspace, places.map(({ matchId }) => matchId));
  const rejected =
    places.filter(({ matchId }) => identities.get(matchId)?.word?.kind === "rejected").length;
  const there = new Set(places.map(({ matchId }) => matchId));
  const gone = await Promise.all(
    linkIds.filter((id) => !there.has(id)).map((id) => findRemovedMatch(workspace, id)),
  );
  return rejected + gone.filter((removed) => removed?.removedBy === "person").length;
}

async function fallBackIfTakenBack(ctx: Context, competitorId: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const found = await findDiscovery(ctx, competitorId);
    const { settings } = found.discovery;
    const shop = await competitors.find(ctx, { id: competitorId });
    if (!shop || settings.mode !== "automatic") return false;
    const { progress: { linkIds } } = await findProgress(ctx, competitorId);
    const takenBack = await countTakenBack(ctx, linkIds);
    // The mode stays `automatic` if people undid at most two of the last 100 automatic links.
    if (takenBack <= 2) return false;
    const after: DiscoverySettings = { ...settings, mode: "suggest" };
    const { displayName } = shop.row;
    discoveries.save(write, ctx, found.found, { ...found.discovery, settings: after });
    addAuditRow(write, ctx, {
      action: "discovery.update",
      resource: { type: "discovery", id: competitorId, label: displayName },
      ...changedFields({ ...settings }, { ...after }),
    });
    publish(write, ctx, [{
      type: "discovery.fell_back",
      data: { competitorId, competitor: displayName, takenBack, of: linkIds.length },
    }]);
    return true;
  });
}
