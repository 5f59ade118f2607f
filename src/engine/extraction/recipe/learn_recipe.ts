/**
 * Learns where a shop's pages show the price, from digests (short extracts) of these pages. A place
 * is accepted if its price differs between pages and other methods find the same prices. If another
 * method also found a price, the recipe changes only the confidence of that price.
 */
import { isSameAmount, type WrittenAmount } from "../amount.ts";
import {
  type DigestReference,
  inPageOrder,
  type PageDigest,
  type PageRecipe,
  PlaceSelectors,
  placeText,
  type PricePlace,
  RECIPE_SELECTORS_MAX,
  type RecipeSelector,
  stateAmount,
} from "./recipe.ts";
import { HIGH_CONFIDENCE } from "../../../base/codes.ts";
import { CONTRADICTED, DOUBTFUL } from "../page_status.ts";
import type { Settled } from "../settle_price.ts";
import { isOldBeside } from "../shown/old_prices.ts";
import { type ScoredPrice, type ShownReading, WELL_SHOWN } from "../shown/scored_price.ts";
import type { StatePrice } from "../script_data.ts";

export interface LearningPage {
  readonly digest: PageDigest;
  /** Our price in major units of the page's currency; null if it is unknown. */
  readonly ownPrice: number | null;
}

export type LearnedRecipe = NonNullable<ReturnType<typeof learnRecipe>>;

export const PAGES_NEEDED = 3;
const AGREEMENTS_MIN = 3;
const AGREEMENT_SHARE_MIN = 0.85;
const DISTINCT_MIN = 2;
const DISTINCT_SHARE_MIN = 1 / 3;
const SCORE_MEAN_MIN = 1;
const MEASURED_MIN = 5;
const VARIANCE_MAX = 0.12;
const MEASURED = 0.9;
const UNMEASURED = 0.7;

export function learnRecipe(pages: readonly LearningPage[]) {
  const accepted = countPlaces(pages).filter(isAccepted);
  const ranked = accepted.toSorted((a, b) => rankOf(b) - rankOf(a) || a.order - b.order);
  const kept = coveringMost(ranked);
  if (kept.length === 0) return null;
  const selectors = kept.map(selectorOf);
  const confirmed = pages.filter((page) => {
    const price = priceOn(page, selectors);
    const { reference } = page.digest;
    return price && reference && isSameAmount(price, reference);
  });
  return {
    selectors,
    /** Number of pages on which other methods found the recipe's price. */
    support: confirmed.length,
    hitRate: hitRateOn(selectors, pages),
    confidenceMost: isMeasured(confirmed) ? MEASURED : UNMEASURED,
  };
}

export function countedOn(places: readonly PricePlace[], pages: readonly LearningPage[]) {
  const counted = new Map(countPlaces(pages).map((one) => [placeText(one.place), one]));
  return places.map((one) => selectorOf(counted.get(placeText(one)) ?? blankCounters(one, 0)));
}

function selectorOf({ place, hits, agreements, contradictions }: Counters): RecipeSelector {
  return { ...place, hits, agreements, contradictions };
}

export function hitRateOn(selectors: readonly RecipeSelector[], pages: readonly LearningPage[]) {
  const hits = pages.filter((page) => priceOn(page, selectors) !== null).length;
  return pages.length === 0 ? 0 : hits / pages.length;
}

/** Returns where the page has `amount`: selectors, the most exact first, then a script path. */
export function taughtBy(digest: PageDigest, amount: WrittenAmount): readonly PricePlace[] {
  const finds = digest.finds.filter(({ at }) => {
    const price = digest.prices[at];
    return price !== undefined && isSameAmount(price, amount);
  }).toSorted((a, b) => a.amounts - b.amounts);
  const shown = finds.flatMap(({ selector }) => selector === undefined ? [] : [{ selector }]);
  const held = finds.flatMap(({ statePath }) => statePath === undefined ? [] : [{ statePath }]);
  return [...shown.slice(0, RECIPE_SELECTORS_MAX - Math.min(held.length, 1)), ...held.slice(0, 1)];
}

function priceOn(
  { digest: { finds, prices } }: LearningPage,
  selectors: readonly RecipeSelector[],
) {
  for (const place of selectors) {
    const find = finds.find((one) => placeText(one) === placeText(place));
    const price = find && prices[find.at];
    if (price) return price;
  }
  return null;
}

