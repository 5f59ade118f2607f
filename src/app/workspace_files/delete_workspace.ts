/**
 * Deletes a workspace in many commits. API keys and people are deleted first, so that nobody can
 * sign in. A repeated call continues an interrupted deletion. No server or command may use the
 * workspace during the deletion.
 */
import { apiKeys } from "../../accounts/keys/api_key.ts";
import { sessions } from "../../accounts/sessions/session.ts";
import { endLink } from "../../accounts/users/change_user.ts";
import { findUser, listUsers, removeUserRows } from "../../accounts/users/user.ts";
import {
  listWorkspaces,
  readWorkspace,
  saveWorkspace,
  type Workspace,
  workspaces,
} from "../../accounts/workspace.ts";
import { batchesOf } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact } from "../../platform/store/kv.ts";
import { removeBlobs } from "../../platform/store/spool.ts";
import { removeInBatches, walkWorkspaceRows } from "../../platform/store/rows.ts";
import { saveDue, schedules } from "../../scraping/schedule/schedule.ts";
import { take } from "./table_lines.ts";

const LEAVING = " (being deleted)";
const ROWS_PER_COMMIT = 400;

/** Also finds workspaces whose deletion was interrupted. Throws `conflict` if several match. */
export async function findWorkspaceToDelete(store: Store, nameOrId: string): Promise<Workspace> {
  const workspaces = await listWorkspaces(store);
  const byId = workspaces.filter(({ id }) => id === nameOrId);
  const byName = workspaces.filter(({ name }) =>
    name === nameOrId || name === `${nameOrId}${LEAVING}`
  );
  const found = byId.length > 0 ? byId : byName;
  const [workspace, ...others] = found;
  if (!workspace) throw new Failure("not_found", `There is no workspace "${nameOrId}"`);
  if (others.length === 0) return workspace;
  const ids = found.map(({ id }) => id).join(", ");
  const message = `${found.length} workspaces are called "${nameOrId}": choose by id (${ids})`;
  throw new Failure("conflict", message);
}

/** Returns the number of deleted rows except people, API keys, uploads and planned visits. */
export async function deleteWorkspace(workspace: WorkspaceStore): Promise<number> {
  const { store, workspaceId } = workspace;
  await markAsLeaving(workspace);
  const keys = apiKeys.walkBy({ store }, "id", { workspaceId });
  await removeInBatches(store, keys, 100, (write, { row }) => apiKeys.drop(write, {}, row));
  await removePeople(workspace);
  await removeBlobs(workspace);
  await removeSchedules(workspace);
  const rows = await removeRows(workspace);
  await transact(workspace, (write) => {
    workspaces.drop(write, {}, { id: workspaceId });
  });
  return rows;
}

async function markAsLeaving(place: WorkspaceStore): Promise<void> {
  await transact(place, async (write) => {
    const { workspace, versionstamp } = await readWorkspace(place);
    if (workspace.name.endsWith(LEAVING)) return;
    saveWorkspace(write, { ...workspace, name: `${workspace.name}${LEAVING}` }, versionstamp);
  });
}

async function removePeople(workspace: WorkspaceStore): Promise<void> {
  const { store } = workspace;
  for (const { id } of await listUsers(workspace, { after: null, limit: null })) {
    const own = sessions.walkBy({ store }, "user", { userId: id });
    await removeInBatches(store, own, 100, (write, { row }) => sessions.drop(write, {}, row));
    await transact(workspace, async (write) => {
      const found = await findUser(workspace, id);
      if (!found) return;
      removeUserRows(write, found);
      await endLink(store, write, id);
    });
  }
}

/** Also reduces each domain's number of planned visits, a sum over all workspaces. */
async function removeSchedules(workspace: WorkspaceStore): Promise<void> {
  for await (const some of batchesOf(schedules.walk(workspace), COMMIT_MAX.checks)) {
    await transact(workspace, async (write) => {
      for (const found of await schedules.getMany(workspace, some.map(({ row }) => row))) {
        if (found) saveDue(write, workspace.workspaceId, found.row.productId, found, null);
      }
    });
  }
}

async function removeRows(workspace: WorkspaceStore): Promise<number> {
  let count = 0;
  for (let before = -1; before < count;) {
    before = count;
    for await (const batch of batchesOf(walkWorkspaceRows(workspace), ROWS_PER_COMMIT)) {
      const rows = batch.filter(({ table }) => table !== workspaces.options.prefix);
      for (let at = 0; at < rows.length;) {
        at += await transact(
          workspace,
          (write) => take(write, rows.slice(at), ({ key }) => write.delete(key)),
        );
      }
      count += rows.length;
    }
  }
  return count;
}
