/** Creates links without a person if the shop is `automatic` and the page surely shows our product. */
import { requireRefusal } from "../../base/failure.ts";
import { findLogEnd } from "../../catalogue/products/change_log_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { findDocuments, findProduct } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { IdentityCode, Verdict } from "../../engine/matching/identity_codes.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
  type WorkspaceStore,
} from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { competitors } from "../../shops/competitor_store.ts";
import {
  type AutomaticShop,
  automaticShops,
  type Queued,
  queuedSuggestions,
} from "../../shops/discovery/automatic_store.ts";
import {
  discoveries,
  type DiscoverySettings,
  findDiscovery,
  type StoredDiscovery,
} from "../../shops/discovery/discovery_store.ts";
import { findPagesByNumber } from "../../shops/discovery/page_store.ts";
import {
  findSuggestions,
  listSuggestionIds,
  listSuggestionsOf,
  type StoredSuggestion,
  suggestions,
} from "../../shops/discovery/suggestion_store.ts";
import { addLink, requireTarget } from "../../shops/matches/create_match.ts";
import {
  findMatchPlaces,
  findRemovals,
  findRemovedMatch,
} from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import { putDecision } from "./decide_suggestion.ts";
import type { ProductIndexes } from "./product_indexes.ts";
import { judgePage } from "./suggest.ts";
import { changedFields } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { findIdentities } from "../../shops/matches/identity_store.ts";

/** Number of suggestions between two checks for decisions that people took back. */
const LOOKED_AT = 50;
/** Older suggestions queued per commit. */
const QUEUED = 200;

export const DISCOVERY: Actor = { type: "system", id: "discovery", name: "Discovery" };

export interface LinkingSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly indexes: ProductIndexes;
  /** Private addresses that URLs may lead to nevertheless; empty in production. */
  readonly allowed: AddressAllowList;
}

type Linking = Context & Pick<LinkingSetup, "indexes" | "allowed">;

/**
 * Does what is to do at all automatic shops. May run in several processes, and break off anywhere: a link,
 * the end of its suggestion and its place among the shop's last links are one commit.
 */
export class SelfLinker {
  readonly #setup: LinkingSetup;
  /** By shop: the position in the change log up to which decisions that people took back were read. */
  readonly #askedAt = new Map<string, string>();

  constructor(setup: LinkingSetup) {
    this.#setup = setup;
  }

  async round(stopping: AbortSignal): Promise<void> {
    const { store, clock, indexes, allowed } = this.#setup;
    await eachApart("automatic links", discoveries.walkAll(store), async ({ workspaceId, row }) => {
      if (!isAtWork(row)) return;
      const { competitorId } = row;
      const requestId = clock.newId();
      const base = contextFor({ store, clock, requestId }, workspaceId, DISCOVERY);
      const ctx = { ...base, indexes, allowed };
      while (!stopping.aborted && !await this.#hasFallenBack(ctx, competitorId)) {
        if (!await linkSome(ctx, competitorId, stopping)) return;
      }
    });
  }

  /** Every link that is taken back is in the log of changes. */
  async #hasFallenBack(ctx: Linking, competitorId: string): Promise<boolean> {
    const end = await findLogEnd(ctx);
    const shop = `${ctx.workspaceId} ${competitorId}`;
    if (this.#askedAt.get(shop) === end) return false;
    const hasFallen = await fallBackIfTakenBack(ctx, competitorId);
    if (hasFallen) this.#askedAt.delete(shop);
    else this.#askedAt.set(shop, end);
    return hasFallen;
  }
}

/** While a day of the shop goes on, a page that was not seen yet may compete. */
function isAtWork({ settings, isPaused, jobId }: StoredDiscovery): boolean {
  return settings.mode === "automatic" && !isPaused && jobId === null;
}

