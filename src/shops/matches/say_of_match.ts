/** What a person says of a link: the page shows our product, or it does not. */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { requireVersion } from "../../platform/http/http.ts";
import type { Actor, Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitor } from "../competitor_store.ts";
import type { Offer } from "../offers/offer.ts";
import { type FoundMatch, matchVersion, offerOf, requireMatch } from "./find_match.ts";
import { saveIdentity } from "./identity_store.ts";
import { type CompetitorProduct, type Match, termsOf, toCompetitorProduct } from "./match.ts";
import { matchLabel } from "./match_audit.ts";
import {
  type KeptIdentity,
  NO_IDENTITY,
  type PersonsWord,
  type SaidBy,
  withWord,
} from "./match_identity.ts";
import { saveMatch } from "./match_store.ts";
import { saveOffer } from "./product_links.ts";
import { freesRefusal, withIdentity } from "./offer_identity.ts";
import { markForSchedule } from "../../catalogue/products/schedule_mark_store.ts";

/** What can be said; `reopen` takes it back. */
export type SaidOfMatch = "confirm" | "reject" | "reopen";

const KIND_OF: Readonly<Record<SaidOfMatch, PersonsWord["kind"] | null>> = {
  confirm: "confirmed",
  reject: "rejected",
  reopen: null,
};

/**
 * Notes a person's word, which wins over what is read until the page says something else. Who rejects
 * switches the link off, and no import brings it back; a confirmed one is on again where a rejection had
 * switched it off. Said again it changes nothing. Refuses with `not_found`, and with `version_conflict` a
 * link that is not as `expected` says.
 */
export async function sayOfMatch(
  ctx: Context,
  id: string,
  said: SaidOfMatch,
  expected: string | null,
): Promise<CompetitorProduct> {
  return await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    requireVersion(expected, matchVersion(found));
    const { place, match: before, owner, links, known } = found;
    const identity = known.identity ?? NO_IDENTITY;
    const offer = offerOf(links.offers.offers, before, place);
    if ((identity.word?.kind ?? null) === KIND_OF[said]) {
      return toCompetitorProduct(before, owner.competitor, offer, known.identity);
    }
    const kind = KIND_OF[said];
    const word = kind && { kind, by: saidBy(ctx.actor, ctx.now()) };
    const after = {
      match: switchedBy(before, identity, said, ctx.now()),
      identity: withWord(identity, word),
    };
    const told = withIdentity({ ...offer, ...termsOf(after.match, place.urlHash) }, after.identity);
    await putWord(write, ctx, found, { ...after, offer: told, said });
    return toCompetitorProduct(after.match, owner.competitor, told, after.identity);
  });
}

/** As a word of theirs is kept. */
export function saidBy({ type, id, name }: Actor, at: Date): SaidBy {
  return { type, id, name, at: at.toISOString() };
}

function switchedBy(match: Match, { word }: KeptIdentity, said: SaidOfMatch, now: Date): Match {
  const updatedAt = now.toISOString();
  if (said === "reject") {
    return { ...match, enabled: false, disabledBy: "person", updatedAt };
  }
  const isBack = word?.kind === "rejected" && !match.enabled;
  return isBack ? { ...match, enabled: true, disabledBy: null, updatedAt } : match;
}

async function putWord(
  write: Write,
  ctx: Context,
  { place, match: before, owner, links, known }: FoundMatch,
  { match, identity, offer, said }: {
    readonly match: Match;
    readonly identity: KeptIdentity;
    readonly offer: Offer;
    readonly said: SaidOfMatch;
  },
): Promise<void> {
  const { workspaceId } = ctx;
  checkCompetitor(write, workspaceId, owner);
  const { offers } = links.offers;
  const { product } = links.found;
  await saveOffer(write, ctx, links, offer);
  if (match !== before) saveMatch(write, workspaceId, match, place.urlHash);
  saveIdentity(write, workspaceId, match.id, identity);
  if (offers.some((one) => one.matchId === match.id && freesRefusal(one, offer))) {
    markForSchedule(write, workspaceId, product.id);
  }
  const action: AuditAction = `competitor_product.${said}`;
  const fields = (of: Match, { word }: KeptIdentity) => ({
    enabled: of.enabled,
    disabledBy: of.disabledBy,
    said: word?.kind ?? null,
  });
  addAuditRow(write, ctx, {
    action,
    resource: {
      type: "competitor_product",
      id: match.id,
      label: matchLabel(product.sku, owner.competitor),
    },
    ...changedFields(fields(before, known.identity ?? NO_IDENTITY), fields(match, identity)),
    about: [`product:${product.id}`],
  });
  ctx.receipt?.put(write, `/api/competitor-products/${match.id}`);
}
