/**
 * Chooses the price of a page from the prices that all methods read and from the shown prices. If
 * sources agree, the confidence rises; each doubt sets an upper limit for the confidence.
 */
import { type Availability, isInStock } from "../../base/codes.ts";
import { exponentOf } from "../../base/money.ts";
import { minorOfDecimal } from "../../base/price_text.ts";
import {
  BARE_OFFER,
  isSameAmount,
  meantCurrency,
  plainDecimal,
  UNNAMED_SUBJECT,
  type WrittenAmount,
  writtenAmount,
} from "./amount.ts";
import { explicitAvailability } from "./extractors.ts";
import type { OldPrices } from "./shown/old_prices.ts";
import type { ExtractionPage } from "./page/extraction_page.ts";
import {
  doubtsAbout,
  firstNewOffer,
  isUsed,
  type JudgedOffer,
  judgeOffer,
  type OfferSources,
} from "./stated_offer.ts";
import { isSiblingOf } from "./page_product.ts";
import { DOUBTFUL, type PageStatus } from "./page_status.ts";
import {
  agree,
  inMinorUnits,
  type PricedReading,
  type Reading,
  readingOfOffer,
  readingsIn,
  withCurrencies,
} from "./reading.ts";
import { type DigestReference, isOfRecipe, type PageRecipe } from "./recipe/recipe.ts";
import type { StatePrice } from "./script_data.ts";
import {
  findByRecipe,
  outcomeOf,
  type RecipeOutcome,
  referenceOf,
  settleWithRecipe,
} from "./recipe/learn_recipe.ts";
import { agreementOf, type Settled, settlePrice } from "./settle_price.ts";
import { currencyOfPrices, has, type ShownReading } from "./shown/scored_price.ts";
import type { VariantChoice } from "./variants/choose_variant.ts";

export type Alternative = Pick<PricedReading, "method" | "price" | "currency">;

/** Amounts are in minor units of `currency`; each alternative has its own `currency`. */
export type ExtractedPrice = Readonly<ReturnType<typeof factsOf>> & {
  /** A number from 0 to 1; a confidence of 0.9 or more is high (docs/decisions/rules.md). */
  readonly confidence: number;
  readonly alternatives: readonly Alternative[];
};

export interface ExtractionFailure {
  readonly errorCode:
    | "no_price"
    | "ambiguous_price"
    | "currency_mismatch"
    | "unsupported_content"
    | Exclude<PageStatus, "priced" | "unread">;
  readonly message: string;
  readonly alternatives: readonly Alternative[];
}

export function failure(
  errorCode: ExtractionFailure["errorCode"],
  message: string,
  alternatives: readonly Alternative[] = [],
): ExtractionFailure {
  return { errorCode, message, alternatives };
}

export interface Surroundings extends OfferSources {
  /** The prices of all methods and variants, in the form that `plainDecimal` returns. */
  readonly marked: ReadonlySet<string>;
  readonly recipe: PageRecipe | null;
  readonly stateOf: () => readonly StatePrice[];
}

export interface Lesson {
  readonly reference: DigestReference | null;
  readonly outcome: RecipeOutcome | null;
}

const NO_LESSON: Lesson = { reference: null, outcome: null };

