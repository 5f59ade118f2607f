/**
 * What the audit log says of a product's change: the changed fields only (docs/decisions/http.md).
 */
import { brokenBound } from "../../base/price_doubts.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import { isRepriced, type Product } from "../products/product.ts";
import { AMOUNT_NAMES, FIELD_NAMES, PRODUCT_FIELDS } from "../products/product_field_table.ts";

/** A row of the store holds 64 KiB; above this much JSON a side's long texts are cut. */
const SIDE_CHARACTERS_MAX = 12_000;
const CUT_CHARACTERS = 100;

/** What is left out of a row, or stands in it pair by pair. */
const LEFT_OUT = new Set<string>(
  FIELD_NAMES.filter((name) => {
    const { audit } = PRODUCT_FIELDS[name];
    return audit === null || audit === "each";
  }),
);

/** `before` is null for a new product: its row holds what it was given. */
export function productAudit(
  action: AuditAction<"product">,
  before: Product | null,
  after: Product,
): AuditEntry {
  const changed = changedFields(before ? auditFields(before) : {}, auditFields(after));
  return {
    action,
    resource: { type: "product", id: after.id, label: after.sku },
    before: before && cut(changed.before),
    after: cut(changed.after),
    // Amounts are in minor units of the currency, which seldom changes with them.
    ...(AMOUNT_NAMES.some((name) => name in (changed.after ?? {})) && { currency: after.currency }),
    ...brokenBy(before, after),
  };
}

function brokenBy(before: Product | null, after: Product): Pick<AuditEntry, "brokenBound"> {
  if (before !== null && !isRepriced(before, after)) return {};
  const broken = brokenBound(after.ourPriceCents, after);
  return broken === null ? {} : { brokenBound: broken.code };
}

function auditFields(product: Product): Record<string, unknown> {
  const fields = Object.entries(product).filter(([name]) => !LEFT_OUT.has(name));
  const attributes = Object.entries(product.attributes)
    .map(([name, value]) => [`attributes.${name}`, value]);
  return Object.fromEntries([...fields, ...attributes]);
}

function cut(side: Record<string, unknown> | null): Record<string, unknown> | null {
  if (side === null || JSON.stringify(side).length <= SIDE_CHARACTERS_MAX) return side;
  return Object.fromEntries(
    Object.entries(side).map(([name, value]) => [
      name,
      typeof value === "string" && value.length > CUT_CHARACTERS
        ? `${value.slice(0, CUT_CHARACTERS).toWellFormed()}…`
        : value,
    ]),
  );
}
