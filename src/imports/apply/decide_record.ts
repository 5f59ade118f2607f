/** Decides what one record of an import changes in its product. */
import { exponentOf } from "../../base/money.ts";
import { startOfDay } from "../../base/german_values.ts";
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import {
  areBoundsCrossed,
  blankProduct,
  followPrice,
  type Product,
  stampChange,
  type TierPrice,
} from "../../catalogue/products/product.ts";
import {
  AMOUNT_NAMES,
  type AmountName,
  FIELD_NAMES,
  RECORD_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import { Attributes } from "../../catalogue/products/product_fields.ts";
import { type FindingCode, shortened } from "../files/source_file.ts";
import { give } from "../records/evaluate_record.ts";
import { byPlace, PRICES_MAX, tierKey } from "../records/price_rows.ts";
import type { RecordPatch } from "../records/record_patch.ts";
import type { ImportMode } from "../choices.ts";

export interface Warning {
  readonly code: FindingCode;
  readonly message: string;
  readonly value?: string;
}

export type RecordOutcome =
  | { readonly kind: "skipped" }
  | { readonly kind: "refused"; readonly code: FindingCode; readonly message: string }
  | { readonly kind: "inserted"; readonly after: Product; readonly warnings: readonly Warning[] }
  | {
    readonly kind: "updated" | "deleted";
    readonly before: Product;
    readonly after: Product;
    readonly warnings: readonly Warning[];
  }
  | { readonly kind: "unchanged"; readonly before: Product };

const BOUNDS_CROSSED: Warning = {
  code: "bounds_crossed",
  message: "The minimum price is above the maximum price: both stay as they were",
};

interface DecisionSetting {
  readonly mode: ImportMode;
  readonly now: Date;
  readonly timeZone: string;
  readonly currency: string;
}

export function isSkipped(mode: ImportMode, hash: string, indexRow: IndexRow | undefined): boolean {
  return isLeftOut(mode, indexRow) ||
    (indexRow !== undefined && !indexRow.isDeleted && indexRow.importHash === hash);
}

export function isLeftOut(mode: ImportMode, indexRow: IndexRow | undefined): boolean {
  return mode === "insert" ? indexRow !== undefined : mode === "update" && indexRow === undefined;
}

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
    const warnings = lostAttributes(product, patch.attributes);
    if (!areBoundsCrossed(product)) return { kind: "inserted", after: product, warnings };
    const after = { ...product, minPriceCents: null, maxPriceCents: null };
    return { kind: "inserted", after, warnings: [...warnings, BOUNDS_CROSSED] };
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
  const warnings = lostAttributes(product, patch.attributes);
  if (isSame(before, product) && !isCrossed && warnings.length === 0) {
    return { kind: "unchanged", before };
  }
  if (before.deletedAt !== null) {
    const message = `"${patch.sku}" was deleted and is active again`;
    warnings.push({ code: "product_revived", message });
  }
  if (isCrossed) warnings.push(BOUNDS_CROSSED);
  if (changed.lacksPriceInCurrency) {
    const message = `No current price in "${before.currency}": the stored one stays`;
    warnings.push({ code: "no_current_price", message });
  }
  if (changed.pricesLost > 0) {
    const message = `A product has at most ${PRICES_MAX} prices: ${changed.pricesLost} of other ` +
      "tiers are removed";
    warnings.push({ code: "too_long", message });
  }
  const stamped = stampChange(before, product, now);
  const isAlone = patch.ourPriceCents !== undefined && patch.prices === undefined;
  const isRepriced = stamped.ourPriceUpdatedAt === stamped.updatedAt;
  const after = isAlone && isRepriced ? followPrice(stamped, startOfDay(now, timeZone)) : stamped;
  return { kind: "updated", before, after, warnings };
}

function decideDeletion(before: Product | null, now: Date): RecordOutcome {
  if (before === null || before.deletedAt !== null) return { kind: "skipped" };
  return { kind: "deleted", before, after: deletedProduct(before, now), warnings: [] };
}

export function deletedProduct(before: Product, now: Date): Product {
  const stamped = stampChange(before, before, now);
  return { ...stamped, deletedAt: stamped.updatedAt };
}

type Amounts = Partial<Pick<Product, AmountName>>;

interface Prices {
  readonly amounts: Amounts;
  readonly rows: readonly TierPrice[];
}

function newProduct(
  patch: RecordPatch,
  title: string,
  made: { readonly id: string; readonly createdAt: string; readonly currency: string },
): Product {
  const currency = patch.currency ?? made.currency;
  const { id, createdAt } = made;
  const blank = blankProduct({ id, sku: patch.sku, title, currency, createdAt });
  const product = patched(blank, patch, pricesOf(patch, currency));
  if (product.ourPriceCents !== null) product.ourPriceUpdatedAt = createdAt;
  return product;
}

