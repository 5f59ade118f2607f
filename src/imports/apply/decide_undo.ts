/**
 * Decides how an import is undone for one product. Pure functions for the dry run and the undo
 * itself. A field is restored only if it still has the value that the import wrote.
 */
import { monthOf } from "../../base/time.ts";
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import { type Product, stampChange, type TierPrice } from "../../catalogue/products/product.ts";
import { Attributes } from "../../catalogue/products/product_fields.ts";
import { changeOf, type SalesChange, unpackMonth } from "../../catalogue/sales/sales_store.ts";
import type { Match } from "../../shops/matches/match.ts";
import type { StoredOffers } from "../../shops/offers/offer_store.ts";
import { byPlace, PRICES_MAX } from "../records/price_rows.ts";
import type { UndoArgs } from "../state/import_job.ts";
import {
  AMOUNT_FIELDS,
  isSameValue,
  pricesByPlace,
  type PriceStep,
  type PriceValue,
  soldDayOf,
  soldValue,
  type Step,
  type UndoEntry,
} from "../state/undo_entry.ts";
import { deletedProduct } from "./decide_record.ts";

export interface Kept {
  readonly code: "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link";
  readonly field: string | null;
  readonly value: string | null;
}

export interface LinkReturn {
  readonly match: Match;
  /** Null if the import created the match. The undo then deletes it. */
  readonly isOn: boolean | null;
}

export interface UndoPlace {
  readonly product: Product;
  readonly indexRow: IndexRow;
  readonly offers: StoredOffers;
  /** The matches that the entry names; for a new product all its matches. */
  readonly matches: ReadonlyMap<string, Match>;
  /** The stored rows of the months that the entry names. */
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

const NOTHING: UndoOutcome = { after: null, action: null, links: [], sales: [], kept: [] };

/** `now` becomes the time of the changes. `keepsPrice`: the person may not set the old price. */
export function decideUndo(
  entry: UndoEntry,
  state: UndoPlace,
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
      // If a new product stays, its links and sales stay too.
      return isNew(state.product, span)
        ? NOTHING
        : withSales(entry, state, withLinks(entry, state, NOTHING));
  }
}

function undoInserted(
  entry: UndoEntry,
  state: UndoPlace,
  span: ImportSpan,
  now: Date,
): UndoOutcome {
  const { product } = state;
  if (product.deletedAt !== null) return NOTHING;
  const isUntouched = isAsLeft(entry, product) &&
    state.offers.offers.every(({ matchId }) => isOwn(state.matches.get(matchId), span));
  if (!isUntouched) return { ...NOTHING, kept: [KEPT_PRODUCT] };
  const { links } = withLinks(entry, state, NOTHING);
  const { sales } = withSales(entry, state, NOTHING);
  return { after: deletedProduct(product, now), action: "deleted", links, sales, kept: [] };
}

/** True for a match that the import or a push created and that was not changed since. */
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

function undoDeleted({ atMs }: UndoEntry, { product }: UndoPlace, now: Date): UndoOutcome {
  if (product.deletedAt === null) return NOTHING;
  if (Date.parse(product.deletedAt) !== atMs) return { ...NOTHING, kept: [KEPT_PRODUCT] };
  const after = { ...stampChange(product, product, now), deletedAt: null };
  return { ...NOTHING, after, action: "restored" };
}

function undoChanged(
  entry: UndoEntry,
  { product }: UndoPlace,
  now: Date,
  keepsPrice: boolean,
): UndoOutcome {
  const draft: Draft = { product, keepsPrice, kept: [] };
  undoFields(draft, entry);
  // One of the price rows may be that of our price.
  if (!keepsPrice && entry.prices.length > 0) undoPrices(draft, entry.prices);
  if (entry.attributes.length > 0) undoAttributes(draft, entry);
  const isChanged = draft.product !== product;
  const set = isChanged ? stampChange(product, draft.product, now) : null;
  const { kept } = draft;
  const isRevived = entry.fields.some(([field]) => field === "deletedAt");
  if (isRevived && product.deletedAt === null) {
    if (isAsLeft(entry, product)) {
      const after = deletedProduct(set ?? product, now);
      return { ...NOTHING, after, action: "deleted", kept };
    }
    kept.push(KEPT_PRODUCT);
  }
  return { ...NOTHING, after: set, action: set && "setBack", kept };
}

interface Draft {
  product: Product;
  readonly keepsPrice: boolean;
  readonly kept: Kept[];
}

/**
 * Restores values in `now` that are still as the import left them. `now` may not grow beyond
 * `sizeMax`. Returns restored values (null if removed), and the names of values that stay.
 */
function setBack<Value>(
  now: Map<string, Value>,
  steps: readonly Step<Value>[],
  sizeMax = Infinity,
): { readonly back: Map<string, Value | null>; readonly kept: readonly string[] } {
  const back = new Map<string, Value | null>();
  const kept: string[] = [];
  for (const [name, from, to] of steps) {
    const is = now.get(name) ?? null;
    if (isSameValue(is, from)) continue;
    const isFull = is === null && now.size >= sizeMax;
    if (!isSameValue(is, to) || isFull) kept.push(name);
    else {
      back.set(name, from);
      if (from === null) now.delete(name);
      else now.set(name, from);
    }
  }
  return { back, kept };
}

/** Restores fields one by one, except after a change of currency. */
function undoFields(draft: Draft, entry: UndoEntry): void {
  const steps = entry.fields.filter(([field]) => field !== "deletedAt");
  const money = steps.filter(([field]) => field === "currency" || AMOUNT_FIELDS.includes(field));
  undoSteps(draft, steps.filter((step) => !money.includes(step)));
  if (money.some(([field]) => field === "currency")) undoCurrency(draft, entry, money);
  else for (const step of money) undoAmount(draft, entry, step);
}

