/**
 * Creates, changes and deletes competitors. Deleting a competitor or changing its domain takes many
 * commits, because known pages are deleted. After a crash, `finishDeletions` does the rest.
 */
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { batchesOf } from "../base/collections.ts";
import { Failure, noSuch } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import { rejudge } from "../platform/events/outbox_store.ts";
import type { AddressAllowList } from "../platform/fetch/fetch_limits.ts";
import { requireVersion, versionOf } from "../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { COMMIT_MAX, transact } from "../platform/store/kv.ts";
import {
  addCompetitor,
  type Competitor,
  COMPETITOR_READ_ONLY,
  competitorAudit,
  type CompetitorPatch,
  competitors,
  findLeaving,
  leavingCompetitors,
  type NewCompetitor,
  requireCompetitor,
  switchedCompetitors,
  withCompetitorPatch,
} from "./competitor_store.ts";
import {
  automaticShops,
  foundPages,
  type StoredSuggestion,
  suggestions,
} from "./pages/found_page_store.ts";
import { discoveries, findDiscovery, NOTHING_DISCOVERED } from "./pages/discovery_store.ts";
import { knownUrls, plans } from "./pages/url_store.ts";
import { requireDomain } from "./domain.ts";
import { putRemoval } from "./matches/change_match.ts";
import { type MatchPlace, placePages } from "./matches/match_store.ts";
import { readProductLinks, saveProductLinks } from "./matches/list_matches.ts";
import { trackedProducts } from "./offers/offer_store.ts";
import { forgetLessons, shopLessons } from "./pages/recipe_store.ts";

export async function changeCompetitor(
  ctx: Context,
  id: string,
  patch: CompetitorPatch,
  { allowed, expected }: { readonly allowed: AddressAllowList; readonly expected: string | null },
): Promise<Competitor> {
  const { before, after } = await transact(ctx, async (write) => {
    const found = await requireCompetitor(ctx, id);
    const { row: before } = found;
    requireVersion(expected, versionOf(before, COMPETITOR_READ_ONLY));
    const { domain: text = before.domain } = patch;
    const domain = text === before.domain ? text : requireDomain(text, allowed);
    const changed = withCompetitorPatch(before, domain, patch);
    if (JSON.stringify(changed) === JSON.stringify(before)) return { before, after: before };
    if (domain !== before.domain) {
      await requireFreeDomain(ctx, domain);
      const { discovery, found } = await findDiscovery(ctx, id);
      if (found) discoveries.save(write, ctx, found, { ...discovery, hasMoved: true });
    }
    const after = { ...changed, updatedAt: ctx.now().toISOString() };
    competitors.save(write, ctx, found, after);
    if (before.enabled !== after.enabled) switchedCompetitors.put(write, ctx, after);
    addAuditRow(write, ctx, competitorAudit("competitor.update", before, after));
    if (shopTerms(before) !== shopTerms(after)) {
      rejudge(write, ctx, { by: "competitor", competitorId: id });
    }
    return { before, after };
  });
  if (after.domain !== before.domain) await beginDiscoveryAnew(ctx, id);
  return after;
}

async function beginDiscoveryAnew(workspace: WorkspaceStore, competitorId: string): Promise<void> {
  await forgetPages(workspace, competitorId, ["accepted", "rejected"]);
  await transact(workspace, async (write) => {
    const { discovery, found } = await findDiscovery(workspace, competitorId);
    const { settings, isPaused, jobId } = discovery;
    const anew = { ...NOTHING_DISCOVERED, competitorId, settings, isPaused, jobId };
    if (found) discoveries.save(write, workspace, found, anew);
  });
}

export function shopTerms(
  { enabled, pricesIncludeVat, groups, isMarketplace, sellerNames, ownSellerNames }: Competitor,
): string {
  const names = [groups, sellerNames, ownSellerNames];
  return JSON.stringify([enabled, pricesIncludeVat, isMarketplace, ...names]);
}

