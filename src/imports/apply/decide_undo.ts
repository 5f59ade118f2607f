/**
 * What taking an import back does to one product: plain functions, asked by the rehearsal and by the
 * real thing alike. A field goes back if and only if it still is what the import wrote.
 */
import { monthOf } from "../../base/month.ts";
import { type Product, stampChange, type TierPrice } from "../../catalogue/products/product.ts";
import { Attributes } from "../../catalogue/products/product_fields.ts";
import { changeOf, isSameDay, type SalesChange } from "../../catalogue/sales/change_sales.ts";
import type { SoldDay } from "../../catalogue/sales/sale.ts";
import { unpackMonth } from "../../catalogue/sales/sales_row.ts";
import type { Match } from "../../shops/matches/match.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { byPlace, PRICES_MAX } from "../records/price_rows.ts";
import {
  AMOUNT_FIELDS,
  type FieldStep,
  isSameValue,
  priceKey,
  type PriceStep,
  soldDayOf,
  type UndoEntry,
  valueOf,
} from "../state/undo_entry.ts";
import { deletedProduct } from "./decide_record.ts";

/** Something that stays as it is now, because it is no longer what the import wrote. */
export interface Kept {
  readonly code: "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link";
  /** As it is named on read; null for the product itself. */
  readonly field: string | null;
  /** What it is now. */
  readonly value: string | null;
}

/** A match that goes again, or is switched back. */
export interface LinkReturn {
  readonly match: Match;
  /** Null: the import made it, so it goes. */
  readonly isOn: boolean | null;
}

/** What is there now of the product of an entry. */
export interface UndoState {
  readonly product: Product;
  readonly offers: readonly Offer[];
  /** The matches that the entry names, and for a new product all that it has. */
  readonly matches: ReadonlyMap<string, Match>;
  /** The rows of the months that the entry names, where there are any. */
  readonly sales: ReadonlyMap<number, Uint8Array>;
}

/** When the import worked. */
export interface ImportSpan {
  readonly beganAt: string;
  readonly endedAt: string;
}

export interface UndoOutcome {
  /** Null where the product itself stays as it is. */
  readonly after: Product | null;
  readonly deed: "setBack" | "deleted" | "restored" | null;
  readonly links: readonly LinkReturn[];
  /** What becomes of what is known to have been sold. */
  readonly sales: readonly SalesChange[];
  readonly kept: readonly Kept[];
}

const NOTHING: UndoOutcome = { after: null, deed: null, links: [], sales: [], kept: [] };

/** `now` is for the times of what is written; `keepsPrice`: who asks may not set the former own price. */
export function decideUndo(
  entry: UndoEntry,
  state: UndoState,
  span: ImportSpan,
  now: Date,
  keepsPrice = false,
): UndoOutcome {
  switch (entry.kind) {
    case "inserted":
      return undoInserted(entry, state, span, now);
    case "deleted":
      return undoDeleted(entry, state, now);
    case "changed":
      return withSales(
        entry,
        state,
        withLinks(entry, state, undoChanged(entry, state, now, keepsPrice)),
      );
    case "links":
      // The rest of a new product that stays: it stays with it.
      return isNew(state.product, span)
        ? NOTHING
        : withSales(entry, state, withLinks(entry, state, NOTHING));
  }
}

/** A new product of which somebody has made more stays, with all that it has. */
function undoInserted(
  entry: UndoEntry,
  state: UndoState,
  span: ImportSpan,
  now: Date,
): UndoOutcome {
  const { product } = state;
  if (product.deletedAt !== null) return NOTHING;
  const isUntouched = isAsLeft(entry, product) &&
    state.offers.every(({ matchId }) => isOwn(state.matches.get(matchId), span));
  if (!isUntouched) return { ...NOTHING, kept: [KEPT_PRODUCT] };
  const { links } = withLinks(entry, state, NOTHING);
  const { sales } = withSales(entry, state, NOTHING);
  return { after: deletedProduct(product, now), deed: "deleted", links, sales, kept: [] };
}

/** True for what the import made and nobody has changed, and for what sightings of prices brought. */
function isOwn(match: Match | undefined, { beganAt, endedAt }: ImportSpan): boolean {
  if (match === undefined || match.source === "manual") return false;
  if (match.updatedAt !== match.createdAt) return false;
  return match.source === "push" || (match.createdAt >= beganAt && match.createdAt <= endedAt);
}

function isNew({ createdAt, deletedAt }: Product, { beganAt }: ImportSpan): boolean {
  return deletedAt === null && createdAt >= beganAt;
}

