/** Applies the recipe of a shop to a page. No recipe outvotes the page. */

import { HIGH_CONFIDENCE } from "../../../base/codes.ts";
import { isSameAmount, type WrittenAmount } from "../amount.ts";
import { CONTRADICTED, DOUBTFUL, type Settled } from "../settle_price.ts";
import { isFormerBeside } from "../shown/adjacent_prices.ts";
import type { ScoredPrice, ShownReading } from "../shown/scored_price.ts";
import { type DigestReference, inPageOrder, PlaceSelectors, stateAmount } from "./page_digest.ts";
import { type PageRecipe, placeText, type RecipeSelector } from "./recipe.ts";
import type { StatePrice } from "./state_prices.ts";

export interface RecipeFind {
  readonly price: Pick<ScoredPrice, "decimal" | "codes" | "score" | "text">;
  readonly by: RecipeSelector;
}

export interface RecipeOutcome {
  /**
   * `agrees`: another source says the same; `contradicts`: it says something else; `alone`: no other
   * says anything sure; `misses`: the recipe finds nothing.
   */
  readonly kind: "agrees" | "contradicts" | "alone" | "misses";
  /** The price it found and the text of its place; null if it found nothing. */
  readonly find: (RecipeFind["price"] & { readonly place: string }) | null;
}

const IGNORED_BELOW = -1.5;
const GOOD_SCORE = 1;
const AGREEMENTS_MIN = 3;
const AGREEMENT_SHARE_MIN = 0.9;
const REFERENCE_SCORE = 2.5;
/** More than the score for being first on the page, which proves nothing. */
const REFERENCE_AHEAD = 1;

/** True for a price that only a recipe supports. */
export function isOfRecipe(method: string): boolean {
  return method === "recipe" || method === "taught";
}

/**
 * The first price of the first place that has one; null if none has, or if that price is at an
 * implausible place. Script data is read only when needed.
 */
export function findByRecipe(
  { selectors }: PageRecipe,
  { prices }: ShownReading,
  stateOf: () => readonly StatePrice[],
): RecipeFind | null {
  if (selectors.length === 0) return null;
  const places = new PlaceSelectors();
  const first = new Map<string, ScoredPrice>();
  const wanted = new Set(selectors.flatMap(({ selector }) => selector ?? []));
  for (const price of inPageOrder(prices)) {
    // A place that holds the former price of a sale says nothing of today's.
    if (isFormerBeside(price, prices)) continue;
    for (const selector of places.of(price.whole)) {
      if (wanted.has(selector) && !first.has(selector)) first.set(selector, price);
    }
  }
  for (const by of selectors) {
    const price = by.selector === undefined
      ? heldAt(by.statePath, stateOf(), prices)
      : first.get(by.selector);
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
  if (places.length > 0 && places.every((price) => isFormerBeside(price, shown))) return null;
  return held ? { ...stateAmount(held, shown), text: held.text } : null;
}

/** The price by other sources than a recipe, if sure enough to learn from; else null. */
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
  const isAhead = best.score >= REFERENCE_SCORE &&
    (rival === undefined || best.score - rival.score >= REFERENCE_AHEAD);
  if (!isSure && !isAhead) return null;
  return { decimal: best.decimal, codes: best.codes, isMarked: false };
}

/** The outcome of the recipe compared with other sources. */
export function outcomeOf(
  find: RecipeFind | null,
  reference: DigestReference | null,
): RecipeOutcome {
  if (find === null) return { kind: "misses", find: null };
  const { price: { decimal, codes, text, score }, by } = find;
  const kind = reference === null
    ? "alone"
    : isSameAmount(find.price, reference)
    ? "agrees"
    : "contradicts";
  return { kind, find: { place: placeText(by), decimal, codes, text, score } };
}

/** The price settled without a recipe, adjusted by what the recipe finds. */
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
    agreements >= AGREEMENT_SHARE_MIN * (agreements + contradictions);
  const confidence = isProven && price.score >= GOOD_SCORE ? HIGH_CONFIDENCE : DOUBTFUL;
  return {
    taken: "shown",
    method: recipe.source === "taught" ? "taught" : "recipe",
    price,
    confidence: Math.min(confidence, most),
    why: `where the recipe of the shop has it: ${placeText(by)}`,
  };
}

/** Outcomes of the last pages, a letter each, the newest last. */
export type OutcomeWindow = string;

export const WINDOW_PAGES = 20;

const SHORT_PAGES = 10;

const CLEAN_MAX = 2;

const HIT_SHARE_MIN = 0.6;

const CONTRADICTIONS_MIN = 3;

const LETTERS = { agrees: "a", contradicts: "c", alone: "h", misses: "m" } as const;

export function withOutcome(window: OutcomeWindow, kind: RecipeOutcome["kind"]): OutcomeWindow {
  return (window + LETTERS[kind]).slice(-WINDOW_PAGES);
}

/**
 * True when fewer than 60 % as many pages as usual had the price where the recipe says, of the last 20
 * or of the last 10; or when other sources said something else on 3 of the last 10.
 */
export function isDrifting(window: OutcomeWindow, usualHitRate: number): boolean {
  const short = window.slice(-SHORT_PAGES);
  if (countOf(short, "c") >= CONTRADICTIONS_MIN) return true;
  if (short.length < SHORT_PAGES) return false;
  return [window, short].some((pages) => {
    const hits = pages.length - countOf(pages, "m");
    return hits / pages.length < HIT_SHARE_MIN * usualHitRate;
  });
}

/** True if the shop seems unchanged: few of the last 10 pages failed, or no more than before. */
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
