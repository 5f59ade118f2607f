/** What the hold of a workspace means that an earlier version wrote, before holds were on by default. */
import { type AuditFilter, NO_FILTER } from "./audit/audit_query.ts";
import { walkAuditRows } from "./audit/audit_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { DEFAULT_HOLD, type Workspace } from "./workspace.ts";
import { findWorkspaceBehind, saveWorkspace } from "./workspace_store.ts";

/** The settings as an earlier version knew them: a hold of null may mean that nobody ever set one. */
export type EarlierWorkspace =
  & Omit<Workspace, "importHoldUnconfirmed">
  & Partial<Pick<Workspace, "importHoldUnconfirmed">>;

/**
 * Works the hold of the workspace behind `place` out and saves it, as a step of a migration; answers
 * its id, and null when there is none.
 */
export async function migrateEarlierHold(
  store: Store,
  write: Write,
  place: string | null,
): Promise<string | null> {
  const found = await findWorkspaceBehind<EarlierWorkspace>(store, place);
  if (found === null) return null;
  const { workspace, versionstamp } = found;
  const migrated = await withHold({ store, workspaceId: workspace.id }, workspace);
  saveWorkspace(write, migrated, versionstamp);
  return workspace.id;
}

/**
 * The settings of an earlier version with their hold worked out: null counts as off when it was chosen,
 * and as the default when nobody ever set it; the audit log of `workspace` says which.
 */
export async function withHold(
  workspace: WorkspaceStore,
  settings: EarlierWorkspace,
): Promise<Workspace> {
  if (settings.importHold !== null || await wasSwitchedOff(workspace)) {
    return { ...settings, importHoldUnconfirmed: settings.importHoldUnconfirmed ?? false };
  }
  return { ...settings, importHold: DEFAULT_HOLD, importHoldUnconfirmed: true };
}

const CHANGES: AuditFilter = { ...NO_FILTER, action: "workspace.update", order: "desc" };

/**
 * The last change of settings that named the hold set it to null. The row of a creation does not
 * tell: it lists all settings, those too that nobody chose.
 */
async function wasSwitchedOff(workspace: WorkspaceStore): Promise<boolean> {
  for await (const { after } of walkAuditRows(workspace, CHANGES)) {
    if (after && Object.hasOwn(after, "importHold")) return after.importHold === null;
  }
  return false;
}
