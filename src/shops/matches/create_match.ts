import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { blankCompetitor, type Competitor, competitorAudit, freeColours } from "../competitor.ts";
import { checkCompetitorSet, competitors, readCompetitorSet } from "../competitor_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import { requireCompetitor } from "../require_competitors.ts";
import { identities } from "./identity_store.ts";
import { statementAuthor } from "./list_matches.ts";
import {
  blankMatch,
  type CompetitorProduct,
  type Match,
  matchAudit,
  MATCHES_PER_PRODUCT_MAX,
  matchLabel,
  type NewCompetitorProduct,
  termsOf,
  toCompetitorProduct,
  withMatchPatch,
} from "./match.ts";
import { type KeptIdentity, NO_IDENTITY, withIdentity } from "./match_identity.ts";
import { addMatch } from "./match_store.ts";
import { type MatchTarget, parseMatchUrl } from "./match_url.ts";
import { readProductLinks, saveProductLinks } from "./product_links.ts";

/**
 * Links a product to a page. An unknown domain becomes a competitor in the same commit. Throws
 * `not_found` if the product is unknown, and `conflict` if the product has the URL already or has
 * 200 matches.
 */
export async function createMatch(
  ctx: Context,
  input: NewCompetitorProduct,
  allowed: AddressAllowList,
  source: Match["source"] = "manual",
): Promise<CompetitorProduct> {
  const target = requireTarget(input.url, allowed);
  return await transact(ctx, async (write) => {
    const made = await addLink(write, ctx, input, target, source);
    ctx.receipt?.put(write, `/api/competitor-products/${made.id}`);
    return made;
  });
}

/** Like `createMatch`, in the caller's commit. Costs up to four checks. */
export async function addLink(
  write: Write,
  ctx: Context,
  input: NewCompetitorProduct,
  target: MatchTarget,
  source: Match["source"] = "manual",
): Promise<CompetitorProduct> {
  const links = isId(input.productId) ? await readProductLinks(ctx, input.productId) : null;
  if (!links || links.found.product.deletedAt !== null) throw noSuchProduct(input.productId);
  const { offers } = links.offers;
  requireFreeUrl(offers, target.urlHash);
  const competitor = await requireShop(write, ctx, target, input.competitorId);
  const ends = { product: links.found.product, competitor, target };
  const { match, offer, identity, news } = putNewMatch(write, ctx, ends, input, source);
  await saveProductLinks(write, ctx, links, [...offers, offer]);
  publish(write, ctx, [news]);
  return toCompetitorProduct(match, competitor, offer, identity);
}

/** A new link. The caller must add its offer and its event to the commit. */
interface NewMatch {
  readonly match: Match;
  readonly offer: Offer;
  readonly identity: KeptIdentity | null;
  readonly news: OutboxEvent;
}

/** Adds a match and its audit row to the caller's commit. Checks nothing. */
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
): NewMatch {
  const { id: competitorId, displayName } = competitor;
  const { url, urlHash } = target;
  const ends = { productId: product.id, competitorId, url };
  const blank = blankMatch({
    id: ctx.newId(),
    ...ends,
    source,
    createdAt: ctx.now().toISOString(),
  });
  // Programs may link many pages at once; these are visited with their products.
  const visit = terms.visit ?? (ctx.actor.type === "api_key" ? "scheduled" : "now");
  const match = withMatchPatch(blank, { ...terms, visit });
  const identity = terms.confirmed ? confirmedUnseen(ctx) : null;
  const unseen = blankOffer(termsOf(match, urlHash));
  addMatch(write, ctx.workspaceId, match, urlHash);
  if (identity) identities.put(write, ctx, { ...identity, matchId: match.id });
  addAuditRow(write, ctx, matchAudit(matchLabel(product.sku, competitor), null, match));
  const isAutomatic = source === "discovery" && ctx.actor.type === "system";
  const named = { competitorProductId: match.id, sku: product.sku, competitor: displayName };
  return {
    match,
    offer: identity ? withIdentity(unseen, identity) : unseen,
    identity,
    news: { type: "match.linked", data: { ...ends, ...named, isAutomatic } },
  };
}

/** Of a page that a person confirmed before it was read; the next visit adds its content. */
function confirmedUnseen({ actor, now }: Context): KeptIdentity {
  const word = { kind: "confirmed", by: statementAuthor(actor, now()), pageHash: null } as const;
  return { ...NO_IDENTITY, word };
}

/** Throws `validation_failed` if the URL is not allowed. */
export function requireTarget(url: string, allowed: AddressAllowList): MatchTarget {
  const parsed = parseMatchUrl(url, allowed);
  if ("target" in parsed) return parsed.target;
  throw refuseFields([{ path: "url", message: parsed.reason }]);
}

/** Throws `conflict` if the product has the URL already or has too many matches. */
export function requireFreeUrl(offers: readonly Offer[], urlHash: string): void {
  const holder = offers.find((offer) => offer.urlHash === urlHash);
  if (holder) {
    throw new Failure("conflict", "The product has a match with this URL", {
      competitorProductId: holder.matchId,
    });
  }
  if (offers.length >= MATCHES_PER_PRODUCT_MAX) throw noRoom();
}

export function noRoom(): Failure {
  return new Failure("conflict", `The product has ${MATCHES_PER_PRODUCT_MAX} matches, no more fit`);
}

/** Returns the given competitor, else the one of the domain, else a new one. */
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
  const set = await readCompetitorSet(ctx);
  const competitor = blankCompetitor({
    id: ctx.newId(),
    domain,
    colour: freeColours(set.byId.values()).next().value,
    createdAt: ctx.now().toISOString(),
  });
  checkCompetitorSet(write, ctx.workspaceId, set);
  competitors.add(write, ctx, competitor);
  addAuditRow(write, ctx, competitorAudit("competitor.create", null, competitor));
  return competitor;
}

/** Throws if another competitor has the domain. One without a competitor may be used. */
export function requireOwnUrl(competitor: Competitor, owner: Competitor): void {
  if (owner.id === competitor.id) return;
  const message = `Belongs to the competitor "${owner.displayName}", not to ` +
    `"${competitor.displayName}"`;
  throw refuseFields([{ path: "url", message }]);
}
