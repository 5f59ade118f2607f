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
import { type Finding, type FindingCode, shortened } from "../files/source_file.ts";
import { give } from "../records/evaluate_record.ts";
import { byPlace, PRICES_MAX, tierKey } from "../records/price_rows.ts";
import type { RecordPatch } from "../records/record_patch.ts";
import type { ImportMode } from "../choices.ts";

export interface RecordNote {
  readonly severity: Finding["severity"];
  readonly code: FindingCode;
  readonly message: string;
  readonly value?: string;
}

export function warning(code: FindingCode, message: string, value?: string): RecordNote {
  return { severity: "warning", code, message, ...(value !== undefined && { value }) };
}

export interface RecordOutcome {
  readonly kind: "inserted" | "updated" | "deleted" | "unchanged" | "skipped" | "refused";
  readonly before: Product | null;
  /** Null if the record is skipped or refused. */
  readonly after: Product | null;
  readonly notes: readonly RecordNote[];
}

export const SKIPPED: RecordOutcome = { kind: "skipped", before: null, after: null, notes: [] };

function refused(code: FindingCode, message: string): RecordOutcome {
  return { ...SKIPPED, kind: "refused", notes: [{ severity: "error", code, message }] };
}

const BOUNDS_CROSSED = warning(
  "bounds_crossed",
  "The minimum price is above the maximum price: both stay as they were",
);

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
  setting: DecisionSetting,
  id: () => string,
): RecordOutcome {
  if (patch.isDeleted) {
    if (before === null || before.deletedAt !== null) return SKIPPED;
    return { kind: "deleted", before, after: deletedProduct(before, setting.now), notes: [] };
  }
  if (before !== null) {
    return patch.isFound && before.deletedAt !== null
      ? SKIPPED
      : decideChange(patch, before, setting);
  }
  if (setting.mode === "update" || patch.isFound) return SKIPPED;
  if (patch.title === undefined) {
    return refused("missing_title", `A new product needs a title: "${patch.sku}" has none`);
  }
  const product = newProduct(patch, patch.title, id(), setting);
  const notes = lostAttributes(product, patch.attributes);
  if (!areBoundsCrossed(product)) return { kind: "inserted", before, after: product, notes };
  const after = { ...product, minPriceCents: null, maxPriceCents: null };
  return { kind: "inserted", before, after, notes: [...notes, BOUNDS_CROSSED] };
}

function decideChange(
  patch: RecordPatch,
  before: Product,
  { now, timeZone }: DecisionSetting,
): RecordOutcome {
  const currency = patch.currency ?? before.currency;
  const prices = pricesOf(patch, currency);
  const isMissing = (field: AmountName) =>
    before[field] !== null && prices.amounts[field] === undefined;
  if (currency !== before.currency && AMOUNT_NAMES.some(isMissing)) {
    const message = `The currency would change from "${before.currency}" to "${currency}", but ` +
      "the record lacks some stored prices: send all prices in the new currency";
    return refused("invalid_currency", message);
  }
  const product = patched(before, patch, prices);
  product.currency = currency;
  product.deletedAt = null;
  const isCrossed = areBoundsCrossed(product) && !areBoundsCrossed(before);
  if (isCrossed) {
    product.minPriceCents = before.minPriceCents;
    product.maxPriceCents = before.maxPriceCents;
  }
  const notes = lostAttributes(product, patch.attributes);
  if (isSame(before, product) && !isCrossed && notes.length === 0) {
    return { kind: "unchanged", before, after: before, notes };
  }
  if (before.deletedAt !== null) {
    notes.push(warning("product_revived", `"${patch.sku}" was deleted and is active again`));
  }
  if (isCrossed) notes.push(BOUNDS_CROSSED);
  if (patch.ourPriceCents !== undefined && prices.amounts.ourPriceCents === undefined) {
    const message = `No current price in "${before.currency}": the stored one stays`;
    notes.push(warning("no_current_price", message));
  }
  const lost = pricesLost(before.prices, patch.prices);
  if (lost > 0) {
    const message =
      `A product has at most ${PRICES_MAX} prices: ${lost} of other tiers are removed`;
    notes.push(warning("too_long", message));
  }
  const stamped = stampChange(before, product, now);
  const isAlone = patch.ourPriceCents !== undefined && patch.prices === undefined;
  const isRepriced = stamped.ourPriceUpdatedAt === stamped.updatedAt;
  const after = isAlone && isRepriced ? followPrice(stamped, startOfDay(now, timeZone)) : stamped;
  return { kind: "updated", before, after, notes };
}

export function deletedProduct(before: Product, now: Date): Product {
  const stamped = stampChange(before, before, now);
  return { ...stamped, deletedAt: stamped.updatedAt };
}

type Amounts = { -readonly [Field in AmountName]?: Product[Field] };

interface Prices {
  readonly amounts: Amounts;
  readonly rows: readonly TierPrice[];
}

function newProduct(
  patch: RecordPatch,
  title: string,
  id: string,
  setting: DecisionSetting,
): Product {
  const currency = patch.currency ?? setting.currency;
  const createdAt = setting.now.toISOString();
  const blank = blankProduct({ id, sku: patch.sku, title, currency, createdAt });
  const product = patched(blank, patch, pricesOf(patch, currency));
  if (product.ourPriceCents !== null) product.ourPriceUpdatedAt = createdAt;
  return product;
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

/** Returns null if the joined attributes exceed the limits of a product. */
function joinedAttributes(
  before: Product["attributes"],
  named: Product["attributes"],
): Product["attributes"] | null {
  const joined = Object.entries({ ...before, ...named }).filter(([, value]) => value !== "");
  return Attributes.safeParse(Object.fromEntries(joined)).data ?? null;
}

function lostAttributes({ attributes }: Product, named: RecordPatch["attributes"]): RecordNote[] {
  const lost = Object.entries(named ?? {}).flatMap(([name, value]) =>
    (attributes[name] ?? "") === value ? [] : [name]
  );
  if (lost.length === 0) return [];
  const message = `The product has no room for ${lost.length} attributes of the file`;
  return [warning("too_long", message, shortened(lost.join(", ")))];
}

function pricesOf(patch: RecordPatch, currency: string): Prices {
  const rows = rowsOf(patch, currency);
  const readIn = patch.amountsIn ?? currency;
  const feeds: Readonly<Partial<Record<AmountName, string | null>>> = readIn === currency
    ? {}
    : patch.prices?.feeds ?? {};
  const amounts: Amounts = {};
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

/** Keeps the number and changes only the minor units: 100 JPY (`100`) become 100 EUR (`10000`). */
function shifted(cents: number, from: string, to: string): number {
  if (from === to) return cents;
  const shift = exponentOf(to) - exponentOf(from);
  return shift >= 0 ? cents * 10 ** shift : Math.floor(cents / 10 ** -shift + 0.5);
}

/** If a product gets more than `PRICES_MAX` prices, surplus stored prices are dropped. */
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
