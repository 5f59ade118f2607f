/**
 * Keys: `sw W matchId` → what the last page of a match said that had no price, or one that is not
 * sure: so that a person may choose. It stays when the match is sure again, or gone, and goes by
 * itself after 90 days.
 */

import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { Failure } from "../../base/failure.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { requireMatch } from "../../shops/matches/product_links.ts";
import type { UnsurePage } from "./page_said.ts";

const KEPT_MS = 90 * 86_400_000;

const rowKey = (workspaceId: string, matchId: string) => [
  "sw",
  idBytes(workspaceId),
  idBytes(matchId),
];

/** Null where no page of the match was unsure lately. */
export async function findUnsurePage(
  { store, workspaceId }: WorkspaceStore,
  matchId: string,
): Promise<UnsurePage | null> {
  return (await store.kv.get<UnsurePage>(rowKey(workspaceId, matchId))).value;
}

export function saveUnsurePage(write: Write, workspaceId: string, page: UnsurePage): void {
  write.set(rowKey(workspaceId, page.competitorProductId), page, KEPT_MS);
}

/** Refuses with `not_found` an unknown match, and one whose last page brought a price that is sure. */
export async function readUnsurePage(
  workspace: WorkspaceStore,
  matchId: string,
): Promise<UnsurePage> {
  const { links } = await requireMatch(workspace, matchId);
  const offer = links.offers.offers.find((one) => one.matchId === matchId);
  const isSure = offer?.status === "ok" && (offer.confidence ?? 0) >= HIGH_CONFIDENCE;
  const page = isSure ? null : await findUnsurePage(workspace, matchId);
  if (!page) throw new Failure("not_found", "The last page of this link is not unsure");
  return page;
}
