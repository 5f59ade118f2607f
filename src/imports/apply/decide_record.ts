/**
 * What becomes of one record: plain functions, asked by plan and application alike
 * (docs/decisions/imports.md).
 */
import type { Card } from "../../catalogue/products/card_store.ts";
import { type Product, stampChange } from "../../catalogue/products/product.ts";
import type { FindingCode } from "../findings/finding.ts";
import type { ImportMode } from "../state/import_job.ts";
import { changedProduct, isSame, newProduct, PRICES_MAX } from "./patched_product.ts";
import type { RecordPatch } from "../records/record_patch.ts";

export interface Warning {
  readonly code: FindingCode;
  readonly message: string;
  readonly value?: string;
}

export type RecordOutcome =
  /** Left alone: excluded by the mode, or nothing to delete. */
  | { readonly kind: "skipped" }
  | { readonly kind: "refused"; readonly code: FindingCode; readonly message: string }
  | { readonly kind: "inserted"; readonly after: Product }
  | {
    readonly kind: "updated" | "deleted";
    readonly before: Product;
    readonly after: Product;
    readonly warnings: readonly Warning[];
  }
  /** The product is as the record says; only its card learns so. */
  | { readonly kind: "unchanged"; readonly before: Product };

export interface DecisionSetting {
  readonly mode: ImportMode;
  readonly now: Date;
  /** Of new products whose record names none. */
  readonly currency: string;
}

/**
 * True when the record need not be looked at: the mode leaves it out, or the card says that nothing
 * is new.
 */
export function isSkipped(mode: ImportMode, hash: string, card: Card | undefined): boolean {
  if (mode === "insert") return card !== undefined;
  if (mode === "update" && card === undefined) return true;
  return card !== undefined && !card.isDeleted && card.importHash === hash;
}

/** `before` is null for an unknown SKU; `id` is for a new product. */
export function decideRecord(
  patch: RecordPatch,
  before: Product | null,
  { mode, now, currency }: DecisionSetting,
  id: () => string,
): RecordOutcome {
  if (patch.isDeleted) return decideDeletion(before, now);
  if (before === null) {
    if (mode === "update") return { kind: "skipped" };
    if (patch.title === undefined) {
      return {
        kind: "refused",
        code: "missing_title",
        message: `A new product needs a title: "${patch.sku}" has none`,
      };
    }
    const made = { id: id(), createdAt: now.toISOString(), currency };
    return { kind: "inserted", after: newProduct(patch, patch.title, made) };
  }
  const changed = changedProduct(before, patch);
  if ("refused" in changed) {
    return { kind: "refused", code: "invalid_currency", message: changed.refused };
  }
  if (isSame(before, changed.product)) return { kind: "unchanged", before };
  const warnings: Warning[] = before.deletedAt === null ? [] : [{
    code: "product_revived",
    message: `"${patch.sku}" was deleted and is active again`,
  }];
  if (changed.isUnpriced) {
    const message = `No current price in "${before.currency}": the stored one stays`;
    warnings.push({ code: "no_current_price", message });
  }
  if (changed.pricesLost > 0) {
    const message = `A product has at most ${PRICES_MAX} prices: ${changed.pricesLost} of other ` +
      "tiers are gone";
    warnings.push({ code: "too_long", message });
  }
  const after = stampChange(before, changed.product, now);
  return { kind: "updated", before, after, warnings };
}

function decideDeletion(before: Product | null, now: Date): RecordOutcome {
  if (before === null || before.deletedAt !== null) return { kind: "skipped" };
  return { kind: "deleted", before, after: deletedProduct(before, now), warnings: [] };
}

/** The product soft-deleted, with the times of the deletion. */
export function deletedProduct(before: Product, now: Date): Product {
  const stamped = stampChange(before, before, now);
  return { ...stamped, deletedAt: stamped.updatedAt };
}
