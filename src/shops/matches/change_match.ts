/**
 * Creates, changes, deletes and restores matches, the links of products to pages. The product and
 * the competitor of a match never change. When a match is deleted, its observations stay.
 */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import { requireVersion } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import {
  addCompetitor,
  type Competitor,
  competitors,
  requireCompetitor,
} from "../competitor_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import {
  identities,
  type KeptIdentity,
  NO_IDENTITY,
  withIdentity,
  withWord,
} from "./match_identity.ts";
import { judgeLink } from "./link_plan.ts";
import {
  type FoundMatch,
  matchVersion,
  offerOf,
  putMatchChange,
  readProductLinks,
  requireMatch,
  saveProductLinks,
  statementAuthor,
} from "./list_matches.ts";
import {
  type CompetitorProduct,
  type CompetitorProductPatch,
  type Match,
  matchAudit,
  MATCHES_PER_PRODUCT_MAX,
  matchLabel,
  type NewCompetitorProduct,
  newMatch,
  termsOf,
  toCompetitorProduct,
  withMatchPatch,
} from "./match.ts";
import {
  addMatch,
  findMatchAt,
  findRemovedMatch,
  type MatchPlace,
  removedMatches,
  removeMatch,
} from "./match_store.ts";
import { fetchedUrl, type MatchTarget, parseMatchUrl, variantUrl } from "../domain.ts";

export async function createMatch(
  ctx: Context,
  input: NewCompetitorProduct,
  allowed: AddressAllowList,
): Promise<CompetitorProduct> {
  const target = requireTarget(input.url, allowed);
  return await transact(ctx, async (write) => {
    const made = await addLink(write, ctx, input, target);
    ctx.receipt?.put(write, `/api/competitor-products/${made.id}`);
    return made;
  });
}

export async function addLink(
  write: Write,
  ctx: Context,
  input: NewCompetitorProduct,
  target: MatchTarget,
  source: Match["source"] = "manual",
): Promise<CompetitorProduct> {
  const links = isId(input.productId) ? await readProductLinks(ctx, input.productId) : null;
  if (!links || links.found.product.deletedAt !== null) throw noSuch("product", input.productId);
  const { offers } = links.offers;
  requireFreeUrl(offers, target.urlHash);
  const competitor = await requireShop(write, ctx, target, input.competitorId);
  const ends = { product: links.found.product, competitor, target };
  const { match, offer, identity, event } = putNewMatch(write, ctx, ends, input, source);
  await saveProductLinks(write, ctx, links, [...offers, offer]);
  publish(write, ctx, [event]);
  return toCompetitorProduct(match, competitor, offer, identity);
}

/** The caller must also save `offer` and `event`, and check the product's and shop's versions. */
export function putNewMatch(
  write: Write,
  ctx: Context,
  { product, competitor, target }: {
    readonly product: Pick<Product, "id" | "sku">;
    readonly competitor: Competitor;
    readonly target: MatchTarget;
  },
  terms: Omit<NewCompetitorProduct, "productId" | "competitorId" | "url">,
  source: Match["source"],
) {
  const { url, urlHash } = target;
  const ends = { productId: product.id, competitorId: competitor.id, url };
  const blank = newMatch(ctx, ends, source);
  const visit = terms.visit ?? (ctx.actor.type === "api_key" ? "scheduled" : "now");
  const match = withMatchPatch(blank, { ...terms, visit });
  const by = statementAuthor(ctx.actor, ctx.now());
  const identity = terms.confirmed ? withWord(NO_IDENTITY, { kind: "confirmed", by }) : null;
  const unseen = blankOffer(termsOf(match, urlHash));
  addMatch(write, ctx.workspaceId, match, urlHash);
  if (identity) identities.put(write, ctx, { ...identity, matchId: match.id });
  addAuditRow(write, ctx, matchAudit(matchLabel(product.sku, competitor), null, match));
  const isAutomatic = source === "discovery" && ctx.actor.type === "system";
  return {
    match,
    offer: identity ? withIdentity(unseen, identity) : unseen,
    identity,
    event: linkedEvent(match, product.sku, { competitor: competitor.displayName, isAutomatic }),
  };
}

