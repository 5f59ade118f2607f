/**
 * Decides how an import is undone for one product, in pure functions. A field, price or attribute
 * gets its previous value back only if it still has the value that the import wrote.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "@hono/zod-openapi";
import { monthOf } from "../../base/time.ts";
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import { type Product, stampChange, TierPrice } from "../../catalogue/products/product.ts";
import { AMOUNT_NAMES } from "../../catalogue/products/product_field_table.ts";
import { Attributes } from "../../catalogue/products/product_fields.ts";
import {
  changeOf,
  type SalesChange,
  type SoldDay,
  unpackMonth,
} from "../../catalogue/sales/sale.ts";
import type { Match } from "../../shops/matches/match.ts";
import type { StoredOffers } from "../../shops/offers/offer_store.ts";
import { byPlace, PRICES_MAX } from "../records/price_rows.ts";
import type { UndoArgs } from "../state/import_job.ts";
import {
  isOfNewProduct,
  partOfDay,
  partsOf,
  type Step,
  type UndoEntry,
} from "../state/undo_store.ts";

export interface Kept {
  readonly code: "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link";
  readonly field: string | null;
  readonly value: string | null;
}

interface LinkReturn {
  readonly match: Match;
  /** True if the link was enabled before the import; null if the import created the link. */
  readonly isOn: boolean | null;
}

export interface UndoPlace {
  readonly product: Product;
  readonly indexRow: IndexRow;
  readonly offers: StoredOffers;
  readonly matches: ReadonlyMap<string, Match>;
  readonly sales: ReadonlyMap<number, Uint8Array>;
}

type ImportSpan = Pick<UndoArgs, "beganAt" | "endedAt">;

export interface UndoOutcome {
  readonly after: Product | null;
  readonly action: "setBack" | "deleted" | "restored" | null;
  readonly links: readonly LinkReturn[];
  readonly sales: readonly SalesChange[];
  readonly kept: readonly Kept[];
}

export const NO_OUTCOME: UndoOutcome = {
  after: null,
  action: null,
  links: [],
  sales: [],
  kept: [],
};

export function decideUndo(
  entry: UndoEntry,
  place: UndoPlace,
  span: ImportSpan,
  now: Date,
  keepsPrice = false,
): UndoOutcome {
  const { product } = place;
  const isNew = isOfNewProduct(entry);
  if (isNew && product.deletedAt !== null) return NO_OUTCOME;
  if (isNew && !isUntouched(entry, place, span)) return { ...NO_OUTCOME, kept: [KEPT_PRODUCT] };
  const isOfNew = product.deletedAt === null && product.createdAt >= span.beganAt;
  if (entry.atMs === null && isOfNew) return NO_OUTCOME;
  const kept: Kept[] = [];
  const back = partsToSetBack(entry, place, keepsPrice, kept);
  const draft = withParts(product, back, kept);
  const sales = salesToSetBack(place, back);
  const links = linksToSetBack(entry, place, kept);
  const distinct = new Map(kept.map((one) => [JSON.stringify(one), one]));
  const rest = { links, sales, kept: isNew ? [] : [...distinct.values()] };
  if (draft === product) return { ...rest, after: null, action: null };
  const after = stampChange(product, draft, now);
  if (!back.has("deletedAt")) return { ...rest, after, action: "setBack" };
  if (draft.deletedAt === null) return { ...rest, after, action: "restored" };
  return { ...rest, after: { ...after, deletedAt: after.updatedAt }, action: "deleted" };
}

function isUntouched(
  { atMs }: UndoEntry,
  { product, offers, matches }: UndoPlace,
  { beganAt, endedAt }: ImportSpan,
): boolean {
  if (Date.parse(product.updatedAt) !== atMs) return false;
  return offers.offers.every(({ matchId }) => {
    const match = matches.get(matchId);
    if (match === undefined || match.source === "manual") return false;
    if (match.updatedAt !== match.createdAt) return false;
    return match.source === "push" || (match.createdAt >= beganAt && match.createdAt <= endedAt);
  });
}

const KEPT_PRODUCT: Kept = { code: "kept_product", field: null, value: null };

function partsToSetBack(
  entry: UndoEntry,
  { product, sales }: UndoPlace,
  keepsPrice: boolean,
  kept: Kept[],
): Map<string, unknown> {
  const now = partsOf(product);
  for (const [month, row] of sales) {
    for (const day of unpackMonth(month, row)) now.set(...partOfDay(day.date, day));
  }
  const back = new Map<string, unknown>();
  for (const step of entry.steps) {
    const [part, from] = step;
    const is = now.get(part) ?? null;
    if (isDeepStrictEqual(is, from)) continue;
    if (part === "deletedAt" && from !== null && is !== null) continue;
    // If our price is not restored, the tier prices stay too: our price may be one of them.
    if (keepsPrice && part.startsWith("prices:")) continue;
    const isBound = keepsPrice && (part === "currency" || part === "ourPriceCents");
    if (isBound) kept.push({ ...keptPart("ourPriceCents", product, null), code: "kept_bound" });
    else if (isAsWritten(step, is, entry, product)) back.set(part, from);
    else kept.push(keptPart(part, product, is));
  }
  return back;
}