/** `reading` is null if no price was found, or if shown text or a recipe gave the price. */
export function reconcileReadings(around: Surroundings) {
  const { page } = around;
  const readings = readingsIn(around.methods);
  const wanted = page.extractor.currency ?? null;
  const named = withCurrencies(readings, around);
  const filled = named.map((one) => ({ ...one, currency: one.currency ?? around.currency }));
  const priced = filled.flatMap(inMinorUnits);
  const first = priced.find(({ currency }) => wanted === null || currency === wanted) ?? null;
  const alternatives = (taken: PricedReading | null) =>
    priced.filter((reading) => reading !== taken)
      .map(({ method, price, currency }) => ({ method, price, currency }));
  const none = (
    [code, message]: readonly [ExtractionFailure["errorCode"], string],
    why: string | null = message,
    lesson = NO_LESSON,
  ) => {
    const result = failure(code, message, alternatives(null));
    return { result, reading: null, stated: null, why, lesson };
  };
  if (!first && priced.length > 0) {
    const message = `The page has a price in ${priced[0]?.currency}, not in ${wanted}`;
    return none(["currency_mismatch", message]);
  }
  const others = filled.filter(({ method }) => method !== first?.method);
  const agreement = first && agreementOf(first, others, doubtsOf(first, around, named));
  const { settled, lesson } = settledBy(first, agreement?.confidence ?? 0, around);
  if (settled.taken === "none") {
    const { reason, why } = settled;
    if (first) {
      return none([reason, reason === "no_price" ? noSale(why) : UNDECIDED], why, lesson);
    }
    return readings.length > 0
      ? none(["ambiguous_price", UNNAMED_CURRENCY])
      : none(whyNone(around, reason), null, lesson);
  }
  const found = settled.taken === "marked"
    ? first
    : shownPrice(settled.price, settled.method ?? "shown", first, around);
  if (!found) return none(["ambiguous_price", NO_CURRENCY], settled.why, lesson);
  if (isSiblingOf([found.subject, found.offer], around.wanted)) {
    return none(OF_SERIES, settled.why, lesson);
  }
  const offer = soldNew(found, first, filled, around);
  const { taken, judged: { veto, stated } } = offer;
  if (veto?.isNone) return none(["no_price", noSale(veto.why)], settled.why, lesson);
  const reading = taken === first ? first : null;
  const isConfirmed = isPointedAt(first, page) || isOfRecipe(taken.method) ||
    lesson.outcome?.kind === "agrees";
  const doubts = [
    ...(taken === found ? [] : [{ most: DOUBTFUL, why: "the page sells a used one first" }]),
    ...doubtsAbout(offer, others, isConfirmed, around),
  ];
  const result: ExtractedPrice = {
    ...factsOf(offer, others, page),
    confidence: Math.min(settled.confidence, ...doubts.map(({ most }) => most)),
    alternatives: alternatives(reading),
  };
  const why = [agreement?.why, settled.why, ...doubts.map(({ why }) => why)].filter(Boolean);
  return { result, reading, stated, why: `${taken.method} decides: ${why.join(", ")}`, lesson };
}

function factsOf(
  { taken, judged }: ReturnType<typeof soldNew>,
  others: readonly Reading[],
  page: ExtractionPage,
) {
  const availability = explicitAvailability(page) ?? judged.availability;
  return {
    price: judged.price,
    currency: taken.currency,
    availability,
    inStock: isInStock(availability),
    lowest30: minorIn(judged.old.lowest30, taken),
    /** Shipping cost; 0 means free shipping. */
    shipping: shippingOf(taken),
    method: taken.method,
    /** The old or recommended price that the shop states; null unless it is above `price`. */
    listPrice: listPriceOf(taken, others, judged.old),
  };
}

function soldNew(
  found: PricedReading,
  first: PricedReading | null,
  filled: readonly Reading[],
  around: Surroundings,
) {
  const judged = judgedOf(found, first, filled, around);
  const isAsked = !isPointedAt(first, around.page) && !isOfRecipe(found.method) &&
    isUsed(found, judged, around);
  const offer = isAsked ? firstNewOffer(around) : null;
  const taken = offer && shownPrice(offer, "shown", found, around);
  return taken
    ? { taken, judged: judgedOf(taken, first, filled, around) }
    : { taken: found, judged };
}

function judgedOf(
  taken: PricedReading,
  first: PricedReading | null,
  filled: readonly Reading[],
  around: Surroundings,
): JudgedOffer {
  const marked = availabilityOf(taken, filled);
  const stock = marked === "unknown" ? stockOfVariant(around.variant, taken) : marked;
  return judgeOffer(taken, stock, isPointedAt(first, around.page), around);
}

function noSale(why: string): string {
  return `The page has an amount that is not a sale price: ${why}`;
}

const OF_SERIES = ["other_product", "The article has another number of our series"] as const;
const UNNAMED_CURRENCY =
  "The page has a price without a currency: set the currency of the extractor";
const UNDECIDED = "Several prices are possible: set a price selector";
const UNCLEAR_AMOUNT =
  "The price on the page can be read in two ways: set the currency or the locale of the extractor";
const SEVERAL_PRICES =
  "The markup of the page has no price, and the page shows several possible prices";
const NO_CURRENCY =
  "The page has a price, but does not say in which currency: set the currency of the extractor";

function isPointedAt(first: PricedReading | null, { extractor }: ExtractionPage): boolean {
  return first?.method === "extractor" || Boolean(extractor.priceSelector || extractor.jsonPath);
}