function isAsLeft({ atMs }: UndoEntry, { updatedAt }: Product): boolean {
  return Date.parse(updatedAt) === atMs;
}

const KEPT_PRODUCT: Kept = { code: "kept_product", field: null, value: null };

function undoDeleted({ atMs }: UndoEntry, { product }: UndoState, now: Date): UndoOutcome {
  if (product.deletedAt === null) return NOTHING;
  if (Date.parse(product.deletedAt) !== atMs) return { ...NOTHING, kept: [KEPT_PRODUCT] };
  const after = { ...stampChange(product, product, now), deletedAt: null };
  return { ...NOTHING, after, deed: "restored" };
}

function undoChanged(
  entry: UndoEntry,
  { product }: UndoState,
  now: Date,
  keepsPrice: boolean,
): UndoOutcome {
  const draft: Draft = { product, keepsPrice, kept: [] };
  undoFields(draft, entry);
  // One of them is the row of the own price.
  if (!keepsPrice) undoPrices(draft, entry.prices);
  undoAttributes(draft, entry);
  const isChanged = draft.product !== product;
  const set = isChanged ? stampChange(product, draft.product, now) : null;
  const { kept } = draft;
  // The import had made a deleted product active.
  const isRevived = entry.fields.some(([field]) => field === "deletedAt");
  if (isRevived && product.deletedAt === null) {
    if (isAsLeft(entry, product)) {
      const after = deletedProduct(set ?? product, now);
      return { ...NOTHING, after, deed: "deleted", kept };
    }
    kept.push(KEPT_PRODUCT);
  }
  return { ...NOTHING, after: set, deed: set && "setBack", kept };
}

/** A product on its way back. */
interface Draft {
  product: Product;
  readonly keepsPrice: boolean;
  readonly kept: Kept[];
}

function undoFields(draft: Draft, entry: UndoEntry): void {
  const isMoney = ([field]: FieldStep) => field === "currency" || AMOUNT_FIELDS.includes(field);
  const steps = entry.fields.filter(([field]) => field !== "deletedAt");
  const money = steps.filter(isMoney);
  for (const step of steps.filter((step) => !isMoney(step))) undoField(draft, step, true);
  if (money.some(([field]) => field === "currency")) undoCurrency(draft, entry, money);
  else for (const step of money) undoField(draft, step, isAmountAsLeft(draft, entry, step));
}

/** `isAsLeft`: beyond what its value says. */
function undoField(draft: Draft, [field, from, to]: FieldStep, isAsLeft: boolean): void {
  const is = fieldOf(draft.product, field);
  if (is === from) return;
  if (draft.keepsPrice && field === "ourPriceCents") draft.kept.push(keptBound(draft.product));
  else if (is === to && isAsLeft) draft.product = { ...draft.product, [field]: from };
  else draft.kept.push(keptField(draft.product, field));
}

/** The own price counts by who set it last, every amount by the currency that it is in. */
function isAmountAsLeft(
  { product }: Draft,
  { currency, atMs }: UndoEntry,
  [field]: FieldStep,
): boolean {
  if (product.currency !== currency) return false;
  return field !== "ourPriceCents" || isPriceAsLeft(product, atMs);
}

/** Each change of the own price has a time of its own, under which the history knows it. */
function isPriceAsLeft({ ourPriceUpdatedAt }: Product, atMs: number): boolean {
  return ourPriceUpdatedAt !== null && Date.parse(ourPriceUpdatedAt) === atMs;
}

/** Currency and amounts go back together or not at all: no amount is read in another currency. */
function undoCurrency(draft: Draft, { atMs }: UndoEntry, steps: readonly FieldStep[]): void {
  const { product } = draft;
  const isBack = steps.every(([field, from]) => fieldOf(product, field) === from);
  if (isBack) return;
  const isLeft = steps.every(([field, , to]) => fieldOf(product, field) === to) &&
    (product.ourPriceCents === null || isPriceAsLeft(product, atMs));
  if (draft.keepsPrice) draft.kept.push(keptBound(product));
  else if (isLeft) {
    draft.product = {
      ...product,
      ...Object.fromEntries(steps.map(([field, from]) => [field, from])),
    };
  } else draft.kept.push(keptField(product, "currency"));
}

function fieldOf(product: Product, field: string): unknown {
  const fields: Record<string, unknown> = product;
  return fields[field];
}

function keptBound({ ourPriceCents }: Product): Kept {
  const value = ourPriceCents === null ? null : String(ourPriceCents);
  return { code: "kept_bound", field: "ourPrice", value };
}

