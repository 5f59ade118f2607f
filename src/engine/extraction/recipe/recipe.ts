/**
 * Where a shop shows its price, learned from its pages, taught by a person, or shipped; and whether the
 * shop has changed so that its recipe no longer finds the price.
 */

/** Where a price stands on the pages of a shop: one of the two. */
export interface PricePlace {
  /** A CSS selector of the element that shows it. */
  readonly selector?: string | undefined;
  /** A value in the data of a script (`state_prices.ts`). */
  readonly statePath?: string | undefined;
}

/** The text of a place: no selector reads as the path of a value. */
export function placeText({ selector, statePath }: PricePlace): string {
  return selector ?? statePath ?? "";
}

/** How sure a place is: on how many pages it had something, and what other sources said there. */
export interface RecipeSelector extends PricePlace {
  /** Pages on which it had a price. */
  readonly hits: number;
  /** Of them, those on which another source said the same. */
  readonly agreements: number;
  /** Of them, those on which another source said something else. */
  readonly contradictions: number;
}

/** Where recipes come from, the one that a person taught first. */
export const RECIPE_SOURCES = ["taught", "learned", "shipped"] as const;

export type RecipeSource = (typeof RECIPE_SOURCES)[number];

export interface PageRecipe {
  readonly source: RecipeSource;
  /** The first one that finds something on a page decides. */
  readonly selectors: readonly RecipeSelector[];
  /** The highest confidence it may give: 0.7 where nothing measures it, or a person saved it against its trial. */
  readonly confidenceMost: number;
  /** True while the shop seems to have changed: what it says counts for less, and against nobody. */
  readonly isDoubted: boolean;
}

export const RECIPE_SELECTORS_MAX = 6;

/** `kJxQzR` and `sxtqplk`: small and large letters at random, or letters that nobody can speak. */
export function isMadeWord(piece: string): boolean {
  if (piece.length < 5) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const short = parts.filter((part) => part.length <= 2).length;
  return (parts.length >= 3 && short * 2 > parts.length) || !/[aeiouy]/i.test(piece);
}
