import { type AuditEntry, changedFields } from "../accounts/audit/audit.ts";
import type { Competitor } from "./competitor.ts";

/** `before` is null for a new competitor, `after` for one that goes. */
export function competitorAudit(
  action: "competitor.create" | "competitor.update" | "competitor.delete",
  before: Competitor | null,
  after: Competitor | null,
): AuditEntry {
  const changed = changedFields(before ? auditFields(before) : {}, after ? auditFields(after) : {});
  const { id = "", displayName = "" } = after ?? before ?? {};
  return {
    action,
    resource: { type: "competitor", id, label: displayName },
    before: before && changed.before,
    after: after && changed.after,
  };
}

/** Timestamps say nothing that the row does not, and a colour is nobody's choice. */
function auditFields(
  { createdAt: _created, updatedAt: _updated, colour: _colour, ...fields }: Competitor,
) {
  return fields;
}