export async function createCompetitor(
  ctx: Context,
  input: NewCompetitor,
  allowed: AddressAllowList,
): Promise<Competitor> {
  const domain = requireDomain(input.domain, allowed);
  return await transact(ctx, async (write) => {
    await requireFreeDomain(ctx, domain);
    const competitor = await addCompetitor(write, ctx, domain, input);
    ctx.receipt?.put(write, `/api/competitors/${competitor.id}`);
    return competitor;
  });
}

async function requireFreeDomain(workspace: WorkspaceStore, domain: string): Promise<void> {
  const holder = await competitors.findBy(workspace, "domain", { domain });
  if (!holder) return;
  const details = { competitorId: holder.row.id };
  throw new Failure("conflict", `Another competitor has the domain "${domain}"`, details);
}

type Deleter = WorkspaceStore & Pick<Context, "now" | "newId">;

const PRODUCTS_PER_COMMIT = COMMIT_MAX.checks / 2 - 1;
const PLACES_PER_READ = 100;

export async function deleteCompetitor(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  const competitor = await transact(ctx, async (write) => {
    const found = isId(id) ? await competitors.find(ctx, { id }) : null;
    const leaving = found || !isId(id) ? null : await findLeaving(ctx, id);
    if (leaving) return leaving;
    if (!found) throw noSuch("competitor", id);
    requireVersion(expected, versionOf(found.row, COMPETITOR_READ_ONLY));
    competitors.remove(write, ctx, found);
    leavingCompetitors.put(write, ctx, found.row);
    addAuditRow(write, ctx, competitorAudit("competitor.delete", found.row, null));
    return found.row;
  });
  await clearAway(ctx, competitor);
}

/** Several processes may call this function at the same time. */
export async function finishDeletions(ctx: Deleter): Promise<void> {
  for (const { row } of await leavingCompetitors.list(ctx)) await clearAway(ctx, row);
  for (const { row } of await discoveries.list(ctx)) {
    if (row.hasMoved) await beginDiscoveryAnew(ctx, row.competitorId);
  }
}

async function clearAway(ctx: Deleter, competitor: Competitor): Promise<void> {
  for await (const places of placePages(ctx, competitor.id, PLACES_PER_READ)) {
    const products = Map.groupBy(places, ({ productId }) => productId);
    for await (const batch of batchesOf(products, PRODUCTS_PER_COMMIT)) {
      await removeMatches(ctx, competitor, batch);
    }
  }
  await forgetDiscovery(ctx, competitor.id);
  await transact(ctx, async (write) => {
    const lessons = await shopLessons.find(ctx, { competitorId: competitor.id });
    forgetLessons(write, ctx.workspaceId, competitor.id, lessons);
    leavingCompetitors.drop(write, ctx, competitor);
    trackedProducts.drop(write, ctx, { competitorId: competitor.id });
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
        if (await putRemoval(write, ctx, { place, competitor, withShop: true })) {
          gone.add(place.matchId);
        }
      }
      if (gone.size === 0) continue;
      const after = links.offers.offers.filter(({ matchId }) => !gone.has(matchId));
      await saveProductLinks(write, ctx, links, after);
    }
  });
}

async function forgetDiscovery(workspace: WorkspaceStore, competitorId: string): Promise<void> {
  const ofShop = { competitorId };
  await transact(workspace, (write) => {
    discoveries.drop(write, workspace, ofShop);
    automaticShops.drop(write, workspace, ofShop);
  });
  await forgetPages(workspace, competitorId, ["rejected"]);
}

async function forgetPages(
  workspace: WorkspaceStore,
  competitorId: string,
  kept: readonly StoredSuggestion["status"][],
): Promise<void> {
  for (const table of [knownUrls, plans, foundPages]) {
    await table.clear(workspace, { competitorId });
  }
  await suggestions.clear(workspace, {}, (one) => {
    return one.competitorId === competitorId && !kept.includes(one.status);
  });
}