function countPlaces(pages: readonly LearningPage[]): Counters[] {
  const counted = new Map<string, Counters>();
  for (const [n, { digest: { reference, prices, finds } }] of pages.entries()) {
    for (const { at, amounts, selector, statePath } of finds) {
      const price = prices[at];
      if (!price) continue;
      const place = selector === undefined ? { statePath } : { selector };
      const blank = () => blankCounters(place, counted.size);
      const counters = counted.getOrInsertComputed(placeText(place), blank);
      counters.hits += 1;
      counters.scores += price.score;
      counters.uniqueness += 1 / amounts;
      counters.amounts.add(price.decimal);
      counters.pages.add(n);
      if (reference === null) continue;
      if (isSameAmount(price, reference)) counters.agreements += 1;
      else counters.contradictions += 1;
    }
  }
  return [...counted.values()];
}

type Counters = ReturnType<typeof blankCounters>;

function blankCounters(place: PricePlace, order: number) {
  const counts = { hits: 0, agreements: 0, contradictions: 0, scores: 0, uniqueness: 0 };
  return { place, order, ...counts, amounts: new Set<string>(), pages: new Set<number>() };
}

function isAccepted({ hits, agreements, contradictions, scores, amounts }: Counters): boolean {
  return hits >= PAGES_NEEDED && agreements >= AGREEMENTS_MIN &&
    agreements >= AGREEMENT_SHARE_MIN * (agreements + contradictions) &&
    amounts.size >= Math.max(DISTINCT_MIN, DISTINCT_SHARE_MIN * hits) &&
    scores >= SCORE_MEAN_MIN * hits;
}

function coveringMost(ranked: readonly Counters[]): readonly Counters[] {
  const covered = new Set<number>();
  const further = new Set<Counters>();
  for (const counters of ranked) {
    if (counters.pages.isSubsetOf(covered)) continue;
    for (const page of counters.pages) covered.add(page);
    further.add(counters);
  }
  const chosen = [...further, ...ranked.filter((counters) => !further.has(counters))]
    .slice(0, RECIPE_SELECTORS_MAX);
  return ranked.filter((counters) => chosen.includes(counters));
}

function rankOf({ agreements, contradictions, hits, uniqueness }: Counters): number {
  return agreements / (agreements + contradictions) * hits * (uniqueness / hits);
}

/**
 * True if the markup confirms at least 3 prices, or if at least 5 prices have similar ratios to our
 * own prices of the products.
 */
function isMeasured(confirmed: readonly LearningPage[]): boolean {
  const marked = confirmed.filter(({ digest }) => digest.reference?.isMarked).length;
  if (marked >= AGREEMENTS_MIN) return true;
  const ratios = confirmed.flatMap(({ digest: { reference }, ownPrice }) =>
    reference !== null && ownPrice !== null && ownPrice > 0
      ? [Math.log(Number(reference.decimal) / ownPrice)]
      : []
  );
  return ratios.length >= MEASURED_MIN && varianceOf(ratios) <= VARIANCE_MAX;
}

function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}

/** Results of a recipe on the last 20 pages, the newest last: one letter of `LETTERS` per page. */
type OutcomeWindow = string;

const WINDOW_PAGES = 20;
const SHORT_PAGES = 10;
const CLEAN_MAX = 2;
const HIT_SHARE_MIN = 0.6;
const CONTRADICTIONS_MIN = 3;
const LETTERS = { agrees: "a", contradicts: "c", alone: "h", misses: "m" } as const;

export function withOutcome(window: OutcomeWindow, kind: RecipeOutcome["kind"]): OutcomeWindow {
  return (window + LETTERS[kind]).slice(-WINDOW_PAGES);
}

export function isDrifting(window: OutcomeWindow, usualHitRate: number): boolean {
  const short = window.slice(-SHORT_PAGES);
  if (countOf(short, "c") >= CONTRADICTIONS_MIN) return true;
  if (short.length < SHORT_PAGES) return false;
  return [window, short].some((pages) => {
    const hits = pages.length - countOf(pages, "m");
    return hits / pages.length < HIT_SHARE_MIN * usualHitRate;
  });
}

export function isSteady(window: OutcomeWindow): boolean {
  const before = window.slice(-WINDOW_PAGES, -SHORT_PAGES);
  return isClean(window.slice(-SHORT_PAGES)) ||
    (before.length === SHORT_PAGES && !isClean(before));
}

function isClean(window: OutcomeWindow): boolean {
  return countOf(window, "m") + countOf(window, "c") <= CLEAN_MAX;
}

function countOf(window: OutcomeWindow, letter: string): number {
  return window.split(letter).length - 1;
}

