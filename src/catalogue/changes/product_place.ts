/** Where a migration of products stands: it goes workspace by workspace, through some steps in each. */
import { findWorkspaceBehind } from "../../accounts/workspace_store.ts";
import type { Store } from "../../platform/store/kv.ts";

/** In a step of a workspace, everything up to a product is done. */
export interface ProductPlace<Step extends string, After = string> {
  readonly workspaceId: string;
  readonly step: Step;
  /** Null before the first one. */
  readonly after: After | null;
}

/** The place that was committed, or the first one; null when there is no workspace. */
export async function placeOf<Step extends string, After = string>(
  store: Store,
  place: unknown,
  first: Step,
): Promise<ProductPlace<Step, After> | null> {
  return isPlace<Step, After>(place) ? place : await placeBehind(store, null, first);
}

/** The first step of the workspace behind another one; null when that was the last. */
export async function placeBehind<Step extends string, After = string>(
  store: Store,
  workspaceId: string | null,
  first: Step,
): Promise<ProductPlace<Step, After> | null> {
  const found = await findWorkspaceBehind<{ readonly id: string }>(store, workspaceId);
  return found && { workspaceId: found.workspace.id, step: first, after: null };
}

function isPlace<Step extends string, After>(place: unknown): place is ProductPlace<Step, After> {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
