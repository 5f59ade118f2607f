import { noSuch } from "../base/failure.ts";
import { isId } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { findCompetitor, type StoredCompetitor } from "./competitor_store.ts";

/** Refuses with `not_found` an id that is malformed, unknown, deleted or of another workspace. */
export async function requireCompetitor(
  workspace: WorkspaceStore,
  id: string,
): Promise<StoredCompetitor> {
  const found = isId(id) ? await findCompetitor(workspace, id) : null;
  if (!found) throw noSuch("competitor", id);
  return found;
}