/** False if nothing is to do. */
async function linkSome(
  ctx: Linking,
  competitorId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const shop = await competitors.find(ctx, { id: competitorId });
  if (!shop?.row.enabled) return false;
  const hasQueued = await queueEarlier(ctx, competitorId);
  const queued = await queuedSuggestions.list(ctx, { within: { competitorId }, limit: LOOKED_AT });
  for (const one of queued) {
    if (stopping.aborted) return false;
    await linkQueued(ctx, one);
  }
  return hasQueued || queued.length === LOOKED_AT;
}

/** Some of the suggestions that were there before; false if all are queued. */
async function queueEarlier(ctx: Linking, competitorId: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const { stand, found } = await findStand(ctx, competitorId);
    if (stand.before === null) return false;
    const from = stand.before === "" ? null : stand.before;
    const ids = await listSuggestionIds(ctx, "open", from, QUEUED);
    for (const one of await findSuggestions(ctx, ids)) {
      if (one.competitorId === competitorId && one.verdict === "same") {
        queuedSuggestions.put(write, ctx, one);
      }
    }
    const before = ids.length < QUEUED ? null : ids.at(-1) ?? null;
    automaticShops.save(write, ctx, found, { ...stand, before });
    return before !== null;
  });
}

/** Links what fits, and takes it off the queue either way: what does not stays with people. */
async function linkQueued(ctx: Linking, queued: Found<Queued>): Promise<void> {
  const { id, competitorId } = queued.row;
  try {
    await transact(ctx, async (write) => {
      const suggestion = (await suggestions.find(ctx, { id }))?.row;
      const found = await findDiscovery(ctx, competitorId);
      // It goes on when people say so, or the day is over.
      if (!isAtWork(found.discovery)) return;
      queuedSuggestions.remove(write, ctx, queued);
      if (!suggestion || !await fitsAutomatic(ctx, ctx.indexes, suggestion)) return;
      discoveries.check(write, ctx, found.discovery, found.found);
      await putLink(write, ctx, suggestion);
    });
  } catch (error) {
    // It may not be linked, or another process was faster: then it is off the queue already.
    requireRefusal(error);
    const same = await queuedSuggestions.find(ctx, queued.row);
    if (same) await transact(ctx, (write) => queuedSuggestions.remove(write, ctx, same));
  }
}

async function putLink(write: Write, ctx: Linking, suggestion: StoredSuggestion): Promise<void> {
  const { productId, competitorId, page: { url } } = suggestion;
  const { stand, found } = await findStand(ctx, competitorId);
  const target = requireTarget(url, ctx.allowed);
  const link = { productId, url, competitorId };
  const made = await addLink(write, ctx, link, target, "discovery");
  await putDecision(write, ctx, suggestion, { status: "accepted", rejectedAs: null });
  const linkIds = [...stand.linkIds, made.id];
  automaticShops.save(write, ctx, found, { ...stand, linkIds });
}

async function findStand(workspace: WorkspaceStore, competitorId: string) {
  const found = await automaticShops.find(workspace, { competitorId });
  const stand: AutomaticShop = found?.row ?? { competitorId, before: "", linkIds: [] };
  return { stand, found };
}

/** A price so many times ours, or such a part of it, is another pack or another article. */
const PRICE_FACTOR_MAX = 3;

/**
 * Verdicts that mean the same article: a second such page shows that the numbers do not distinguish
 * the two.
 */
const RIVAL_VERDICTS: ReadonlySet<Verdict> = new Set<Verdict>(["same", "probably"]);
const NUMBERS_AGREE: ReadonlySet<IdentityCode> = new Set<IdentityCode>(["gtin_same", "mpn_same"]);

/**
 * True when numbers prove that the page shows our product without doubt: judged by current facts,
 * with a price near ours, unique among the shop's pages and our products, and without an earlier
 * decision about the pair or a link of the product at the shop.
 */
export async function fitsAutomatic(
  workspace: WorkspaceStore,
  indexes: ProductIndexes,
  { status, productId, competitorId, urlHash, page }: StoredSuggestion,
): Promise<boolean> {
  if (status !== "open") return false;
  const product = (await findProduct(workspace, productId))?.product;
  if (!product || judgePage(product, page).verdict !== "same" || !isPriceNear(product, page)) {
    return false;
  }
  const { offers } = await findOffers(workspace, productId);
  if (offers.some((offer) => offer.competitorId === competitorId || offer.urlHash === urlHash)) {
    return false;
  }
  if ((await findRemovals(workspace, productId, [urlHash])).has(urlHash)) return false;
  return !await hasRivalPage(workspace, product, { competitorId, urlHash, page }) &&
    !await hasRivalProduct(workspace, indexes, product, page);
}

