/** What the sandbox returns for a page: the price, or the reason why there is none. */
import type { ExplicitExtractor } from "../../engine/extraction/page/extraction_page.ts";
import { NO_FACTS, type PageFacts } from "../../engine/extraction/page_facts.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { PageDigest } from "../../engine/extraction/recipe/page_digest.ts";
import type { PageRecipe } from "../../engine/extraction/recipe/recipe.ts";
import type { RecipeOutcome } from "../../engine/extraction/recipe/use_recipe.ts";
import type { Alternative, ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";

export interface PageLearning {
  readonly recipe: PageRecipe | null;
  readonly isLearning: boolean;
  /** A decimal amount to find on the page; null for none. */
  readonly wanted: string | null;
}

export interface PageLesson {
  readonly recipe: RecipeOutcome | null;
  readonly digest: PageDigest | null;
}

/** Only the price is read: no recipe is used or learned. */
export const NOT_LEARNING: PageLearning = { recipe: null, isLearning: false, wanted: null };

export const NO_LESSON: PageLesson = { recipe: null, digest: null };

export interface ShopAnswer {
  readonly url: string;
  /** The URL before redirects. */
  readonly askedUrl: string;
  readonly status: number;
  readonly contentType: string | null;
  /** True if a header identifies the answer as a bot challenge. */
  readonly isChallenge: boolean;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly extractor: ExplicitExtractor | null;
  readonly product: WantedProduct | null;
  readonly learning: PageLearning;
  /** True to return every price with explanations. */
  readonly isThorough: boolean;
}

export type AnswerVerdict =
  | {
    readonly kind: "priced";
    readonly httpStatus: number;
    readonly found: ExtractedPrice;
    readonly facts: PageFacts;
    readonly lesson: PageLesson;
    readonly trace: readonly string[];
  }
  | {
    readonly kind: "failed";
    readonly httpStatus: number | null;
    readonly errorCode: string;
    readonly message: string;
    readonly alternatives: readonly Alternative[];
    readonly facts: PageFacts;
    readonly lesson: PageLesson;
    readonly trace: readonly string[];
  };

export function failed(
  httpStatus: number | null,
  errorCode: string,
  message: string,
  alternatives: readonly Alternative[] = [],
  facts: PageFacts = NO_FACTS,
): Extract<AnswerVerdict, { kind: "failed" }> {
  const base = { httpStatus, errorCode, message, alternatives, facts };
  return { kind: "failed", ...base, lesson: NO_LESSON, trace: [] };
}