function linkedEvent(
  { id: competitorProductId, productId, competitorId, url }: Match,
  sku: string,
  more: { readonly competitor: string; readonly isAutomatic: boolean },
): OutboxEvent {
  const data = { productId, competitorId, url, competitorProductId, sku, ...more };
  return { type: "match.linked", data };
}

export function requireTarget(url: string, allowed: AddressAllowList): MatchTarget {
  const parsed = parseMatchUrl(url, allowed);
  if ("target" in parsed) return parsed.target;
  throw refuseFields([{ path: "url", message: parsed.reason }]);
}

function requireFreeUrl(offers: readonly Offer[], urlHash: string): void {
  const holder = offers.find((offer) => offer.urlHash === urlHash);
  if (holder) {
    throw new Failure("conflict", "The product already has a match with this URL", {
      competitorProductId: holder.matchId,
    });
  }
  if (offers.length >= MATCHES_PER_PRODUCT_MAX) throw noRoom();
}

export function noRoom(): Failure {
  return new Failure("conflict", `The product has ${MATCHES_PER_PRODUCT_MAX} matches: delete one`);
}

async function requireShop(
  write: Write,
  ctx: Context,
  { domain }: MatchTarget,
  competitorId: string | undefined,
): Promise<Competitor> {
  const owner = await competitors.findBy(ctx, "domain", { domain });
  const found = competitorId === undefined ? owner : await requireCompetitor(ctx, competitorId);
  if (found) {
    if (owner) requireOwnUrl(found.row, owner.row);
    competitors.check(write, ctx, found.row, found);
    return found.row;
  }
  return await addCompetitor(write, ctx, domain);
}

function requireOwnUrl({ id, displayName }: Competitor, owner: Competitor): void {
  if (owner.id === id) return;
  const message = `Belongs to the competitor "${owner.displayName}", not to "${displayName}"`;
  throw refuseFields([{ path: "url", message }]);
}

export async function changeMatch(
  ctx: Context,
  id: string,
  patch: CompetitorProductPatch,
  { allowed, expected }: {
    readonly allowed: AddressAllowList;
    readonly expected: string | null;
  },
): Promise<CompetitorProduct> {
  return await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    const { place, match: before, owner } = found;
    requireVersion(expected, matchVersion(found));
    refuseOtherEnds(before, patch);
    const isMeant = patch.url !== undefined && patch.url !== before.url;
    const target = isMeant ? requireTarget(patch.url ?? "", allowed) : null;
    const moved = target && { url: target.url, ...before.noPrice && { noPrice: false } };
    const changed = withMatchPatch({ ...before, ...moved }, patch);
    const after = JSON.stringify(changed) === JSON.stringify(before)
      ? before
      : { ...changed, updatedAt: ctx.now().toISOString() };
    const urlHash = target?.urlHash ?? place.urlHash;
    if (target && urlHash !== place.urlHash) {
      requireFreeUrl(found.links.offers.offers.filter(({ matchId }) => matchId !== id), urlHash);
      const holder = await competitors.findBy(ctx, "domain", { domain: target.domain });
      if (holder) requireOwnUrl(owner.row, holder.row);
    }
    const isOtherVariant = namesOtherVariant(found, after.url);
    const identity = isOtherVariant
      ? NO_IDENTITY
      : urlHash === place.urlHash
      ? identityAfter(found, after)
      : null;
    const was = offerOf(found.links.offers.offers, before, place);
    const terms = termsOf(after, urlHash);
    const changedOffer = urlHash === was.urlHash && !isOtherVariant
      ? { ...was, ...after.extractor !== before.extractor && { isSelectorDead: false }, ...terms }
      : blankOffer(terms);
    const offer = identity ? withIdentity(changedOffer, identity) : changedOffer;
    if (after !== before) {
      const label = matchLabel(found.links.found.product.sku, owner.row);
      const audit = matchAudit(label, before, after);
      await putMatchChange(write, ctx, found, { match: after, offer, identity }, audit);
    }
    return toCompetitorProduct(after, owner.row, offer, identity);
  });
}

const BY_NUMBER: ReadonlySet<string> = new Set(["gtin", "mpn", "sku"]);

