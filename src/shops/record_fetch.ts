/**
 * Records the result of one fetch in the caller's commit. A suspicious price goes into quarantine:
 * the observation is stored, but the offer keeps the previous price.
 */
import { addObservation, markCompetitors } from "./observations/observation_store.ts";
import { requireWorkspace } from "../accounts/workspace.ts";
import { type Availability, isInStock } from "../base/codes.ts";
import type { Product } from "../catalogue/products/product.ts";
import type { ClockAndIds, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { addMoves, movesBetween } from "./observations/move_store.ts";
import type { Observation, Seen } from "./observations/observation.ts";
import { findHeld, heldIdsOf, putHeld } from "./offers/held_price_store.ts";
import { type Offer, readOwnSellers, type SaleTerms, withFailedFetch } from "./offers/offer.ts";
import { checkOffers, findOffers, putOffers, type StoredOffers } from "./offers/offer_store.ts";
import { judgeObservation, ourPricesOf } from "./quarantine/hold_observation.ts";
import { countObservations, isFirstOfSlot } from "./quarantine/shop_watch_store.ts";

type FetchOutcome =
  | {
    readonly kind: "seen";
    readonly seen: Seen;
    readonly sale?: SaleTerms | undefined;
  }
  | {
    readonly kind: "failed";
    readonly errorCode: string;
    readonly message: string;
    readonly stock?: PageStock;
  };

interface PageStock {
  readonly availability: Availability;
  readonly atMs: number;
}

interface FetchTarget {
  readonly product: Pick<Product, "id" | "sku" | "costPriceCents" | "ourPriceCents" | "currency">;
  readonly matchId: string;
  readonly verdict?: string | null | undefined;
  readonly isSelectorDead?: boolean | undefined;
}

export interface MovedOffer {
  readonly before: Offer;
  readonly after: Offer;
}

/**
 * Adds one version check to `write`. A commit may record at most one fetch per product. Returns
 * null for a deleted match, and for a failed fetch that did not change the stock.
 */
export async function recordFetch(
  write: Write,
  workspace: WorkspaceStore & Pick<ClockAndIds, "now">,
  { product, matchId, verdict, isSelectorDead }: FetchTarget,
  outcome: FetchOutcome,
): Promise<MovedOffer | null> {
  const stored = await findOffers(workspace, product.id);
  const known = stored.offers.find((one) => one.matchId === matchId);
  if (!known) return null;
  const offer = {
    ...known,
    ...(verdict !== undefined && { verdict }),
    ...(isSelectorDead !== undefined && { isSelectorDead }),
  };
  if (outcome.kind === "failed") {
    const failed = withFailedFetch(offer, outcome, workspace.now().getTime());
    const after = withStock(failed, outcome.stock ?? null, offer.status === outcome.errorCode);
    saveOffer(write, workspace, product, stored, { before: offer, after });
    const isMoved = isInStock(offer.availability) !== isInStock(after.availability);
    return isMoved ? { before: offer, after } : null;
  }
  const { seen } = outcome;
  const { competitorId } = offer;
  markCompetitors(write, workspace.workspaceId, [competitorId]);
  const { quarantine } = await requireWorkspace(workspace);
  const nowMs = workspace.now().getTime();
  const ours = ourPricesOf(product);
  const [held = null] = quarantine && await findHeld(workspace, heldIdsOf([offer])) || [];
  const { offers } = stored;
  const isOurs = await readOwnSellers(workspace, [...offers, outcome.sale ?? {}]);
  const context = quarantine && { product, offers, ours, isOurs, held };
  const { after, ...judged } = judgeObservation(offer, seen, nowMs, context, outcome.sale);
  if (quarantine !== null && after !== offer && isFirstOfSlot(offer, nowMs)) {
    countObservations(write, workspace.workspaceId, new Map([[competitorId, 1]]), nowMs);
  }
  const place = { productId: product.id, matchId, competitorId };
  const observation: Observation = { ...seen, ...place, ...judged.held && { isHeld: true } };
  addObservation(write, workspace.workspaceId, observation);
  if (judged.held) putHeld(write, workspace.workspaceId, judged.held);
  const moved = { before: offer, after };
  saveOffer(write, workspace, product, stored, moved);
  return moved;
}

function withStock(failed: Offer, stock: PageStock | null, isAgain: boolean): Offer {
  if (stock === null) return failed;
  const isUnknown = stock.availability === "unknown";
  if (isUnknown && !isAgain) return failed;
  const availability = isUnknown ? "discontinued" : stock.availability;
  return { ...failed, availability, checkedAtMs: stock.atMs };
}

function saveOffer(
  write: Write,
  workspace: WorkspaceStore & Pick<ClockAndIds, "now">,
  product: FetchTarget["product"],
  stored: StoredOffers,
  { before, after }: MovedOffer,
): void {
  const { workspaceId } = workspace;
  checkOffers(write, workspaceId, stored);
  const offers = stored.offers.map((one) => one.matchId === after.matchId ? after : one);
  putOffers(write, workspaceId, product, { before: stored.offers, after: offers });
  addMoves(write, workspace, movesBetween(product.id, { before: [before], after: [after] }));
}
