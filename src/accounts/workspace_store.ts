/**
 * Keys: `ws W` → workspace; `wsg` → empty, set by whoever adds, renames or deletes one, so that a
 * decision about all of them can be checked.
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { firstRow } from "../platform/store/rows.ts";
import type { Workspace } from "./workspace.ts";

/** The table that lists workspaces: the row of one that goes is the last to go. */
export const WORKSPACE_TABLE = "ws";
const ALL_KEY = ["wsg"];
const EMPTY = new Uint8Array();
/** Sorts behind the row itself. */
const BEHIND = "";

/** Older rows lack later fields. */
type WorkspaceRow =
  & Omit<
    Workspace,
    "automationStop" | "budgetPerDay" | "quarantine" | "ownShippingCents" | "approval"
  >
  & Partial<Workspace>;

const rowKey = (workspaceId: string) => [WORKSPACE_TABLE, idBytes(workspaceId)];

/** Null when there is no such workspace. */
export async function findWorkspace(store: Store, workspaceId: string): Promise<Workspace | null> {
  const { value } = await store.kv.get<WorkspaceRow>(rowKey(workspaceId));
  return value && workspaceOf(value);
}

/** The workspace of a request; one that is missing is a defect, not an answer. */
export async function requireWorkspace(workspace: WorkspaceStore): Promise<Workspace> {
  return (await readWorkspace(workspace)).workspace;
}

/** As `requireWorkspace`, with the version that `saveWorkspace` checks. */
export async function readWorkspace({ store, workspaceId }: WorkspaceStore) {
  const { value, versionstamp } = await store.kv.get<WorkspaceRow>(rowKey(workspaceId));
  if (!value) throw new Error(`The workspace ${workspaceId} is missing`);
  return { workspace: workspaceOf(value), versionstamp };
}

function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    automationStop: null,
    budgetPerDay: null,
    quarantine: null,
    approval: null,
    ownShippingCents: null,
    ...row,
  };
}

/** The row behind that of a workspace (null: the first one) as any version wrote it; null at the end. */
export async function findWorkspaceBehind<Row>(store: Store, workspaceId: string | null) {
  const start = workspaceId === null ? {} : { start: [...rowKey(workspaceId), BEHIND] };
  const row = await firstRow<Row>(store, { prefix: [WORKSPACE_TABLE], ...start });
  return row && { workspace: row.value, versionstamp: row.versionstamp };
}

/** All workspaces, the oldest first. */
export async function listWorkspaces(store: Store): Promise<Workspace[]> {
  const prefix = [WORKSPACE_TABLE];
  const rows = await Array.fromAsync(store.kv.list<WorkspaceRow>({ prefix }));
  return rows.map(({ value }) => workspaceOf(value));
}

/** Changes whenever a workspace is added or renamed; read before `listWorkspaces`. */
export async function workspacesVersion({ kv }: Store): Promise<string | null> {
  return (await kv.get(ALL_KEY)).versionstamp;
}

/** The commit fails when any workspace was added or renamed since `allVersion`. */
export function addWorkspace(write: Write, workspace: Workspace, allVersion: string | null): void {
  write.check(ALL_KEY, allVersion);
  write.set(ALL_KEY, EMPTY);
  write.check(rowKey(workspace.id), null);
  write.set(rowKey(workspace.id), workspace);
}

/** The commit fails when the settings were changed since `versionstamp`. */
export function saveWorkspace(
  write: Write,
  workspace: Workspace,
  versionstamp: string | null,
): void {
  write.check(rowKey(workspace.id), versionstamp);
  write.set(rowKey(workspace.id), workspace);
  write.set(ALL_KEY, EMPTY);
}

/** The commit fails when the settings were changed since `versionstamp`. */
export function checkWorkspace(
  write: Write,
  workspaceId: string,
  versionstamp: string | null,
): void {
  write.check(rowKey(workspaceId), versionstamp);
}

/** The last row of a workspace that goes. */
export function removeWorkspace(write: Write, workspaceId: string): void {
  write.delete(rowKey(workspaceId));
  write.set(ALL_KEY, EMPTY);
}