/** True if the page has variants, and the new fragment of its URL may choose another variant. */
function namesOtherVariant({ match, known }: FoundMatch, url: string): boolean {
  const variant = known?.row.page?.variant;
  return Boolean(variant) && !BY_NUMBER.has(variant?.by ?? "") &&
    variantUrl(match.url) !== variantUrl(url) && fetchedUrl(match.url) === fetchedUrl(url);
}

function identityAfter(
  { match: before, links, known }: FoundMatch,
  after: Match,
): KeptIdentity | null {
  if (known === null) return null;
  const identity = known.row;
  const isBack = after.enabled && identity.word?.kind === "rejected";
  const current = isBack ? withWord(identity, null) : identity;
  if (current.page === null || after.packFactor === before.packFactor) return current;
  const { verdict, reasons } = judgeLink(links.found.product, after.packFactor, current.page);
  return { ...current, verdict, reasons };
}

function refuseOtherEnds(match: Match, patch: CompetitorProductPatch): void {
  const message = "Cannot change: delete this match and create another one";
  const changed = (["productId", "competitorId"] as const)
    .filter((path) => patch[path] !== undefined && patch[path] !== match[path]);
  if (changed.length > 0) throw refuseFields(changed.map((path) => ({ path, message })));
}

/** Deletes a link; imports then do not link the product to the same page again. */
export async function deleteMatch(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    requireVersion(expected, matchVersion(found));
    await putDeletion(write, ctx, found);
  });
}

export async function putDeletion(
  write: Write,
  ctx: Context,
  { place, links, match, owner: { row: competitor } }: FoundMatch,
): Promise<void> {
  await putRemoval(write, ctx, { place, competitor });
  const after = links.offers.offers.filter(({ matchId }) => matchId !== match.id);
  await saveProductLinks(write, ctx, links, after);
  const label = matchLabel(links.found.product.sku, competitor);
  addAuditRow(write, ctx, matchAudit(label, match, null));
}

export async function putRemoval(
  write: Write,
  ctx: WorkspaceStore & Pick<Context, "now">,
  { place, competitor, withShop = false }: {
    readonly place: MatchPlace;
    readonly competitor: Pick<Competitor, "displayName" | "domain">;
    readonly withShop?: boolean;
  },
): Promise<Match | null> {
  const match = await findMatchAt(ctx, place);
  if (!match) return null;
  const removedBy = withShop && match.disabledBy !== "person" ? "shop" : "person";
  const { displayName, domain } = competitor;
  const removedAt = ctx.now().toISOString();
  const removed = { match, competitor: { displayName, domain }, removedAt, removedBy } as const;
  removeMatch(write, ctx.workspaceId, removed, place.urlHash);
  return match;
}

export async function restoreMatch(
  ctx: Context,
  id: string,
  allowed: AddressAllowList,
): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const match = isId(id) ? (await findRemovedMatch(ctx, id))?.match : undefined;
    const links = match && await readProductLinks(ctx, match.productId);
    const owner = match && await competitors.find(ctx, { id: match.competitorId });
    if (!match || !owner || !links || links.found.product.deletedAt !== null) {
      throw noSuch("removed competitor product", id);
    }
    const { offers: { offers }, found: { product } } = links;
    const parsed = parseMatchUrl(match.url, allowed);
    const target = "target" in parsed ? parsed.target : null;
    if (offers.some((offer) => offer.urlHash === target?.urlHash)) return false;
    const holder = target && await competitors.findBy(ctx, "domain", { domain: target.domain });
    const isOfOther = holder !== null && holder.row.id !== owner.row.id;
    if (!target || isOfOther || offers.length >= MATCHES_PER_PRODUCT_MAX) {
      throw noSuch("removed competitor product that can be linked", id);
    }
    competitors.check(write, ctx, owner.row, owner);
    removedMatches.drop(write, ctx, { id });
    addMatch(write, ctx.workspaceId, match, target.urlHash);
    const offer = blankOffer(termsOf(match, target.urlHash));
    await saveProductLinks(write, ctx, links, [...offers, offer]);
    addAuditRow(write, ctx, matchAudit(matchLabel(product.sku, owner.row), null, match));
    const competitor = owner.row.displayName;
    publish(write, ctx, [linkedEvent(match, product.sku, { competitor, isAutomatic: false })]);
    return true;
  });
}
