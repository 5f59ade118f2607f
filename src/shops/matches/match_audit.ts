import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import type { Match } from "./match.ts";

/** `before` is null for a new match, `after` for one that goes; `label` is what people call it. */
export function matchAudit(
  label: string,
  before: Match | null,
  after: Match | null,
): AuditEntry {
  const changed = changedFields(before ? auditFields(before) : {}, after ? auditFields(after) : {});
  const verb = before === null ? "create" : after === null ? "delete" : "update";
  return {
    action: `competitor_product.${verb}`,
    resource: { type: "competitor_product", id: (after ?? before)?.id ?? "", label },
    before: before && changed.before,
    after: after && changed.after,
    about: [`product:${(after ?? before)?.productId ?? ""}`],
  };
}

/** Timestamps say nothing that the row does not. */
function auditFields({ id: _id, createdAt: _created, updatedAt: _updated, ...fields }: Match) {
  return fields;
}

/** "4711-A at MediaMarkt". */
export function matchLabel(sku: string, competitor: { readonly displayName: string }): string {
  return `${sku} at ${competitor.displayName}`;
}
