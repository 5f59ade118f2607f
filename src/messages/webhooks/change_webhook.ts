import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireUrl, requireWebhook } from "./require_webhook.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import {
  ENABLED_DEFAULT,
  shownWebhook,
  type Webhook,
  WEBHOOK_READ_ONLY,
  type WebhookPatch,
} from "./webhook.ts";
import { webhookAudit } from "./webhook_audit.ts";
import { removeWebhook, saveWebhook } from "./webhook_store.ts";

/** Merges a patch; one that changes nothing writes nothing. Enabling forgives what failed before. */
export async function changeWebhook(
  ctx: Context,
  id: string,
  patch: WebhookPatch,
  { limits, expected }: {
    readonly limits: UrlLimits;
    /** What `If-Match` asks for; null when any version may be changed. */
    readonly expected: string | null;
  },
): Promise<Webhook> {
  const value = await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    const { webhook: before } = found;
    requireVersion(expected, versionOf(shownWebhook(before), WEBHOOK_READ_ONLY));
    const enabled = patch.enabled === null ? ENABLED_DEFAULT : patch.enabled ?? before.enabled;
    const isRevived = enabled && !before.enabled;
    const merged = {
      ...before,
      events: patch.events ?? before.events,
      enabled,
      url: patch.url === undefined ? before.url : requireUrl(patch.url, limits),
      ...(isRevived ? { failingSince: null, disabledAt: null } : {}),
    };
    if (JSON.stringify(merged) === JSON.stringify(before)) return before;
    const after = { ...merged, updatedAt: ctx.now().toISOString() };
    saveWebhook(write, ctx.workspaceId, found, after);
    addAuditRow(write, ctx, webhookAudit("webhook.update", before, after));
    return after;
  });
  return shownWebhook(value);
}

/** Nothing is sent any more, a try in hand excepted. Refuses with `not_found`. */
export async function deleteWebhook(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    requireVersion(expected, versionOf(shownWebhook(found.webhook), WEBHOOK_READ_ONLY));
    removeWebhook(write, ctx.workspaceId, found);
    addAuditRow(write, ctx, webhookAudit("webhook.delete", found.webhook, null));
  });
}
