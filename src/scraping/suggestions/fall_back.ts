/** Where people take automatic links back, a shop's pages are only suggested again. */

import { changedFields } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import { findAutomaticStand } from "../../shops/discovery/automatic_store.ts";
import {
  type DiscoverySettings,
  findDiscovery,
  saveDiscovery,
} from "../../shops/discovery/discovery_store.ts";
import { findIdentities } from "../../shops/matches/identity_store.ts";
import { findMatchPlaces, findRemovedMatch } from "../../shops/matches/match_store.ts";

/** Of the last 100 automatic links of a shop, people may take so many back. */
const TAKEN_BACK_MAX = 2;

/** How many of these links people have rejected or deleted; what an import took away says nothing. */
export async function countTakenBack(
  workspace: WorkspaceStore,
  linkIds: readonly string[],
): Promise<number> {
  const places = await findMatchPlaces(workspace, linkIds);
  const identities = await findIdentities(workspace, places.map(({ matchId }) => matchId));
  const rejected =
    places.filter(({ matchId }) => identities.get(matchId)?.word?.kind === "rejected").length;
  const there = new Set(places.map(({ matchId }) => matchId));
  const gone = await Promise.all(
    linkIds.filter((id) => !there.has(id)).map((id) => findRemovedMatch(workspace, id)),
  );
  return rejected + gone.filter((removed) => removed?.removedBy === "person").length;
}

/**
 * Makes an automatic shop one that suggests, with an alert, where people took too many of its last links
 * back; answers whether it did.
 */
export async function fallBackIfTakenBack(ctx: Context, competitorId: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const found = await findDiscovery(ctx, competitorId);
    const { settings } = found.discovery;
    const shop = await findCompetitor(ctx, competitorId);
    if (!shop || settings.mode !== "automatic") return false;
    const { linkIds } = await findAutomaticStand(ctx, competitorId);
    const takenBack = await countTakenBack(ctx, linkIds);
    if (takenBack <= TAKEN_BACK_MAX) return false;
    const after: DiscoverySettings = { ...settings, mode: "suggest" };
    const { displayName } = shop.competitor;
    saveDiscovery(write, ctx.workspaceId, competitorId, found, {
      ...found.discovery,
      settings: after,
    });
    addAuditRow(write, ctx, {
      action: "discovery.update",
      resource: { type: "discovery", id: competitorId, label: displayName },
      ...changedFields({ ...settings }, { ...after }),
    });
    announce(write, ctx, [{
      type: "discovery.fell_back",
      data: { competitorId, competitor: displayName, takenBack, of: linkIds.length },
    }]);
    return true;
  });
}
