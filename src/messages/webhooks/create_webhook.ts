import { randomBytes } from "node:crypto";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireUrl } from "./require_webhook.ts";
import type { NewWebhook, StoredWebhook } from "./webhook.ts";
import { addWebhook, findWebhooksVersion, listWebhooks } from "./webhook_store.ts";
import { webhookAudit } from "./webhook_audit.ts";

/** Each event costs a delivery per webhook, in one commit. */
const WEBHOOKS_MAX = 20;
const SECRET_BYTES = 32;

/** A new webhook with its secret. Nothing is sent to it before something happens. */
export async function createWebhook(
  ctx: Context,
  { url, events, enabled }: NewWebhook,
  limits: UrlLimits,
): Promise<StoredWebhook> {
  const createdAt = ctx.now().toISOString();
  const webhook: StoredWebhook = {
    id: ctx.newId(),
    url: requireUrl(url, limits),
    events,
    enabled,
    failingSince: null,
    disabledAt: null,
    createdAt,
    updatedAt: createdAt,
    secret: `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`,
  };
  await transact(ctx, async (write) => {
    const version = await findWebhooksVersion(ctx);
    if ((await listWebhooks(ctx)).length >= WEBHOOKS_MAX) {
      throw new Failure("conflict", `A workspace has at most ${WEBHOOKS_MAX} webhooks`);
    }
    addWebhook(write, ctx.workspaceId, webhook, version);
    addAuditRow(write, ctx, webhookAudit("webhook.create", null, webhook));
  });
  return webhook;
}
