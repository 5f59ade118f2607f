/** Visits the pages of an invented shop in order, as scrapes would, and learns its recipe. */
import type { Extraction } from "../../../../src/engine/extraction/extract_price.ts";
import type { LearningPage } from "../../../../src/engine/extraction/recipe/learn_recipe.ts";
import {
  NO_LESSONS,
  pageRecipe,
  PAGES_KEPT,
  type ShopLessons,
  wantsPage,
  withOutcomeOf,
  withPagesKept,
} from "../../../../src/shops/recipes/recipe_store.ts";
import { extract } from "../reading_pages.ts";
import type { MadePage, MadeShop } from "./made_shops.ts";

interface VisitedPage {
  readonly page: MadePage;
  readonly extraction: Extraction;
  readonly verdict: "right" | "wrong" | "none";
  readonly confidence: number;
  readonly lessons: ShopLessons;
  /** True if users are told that the shop seems to have changed. */
  readonly isNew: boolean;
}

const STEP_MS = 60_000;

/** The outcomes of all pages in order. Without `learns`, no recipe is learned. */
export function visit({ pages }: MadeShop, learns = true): readonly VisitedPage[] {
  let lessons = NO_LESSONS;
  let kept: LearningPage[] = [];
  return pages.map((page, n) => {
    const nowMs = n * STEP_MS;
    const isLearning = learns && wantsPage(lessons, nowMs);
    const options = { recipe: pageRecipe(lessons.recipe, nowMs), isLearning };
    const extraction = extract(page.html, options, page.url);
    const { result, recipe, digest } = extraction;
    const noted = recipe ? withOutcomeOf(lessons, recipe, nowMs) : { lessons, isNew: false };
    lessons = noted.lessons;
    if (digest) {
      kept = [{ digest, ownPrice: page.ownCents / 100 }, ...kept].slice(0, PAGES_KEPT);
      lessons = withPagesKept(lessons, kept, nowMs, () => "0".repeat(24));
    }
    const isRight = "price" in result && result.price === page.priceCents &&
      result.currency === "EUR";
    return {
      page,
      extraction,
      verdict: !("price" in result) ? "none" : isRight ? "right" : "wrong",
      confidence: "price" in result ? result.confidence : 0,
      lessons,
      isNew: noted.isNew,
    };
  });
}