function isAsWritten(
  [part, , to]: Step,
  is: unknown,
  { atMs, currency }: UndoEntry,
  product: Product,
): boolean {
  if (!isDeepStrictEqual(is, to)) return false;
  const isOfImport = (time: string | null) => time !== null && Date.parse(time) === atMs;
  // The time shows whether the import set our price: a person may have set the same amount later.
  const isPriceOfImport = isOfImport(product.ourPriceUpdatedAt);
  switch (part) {
    case "deletedAt":
      return to !== null || isOfImport(product.updatedAt);
    case "currency":
      return product.ourPriceCents === null || isPriceOfImport;
    case "ourPriceCents":
      return product.currency === currency && isPriceOfImport;
    default:
      return product.currency === currency || !AMOUNT_NAMES.some((name) => name === part);
  }
}

function keptPart(part: string, product: Product, is: unknown): Kept {
  const [field = part, date] = part.split(":");
  if (field === "deletedAt") return KEPT_PRODUCT;
  const { [field]: value }: Record<string, unknown> = {
    ...product,
    prices: null,
    attributes: null,
    units: `${date}: ${Array.isArray(is) ? is[0] : 0}`,
  };
  return {
    code: field === "ourPriceCents" ? "kept_price" : "kept_field",
    field: field.replace(/Cents$/, ""),
    value: value === null || value === undefined ? null : String(value),
  };
}

const PriceValue = z.tuple([TierPrice.shape.amountCents, TierPrice.shape.validFrom]);
const DayValue = z.tuple([z.number(), z.int().nullable(), z.string().nullable()]).nullable();

function withParts(product: Product, back: ReadonlyMap<string, unknown>, kept: Kept[]): Product {
  const fields: Record<string, unknown> = {};
  for (const [part, value] of back) {
    if (part === "currency") Object.assign(fields, value);
    else if (!part.includes(":")) fields[part] = value;
  }
  const now = partsOf(product);
  const parts = new Map([...now, ...back]);
  const set = (field: "prices" | "attributes", value: unknown) => {
    if (value === undefined) kept.push(keptPart(field, product, null));
    else fields[field] = value;
  };
  const prices = keyedParts("prices", back);
  if (prices.length > 0) {
    const rows = keyedParts("prices", parts).filter(([, value]) => value !== null).map(priceOf);
    const isAdded = prices.some(([key, value]) => value !== null && !now.has(`prices:${key}`));
    if (isAdded) rows.sort(byPlace);
    set("prices", rows.length > PRICES_MAX ? undefined : rows);
  }
  if (keyedParts("attributes", back).length > 0) {
    const attributes = keyedParts("attributes", parts).filter(([, value]) => value !== null);
    set("attributes", Attributes.safeParse(Object.fromEntries(attributes)).data);
  }
  return Object.keys(fields).length === 0 ? product : { ...product, ...fields };
}

function keyedParts(
  field: "prices" | "attributes" | "units",
  parts: ReadonlyMap<string, unknown>,
): [key: string, value: unknown][] {
  return [...parts].filter(([part]) => part.startsWith(`${field}:`))
    .map(([part, value]) => [part.slice(field.length + 1), value]);
}

function priceOf([key, value]: readonly [string, unknown]): TierPrice {
  const [tier, currency, minQty]: [string | null, string, number | null] = JSON.parse(key);
  const [amountCents, validFrom] = PriceValue.parse(value);
  return { tier, amountCents, currency, minQty, validFrom };
}

function salesToSetBack(
  { product, sales }: UndoPlace,
  back: ReadonlyMap<string, unknown>,
): SalesChange[] {
  const days = keyedParts("units", back).map(([date, value]): [string, SoldDay | null] => {
    const day = DayValue.parse(value);
    return [date, day && { date, units: day[0], revenueCents: day[1], currency: day[2] }];
  });
  return [...Map.groupBy(days, ([date]) => monthOf(date))].flatMap(([month, ofMonth]) => {
    const place = { productId: product.id, month };
    return changeOf(place, sales.get(month) ?? null, ofMonth) ?? [];
  });
}

function linksToSetBack(
  { links }: UndoEntry,
  { matches }: UndoPlace,
  kept: Kept[],
): LinkReturn[] {
  return links.flatMap(([matchId, wasEnabled]) => {
    const match = matches.get(matchId);
    if (!match || match.enabled === wasEnabled) return [];
    const isAsWritten = wasEnabled === null
      ? match.updatedAt === match.createdAt
      : !wasEnabled || match.disabledBy === "import";
    if (isAsWritten) return [{ match, isOn: wasEnabled }];
    kept.push({ code: "kept_link", field: "competitors", value: match.url });
    return [];
  });
}
