/**
 * The product that a record leads to: plain functions, the same for a plan and for the application.
 */

import { exponentOf } from "../../base/currency.ts";
import type { CardPrices } from "../../catalogue/products/index_row_store.ts";
import { blankProduct, type Product, type TierPrice } from "../../catalogue/products/product.ts";
import {
  AMOUNT_NAMES,
  type AmountName,
  FIELD_NAMES,
  RECORD_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import { Attributes } from "../../catalogue/products/product_fields.ts";
import { give } from "../records/evaluate_record.ts";
import { byPlace, PRICES_MAX, tierKey } from "../records/price_rows.ts";
import type { RecordFields, RecordPatch } from "../records/record_patch.ts";

/** Amounts of a patch in the currency of its product. */
type Amounts = Partial<Pick<Product, AmountName>>;

/** The prices of a patch in terms of its product. */
interface Prices {
  readonly amounts: Amounts;
  readonly rows: readonly TierPrice[];
}

/** A product that is made by a record, which must have a title. */
export function newProduct(
  patch: RecordPatch,
  title: string,
  made: { readonly id: string; readonly createdAt: string; readonly currency: string },
): Product {
  const currency = patch.currency ?? made.currency;
  const { id, createdAt } = made;
  const blank = blankProduct({ id, sku: patch.sku, title, currency, createdAt });
  const product = patched(blank, patch, pricesOf(patch, currency));
  const isPriced = product.ourPriceCents !== null;
  return isPriced ? { ...product, ourPriceUpdatedAt: createdAt } : product;
}

/**
 * The product as the record leaves it, times untouched. Refuses a record that changes the currency
 * without giving every stored price again: the old amounts would be read in the new currency.
 * `isUnpriced`: its price is for other currencies than the product's, which keeps its own.
 * `pricesLost`: stored rows that those of the record leave no room for.
 */
export function changedProduct(
  before: Product,
  patch: RecordPatch,
): { product: Product; isUnpriced: boolean; pricesLost: number } | { refused: string } {
  const changed = changePrices(before, patch);
  if ("refused" in changed) return changed;
  const { currency, prices } = changed;
  const isUnpriced = patch.ourPriceCents !== undefined &&
    prices.amounts.ourPriceCents === undefined;
  const product = { ...patched(before, patch, prices), currency, deletedAt: null };
  return { product, isUnpriced, pricesLost: pricesLost(before.prices, patch.prices) };
}

/** As `changedProduct`, of a product's prices alone; null for a record that is refused. */
export function changedPrices(before: CardPrices, patch: RecordPatch): CardPrices | null {
  const changed = changePrices(before, patch);
  if ("refused" in changed) return null;
  const { vatRatePct = before.vatRatePct } = patch;
  return { ...before, currency: changed.currency, vatRatePct, ...changed.prices.amounts };
}

function changePrices(
  before: CardPrices,
  patch: RecordPatch,
): { readonly currency: string; readonly prices: Prices } | { refused: string } {
  const currency = patch.currency ?? before.currency;
  const prices = pricesOf(patch, currency);
  const isMissing = (field: keyof Amounts) =>
    before[field] !== null && prices.amounts[field] === undefined;
  if (currency === before.currency || !AMOUNT_NAMES.some(isMissing)) return { currency, prices };
  return {
    refused: `The currency would change from "${before.currency}" to "${currency}", but not ` +
      "every stored price is given anew",
  };
}

function patched(before: Product, patch: RecordPatch, { amounts, rows }: Prices): Product {
  return {
    ...before,
    ...fieldsOf(patch),
    attributes: mergedAttributes(before.attributes, patch.attributes),
    tier: patch.tier === undefined ? before.tier : patch.tier,
    ...amounts,
    prices: patch.prices ? mergedPrices(before.prices, patch.prices.tiers, rows) : before.prices,
  };
}

function mergedAttributes(
  before: Product["attributes"],
  named: RecordPatch["attributes"],
): Product["attributes"] {
  if (named === undefined) return before;
  const merged = Object.entries({ ...before, ...named }).filter(([, value]) => value !== "");
  // More than a product may have: those that it has stay as they are.
  return Attributes.safeParse(Object.fromEntries(merged)).data ?? before;
}

function fieldsOf(patch: RecordPatch): RecordFields {
  const fields: RecordFields = {};
  for (const name of RECORD_NAMES) give(fields, name, patch[name]);
  return fields;
}

/**
 * A record that names no currency speaks in that of its product; its numbers were read as if in the
 * workspace's, which matters where one of the two has another number of decimals. An amount that it
 * took from a row in the workspace's currency then comes from the product's row of the same tier.
 */
function pricesOf(patch: RecordPatch, currency: string): Prices {
  const rows = rowsOf(patch, currency);
  const readIn = patch.amountsIn ?? currency;
  const feeds: Readonly<Partial<Record<AmountName, string | null>>> = readIn === currency
    ? {}
    : patch.prices?.feeds ?? {};
  const amounts: { -readonly [Field in keyof Amounts]: Amounts[Field] } = {};
  for (const field of AMOUNT_NAMES) {
    const cents = patch[field];
    const tier = feeds[field];
    if (tier !== undefined) {
      const row = rows.find((row) =>
        row.tier === tier && row.currency === currency && (row.minQty ?? 1) <= 1
      );
      if (row) amounts[field] = row.amountCents;
    } else if (cents !== undefined) {
      amounts[field] = cents === null ? null : shifted(cents, readIn, currency);
    }
  }
  return { amounts, rows };
}

/** The rows of a patch; of two for one place the one that names no currency counts. */
function rowsOf({ prices, currency: named }: RecordPatch, currency: string): readonly TierPrice[] {
  const rows = prices?.rows ?? [];
  if (named !== undefined) return rows;
  const own = rows.filter((row) => !row.isNamed).map((row) => ({
    ...row,
    amountCents: shifted(row.amountCents, row.currency, currency),
    currency,
  }));
  const others = rows.filter((row) => row.isNamed).map(({ isNamed: _, ...row }) => row);
  const isFree = (row: TierPrice) => !own.some((taken) => byPlace(taken, row) === 0);
  return others.length === 0 ? own : [...own, ...others.filter(isFree)].sort(byPlace);
}

/** The same number in a currency with another number of decimals; rounded half up. */
function shifted(cents: number, from: string, to: string): number {
  const shift = exponentOf(to) - exponentOf(from);
  return shift >= 0 ? cents * 10 ** shift : Math.floor(cents / 10 ** -shift + 0.5);
}

/**
 * Tiers that the record mentions give way to its rows, the others stay (docs/decisions/imports.md),
 * but for the last ones where a product would have too many prices: what the file brings is never
 * cut.
 */
function mergedPrices(
  stored: Product["prices"],
  tiers: readonly (string | null)[],
  rows: readonly TierPrice[],
): Product["prices"] {
  const kept = unmentioned(stored, tiers).slice(0, PRICES_MAX - rows.length);
  return kept.length === 0 ? [...rows] : [...kept, ...rows].sort(byPlace);
}

function pricesLost(stored: Product["prices"], prices: RecordPatch["prices"]): number {
  if (!prices) return 0;
  return Math.max(0, unmentioned(stored, prices.tiers).length + prices.rows.length - PRICES_MAX);
}

function unmentioned(
  stored: Product["prices"],
  tiers: readonly (string | null)[],
): Product["prices"] {
  const replaced = new Set(tiers.map(tierKey));
  return stored.filter(({ tier }) => !replaced.has(tierKey(tier)));
}

/** True when the record says nothing new of the product. */
export function isSame(before: Product, after: Product): boolean {
  for (const name of FIELD_NAMES) {
    const [was, is] = [before[name], after[name]];
    if (was === is) continue;
    // Prices and attributes are built again, whatever they say.
    const isBuilt = typeof was === "object" && typeof is === "object";
    if (!isBuilt || JSON.stringify(was) !== JSON.stringify(is)) return false;
  }
  return true;
}
