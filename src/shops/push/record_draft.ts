/** Composes one commit of pushed prices. Rows that do not fit are left for the next commit. */
import { blankOffer, type Offer, type OwnSellers } from "../offers/offer.ts";
import { addObservation, markCompetitors } from "../observations/observation_store.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { AHEAD_MS_MAX } from "../../base/time.ts";
import { shown } from "../../base/failure.ts";
import { offerVersions, productVersions } from "../../catalogue/products/change_log_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { checkCompetitorSet, type CompetitorSet } from "../competitor_store.ts";
import { blankMatch, type Match, MATCHES_PER_PRODUCT_MAX, termsOf } from "../matches/match.ts";
import { addMatch } from "../matches/match_store.ts";
import type { MatchTarget } from "../domain.ts";
import { changedObservations } from "../observations/observation.ts";
import { addMoves, type Move, movesBetween } from "../observations/move_store.ts";
import { type HeldPrice, putHeld } from "../offers/held_price_store.ts";
import { putOffers } from "../offers/offer_store.ts";
import { judgeObservation, type OurPrices, withSale } from "../quarantine/hold_observation.ts";
import { countObservations, isFirstOfSlot } from "../quarantine/shop_watch_store.ts";
import type { PushedRow, RowRefusal } from "./pushed_row.ts";

const NEXT_ROW = shareOfCommit(0.45);

interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

export interface ProductOffers {
  readonly product: ProductRef;
  readonly offers: readonly Offer[];
}

export type RefusedRow = RowRefusal & { readonly row: PushedRow };

export interface ProductRows extends ProductOffers {
  readonly rows: PushedRow[];
}

export interface Quarantine {
  readonly ours: ReadonlyMap<string, OurPrices>;
  readonly isOurs: OwnSellers;
  readonly held: ReadonlyMap<string, HeldPrice>;
}

type Draft = ReturnType<typeof createDraft>;

export function createDraft(
  write: Write,
  ctx: Context,
  known: {
    /** Null if every URL is known. */
    readonly competitors: CompetitorSet | null;
    readonly quarantine: Quarantine | null;
  },
  refused: RefusedRow[],
) {
  return {
    write,
    ctx,
    ...known,
    made: new Array<Match>(),
    events: new Array<OutboxEvent>(),
    moves: new Array<Move>(),
    written: new Array<ProductOffers>(),
    observed: new Set<string>(),
    shards: new Set<number>(),
    linked: new Set<number>(),
    counts: new Map<string, number>(),
    refused,
  };
}

/** Returns the rows that did not fit. */
export function recordProduct(
  draft: Draft,
  { product, rows, offers: before }: ProductRows,
): PushedRow[] {
  const { write, ctx: { workspaceId }, quarantine } = draft;
  if (!write.fits(NEXT_ROW)) return rows;
  const after = [...before];
  const held = new Map<string, HeldPrice>();
  const nowMs = draft.ctx.now().getTime();
  const number = shard(product.sku);
  let done = 0;
  for (; done < rows.length && write.fits(NEXT_ROW); done++) {
    const row = rows[done];
    const offer = row && after[findOrAdd(draft, product, row, after)];
    if (!row || !offer) continue;
    const { matchId, competitorId } = offer;
    const judged = judgeObservation(
      offer,
      row.seen,
      nowMs + AHEAD_MS_MAX,
      quarantine && {
        product,
        offers: after,
        ours: quarantine.ours.get(product.id) ?? { cost: null, own: null },
        isOurs: quarantine.isOurs,
        held: held.get(matchId) ??
          (offer.heldAtMs === null ? null : quarantine.held.get(matchId) ?? null),
      },
      row.sale,
    );
    if (judged.held) held.set(matchId, judged.held);
    else if (judged.after.heldAtMs === null) held.delete(matchId);
    const place = { productId: product.id, matchId, competitorId };
    const isHeld = judged.held !== null;
    addObservation(write, workspaceId, { ...row.seen, ...place, ...isHeld && { isHeld } });
    draft.observed.add(competitorId);
    draft.shards.add(number);
    if (quarantine !== null && judged.after !== offer && isFirstOfSlot(offer, nowMs)) {
      draft.counts.set(competitorId, (draft.counts.get(competitorId) ?? 0) + 1);
    }
    const sold = withSale(offer, judged, row.sale);
    draft.moves.push(...movesBetween(product.id, { before: [offer], after: [sold] }));
    after[after.indexOf(offer)] = sold;
  }
  for (const one of held.values()) putHeld(write, workspaceId, one);
  const isChanged = after.some((offer, position) => offer !== before[position]);
  if (isChanged) {
    putOffers(write, workspaceId, product, { before, after });
    draft.events.push(...changedObservations(product, { before, after }, "push"));
    draft.written.push({ product, offers: after });
  }
  return rows.slice(done);
}

/** Index in `offers`; -1 if the row is refused. */
function findOrAdd(draft: Draft, product: ProductRef, row: PushedRow, offers: Offer[]): number {
  const { match } = row;
  if (!("target" in match)) {
    const position = offers.findIndex(({ matchId }) => matchId === match.id);
    if (position < 0) {
      const message = `The product has no match "${shown(match.id)}"`;
      draft.refused.push({ row, code: "not_found", message });
    }
    return position;
  }
  const { target } = match;
  const position = offers.findIndex(({ urlHash }) => urlHash === target.urlHash);
  if (position >= 0) return position;
  if (offers.length >= MATCHES_PER_PRODUCT_MAX) {
    const message = `The product has ${MATCHES_PER_PRODUCT_MAX} matches: delete one first`;
    draft.refused.push({ row, code: "validation_failed", message });
    return -1;
  }
  return offers.push(makeMatch(draft, product, target)) - 1;
}

function makeMatch(draft: Draft, product: ProductRef, { url, urlHash, domain }: MatchTarget) {
  const { write, ctx, competitors } = draft;
  const competitor = competitors?.byDomain.get(domain);
  if (!competitor) throw new Error(`There is no competitor with the domain "${domain}"`);
  const ends = { productId: product.id, competitorId: competitor.id, url };
  const createdAt = ctx.now().toISOString();
  const match = blankMatch({ id: ctx.newId(), ...ends, source: "push", createdAt });
  addMatch(write, ctx.workspaceId, match, urlHash);
  draft.made.push(match);
  draft.linked.add(shard(product.sku));
  return blankOffer(termsOf(match, urlHash));
}

export function finishDraft(draft: Draft): void {
  const { write, ctx, competitors, made, observed } = draft;
  const { workspaceId } = ctx;
  markCompetitors(write, workspaceId, observed);
  countObservations(write, workspaceId, draft.counts, ctx.now().getTime());
  // Always set, because packing notices new observations by these versions.
  for (const shard of draft.shards) offerVersions.set(write, workspaceId, shard);
  for (const shard of draft.linked) productVersions.set(write, workspaceId, shard);
  addMoves(write, ctx, draft.moves);
  const pushed = {
    cause: "push" as const,
    ref: ctx.requestId,
    productIds: draft.written.map(({ product }) => product.id),
  };
  publish(write, ctx, [...draft.events, { type: "products.touched", data: pushed }]);
  if (made.length === 0) return;
  if (competitors) checkCompetitorSet(write, workspaceId, competitors);
  addAuditRow(write, ctx, {
    action: "competitor_product.push",
    resource: { type: "competitor_product", id: "push", label: `${made.length} new matches` },
    after: { competitorProductIds: made.map(({ id }) => id) },
  });
}
