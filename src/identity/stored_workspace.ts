/** How the row of a workspace becomes its settings, also one that an earlier version wrote. */
import type { AuditRow } from "../audit/audit.ts";
import type { AuditFilter } from "../audit/audit_query.ts";
import { listAuditRows } from "../audit/audit_store.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import type { Store } from "../platform/kv.ts";
import { DEFAULT_HOLD, type Workspace } from "./workspace.ts";

/** What a row lacks that was written before holds were on by default. */
type Later = "importHoldUnconfirmed";

/** The settings as an earlier version knew them: a hold of null may mean that nobody ever set one. */
export type EarlierWorkspace = Omit<Workspace, Later> & Partial<Pick<Workspace, Later>>;

/** The settings as they are stored. */
export interface StoredWorkspace extends EarlierWorkspace {
  /** Somebody switched the hold off: its null needs no audit row to be believed. */
  readonly isHoldOff?: boolean;
}

/** The row of a workspace as this version writes it. */
export function storedWorkspace(workspace: Workspace): StoredWorkspace {
  return { ...workspace, isHoldOff: workspace.importHold === null };
}

/** True for a row whose hold has to be worked out. */
export function isUnsettled({ importHold, isHoldOff }: StoredWorkspace): boolean {
  return importHold === null && isHoldOff !== true;
}

/**
 * The settings of a stored row. A hold of null counts as off when it was chosen, and as the default
 * when nobody ever set it; the audit log says which.
 */
export async function settledWorkspace(store: Store, row: StoredWorkspace): Promise<Workspace> {
  const { isHoldOff: _, ...settings } = row;
  if (!isUnsettled(row)) {
    return { ...settings, importHoldUnconfirmed: row.importHoldUnconfirmed ?? false };
  }
  return await withHold({ store, workspaceId: row.id }, settings);
}

/** The settings of an earlier version with their hold worked out; `workspace` has the audit log. */
export async function withHold(
  workspace: WorkspaceStore,
  settings: EarlierWorkspace,
): Promise<Workspace> {
  if (settings.importHold !== null || await wasSwitchedOff(workspace)) {
    return { ...settings, importHoldUnconfirmed: settings.importHoldUnconfirmed ?? false };
  }
  return { ...settings, importHold: DEFAULT_HOLD, importHoldUnconfirmed: true };
}

const ROWS_PER_READ = 100;
const CHANGES: AuditFilter = {
  action: "workspace.update",
  resource: null,
  actor: null,
  fromMs: null,
  toMs: null,
  order: "desc",
};

/**
 * The last change of settings that named the hold set it to null. The row of a creation does not
 * tell: it lists all settings, those too that nobody chose.
 */
async function wasSwitchedOff(workspace: WorkspaceStore): Promise<boolean> {
  let last: AuditRow | undefined;
  do {
    const after = last ? { atMs: Date.parse(last.at), id: last.id } : null;
    const rows = await listAuditRows(workspace, { filter: CHANGES, after, limit: ROWS_PER_READ });
    const change = rows.find((row) => row.after && Object.hasOwn(row.after, "importHold"));
    if (change) return change.after?.importHold === null;
    last = rows.length === ROWS_PER_READ ? rows.at(-1) : undefined;
  } while (last);
  return false;
}
