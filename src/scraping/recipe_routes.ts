/** Where shops show their prices, on the in-app interface (docs/decisions/recipes.md). */
import { manager, viewer } from "../accounts/route_access.ts";
import { done, one } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import type { ScrapeDeps } from "./page/scrape_deps.ts";
import { deleteRecipe, readRecipe, relearnRecipe, saveRecipe } from "./teaching/change_recipe.ts";
import { RecipeAnswer, SaveRecipe, Teaching, TeachRequest } from "./teaching/recipe_wire.ts";
import { teachRecipe } from "./teaching/teach_recipe.ts";

/** Reading for viewers, the rest for managers. */
export function recipeRoutes(deps: ScrapeDeps) {
  return resource("/competitors/{id}/recipe", {
    look: { people: viewer },
    change: { people: manager },
    tags: ["Scraping"],
  })
    .get("", {
      answer: one(RecipeAnswer, "The recipe, or how far learning has come"),
    }, ({ ctx, id }) => readRecipe(ctx, id))
    .post("/teach", {
      waitsForOthers: true,
      body: TeachRequest,
      answer: one(Teaching, "The place, tried on further pages; not saved yet"),
    }, ({ ctx, id, body }) => teachRecipe(ctx, deps, id, body))
    .put("", {
      body: SaveRecipe,
      answer: one(RecipeAnswer, "The recipe as it is now"),
    }, ({ ctx, id, body }) => saveRecipe(ctx, id, body))
    .post("/relearn", {
      answer: one(RecipeAnswer, "What is learned; further pages follow as they come"),
      status: 202,
    }, ({ ctx, id }) => relearnRecipe(ctx, id))
    .delete("", {
      answer: done("Forgotten with the pages that taught it"),
    }, ({ ctx, id }) => deleteRecipe(ctx, id)).routes;
}