function settledBy(
  first: PricedReading | null,
  confidence: number,
  around: Surroundings,
): { readonly settled: Settled; readonly lesson: Lesson } {
  const { page, shown, marked, recipe, stateOf, variant } = around;
  const isPointed = isPointedAt(first, page);
  if (first && (isPointed || shown === null)) {
    return { settled: { taken: "marked", confidence, why: "" }, lesson: NO_LESSON };
  }
  const seen = shown === null || isPointed ? NOTHING_SHOWN : shown;
  const chosen = variant?.chosen && plainDecimal(variant.chosen.amount.decimal);
  const isChosen = first !== null && chosen === plainDecimal(first.decimal);
  const settled = settlePrice(
    first && { ...first, confidence, others: isChosen ? variant?.amounts : undefined },
    seen,
    marked,
  );
  if (isPointed) return { settled, lesson: NO_LESSON };
  const own = first && writtenAmount(first);
  const reference = referenceOf(settled, own, seen);
  if (recipe === null) return { settled, lesson: { reference, outcome: null } };
  const find = findByRecipe(recipe, seen, stateOf);
  return {
    settled: settleWithRecipe(settled, own, recipe, find),
    lesson: { reference, outcome: outcomeOf(find, reference) },
  };
}

function stockOfVariant(variant: VariantChoice | null, { decimal }: Reading): Availability {
  const [one, ...others] =
    variant?.left.filter(({ amount }) => plainDecimal(amount.decimal) === plainDecimal(decimal)) ??
      [];
  return one && others.length === 0 ? one.availability : "unknown";
}

const NOTHING_SHOWN: ShownReading = { prices: [], isSure: false };

function shownPrice(
  amount: WrittenAmount,
  method: "shown" | "recipe" | "taught",
  first: PricedReading | null,
  { page, shown, currency: assumed, identity }: Surroundings,
): PricedReading | null {
  const wanted = page.extractor.currency ?? null;
  const around = currencyOfPrices(shown?.prices ?? []);
  const hints = [wanted, first?.currency ?? null, assumed, identity.currency, around];
  const currency = meantCurrency(amount.codes, hints);
  if (wanted !== null && currency !== wanted) return null;
  const [reading = null] = inMinorUnits(readingOfOffer(method, {
    ...BARE_OFFER,
    subject: UNNAMED_SUBJECT,
    amount: { decimal: amount.decimal, currency, isSure: true },
  }));
  return reading;
}

function whyNone(
  { methods, page: { html, extractor } }: Surroundings,
  reason: "no_price" | "ambiguous_price",
): readonly [typeof reason, string] {
  const outcomes = methods.map(({ outcome }) => outcome);
  if (outcomes.some((outcome) => "reason" in outcome && outcome.reason === "ambiguous_price")) {
    return ["ambiguous_price", UNCLEAR_AMOUNT];
  }
  if (reason === "ambiguous_price") return [reason, SEVERAL_PRICES];
  if (extractor.priceSelector || extractor.jsonPath) {
    return [reason, "The extractor finds no price on the page, and its markup has none"];
  }
  const message = html
    ? "The markup of the page has no price: set a price selector for it"
    : "The answer is JSON without schema.org markup: set a JSON path for it";
  return [reason, message];
}

function doubtsOf(first: PricedReading, { page, shown }: Surroundings, named: readonly Reading[]) {
  const { html, extractor } = page;
  const isPointed = Boolean(html ? extractor.priceSelector : extractor.jsonPath);
  const isAssumed = !extractor.currency &&
    named.every(({ method, currency }) => method !== first.method || currency === null);
  return [
    ...(isPointed && first.method !== "extractor" ? ["the extractor finds nothing"] : []),
    ...(isAssumed ? ["the page names no currency"] : []),
    ...(shown && isOld(first, shown) ? ["the page shows it struck out"] : []),
  ];
}

function isOld(first: PricedReading, { prices }: ShownReading): boolean {
  const amount = writtenAmount(first);
  const places = prices.filter((price) => isSameAmount(price, amount));
  return places.length > 0 && places.length < prices.length &&
    places.every((price) => has(price, "struck", "old"));
}

function availabilityOf(first: Reading, others: readonly Reading[]): Availability {
  const ranked = [first, ...others.filter((other) => agree(first, other)), ...others];
  return ranked.find(({ availability }) => availability !== "unknown")?.availability ?? "unknown";
}

function listPriceOf(first: PricedReading, others: readonly Reading[], { was }: OldPrices) {
  const fellows = [first, ...others.filter((other) => agree(first, other))];
  return [...fellows.map(({ listPrice }) => listPrice), was]
    .map((decimal) => minorIn(decimal, first) ?? 0).find((price) => price > first.price) ?? null;
}

function minorIn(decimal: string | null, { currency }: PricedReading): number | null {
  return decimal === null ? null : minorOfDecimal(decimal, exponentOf(currency));
}

/** Null for shipping in another currency, because an observation stores only one currency. */
function shippingOf({ shipping, currency }: PricedReading): number | null {
  if (shipping === null || (shipping.currency ?? currency) !== currency) return null;
  return minorOfDecimal(shipping.decimal, exponentOf(currency));
}
