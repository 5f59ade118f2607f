import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { noSuch } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { COMMIT_MAX, transact } from "../platform/store/kv.ts";
import { requireVersion, versionOf } from "../platform/http/http.ts";
import { type Competitor, COMPETITOR_READ_ONLY } from "./competitor.ts";
import { competitorAudit } from "./competitor_audit.ts";
import {
  beginLeaving,
  endLeaving,
  findCompetitor,
  findLeaving,
  listLeaving,
} from "./competitor_store.ts";
import { forgetDiscovery } from "./discovery/forget_discovery.ts";
import { listPlaces, type MatchPlace } from "./matches/match_store.ts";
import { putRemoval } from "./matches/remove_match.ts";
import { findLessons, forgetLessons } from "./recipes/recipe_store.ts";
import { readProductLinks, saveProductLinks } from "./matches/product_links.ts";

type Deleter = WorkspaceStore & Pick<Context, "now" | "newId">;

/** Two checks each. */
const PRODUCTS_PER_COMMIT = COMMIT_MAX.checks / 2 - 1;
/** Six rows each, and one or two where the page failed: what one commit takes. */
const PLACES_PER_LOOK = 100;

/**
 * Deletes a competitor with its matches; observations stay. The first commit takes it away for
 * everybody, the following ones clear up. Refuses with `not_found`; a deletion that broke off is
 * taken up again.
 */
export async function deleteCompetitor(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  const competitor = await transact(ctx, async (write) => {
    const found = isId(id) ? await findCompetitor(ctx, id) : null;
    const leaving = found || !isId(id) ? null : await findLeaving(ctx, id);
    if (leaving) return leaving;
    if (!found) throw noSuch("competitor", id);
    requireVersion(expected, versionOf(found.competitor, COMPETITOR_READ_ONLY));
    beginLeaving(write, ctx.workspaceId, found);
    addAuditRow(write, ctx, competitorAudit("competitor.delete", found.competitor, null));
    return found.competitor;
  });
  await clearAway(ctx, competitor);
}

/** Ends every deletion that a dead process has left half done. Safe to repeat and beside another one. */
export async function finishDeletions(ctx: Deleter): Promise<void> {
  for (const competitor of await listLeaving(ctx)) await clearAway(ctx, competitor);
}

/** Since nobody finds the competitor any more, its matches only become fewer. */
async function clearAway(ctx: Deleter, competitor: Competitor): Promise<void> {
  for (;;) {
    const places = await listPlaces(ctx, competitor.id, null, PLACES_PER_LOOK);
    if (places.length === 0) break;
    const products = [...Map.groupBy(places, ({ productId }) => productId)];
    for (let at = 0; at < products.length; at += PRODUCTS_PER_COMMIT) {
      await removeMatches(ctx, competitor, products.slice(at, at + PRODUCTS_PER_COMMIT));
    }
  }
  await forgetDiscovery(ctx, competitor.id);
  await transact(ctx, async (write) => {
    forgetLessons(write, ctx.workspaceId, competitor.id, await findLessons(ctx, competitor.id));
    endLeaving(write, ctx.workspaceId, competitor.id);
  });
}

async function removeMatches(
  ctx: Deleter,
  competitor: Competitor,
  products: readonly (readonly [productId: string, places: readonly MatchPlace[]])[],
): Promise<void> {
  await transact(ctx, async (write) => {
    for (const [productId, places] of products) {
      const links = await readProductLinks(ctx, productId);
      if (!links) throw new Error(`The product ${productId} of a match is missing`);
      const gone = new Set<string>();
      for (const place of places) {
        if (await putRemoval(write, ctx, { place, competitor, by: "person" })) {
          gone.add(place.matchId);
        }
      }
      if (gone.size === 0) continue;
      const after = links.offers.offers.filter(({ matchId }) => !gone.has(matchId));
      await saveProductLinks(write, ctx, links, after);
    }
  });
}
