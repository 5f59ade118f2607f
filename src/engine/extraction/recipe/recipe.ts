/**
 * A recipe says where a shop shows its price. A recipe is learned, or taught by a person.
 */

/** Exactly one of the two fields is set. */
export interface PricePlace {
  readonly selector?: string | undefined;
  /** A value in the data of a script (`state_prices.ts`). */
  readonly statePath?: string | undefined;
}

export function placeText({ selector, statePath }: PricePlace): string {
  return selector ?? statePath ?? "";
}

export interface RecipeSelector extends PricePlace {
  /** Number of pages on which the place had a price. */
  readonly hits: number;
  readonly agreements: number;
  /** Hits on which another source gave a different price. */
  readonly contradictions: number;
}

/** In order of precedence. Only earlier versions stored recipes that were `shipped` with them. */
export const RECIPE_SOURCES = ["taught", "learned", "shipped"] as const;

export type RecipeSource = (typeof RECIPE_SOURCES)[number];

export interface PageRecipe {
  readonly source: RecipeSource;
  /** The first place that has a price on a page gives the recipe's price. */
  readonly selectors: readonly RecipeSelector[];
  /**
   * 0.7 if nothing confirms the recipe's prices, or if the recipe was saved although it failed on
   * other pages.
   */
  readonly confidenceMost: number;
  /**
   * True while the shop seems to have changed. The recipe of such a shop does not lower the
   * confidence in the prices of other methods.
   */
  readonly isDoubted: boolean;
}

export const RECIPE_SELECTORS_MAX = 6;

/** True for a generated word such as `kJxQzR` or `sxtqplk`: random case, or no vowel. */
export function isMadeWord(piece: string): boolean {
  if (piece.length < 5) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const short = parts.filter((part) => part.length <= 2).length;
  return (parts.length >= 3 && short * 2 > parts.length) || !/[aeiouy]/i.test(piece);
}

export function isOfRecipe(method: string): boolean {
  return method === "recipe" || method === "taught";
}
