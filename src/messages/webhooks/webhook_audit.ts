import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import { shownWebhook, type StoredWebhook } from "./webhook.ts";

/** What the audit log says of a webhook's change: never the secret. */
export function webhookAudit(
  action: AuditAction<"webhook">,
  before: StoredWebhook | null,
  after: StoredWebhook | null,
): AuditEntry {
  const one = after ?? before;
  const changed = changedFields(before ? fieldsOf(before) : {}, after ? fieldsOf(after) : {});
  return {
    action,
    resource: { type: "webhook", id: one?.id ?? "", label: one ? new URL(one.url).host : "" },
    before: before && changed.before,
    after: after && changed.after,
  };
}

function fieldsOf(webhook: StoredWebhook): Record<string, unknown> {
  const { updatedAt: _, ...fields } = shownWebhook(webhook);
  return fields;
}
