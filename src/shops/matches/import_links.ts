import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { CompetitorSet } from "../competitor_store.ts";
import { type OfferTally, putOffers, type StoredOffers } from "../offers/offer_store.ts";
import { changesLinks, type LinkPlan, planLinks, type WantedLink } from "./link_plan.ts";
import type { Match } from "./match.ts";
import { addMatch, findMatchesAt, findRemovals, saveMatch } from "./match_store.ts";

type Importer = WorkspaceStore & Pick<Context, "now" | "newId">;

/** The plan of one product, after a look at what persons took away; `offers` as the batch read them. */
export async function planProductLinks(
  ctx: Importer,
  { productId, offers }: StoredOffers,
  wanted: readonly WantedLink[],
  competitors: CompetitorSet,
): Promise<LinkPlan> {
  const known = new Set(offers.map(({ urlHash }) => urlHash));
  const unknown = wanted.map(({ target }) => target.urlHash).filter((hash) => !known.has(hash));
  const removals = await findRemovals(ctx, productId, unknown);
  const at = ctx.now().toISOString();
  const { newId } = ctx;
  return planLinks({ productId, offers, wanted, removals, competitors, at, newId });
}

/**
 * Adds a plan to a batch's commit. The batch has read the generations of products and of offers
 * before all else, and the competitors; it checks all three, and saves the tally. The generation of
 * the product's shard is the batch's own.
 */
export async function putLinks(
  write: Write,
  ctx: Importer,
  product: { readonly id: string; readonly sku: string },
  plan: LinkPlan,
  tally: OfferTally,
): Promise<void> {
  if (!changesLinks(plan)) return;
  const { workspaceId } = ctx;
  for (const { match, urlHash } of plan.added) addMatch(write, workspaceId, match, urlHash);
  for (const { match, urlHash } of await switchedMatches(ctx, product.id, plan)) {
    saveMatch(write, workspaceId, match, urlHash);
  }
  putOffers(write, workspaceId, product, plan, tally);
}

async function switchedMatches(
  ctx: Importer,
  productId: string,
  { switched }: LinkPlan,
): Promise<{ match: Match; urlHash: string }[]> {
  const places = switched.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }));
  const updatedAt = ctx.now().toISOString();
  return (await findMatchesAt(ctx, places)).flatMap(({ match, place }) => {
    const offer = switched.find(({ matchId }) => matchId === match.id);
    if (!offer) return [];
    const { enabled, disabledBy } = offer;
    return [{ match: { ...match, enabled, disabledBy, updatedAt }, urlHash: place.urlHash }];
  });
}
