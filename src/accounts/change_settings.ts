import { type AuditEntryOf, changedFields } from "./audit/audit.ts";
import { addAuditRow } from "./audit/audit_store.ts";
import { rejudge } from "../platform/events/outbox_store.ts";
import type { Context } from "../platform/store/context.ts";
import { transact } from "../platform/store/kv.ts";
import { requireVersion, versionOf } from "../platform/http/http.ts";
import {
  noteVatTerms,
  readWorkspace,
  saveWorkspace,
  SETTINGS_READ_ONLY,
  withSettings,
  type Workspace,
  workspaceAnswer,
  type WorkspaceSettings,
} from "./workspace.ts";

export async function changeSettings(
  ctx: Context,
  settings: WorkspaceSettings,
  expected: string | null = null,
): Promise<Workspace> {
  return await change(ctx, (workspace) => {
    requireVersion(expected, versionOf(workspaceAnswer(workspace), SETTINGS_READ_ONLY));
    return withSettings(workspace, settings);
  });
}

export async function confirmHold(ctx: Context): Promise<Workspace> {
  return await change(ctx, (workspace) => ({ ...workspace, importHoldUnconfirmed: false }));
}

export async function stopAutomation(ctx: Context, reason: string): Promise<Workspace> {
  return await change(ctx, (workspace) => ({
    ...workspace,
    automationStop: workspace.automationStop ??
      { at: ctx.now().toISOString(), byName: ctx.actor.name, reason },
  }), { action: "workspace.stop", reason });
}

export async function resumeAutomation(ctx: Context, reason: string | null): Promise<Workspace> {
  return await change(
    ctx,
    (workspace) => ({ ...workspace, automationStop: null }),
    { action: "workspace.resume", reason },
  );
}

const JUDGED_BY = [
  "pricesIncludeVat",
  "vatRatePct",
  "currency",
  "ownShippingCents",
  "compareDelivered",
  "ownSellerNames",
] as const;

export function reckonsAnew(before: Workspace, after: Workspace): boolean {
  return JUDGED_BY.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

async function change(
  ctx: Context,
  changedOf: (workspace: Workspace) => Workspace,
  entry: Pick<AuditEntryOf<"workspace">, "action" | "reason"> = { action: "workspace.update" },
): Promise<Workspace> {
  return await transact(ctx, async (write) => {
    const { workspace, versionstamp } = await readWorkspace(ctx);
    const changed = changedOf(workspace);
    const fields = changedFields(workspace, changed);
    if (Object.keys(fields.after ?? {}).length === 0) return workspace;
    saveWorkspace(write, changed, versionstamp);
    noteVatTerms(write, workspace, changed, ctx.now());
    addAuditRow(write, ctx, {
      ...entry,
      resource: { type: "workspace", id: workspace.id, label: changed.name },
      ...fields,
    });
    if (reckonsAnew(workspace, changed)) rejudge(write, ctx, { by: "settings" });
    return changed;
  });
}
