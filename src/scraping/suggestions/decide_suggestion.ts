/** Decisions of people about suggestions. */
import type { AuditEntry } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, requireRefusal } from "../../base/failure.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { changeSuggestion, type StoredSuggestion } from "../../shops/discovery/suggestion_store.ts";
import { createMatch, deleteMatch } from "../../shops/matches/change_match.ts";
import { findMatchAt } from "../../shops/matches/match_store.ts";
import { findOffers } from "../../shops/offers/offer_store.ts";
import {
  type AcceptRequest,
  type BulkOutcome,
  type BulkRequest,
  type MatchSuggestion,
  readSuggestion,
  type RejectRequest,
  requireSuggestion,
} from "./list_suggestions.ts";

/** Idempotent. Throws `not_found`, and `conflict` for a rejected or superseded suggestion. */
export async function acceptSuggestion(
  ctx: Context,
  id: string,
  { packFactor }: AcceptRequest,
  allowed: AddressAllowList,
): Promise<MatchSuggestion> {
  const suggestion = await requireSuggestion(ctx, id);
  if (suggestion.status === "accepted") return await readSuggestion(ctx, id);
  requireOpen(suggestion);
  const { productId, competitorId, urlHash, page: { url } } = suggestion;
  const { offers } = await findOffers(ctx, productId);
  if (!offers.some((offer) => offer.urlHash === urlHash)) {
    const factor = packFactor ?? suggestion.packFactor ?? undefined;
    // A person has compared both. So the link is confirmed, unless numbers already prove it.
    const said = {
      ...(suggestion.verdict !== "same" && { confirmed: true }),
      ...(factor && { packFactor: factor }),
    };
    const link = { productId, url, competitorId, ...said };
    // The receipt belongs to the suggestion, not to its link.
    await createMatch({ ...ctx, receipt: null }, link, allowed, "discovery");
  }
  await decide(ctx, suggestion, { status: "accepted", rejectedAs: null });
  return await readSuggestion(ctx, id);
}

/** A rejected page is not suggested again. Throws like `acceptSuggestion`. */
export async function rejectSuggestion(
  ctx: Context,
  id: string,
  { as: rejectedAs }: RejectRequest,
): Promise<MatchSuggestion> {
  const suggestion = await requireSuggestion(ctx, id);
  if (suggestion.status === "rejected") return await readSuggestion(ctx, id);
  requireOpen(suggestion);
  await decide(ctx, suggestion, { status: "rejected", rejectedAs });
  return await readSuggestion(ctx, id);
}

/** Deletes the link, too. Throws `not_found`, and `conflict` for a superseded suggestion. */
export async function reopenSuggestion(ctx: Context, id: string): Promise<MatchSuggestion> {
  const suggestion = await requireSuggestion(ctx, id);
  if (suggestion.status === "open") return await readSuggestion(ctx, id);
  if (suggestion.status === "superseded") {
    throw new Failure("conflict", "The suggestion has given way to a better one");
  }
  if (suggestion.status === "accepted") await removeLinkOf(ctx, suggestion);
  await decide(ctx, suggestion, { status: "open", rejectedAs: null });
  return await readSuggestion(ctx, id);
}

/** Deletes the link to the page, unless it has another source. */
async function removeLinkOf(ctx: Context, suggestion: StoredSuggestion): Promise<void> {
  const { productId, urlHash } = suggestion;
  const { offers } = await findOffers(ctx, productId);
  const offer = offers.find((one) => one.urlHash === urlHash);
  const match = offer && await findMatchAt(ctx, { productId, urlHash, matchId: offer.matchId });
  if (match?.source === "discovery") await deleteMatch({ ...ctx, receipt: null }, match.id);
}

/** Decides in the given order. A refused suggestion does not affect the others. */
export async function decideSuggestions(
  ctx: Context,
  { action, ids }: BulkRequest,
  allowed: AddressAllowList,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  const alone = { ...ctx, receipt: null };
  const say = (said: BulkRequest["action"], id: string) => {
    switch (said) {
      case "accept":
        return acceptSuggestion(alone, id, {}, allowed);
      case "reject":
        return rejectSuggestion(alone, id, { as: "other" });
      case "reopen":
        return reopenSuggestion(alone, id);
    }
  };
  for (const id of ids) {
    try {
      const { status } = await say(action, id);
      outcomes.push({ id, status, errorCode: null, message: null });
    } catch (error) {
      const { code, message } = requireRefusal(error);
      outcomes.push({ id, status: null, errorCode: code, message });
    }
  }
  return outcomes;
}

function requireOpen({ status }: StoredSuggestion): void {
  if (status === "open") return;
  throw new Failure("conflict", `The suggestion is ${status} already`);
}

async function decide(ctx: Context, before: StoredSuggestion, decision: Decision): Promise<void> {
  await transact(ctx, async (write) => {
    await putDecision(write, ctx, before, decision);
    ctx.receipt?.put(write, `/api/match-suggestions/${before.id}`);
  });
}

const DEEDS = { accepted: "accept", rejected: "reject", open: "reopen" } as const;

export interface Decision extends Pick<StoredSuggestion, "rejectedAs"> {
  readonly status: keyof typeof DEEDS;
}

/** Stores decision and actor. Throws `conflict` if the suggestion was decided meanwhile. */
export async function putDecision(
  write: Write,
  ctx: Context,
  before: StoredSuggestion,
  decision: Decision,
): Promise<void> {
  const { type, id, name } = ctx.actor;
  const after = {
    ...before,
    ...decision,
    ...(decision.status === "open"
      ? { decidedAt: null, decidedBy: null }
      : { decidedAt: ctx.now().toISOString(), decidedBy: { type, id, name } }),
  };
  if (!await changeSuggestion(write, ctx, before, after)) {
    throw new Failure("conflict", "The suggestion was decided just now");
  }
  addAuditRow(write, ctx, await suggestionAudit(ctx, before, after));
}

async function suggestionAudit(
  workspace: WorkspaceStore,
  before: StoredSuggestion,
  after: StoredSuggestion & Decision,
): Promise<AuditEntry> {
  const product = await findProduct(workspace, before.productId);
  return {
    action: `match_suggestion.${DEEDS[after.status]}`,
    resource: {
      type: "match_suggestion",
      id: before.id,
      label: `${product?.product.sku ?? ""} ${before.page.url}`.trim().slice(0, 300),
    },
    before: { status: before.status },
    after: {
      status: after.status,
      url: before.page.url,
      ...(after.rejectedAs && { rejectedAs: after.rejectedAs }),
    },
    about: [`product:${before.productId}`],
  };
}
