/**
 * Decides on one record: plain functions, asked by plan and application alike
 * (docs/decisions/imports.md).
 */

import { startOfDay } from "../../base/german_values.ts";
import type { Card, CardPrices } from "../../catalogue/products/index_row_store.ts";
import { followPrice, type Product, stampChange } from "../../catalogue/products/product.ts";
import { areBoundsCrossed } from "../../catalogue/products/product_input.ts";
import type { FindingCode } from "../files/finding.ts";
import { PRICES_MAX } from "../records/price_rows.ts";
import type { RecordPatch } from "../records/record_patch.ts";
import type { ImportMode } from "../state/import_job.ts";
import { changedPrices, changedProduct, isSame, newProduct } from "./patched_product.ts";

export interface Warning {
  readonly code: FindingCode;
  readonly message: string;
  readonly value?: string;
}

export type RecordOutcome =
  /** Left alone: excluded by the mode, or nothing to delete. */
  | { readonly kind: "skipped" }
  | { readonly kind: "refused"; readonly code: FindingCode; readonly message: string }
  | { readonly kind: "inserted"; readonly after: Product; readonly warnings: readonly Warning[] }
  | {
    readonly kind: "updated" | "deleted";
    readonly before: Product;
    readonly after: Product;
    readonly warnings: readonly Warning[];
  }
  /** The product is as the record says; only its card learns so. */
  | { readonly kind: "unchanged"; readonly before: Product };

const BOUNDS_CROSSED: Warning = {
  code: "bounds_crossed",
  message: "The minimum price is above the maximum price: both stay as they were",
};

export interface DecisionSetting {
  readonly mode: ImportMode;
  readonly now: Date;
  readonly timeZone: string;
  /** Of new products whose record names none. */
  readonly currency: string;
}

/**
 * True when the record need not be looked at: the mode leaves it out, or the card says that nothing
 * is new.
 */
export function isSkipped(mode: ImportMode, hash: string, card: Card | undefined): boolean {
  return isLeftOut(mode, card) ||
    (card !== undefined && !card.isDeleted && card.isOfRecord(hash));
}

/** True when the mode leaves the record out, whatever it says. */
export function isLeftOut(mode: ImportMode, card: Card | undefined): boolean {
  return mode === "insert" ? card !== undefined : mode === "update" && card === undefined;
}

/** `before` is null for an unknown SKU; `id` is for a new product. */
export function decideRecord(
  patch: RecordPatch,
  before: Product | null,
  { mode, now, timeZone, currency }: DecisionSetting,
  id: () => string,
): RecordOutcome {
  if (patch.isDeleted) return decideDeletion(before, now);
  if (before === null) {
    if (mode === "update" || patch.isFound) return { kind: "skipped" };
    if (patch.title === undefined) {
      return {
        kind: "refused",
        code: "missing_title",
        message: `A new product needs a title: "${patch.sku}" has none`,
      };
    }
    const made = { id: id(), createdAt: now.toISOString(), currency };
    const product = newProduct(patch, patch.title, made);
    if (!areBoundsCrossed(product)) return { kind: "inserted", after: product, warnings: [] };
    const after = { ...product, minPriceCents: null, maxPriceCents: null };
    return { kind: "inserted", after, warnings: [BOUNDS_CROSSED] };
  }
  if (patch.isFound && before.deletedAt !== null) return { kind: "skipped" };
  const changed = changedProduct(before, patch);
  if ("refused" in changed) {
    return { kind: "refused", code: "invalid_currency", message: changed.refused };
  }
  const isCrossed = areBoundsCrossed(changed.product) && !areBoundsCrossed(before);
  const { minPriceCents, maxPriceCents } = before;
  const product = isCrossed
    ? { ...changed.product, minPriceCents, maxPriceCents }
    : changed.product;
  if (isSame(before, product) && !isCrossed) return { kind: "unchanged", before };
  const warnings: Warning[] = before.deletedAt === null ? [] : [{
    code: "product_revived",
    message: `"${patch.sku}" was deleted and is active again`,
  }];
  if (isCrossed) warnings.push(BOUNDS_CROSSED);
  if (changed.isUnpriced) {
    const message = `No current price in "${before.currency}": the stored one stays`;
    warnings.push({ code: "no_current_price", message });
  }
  if (changed.pricesLost > 0) {
    const message = `A product has at most ${PRICES_MAX} prices: ${changed.pricesLost} of other ` +
      "tiers are gone";
    warnings.push({ code: "too_long", message });
  }
  const stamped = stampChange(before, product, now);
  // A price that came without the rows of its tier: the row that it stands in follows.
  const isAlone = patch.ourPriceCents !== undefined && patch.prices === undefined;
  const isRepriced = stamped.ourPriceUpdatedAt === stamped.updatedAt;
  const after = isAlone && isRepriced ? followPrice(stamped, startOfDay(now, timeZone)) : stamped;
  return { kind: "updated", before, after, warnings };
}

/**
 * The prices of the existing product as the record leaves them: all that the hold asks, at a fraction of
 * the cost of a decision. Null where the record leaves it alone or is refused.
 */
export function judgeRecord(patch: RecordPatch, before: CardPrices): CardPrices | null {
  return patch.isDeleted ? null : changedPrices(before, patch);
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
