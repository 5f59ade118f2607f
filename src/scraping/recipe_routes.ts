/** Where shops show their prices, on the in-app interface (docs/decisions/recipes.md). */
import { z } from "@hono/zod-openapi";
import { manager, viewer } from "../accounts/route_access.ts";
import { jsonAnswer, jsonBody, Ok, room, route } from "../platform/http/http.ts";
import type { ScrapeDeps } from "./page/scrape_deps.ts";
import { deleteRecipe, readRecipe, relearnRecipe, saveRecipe } from "./teaching/change_recipe.ts";
import { RecipeAnswer, SaveRecipe, Teaching, TeachRequest } from "./teaching/recipe_wire.ts";
import { teachRecipe } from "./teaching/teach_recipe.ts";

const tags = ["Scraping"];
const params = z.object({ id: z.string() });

const read = route({
  method: "get",
  path: "/api/competitors/{id}/recipe",
  access: viewer,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(RecipeAnswer, "The recipe, or how far learning has come") },
});

const teach = route({
  method: "post",
  path: "/api/competitors/{id}/recipe/teach",
  access: manager,
  waitsForOthers: true,
  tags,
  request: { params, body: jsonBody(TeachRequest) },
  responses: { 200: jsonAnswer(Teaching, "The place, tried on further pages; not saved yet") },
});

const save = route({
  method: "put",
  path: "/api/competitors/{id}/recipe",
  access: manager,
  tags,
  request: { params, body: jsonBody(SaveRecipe) },
  responses: { 200: jsonAnswer(RecipeAnswer, "The recipe as it is now") },
});

const relearn = route({
  method: "post",
  path: "/api/competitors/{id}/recipe/relearn",
  access: manager,
  tags,
  request: { params },
  responses: {
    202: jsonAnswer(RecipeAnswer, "What is learned; further pages follow as they come"),
  },
});

const remove = route({
  method: "delete",
  path: "/api/competitors/{id}/recipe",
  access: manager,
  tags,
  request: { params },
  responses: { 200: jsonAnswer(Ok, "Forgotten with the pages that taught it") },
});

/** Reading for viewers, the rest for managers. */
export function recipeRoutes(deps: ScrapeDeps) {
  return room()
    .openapi(read, async (c) => {
      return c.json(await readRecipe(c.var.ctx, c.req.valid("param").id), 200);
    })
    .openapi(teach, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await teachRecipe(c.var.ctx, deps, id, c.req.valid("json")), 200);
    })
    .openapi(save, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await saveRecipe(c.var.ctx, id, c.req.valid("json")), 200);
    })
    .openapi(relearn, async (c) => {
      return c.json(await relearnRecipe(c.var.ctx, c.req.valid("param").id), 202);
    })
    .openapi(remove, async (c) => {
      await deleteRecipe(c.var.ctx, c.req.valid("param").id);
      return c.json({ ok: true as const }, 200);
    });
}
