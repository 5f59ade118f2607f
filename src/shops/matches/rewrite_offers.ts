/** Gives every stored offer the type of its match, as a step of a migration. */
import { findWorkspaceBehind } from "../../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Store, type Write } from "../../platform/store/kv.ts";
import { listStoredOffers, rewriteOffers, type StoredOffers } from "../offers/offer_store.ts";
import { findMatchesAt } from "./match_store.ts";

/** The product up to which everything is done. */
interface Place {
  readonly workspaceId: string;
  /** Null before the first one. */
  readonly after: string | null;
}

const PRODUCTS_PER_COMMIT = 300;
/** A row of the largest size: 64 KiB. */
const NEXT_ROW = shareOfCommit(0.1);

/**
 * The `advance` of the migration after which offers know the type of their match: `exact` is what a row
 * says that says nothing, so only products with an equivalent one are written. A commit looks at up to
 * 300 products, or at as many as have offers that fit. No generation moves: nothing else runs meanwhile.
 */
export async function rewriteOfferTypes(
  store: Store,
  write: Write,
  place: unknown,
): Promise<Place | null> {
  const at = isPlace(place) ? place : await placeBehind(store, null);
  if (at === null) return null;
  const workspace = { store, workspaceId: at.workspaceId };
  const rows = await listStoredOffers(workspace, at.after, PRODUCTS_PER_COMMIT);
  if (rows.length === 0) return await placeBehind(store, at.workspaceId);
  const typeOf = await readTypes(workspace, rows);
  let after = at.after;
  for (const { productId, offers } of rows) {
    if (!write.fits(NEXT_ROW)) break;
    const typed = offers.map((offer) => ({
      ...offer,
      matchType: typeOf.get(offer.matchId) ?? offer.matchType,
    }));
    const isSame = typed.every(({ matchType }, n) => matchType === offers[n]?.matchType);
    if (!isSame) rewriteOffers(write, at.workspaceId, productId, typed);
    after = productId;
  }
  return { ...at, after };
}

async function readTypes(workspace: WorkspaceStore, rows: readonly StoredOffers[]) {
  const places = rows.flatMap(({ productId, offers }) =>
    offers.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }))
  );
  const found = await findMatchesAt(workspace, places);
  return new Map(found.map(({ match }) => [match.id, match.matchType]));
}

async function placeBehind(store: Store, workspaceId: string | null): Promise<Place | null> {
  const found = await findWorkspaceBehind<{ readonly id: string }>(store, workspaceId);
  return found && { workspaceId: found.workspace.id, after: null };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
