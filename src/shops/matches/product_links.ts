import { noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import {
  findIndexRow,
  marksOf,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import { setVersionCounter } from "../../catalogue/products/version_counter_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import {
  checkProduct,
  findAnyProduct,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { versionOf } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import type { Competitor } from "../competitor.ts";
import { competitors } from "../competitor_store.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import {
  checkOffers,
  createOfferCounters,
  findOffers,
  movedOffer,
  putOffers,
  saveOfferCounters,
  type StoredOffers,
} from "../offers/offer_store.ts";
import { identities, type IdentityRow } from "./identity_store.ts";
import {
  type CompetitorProduct,
  type Match,
  MATCH_READ_ONLY,
  termsOf,
  toCompetitorProduct,
} from "./match.ts";
import { knownShopSku } from "./match_identity.ts";
import {
  findMatchAt,
  findMatchPlace,
  listMatchesOfProduct,
  type MatchPlace,
} from "./match_store.ts";

/** Every writer of the product's matches checks its offers row. */
interface ProductLinks {
  readonly found: StoredProduct;
  readonly offers: StoredOffers;
}

/** Also finds soft-deleted products. Call it before reading the matches. */
export async function readProductLinks(
  workspace: WorkspaceStore,
  productId: string,
): Promise<ProductLinks | null> {
  const found = await findAnyProduct(workspace, productId);
  return found && { found, offers: await findOffers(workspace, productId) };
}

/**
 * The shared part of every change of one product's matches. It writes the offers row, counts and
 * both version counters. If rules now read prices differently, it publishes `products.touched`. It
 * makes the next import compare the product again. Costs two checks.
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
  const counters = createOfferCounters();
  putOffers(write, workspaceId, product, { before: offers.offers, after }, counters);
  saveOfferCounters(write, workspaceId, counters);
  setVersionCounter(write, workspaceId, shard(product.sku));
  const moved = movedOffer({ before: offers.offers, after });
  if (moved) {
    const data = { cause: "match" as const, ref: moved.matchId, productIds: [product.id] };
    publish(write, workspace, [{ type: "products.touched", data }]);
  }
  const indexRow = await findIndexRow(workspace, product.sku);
  if (!indexRow || indexRow.importHash === null) return;
  putIndexRowMarks(write, workspaceId, product, { ...marksOf(indexRow), importHash: null });
}

/** Replaces one offer by match id; see `saveProductLinks`. */
export async function saveOffer(
  write: Write,
  ctx: WorkspaceStore & Pick<Context, "now" | "newId">,
  links: ProductLinks,
  offer: Offer,
): Promise<void> {
  const after = links.offers.offers.map((one) => one.matchId === offer.matchId ? offer : one);
  await saveProductLinks(write, ctx, links, after);
}

/** Read in an order in which checks of the product and its offers row protect all of it. */
export interface FoundMatch {
  readonly place: MatchPlace;
  readonly links: ProductLinks;
  readonly match: Match;
  readonly owner: Found<Competitor>;
  readonly known: Found<IdentityRow> | null;
}

/** Throws `not_found`, also for a competitor that is being deleted. */
export async function requireMatch(workspace: WorkspaceStore, id: string): Promise<FoundMatch> {
  const place = isId(id) ? await findMatchPlace(workspace, id) : null;
  const links = place && await readProductLinks(workspace, place.productId);
  const match = place && await findMatchAt(workspace, place);
  const owner = match && await competitors.find(workspace, { id: match.competitorId });
  if (!place || !links || !match || !owner) throw noSuch("competitor product", id);
  return { place, links, match, owner, known: await identities.find(workspace, { matchId: id }) };
}

export async function readMatch(workspace: WorkspaceStore, id: string): Promise<CompetitorProduct> {
  return shownMatch(await requireMatch(workspace, id));
}

function shownMatch({ place, links, match, owner, known }: FoundMatch): CompetitorProduct {
  const offer = offerOf(links.offers.offers, match, place);
  return toCompetitorProduct(match, owner.row, offer, known?.row ?? null);
}

/** For `If-Match`. */
export function matchVersion(found: FoundMatch): string {
  return versionOf(shownMatch(found), MATCH_READ_ONLY);
}

/** Returns a blank offer if the match was removed between two reads. */
export function offerOf(offers: readonly Offer[], match: Match, { urlHash }: MatchPlace): Offer {
  return offers.find(({ matchId }) => matchId === match.id) ?? blankOffer(termsOf(match, urlHash));
}

/** The number of our variant at the shop, as read from the linked URL before; null if unknown. */
export async function keptShopSku(
  workspace: WorkspaceStore,
  productId: string,
  urlHash: string,
): Promise<string | null> {
  const links = await listMatchesOfProduct(workspace, productId);
  const link = links.find(({ place }) => place.urlHash === urlHash);
  if (link?.match.matchType !== "exact") return null;
  const kept = await identities.find(workspace, { matchId: link.match.id });
  return kept && knownShopSku(kept.row);
}
