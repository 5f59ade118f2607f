import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Competitor } from "../competitor.ts";
import type { Disabler } from "../offers/offer.ts";
import type { Match } from "./match.ts";
import { findMatchAt, type MatchPlace, removeMatch } from "./match_store.ts";

/** Adds a match's removal to a commit that also takes it out of the offers row; null when it is gone already. */
export async function putRemoval(
  write: Write,
  ctx: WorkspaceStore & Pick<Context, "now">,
  { place, competitor, by }: {
    readonly place: MatchPlace;
    readonly competitor: Pick<Competitor, "displayName" | "domain">;
    readonly by: Disabler;
  },
): Promise<Match | null> {
  const match = await findMatchAt(ctx, place);
  if (!match) return null;
  const { displayName, domain } = competitor;
  const removedAt = ctx.now().toISOString();
  const removed = { match, competitor: { displayName, domain }, removedAt, removedBy: by };
  removeMatch(write, ctx.workspaceId, removed, place.urlHash);
  return match;
}
