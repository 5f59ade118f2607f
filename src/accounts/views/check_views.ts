/** Looks for what cannot be in the rows of views (docs/decisions/keys.md). */
import { findUser } from "../users/user_store.ts";
import type { Store } from "../../platform/store/kv.ts";
import { VIEWS_MAX } from "./view.ts";
import { listViews } from "./view_store.ts";

/** One sentence for each disagreement; none for a store that is whole. */
export async function* checkViews(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const views = await listViews(workspace);
  if (views.length > VIEWS_MAX) yield `There are ${views.length} views, more than ${VIEWS_MAX}`;
  for (const { view: { id, isShared, createdBy } } of views) {
    if (isShared || await findUser(workspace, createdBy)) continue;
    yield `View ${id} is seen by nobody: there is no user ${createdBy}`;
  }
}
