import { findCard, marksOf, putCardMarks } from "../../catalogue/products/index_row_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import {
  checkProduct,
  findAnyProduct,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { setGeneration } from "../../catalogue/products/version_counter_store.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { movedOffer } from "../offers/moved_offer.ts";
import type { Offer } from "../offers/offer.ts";
import {
  checkOffers,
  createOfferTally,
  findOffers,
  putOffers,
  saveOfferTally,
  type StoredOffers,
} from "../offers/offer_store.ts";

/** A product with the offers row that all writers of its matches meet on. */
export interface ProductLinks {
  readonly found: StoredProduct;
  readonly offers: StoredOffers;
}

/** Of an active or a soft-deleted product; null for an unknown one. Read before the matches themselves. */
export async function readProductLinks(
  workspace: WorkspaceStore,
  productId: string,
): Promise<ProductLinks | null> {
  const found = await findAnyProduct(workspace, productId);
  return found && { found, offers: await findOffers(workspace, productId) };
}

/**
 * The part of a single writer's commit that every change of a product's matches has in common: two
 * checks, the offers row, counts, both generations, and that rules judge it anew where prices count
 * otherwise than before. The next import looks at the product again.
 */
export async function saveProductLinks(
  write: Write,
  workspace: WorkspaceStore & Pick<Context, "now" | "newId">,
  { found, offers }: ProductLinks,
  after: readonly Offer[],
): Promise<void> {
  const { workspaceId } = workspace;
  const { product } = found;
  checkProduct(write, workspaceId, found);
  checkOffers(write, workspaceId, offers);
  const tally = createOfferTally();
  putOffers(write, workspaceId, product, { before: offers.offers, after }, tally);
  saveOfferTally(write, workspaceId, tally);
  setGeneration(write, workspaceId, shard(product.sku));
  announceMoved(write, workspace, product.id, { before: offers.offers, after });
  const card = await findCard(workspace, product.sku);
  if (!card || card.importHash === null) return;
  putCardMarks(write, workspaceId, product, { ...marksOf(card), importHash: null });
}

/** As `saveProductLinks`, of one offer that takes the place of what its match had. */
export async function saveOffer(
  write: Write,
  ctx: WorkspaceStore & Pick<Context, "now" | "newId">,
  links: ProductLinks,
  offer: Offer,
): Promise<void> {
  const after = links.offers.offers.map((one) => one.matchId === offer.matchId ? offer : one);
  await saveProductLinks(write, ctx, links, after);
}

/** A link whose price counts for rules otherwise than before, or no more. */
function announceMoved(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "now" | "newId">,
  productId: string,
  both: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): void {
  const moved = movedOffer(both);
  if (!moved) return;
  const data = { cause: "match" as const, ref: moved.matchId, productIds: [productId] };
  announce(write, ctx, [{ type: "products.touched", data }]);
}
