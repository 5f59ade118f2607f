/** Scores saved shop pages with a recipe that is taught on another page of the same shop. */
import { countedOn, taughtBy } from "../../../../src/engine/extraction/recipe/learn_recipe.ts";
import type { PageRecipe } from "../../../../src/engine/extraction/recipe/recipe.ts";
import { plainDecimal } from "../../../../src/engine/extraction/amount.ts";
import { extract } from "../reading_pages.ts";
import { judgedBy, type QualityOutcome, type QualityPage } from "../page_quality.ts";

/** A page that is the only one of its shop has no recipe. */
export function judgedWhenTaught(pages: readonly QualityPage[]): readonly QualityOutcome[] {
  return pages.map((page) => judgedBy(page, recipeFor(page, pages)));
}

/** Pages with a price that cannot be taught, because no selector finds the price. */
export function withoutPlace(pages: readonly QualityPage[]): readonly string[] {
  const isPlaced = (page: QualityPage) =>
    recipeFrom(page)?.selectors.some(({ selector }) => selector !== undefined) ?? false;
  return pages.filter((page) => page.price !== null && !isPlaced(page)).map(({ name }) => name);
}

function recipeFor(page: QualityPage, pages: readonly QualityPage[]): PageRecipe | null {
  const teachers = pages.filter((other) => other !== page && other.site === page.site);
  for (const teacher of teachers) {
    const recipe = recipeFrom(teacher);
    if (recipe !== null) return recipe;
  }
  return null;
}

const recipes = new WeakMap<QualityPage, PageRecipe | null>();

/** The recipe that is taught with the price that the page shows. */
function recipeFrom(page: QualityPage): PageRecipe | null {
  return recipes.getOrInsertComputed(page, learned);
}

function learned({ url, html, price }: QualityPage): PageRecipe | null {
  for (const label of price ?? []) {
    const amount = { decimal: plainDecimal(label), codes: [] };
    const { digest } = extract(html, { isLearning: true, wanted: amount.decimal }, url);
    const selectors = digest ? taughtBy(digest, amount) : [];
    if (digest === null || selectors.length === 0) continue;
    const own = { ...digest, reference: { ...amount, isMarked: false } };
    return {
      source: "taught",
      selectors: countedOn(selectors, [{ digest: own, ownPrice: null }]),
      confidenceMost: 0.9,
      isDoubted: false,
    };
  }
  return null;
}
