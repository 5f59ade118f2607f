import type { Competitor } from "../../shops/competitor.ts";
import { findLessons } from "../../shops/recipes/recipe_store.ts";
import { lessonsOf, wantsPage } from "../../shops/recipes/shop_lessons.ts";
import { pageRecipe } from "../../shops/recipes/shop_recipe.ts";
import type { Context } from "../../platform/store/context.ts";
import type { PageLearning } from "./page_lesson.ts";

/** What is known of where a shop shows its prices, and whether it is to be known better. */
export async function learningOf(
  ctx: Pick<Context, "store" | "workspaceId" | "now">,
  { id, domain }: Competitor,
): Promise<PageLearning> {
  const nowMs = ctx.now().getTime();
  const stored = await findLessons(ctx, id);
  const lessons = lessonsOf(stored.lessons, domain, nowMs);
  const recipe = pageRecipe(lessons.recipe, nowMs);
  return { recipe, isLearning: wantsPage(lessons, nowMs), wanted: null };
}
