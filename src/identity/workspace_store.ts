/**
 * Keys: `ws W` → workspace, with `isHoldOff`: the null of its hold was chosen; `wsg` → empty, set by
 * whoever adds, renames or deletes a workspace, so that a decision about all of them can be checked.
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/context.ts";
import type { Store, Write } from "../platform/kv.ts";
import {
  isUnsettled,
  settledWorkspace,
  type StoredWorkspace,
  storedWorkspace,
} from "./stored_workspace.ts";
import type { Workspace } from "./workspace.ts";

/** The table that lists workspaces: the row of one that goes is the last to go. */
export const WORKSPACE_TABLE = "ws";
const ALL_KEY = ["wsg"];
const EMPTY = new Uint8Array();

const rowKey = (workspaceId: string) => [WORKSPACE_TABLE, idBytes(workspaceId)];

/** Null when there is no such workspace. */
export async function findWorkspace(store: Store, workspaceId: string): Promise<Workspace | null> {
  const { value } = await store.kv.get<StoredWorkspace>(rowKey(workspaceId));
  return value && await settledWorkspace(store, value);
}

/** The workspace of a request; one that is missing is a defect, not an answer. */
export async function requireWorkspace({ store, workspaceId }: WorkspaceStore): Promise<Workspace> {
  const workspace = await findWorkspace(store, workspaceId);
  if (!workspace) throw new Error(`The workspace ${workspaceId} is missing`);
  return workspace;
}

/**
 * With the version that `saveWorkspace` checks. `isUnsettled`: an earlier version wrote the row, and
 * its hold is worked out anew at each look until it is saved again.
 */
export async function readWorkspace({ store, workspaceId }: WorkspaceStore) {
  const { value, versionstamp } = await store.kv.get<StoredWorkspace>(rowKey(workspaceId));
  if (!value) throw new Error(`The workspace ${workspaceId} is missing`);
  const workspace = await settledWorkspace(store, value);
  return { workspace, versionstamp, isUnsettled: isUnsettled(value) };
}

/** All workspaces, the oldest first. */
export async function listWorkspaces(store: Store): Promise<Workspace[]> {
  const prefix = [WORKSPACE_TABLE];
  const rows = await Array.fromAsync(store.kv.list<StoredWorkspace>({ prefix }));
  return await Promise.all(rows.map(({ value }) => settledWorkspace(store, value)));
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
  write.set(rowKey(workspace.id), storedWorkspace(workspace));
}

/** The commit fails when the settings were changed since `versionstamp`. */
export function saveWorkspace(
  write: Write,
  workspace: Workspace,
  versionstamp: string | null,
): void {
  write.check(rowKey(workspace.id), versionstamp);
  write.set(rowKey(workspace.id), storedWorkspace(workspace));
  write.set(ALL_KEY, EMPTY);
}

/** The last row of a workspace that goes. */
export function removeWorkspace(write: Write, workspaceId: string): void {
  write.delete(rowKey(workspaceId));
  write.set(ALL_KEY, EMPTY);
}