function undoSteps(draft: Draft, steps: readonly Step<unknown>[]): void {
  const { back, kept } = setBack(new Map(Object.entries(draft.product)), steps);
  if (back.size > 0) draft.product = { ...draft.product, ...Object.fromEntries(back) };
  draft.kept.push(...kept.map((field) => keptField(draft.product, field)));
}

/** Restored only if the currency is unchanged, and our price was not set since. */
function undoAmount(draft: Draft, entry: UndoEntry, step: Step<unknown>): void {
  const { product, keepsPrice } = draft;
  const [field, from] = step;
  const isOwn = field === "ourPriceCents";
  if (fieldOf(product, field) === from) return;
  if (isOwn && keepsPrice) draft.kept.push(keptBound(product));
  else if (product.currency === entry.currency && (!isOwn || isPriceAsLeft(product, entry))) {
    undoSteps(draft, [step]);
  } else draft.kept.push(keptField(product, field));
}

/** True if our price was not set since the import: each change of it has its own time. */
function isPriceAsLeft({ ourPriceUpdatedAt }: Product, { atMs }: UndoEntry): boolean {
  return ourPriceUpdatedAt !== null && Date.parse(ourPriceUpdatedAt) === atMs;
}

/** Currency and amounts are restored together or not at all, so that no amount changes currency. */
function undoCurrency(draft: Draft, entry: UndoEntry, steps: readonly Step<unknown>[]): void {
  const { product } = draft;
  if (steps.every(([field, from]) => fieldOf(product, field) === from)) return;
  const isLeft = steps.every(([field, , to]) => fieldOf(product, field) === to) &&
    (product.ourPriceCents === null || isPriceAsLeft(product, entry));
  if (draft.keepsPrice) draft.kept.push(keptBound(product));
  else if (isLeft) undoSteps(draft, steps);
  else draft.kept.push(keptField(product, "currency"));
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

function undoPrices(draft: Draft, stored: readonly PriceStep[]): void {
  const steps = stored.map((
    [tier, currency, minQty, from, to],
  ): Step<PriceValue> => [JSON.stringify([tier, currency, minQty]), from, to]);
  const { prices: before } = draft.product;
  const known = pricesByPlace(before);
  const rows = new Map([...known.keys()].map((place, at) => [place, before[at]]));
  const { back, kept } = setBack(known, steps, PRICES_MAX);
  if (kept.length > 0) draft.kept.push({ code: "kept_field", field: "prices", value: null });
  if (back.size === 0) return;
  const prices = [...known].map(([place, value]) =>
    back.has(place) ? priceAt(place, value) : rows.get(place) ?? priceAt(place, value)
  );
  const isAdded = [...back].some(([place, value]) => value !== null && !rows.has(place));
  draft.product = { ...draft.product, prices: isAdded ? prices.sort(byPlace) : prices };
}

function priceAt(place: string, [amountCents, validFrom]: PriceValue): TierPrice {
  const [tier, currency, minQty]: [string | null, string, number | null] = JSON.parse(place);
  return { tier, amountCents, currency, minQty, validFrom };
}

function undoAttributes(draft: Draft, { attributes: steps }: UndoEntry): void {
  const attributes = new Map(Object.entries(draft.product.attributes));
  const { back, kept } = setBack(attributes, steps);
  // Attributes added since may have used up the maximum.
  const { data } = Attributes.safeParse(Object.fromEntries(attributes));
  if (kept.length > 0 || data === undefined) {
    draft.kept.push({ code: "kept_field", field: "attributes", value: null });
  }
  if (back.size > 0 && data) draft.product = { ...draft.product, attributes: data };
}

function withLinks(entry: UndoEntry, state: UndoPlace, outcome: UndoOutcome): UndoOutcome {
  if (entry.added.length + entry.switched.length === 0) return outcome;
  const links: LinkReturn[] = [];
  const kept = [...outcome.kept];
  for (const matchId of entry.added) {
    const match = state.matches.get(matchId);
    // A person removed the match.
    if (!match) continue;
    if (match.updatedAt === match.createdAt) links.push({ match, isOn: null });
    else kept.push(keptLink(match));
  }
  for (const [matchId, step] of entry.switched) {
    const match = state.matches.get(matchId);
    const isOn = step === 1;
    if (!match || match.enabled !== isOn) continue;
    // A match that a person disabled stays disabled.
    if (isOn || match.disabledBy === "import") links.push({ match, isOn: !isOn });
    else kept.push(keptLink(match));
  }
  return { ...outcome, links, kept };
}

function keptLink({ url }: Match): Kept {
  return { code: "kept_link", field: "competitors", value: url };
}

function withSales(
  { productId, sold }: UndoEntry,
  { sales: rows }: UndoPlace,
  outcome: UndoOutcome,
): UndoOutcome {
  if (sold.length === 0) return outcome;
  const kept = [...outcome.kept];
  const sales = [...Map.groupBy(sold, ([date]) => monthOf(date))].flatMap(([month, steps]) => {
    const row = rows.get(month) ?? null;
    const known = new Map((row ? unpackMonth(month, row) : []).map((day) => [day.date, day]));
    const now = new Map(
      known.values().flatMap((day) => {
        const value = soldValue(day);
        return value ? [[day.date, value] as const] : [];
      }),
    );
    const set = setBack(now, steps);
    for (const date of set.kept) {
      const value = `${date}: ${known.get(date)?.units ?? 0}`;
      kept.push({ code: "kept_field", field: "units", value });
    }
    const days = [...set.back].map(([date, value]) => [date, soldDayOf(date, value)] as const);
    const change = changeOf({ productId, month }, row, days);
    return change ? [change] : [];
  });
  return { ...outcome, sales, kept };
}
