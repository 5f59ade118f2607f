import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { refuseFields } from "../../base/failure.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { requireVersion } from "../../platform/http/http.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { markForSchedule } from "../../catalogue/products/schedule_mark_store.ts";
import { checkCompetitor } from "../competitor_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import { requireFreeUrl, requireOwnDomain, requireTarget } from "./create_match.ts";
import { type FoundMatch, matchVersion, offerOf, requireMatch } from "./find_match.ts";
import {
  type CompetitorProduct,
  type CompetitorProductPatch,
  type Match,
  termsOf,
  toCompetitorProduct,
  withMatchPatch,
} from "./match.ts";
import { matchAudit, matchLabel } from "./match_audit.ts";
import { saveIdentity } from "./identity_store.ts";
import { judgeLink } from "./judge_link.ts";
import { type KeptIdentity, withWord } from "./match_identity.ts";
import { moveMatch, saveMatch } from "./match_store.ts";
import { freesRefusal, withIdentity } from "./offer_identity.ts";
import type { MatchTarget } from "./match_url.ts";
import { saveOffer } from "./product_links.ts";

/**
 * A patch that changes nothing writes nothing. Another page has not been seen yet: no rule goes by
 * what the former one asked, and it is fetched soon. A match stays with its product and its competitor;
 * refuses with `conflict` a URL that another match of the product has.
 */
export async function changeMatch(
  ctx: Context,
  id: string,
  patch: CompetitorProductPatch,
  { allowed, expected }: {
    readonly allowed: AddressAllowList;
    /** What `If-Match` asks for; null when any version may be changed. */
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
    const changed = withMatchPatch(target ? anotherPage(before, target) : before, patch);
    const after = JSON.stringify(changed) === JSON.stringify(before)
      ? before
      : { ...changed, updatedAt: ctx.now().toISOString() };
    const urlHash = target?.urlHash ?? place.urlHash;
    if (target && urlHash !== place.urlHash) await refuseTakenUrl(ctx, found, target);
    const identity = urlHash === place.urlHash ? identityAfter(found, after) : null;
    const was = offerOf(found.links.offers.offers, before, place);
    // Another place is looked for by the next visit.
    const isPlaceKept = after === before || after.extractor === before.extractor;
    const changedOffer = offerAfter(
      isPlaceKept ? was : { ...was, isSelectorDead: false },
      after,
      urlHash,
    );
    const offer = identity ? withIdentity(changedOffer, identity) : changedOffer;
    if (after !== before) await putChange(write, ctx, found, { after, offer, identity });
    return toCompetitorProduct(after, owner.competitor, offer, identity);
  });
}

/**
 * What is known of the page says something else of another pack; and who switches a rejected link on
 * again has thought better of it.
 */
function identityAfter(
  { match: before, links, known: { identity } }: FoundMatch,
  after: Match,
): KeptIdentity | null {
  if (identity === null) return null;
  const isBack = after.enabled && identity.word?.kind === "rejected";
  const said = isBack ? withWord(identity, null) : identity;
  if (said.page === null || after.packFactor === before.packFactor) return said;
  const { verdict, reasons } = judgeLink(links.found.product, after.packFactor, said.page);
  return { ...said, verdict, reasons };
}

/** Nobody has said of the other page that it shows no price. */
function anotherPage(match: Match, { url }: MatchTarget): Match {
  return match.noPrice ? { ...match, url, noPrice: false } : { ...match, url };
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
  { place, links, match: before, owner, known }: FoundMatch,
  { after, offer, identity }: {
    readonly after: Match;
    readonly offer: Offer;
    readonly identity: KeptIdentity | null;
  },
): Promise<void> {
  checkCompetitor(write, ctx.workspaceId, owner);
  const { urlHash } = offer;
  await saveOffer(write, ctx, links, offer);
  if (urlHash === place.urlHash) saveMatch(write, ctx.workspaceId, after, urlHash);
  else moveMatch(write, ctx.workspaceId, after, { from: place.urlHash, to: urlHash });
  if (identity && identity !== known.identity) {
    saveIdentity(write, ctx.workspaceId, after.id, identity);
  }
  const was = offerOf(links.offers.offers, before, place);
  if (freesRefusal(was, offer) || before.visit !== after.visit) {
    markForSchedule(write, ctx.workspaceId, after.productId);
  }
  const label = matchLabel(links.found.product.sku, owner.competitor);
  addAuditRow(write, ctx, matchAudit(label, before, after));
}

function offerAfter(before: Offer, after: Match, urlHash: string): Offer {
  const terms = termsOf(after, urlHash);
  return urlHash === before.urlHash ? { ...before, ...terms } : blankOffer(terms);
}
