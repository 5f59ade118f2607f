import { changedFields } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import type { Context } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";
import { withSettings, type Workspace, type WorkspaceSettings } from "./workspace.ts";
import { readWorkspace, saveWorkspace } from "./workspace_store.ts";

/** The workspace as it is afterwards; a change of nothing writes nothing. */
export async function changeSettings(
  ctx: Context,
  settings: WorkspaceSettings,
): Promise<Workspace> {
  return await change(ctx, (workspace) => withSettings(workspace, settings));
}

/** Lets the hold stand that an upgrade switched on; who did so is in the audit log. */
export async function confirmHold(ctx: Context): Promise<Workspace> {
  return await change(ctx, (workspace) => ({ ...workspace, importHoldUnconfirmed: false }));
}

async function change(
  ctx: Context,
  changedOf: (workspace: Workspace) => Workspace,
): Promise<Workspace> {
  return await transact(ctx, async (write) => {
    const { workspace, versionstamp } = await readWorkspace(ctx);
    const changed = changedOf(workspace);
    const fields = changedFields(workspace, changed);
    if (Object.keys(fields.after ?? {}).length === 0) return workspace;
    saveWorkspace(write, changed, versionstamp);
    addAuditRow(write, ctx, {
      action: "workspace.update",
      resource: { type: "workspace", id: workspace.id, label: changed.name },
      ...fields,
    });
    return changed;
  });
}
