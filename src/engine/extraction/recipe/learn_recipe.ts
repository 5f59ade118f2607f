/**
 * Learns where a shop shows its price, from digests (short extracts) of its pages. A place is
 * accepted if it has prices on several pages, if these prices are not mostly equal, and if
 * other methods find the same prices.
 */
import { isSameAmount, type WrittenAmount } from "../amount.ts";
import type { PageDigest } from "./page_digest.ts";
import { placeText, type PricePlace, RECIPE_SELECTORS_MAX, type RecipeSelector } from "./recipe.ts";
import type { RecipeOutcome } from "./use_recipe.ts";

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
    /** Number of pages on which the recipe's price was also found without the recipe. */
    support: confirmed.length,
    hitRate: hitRateOn(selectors, pages),
    confidenceMost: isMeasured(confirmed) ? MEASURED : UNMEASURED,
  };
}

export function countedOn(
  places: readonly PricePlace[],
  pages: readonly LearningPage[],
): RecipeSelector[] {
  const counted = new Map(countPlaces(pages).map((one) => [placeText(one.place), one]));
  return places.map((one) => selectorOf(counted.get(placeText(one)) ?? blankCounters(one, 0)));
}

function selectorOf({ place, hits, agreements, contradictions }: Counters): RecipeSelector {
  return { ...place, hits, agreements, contradictions };
}

export function hitRateOn(
  selectors: readonly RecipeSelector[],
  pages: readonly LearningPage[],
): number {
  const hits = pages.filter((page) => priceOn(page, selectors) !== null).length;
  return pages.length === 0 ? 0 : hits / pages.length;
}

/** Returns where the page has `amount`: selectors, the most exact first, then one script path. */
export function taughtBy(digest: PageDigest, amount: WrittenAmount): readonly PricePlace[] {
  const finds = digest.finds.filter(({ at }) => {
    const price = digest.prices[at];
    return price !== undefined && isSameAmount(price, amount);
  }).toSorted((a, b) => a.amounts - b.amounts);
  const [shown, held] = [
    finds.flatMap(({ selector }) => selector === undefined ? [] : [{ selector }]),
    finds.flatMap(({ statePath }) => statePath === undefined ? [] : [{ statePath }]),
  ];
  return [
    ...shown.slice(0, RECIPE_SELECTORS_MAX - Math.min(held.length, STATE_PATHS_TAUGHT)),
    ...held.slice(0, STATE_PATHS_TAUGHT),
  ];
}

const STATE_PATHS_TAUGHT = 1;

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
 * True if the markup of several pages confirms the prices, or if the ratio of shown prices to our
 * prices is similar on all pages. Shown prices alone may be wrong in the same way on all pages.
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

/** One letter of `LETTERS` for each of the last 20 pages read by a recipe, the newest page last. */
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