/** Prices are compared as they are, without taxes or shipping; unknown ones are near nothing. */
export function isPriceNear(
  { ourPriceCents, currency }: Pick<Product, "ourPriceCents" | "currency">,
  page: Pick<StoredSuggestion["page"], "price" | "currency">,
): boolean {
  if (ourPriceCents === null || page.price === null || page.currency !== currency) return false;
  if (ourPriceCents <= 0 || page.price <= 0) return false;
  return page.price <= PRICE_FACTOR_MAX * ourPriceCents &&
    ourPriceCents <= PRICE_FACTOR_MAX * page.price;
}

/**
 * True when another page of the shop has a number of the product, or a title that fits as well,
 * whichever was seen first, and was not rejected. Moving a workspace keeps suggestions and drops
 * pages.
 */
async function hasRivalPage(
  workspace: WorkspaceStore,
  product: Product,
  { competitorId, urlHash, page }: Pick<StoredSuggestion, "competitorId" | "urlHash" | "page">,
): Promise<boolean> {
  const isOther = (one: Pick<StoredSuggestion, "competitorId" | "urlHash">) =>
    one.competitorId === competitorId && one.urlHash !== urlHash;
  const suggested = (await listSuggestionsOf(workspace, product.id)).filter(isOther);
  const ownScore = judgePage(product, page).score ?? 0;
  const isOpenRival = (one: StoredSuggestion) => {
    const { verdict, reasons, score } = judgePage(product, one.page);
    if (one.status !== "open" || !RIVAL_VERDICTS.has(verdict)) return false;
    return reasons.some(({ code }) => NUMBERS_AGREE.has(code)) || (score ?? 0) >= ownScore;
  };
  if (suggested.some(isOpenRival)) return true;
  const rejected = suggested.filter(({ status }) => status === "rejected");
  const pages = (await findPagesByNumber(workspace, product)).filter(isOther);
  return pages.some((one) =>
    RIVAL_VERDICTS.has(judgePage(product, one.page).verdict) &&
    !rejected.some((said) => said.urlHash === one.urlHash)
  );
}

/** The page has a number of another product of ours, too. */
async function hasRivalProduct(
  workspace: WorkspaceStore,
  indexes: ProductIndexes,
  { id }: Product,
  page: StoredSuggestion["page"],
): Promise<boolean> {
  const ids = (await indexes.of(workspace)).sharing(page);
  ids.delete(id);
  const others = await findDocuments(workspace, [...ids]);
  return others.some(({ bytes }) =>
    RIVAL_VERDICTS.has(judgePage(parseProduct(bytes), page).verdict)
  );
}

/** Of the last 100 automatic links of a shop, people may take so many back. */
const TAKEN_BACK_MAX = 2;

/** How many of these links people have rejected or deleted; what an import took away says nothing. */
export async function countTakenBack(
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

/**
 * Makes an automatic shop one that suggests, with an alert, where people took too many of its last links
 * back; returns whether it did.
 */
export async function fallBackIfTakenBack(ctx: Context, competitorId: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const found = await findDiscovery(ctx, competitorId);
    const { settings } = found.discovery;
    const shop = await competitors.find(ctx, { id: competitorId });
    if (!shop || settings.mode !== "automatic") return false;
    const { stand: { linkIds } } = await findStand(ctx, competitorId);
    const takenBack = await countTakenBack(ctx, linkIds);
    if (takenBack <= TAKEN_BACK_MAX) return false;
    const after: DiscoverySettings = { ...settings, mode: "suggest" };
    const { displayName } = shop.row;
    discoveries.save(write, ctx, found.found, {
      ...found.discovery,
      settings: after,
    });
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
