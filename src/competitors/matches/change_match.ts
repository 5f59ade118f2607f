import { addAuditRow } from "../../audit/audit_store.ts";
import { refuseFields } from "../../base/failure.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitor } from "../competitor_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import { requireFreeUrl, requireOwnDomain, requireTarget } from "./create_match.ts";
import { type FoundMatch, offerOf, requireMatch } from "./find_match.ts";
import {
  type CompetitorProduct,
  type CompetitorProductPatch,
  type Match,
  termsOf,
  toCompetitorProduct,
  withMatchPatch,
} from "./match.ts";
import { matchAudit, matchLabel } from "./match_audit.ts";
import { moveMatch, saveMatch } from "./match_store.ts";
import type { MatchTarget } from "./match_url.ts";
import { saveProductLinks } from "./product_links.ts";

/**
 * A patch that changes nothing writes nothing. Another page has not been seen yet: no rule goes by
 * what the former one asked, and it is fetched soon. A match stays with its product and its competitor;
 * refuses with `conflict` a URL that another match of the product has.
 */
export async function changeMatch(
  ctx: Context,
  id: string,
  patch: CompetitorProductPatch,
  allowed: AddressAllowList,
): Promise<CompetitorProduct> {
  return await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    const { place, match: before, owner } = found;
    refuseOtherEnds(before, patch);
    const isMeant = patch.url !== undefined && patch.url !== before.url;
    const target = isMeant ? requireTarget(patch.url ?? "", allowed) : null;
    const changed = withMatchPatch({ ...before, url: target?.url ?? before.url }, patch);
    const after = JSON.stringify(changed) === JSON.stringify(before)
      ? before
      : { ...changed, updatedAt: ctx.now().toISOString() };
    const urlHash = target?.urlHash ?? place.urlHash;
    if (target && urlHash !== place.urlHash) await refuseTakenUrl(ctx, found, target);
    const offer = offerAfter(offerOf(found.links.offers.offers, before, place), after, urlHash);
    if (after !== before) await putChange(write, ctx, found, after, offer);
    return toCompetitorProduct(after, owner.competitor, offer);
  });
}

function refuseOtherEnds(match: Match, { productId, competitorId }: CompetitorProductPatch): void {
  const message = "Cannot change: delete this match and make another one";
  const fields = [
    { path: "productId", isOther: productId !== undefined && productId !== match.productId },
    {
      path: "competitorId",
      isOther: competitorId !== undefined && competitorId !== match.competitorId,
    },
  ].filter(({ isOther }) => isOther).map(({ path }) => ({ path, message }));
  if (fields.length > 0) throw refuseFields(fields);
}

async function refuseTakenUrl(ctx: Context, found: FoundMatch, target: MatchTarget): Promise<void> {
  const others = found.links.offers.offers.filter(({ matchId }) => matchId !== found.match.id);
  requireFreeUrl(others, target.urlHash);
  await requireOwnDomain(ctx, found.owner.competitor, target);
}

async function putChange(
  write: Write,
  ctx: Context,
  { place, links, match: before, owner }: FoundMatch,
  after: Match,
  offer: Offer,
): Promise<void> {
  checkCompetitor(write, ctx.workspaceId, owner);
  const { urlHash } = offer;
  await saveProductLinks(
    write,
    ctx,
    links,
    links.offers.offers.map((one) => one.matchId === after.id ? offer : one),
  );
  if (urlHash === place.urlHash) saveMatch(write, ctx.workspaceId, after, urlHash);
  else moveMatch(write, ctx.workspaceId, after, { from: place.urlHash, to: urlHash });
  const label = matchLabel(links.found.product.sku, owner.competitor);
  addAuditRow(write, ctx, matchAudit(label, before, after));
}

function offerAfter(before: Offer, after: Match, urlHash: string): Offer {
  const terms = termsOf(after, urlHash);
  return urlHash === before.urlHash ? { ...before, ...terms } : blankOffer(terms);
}
