/** What a page is asked about the place of its price, and what it teaches. */
import type { PageDigest } from "../../engine/extraction/recipe/page_digest.ts";
import type { PageRecipe } from "../../engine/extraction/recipe/recipe.ts";
import type { RecipeOutcome } from "../../engine/extraction/recipe/use_recipe.ts";

/** What is known of where the shop shows its prices, and whether the page is to teach it. */
export interface PageLearning {
  readonly recipe: PageRecipe | null;
  readonly isLearning: boolean;
  /** An amount whose places are asked for, a plain decimal; null for none in particular. */
  readonly wanted: string | null;
}

/** What came of that. */
export interface PageLesson {
  readonly recipe: RecipeOutcome | null;
  readonly digest: PageDigest | null;
}

/** Of a page that is asked for its price alone. */
export const NOT_LEARNING: PageLearning = { recipe: null, isLearning: false, wanted: null };

/** Of a page that teaches nothing. */
export const NO_LESSON: PageLesson = { recipe: null, digest: null };