interface RecipeFind {
  readonly price: Pick<ScoredPrice, "decimal" | "codes" | "score" | "text">;
  readonly by: RecipeSelector;
}

export interface RecipeOutcome {
  /** `alone`: no other method found a reliable price. `misses`: the recipe found no price. */
  readonly kind: "agrees" | "contradicts" | "alone" | "misses";
  readonly find: (RecipeFind["price"] & { readonly place: string }) | null;
}

const IGNORED_BELOW = -1.5;
const GOOD_SCORE = 1;
const PROVEN_SHARE_MIN = 0.9;
const REFERENCE_LEAD_POINTS_MIN = 1;

export function findByRecipe(
  { selectors }: PageRecipe,
  { prices }: ShownReading,
  stateOf: () => readonly StatePrice[],
): RecipeFind | null {
  if (selectors.length === 0) return null;
  const places = new PlaceSelectors();
  const current = inPageOrder(prices).filter((price) => !isOldBeside(price, prices));
  for (const by of selectors) {
    const { selector, statePath } = by;
    const price = selector === undefined
      ? heldAt(statePath, stateOf(), prices)
      : current.find(({ whole }) => places.of(whole).includes(selector));
    if (price) return price.score < IGNORED_BELOW ? null : { price, by };
  }
  return null;
}

function heldAt(
  path: string | undefined,
  state: readonly StatePrice[],
  shown: readonly ScoredPrice[],
): RecipeFind["price"] | null {
  const held = state.find(({ statePath }) => statePath === path);
  const places = shown.filter((price) => held && isSameAmount(price, held));
  if (places.length > 0 && places.every((price) => isOldBeside(price, shown))) return null;
  return held ? { ...stateAmount(held, shown), text: held.text } : null;
}

export function referenceOf(
  settled: Settled,
  marked: WrittenAmount | null,
  { prices, isSure }: ShownReading,
): DigestReference | null {
  if (settled.taken === "marked" && marked !== null && settled.confidence >= HIGH_CONFIDENCE) {
    return { ...marked, isMarked: true };
  }
  const [best] = prices;
  if (!best) return null;
  const rival = prices.find((price) => !isSameAmount(price, best));
  const isAhead = best.score >= WELL_SHOWN &&
    (rival === undefined || best.score - rival.score >= REFERENCE_LEAD_POINTS_MIN);
  if (!isSure && !isAhead) return null;
  return { decimal: best.decimal, codes: best.codes, isMarked: false };
}

export function outcomeOf(
  find: RecipeFind | null,
  reference: DigestReference | null,
): RecipeOutcome {
  if (find === null) return { kind: "misses", find: null };
  const { price: { decimal, codes, text, score }, by } = find;
  const compared = reference && (isSameAmount(find.price, reference) ? "agrees" : "contradicts");
  return {
    kind: compared ?? "alone",
    find: { place: placeText(by), decimal, codes, text, score },
  };
}

export function settleWithRecipe(
  settled: Settled,
  marked: WrittenAmount | null,
  recipe: PageRecipe,
  find: RecipeFind | null,
): Settled {
  if (find === null) return settled;
  const most = recipe.isDoubted ? Math.min(recipe.confidenceMost, DOUBTFUL) : recipe.confidenceMost;
  if (settled.taken === "none") return alone(recipe, find, most);
  const taken = settled.taken === "shown" ? settled.price : marked;
  if (taken && isSameAmount(taken, find.price)) {
    const confidence = Math.max(settled.confidence, Math.min(HIGH_CONFIDENCE, most));
    return { ...settled, confidence, why: `${settled.why}, the recipe of the shop agrees` };
  }
  if (recipe.isDoubted) return settled;
  const confidence = Math.min(settled.confidence, CONTRADICTED);
  return { ...settled, confidence, why: `${settled.why}, the recipe of the shop disagrees` };
}

function alone(recipe: PageRecipe, { price, by }: RecipeFind, most: number): Settled {
  const { agreements, contradictions } = by;
  const isProven = agreements >= AGREEMENTS_MIN &&
    agreements >= PROVEN_SHARE_MIN * (agreements + contradictions);
  const confidence = isProven && price.score >= GOOD_SCORE ? HIGH_CONFIDENCE : DOUBTFUL;
  return {
    taken: "shown",
    method: recipe.source === "taught" ? "taught" : "recipe",
    price,
    confidence: Math.min(confidence, most),
    why: `where the recipe of the shop has it: ${placeText(by)}`,
  };
}