function changedProduct(
  before: Product,
  patch: RecordPatch,
): { product: Product; lacksPriceInCurrency: boolean; pricesLost: number } | { refused: string } {
  const currency = patch.currency ?? before.currency;
  const prices = pricesOf(patch, currency);
  const isMissing = (field: keyof Amounts) =>
    before[field] !== null && prices.amounts[field] === undefined;
  if (currency !== before.currency && AMOUNT_NAMES.some(isMissing)) {
    return {
      refused: `The currency would change from "${before.currency}" to "${currency}", but the ` +
        "record lacks some stored prices: send all prices in the new currency",
    };
  }
  const lacksPriceInCurrency = patch.ourPriceCents !== undefined &&
    prices.amounts.ourPriceCents === undefined;
  const product = patched(before, patch, prices);
  product.currency = currency;
  product.deletedAt = null;
  return { product, lacksPriceInCurrency, pricesLost: pricesLost(before.prices, patch.prices) };
}

function patched(
  before: Product,
  patch: RecordPatch,
  { amounts, rows }: Prices,
): { -readonly [Name in keyof Product]: Product[Name] } {
  const product = { ...before, ...amounts };
  for (const name of RECORD_NAMES) give(product, name, patch[name]);
  product.attributes = mergedAttributes(before.attributes, patch.attributes);
  if (patch.tier !== undefined) product.tier = patch.tier;
  if (patch.prices) product.prices = mergedPrices(before.prices, patch.prices.tiers, rows);
  return product;
}

function mergedAttributes(
  before: Product["attributes"],
  named: RecordPatch["attributes"],
): Product["attributes"] {
  if (named === undefined) return before;
  return joinedAttributes(before, named) ?? Object.entries(named).reduce(
    (kept, [name, value]) => joinedAttributes(kept, { [name]: value }) ?? kept,
    before,
  );
}

/** Returns null if a product cannot hold all these attributes. */
function joinedAttributes(
  before: Product["attributes"],
  named: Product["attributes"],
): Product["attributes"] | null {
  const joined = Object.entries({ ...before, ...named }).filter(([, value]) => value !== "");
  return Attributes.safeParse(Object.fromEntries(joined)).data ?? null;
}

function lostAttributes({ attributes }: Product, named: RecordPatch["attributes"]): Warning[] {
  const lost = Object.entries(named ?? {}).flatMap(([name, value]) =>
    (attributes[name] ?? "") === value ? [] : [name]
  );
  if (lost.length === 0) return [];
  const message = `The product has no room for ${lost.length} attributes of the file`;
  return [{ code: "too_long", message, value: shortened(lost.join(", ")) }];
}

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

/** Keeps the amount in major units: 100 JPY (`100`) become 100 EUR (`10000`). */
function shifted(cents: number, from: string, to: string): number {
  if (from === to) return cents;
  const shift = exponentOf(to) - exponentOf(from);
  return shift >= 0 ? cents * 10 ** shift : Math.floor(cents / 10 ** -shift + 0.5);
}

/**
 * If a product gets more than `PRICES_MAX` prices, stored prices are dropped, and prices of the
 * file stay.
 */
function mergedPrices(
  stored: Product["prices"],
  tiers: readonly (string | null)[],
  rows: readonly TierPrice[],
): Product["prices"] {
  if (stored.length === 0) return [...rows];
  const kept = unmentioned(stored, tiers).slice(0, PRICES_MAX - rows.length);
  return kept.length === 0 ? [...rows] : [...kept, ...rows].sort(byPlace);
}

function pricesLost(stored: Product["prices"], prices: RecordPatch["prices"]): number {
  if (!prices || stored.length === 0) return 0;
  return Math.max(0, unmentioned(stored, prices.tiers).length + prices.rows.length - PRICES_MAX);
}

function unmentioned(
  stored: Product["prices"],
  tiers: readonly (string | null)[],
): Product["prices"] {
  const replaced = new Set(tiers.map(tierKey));
  return stored.filter(({ tier }) => !replaced.has(tierKey(tier)));
}

function isSame(before: Product, after: Product): boolean {
  for (const name of FIELD_NAMES) {
    const [was, is] = [before[name], after[name]];
    if (was === is) continue;
    const isBuilt = typeof was === "object" && typeof is === "object";
    if (!isBuilt || JSON.stringify(was) !== JSON.stringify(is)) return false;
  }
  return true;
}
