/**
 * Finds a page's price with a recipe, which names the place of the price on the shop's pages. If
 * another method also found a price, the recipe changes only the confidence of that price.
 */

import { HIGH_CONFIDENCE } from "../../../base/codes.ts";
import { isSameAmount, type WrittenAmount } from "../amount.ts";
import { CONTRADICTED, DOUBTFUL } from "../page_status.ts";
import type { Settled } from "../settle_price.ts";
import { isFormerBeside } from "../shown/former_prices.ts";
import { type ScoredPrice, type ShownReading, WELL_SHOWN } from "../shown/scored_price.ts";
import { type DigestReference, inPageOrder, PlaceSelectors, stateAmount } from "./page_digest.ts";
import { type PageRecipe, placeText, type RecipeSelector } from "./recipe.ts";
import type { StatePrice } from "./state_prices.ts";

interface RecipeFind {
  readonly price: Pick<ScoredPrice, "decimal" | "codes" | "score" | "text">;
  readonly by: RecipeSelector;
}

export interface RecipeOutcome {
  /**
   * With `alone`, other methods found no reliable price; with `misses`, the recipe finds no price.
   */
  readonly kind: "agrees" | "contradicts" | "alone" | "misses";
  readonly find: (RecipeFind["price"] & { readonly place: string }) | null;
}

const IGNORED_BELOW = -1.5;
const GOOD_SCORE = 1;
const AGREEMENTS_MIN = 3;
const AGREEMENT_SHARE_MIN = 0.9;
const REFERENCE_LEAD_POINTS_MIN = 1;

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
    // A place that shows a former price says nothing about the current price.
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
  const kind = reference === null
    ? "alone"
    : isSameAmount(find.price, reference)
    ? "agrees"
    : "contradicts";
  return { kind, find: { place: placeText(by), decimal, codes, text, score } };
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
