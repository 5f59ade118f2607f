import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { Failure } from "../../base/failure.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { requireMatch } from "../../shops/matches/find_match.ts";
import type { UnsurePage } from "./page_said.ts";
import { findUnsurePage } from "./unsure_page_store.ts";

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