function keptField(product: Product, field: string): Kept {
  const is = fieldOf(product, field);
  const value = is === null || is === undefined ? null : String(is);
  if (field === "ourPriceCents") return { code: "kept_price", field: "ourPrice", value };
  return { code: "kept_field", field: field.replace(/Cents$/, ""), value };
}

function undoPrices(draft: Draft, steps: readonly PriceStep[]): void {
  if (steps.length === 0) return;
  const prices = new Map(draft.product.prices.map((price) => [priceKey(price), price]));
  let isAdded = false;
  let isChanged = false;
  let isKept = false;
  for (const [tier, currency, minQty, from, to] of steps) {
    const place = { tier, currency, minQty };
    const key = priceKey(place);
    const is = valueOf(prices.get(key));
    if (isSameValue(is, from)) continue;
    const isFull = is === null && prices.size >= PRICES_MAX;
    if (!isSameValue(is, to) || isFull) isKept = true;
    else if (from === null) isChanged = prices.delete(key);
    else {
      isAdded ||= is === null;
      isChanged = true;
      prices.set(key, priceOf(place, from));
    }
  }
  if (isKept) draft.kept.push({ code: "kept_field", field: "prices", value: null });
  if (!isChanged) return;
  const after = [...prices.values()];
  draft.product = { ...draft.product, prices: isAdded ? after.sort(byPlace) : after };
}

function priceOf(
  { tier, currency, minQty }: Pick<TierPrice, "tier" | "currency" | "minQty">,
  [amountCents, validFrom]: NonNullable<PriceStep[3]>,
): TierPrice {
  return { tier, amountCents, currency, minQty, validFrom };
}

function undoAttributes(draft: Draft, { attributes: steps }: UndoEntry): void {
  if (steps.length === 0) return;
  const attributes = new Map(Object.entries(draft.product.attributes));
  let isKept = false;
  let isChanged = false;
  for (const [name, from, to] of steps) {
    const is = attributes.get(name) ?? null;
    if (is === from) continue;
    if (is !== to) isKept = true;
    else {
      isChanged = true;
      if (from === null) attributes.delete(name);
      else attributes.set(name, from);
    }
  }
  // Those of others may have taken the room since.
  const { data } = Attributes.safeParse(Object.fromEntries(attributes));
  isKept ||= data === undefined;
  if (isKept) draft.kept.push({ code: "kept_field", field: "attributes", value: null });
  if (isChanged && data) draft.product = { ...draft.product, attributes: data };
}

/** With the links of the entry, each by itself. */
function withLinks(entry: UndoEntry, state: UndoState, outcome: UndoOutcome): UndoOutcome {
  if (entry.added.length + entry.switched.length === 0) return outcome;
  const links: LinkReturn[] = [];
  const kept = [...outcome.kept];
  for (const matchId of entry.added) {
    const match = state.matches.get(matchId);
    // Somebody took it away himself.
    if (!match) continue;
    if (match.updatedAt === match.createdAt) links.push({ match, isOn: null });
    else kept.push(keptLink(match));
  }
  for (const [matchId, step] of entry.switched) {
    const match = state.matches.get(matchId);
    const isOn = step === 1;
    if (!match || match.enabled !== isOn) continue;
    // Off by a person is not off by the import.
    if (isOn || match.disabledBy === "import") links.push({ match, isOn: !isOn });
    else kept.push(keptLink(match));
  }
  return { ...outcome, links, kept };
}

function keptLink({ url }: Match): Kept {
  return { code: "kept_link", field: "competitors", value: url };
}

/** With the days of the entry, each by itself. */
function withSales(
  { productId, sold }: UndoEntry,
  { sales: rows }: UndoState,
  outcome: UndoOutcome,
): UndoOutcome {
  if (sold.length === 0) return outcome;
  const kept = [...outcome.kept];
  const sales = [...Map.groupBy(sold, ([date]) => monthOf(date))].flatMap(([month, steps]) => {
    const row = rows.get(month) ?? null;
    const known = new Map((row ? unpackMonth(month, row) : []).map((day) => [day.date, day]));
    const back = steps.flatMap(([date, from, to]): [string, SoldDay | null][] => {
      const is = known.get(date) ?? null;
      const was = soldDayOf(date, from);
      if (isSameDay(is, was)) return [];
      if (isSameDay(is, soldDayOf(date, to))) return [[date, was]];
      kept.push({ code: "kept_field", field: "units", value: `${date}: ${is?.units ?? 0}` });
      return [];
    });
    const change = changeOf({ productId, month }, row, back);
    return change ? [change] : [];
  });
  return { ...outcome, sales, kept };
}
