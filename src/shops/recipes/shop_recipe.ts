import { sha256 } from "../../base/bytes.ts";
import {
  type PageRecipe,
  placeText,
  RECIPE_SELECTORS_MAX,
  RECIPE_SOURCES,
} from "../../engine/extraction/recipe/recipe.ts";
import { z } from "@hono/zod-openapi";

const DAY_MS = 86_400_000;
/** After so many days without a page that bears it out a recipe is stale. */
export const STALE_DAYS = 30;

/** How a recipe stands: `stale` follows from the time. */
export const RECIPE_STATUSES = ["active", "drifting", "stale", "off"] as const;

export type RecipeStatus = (typeof RECIPE_STATUSES)[number];

const count = z.int().min(0);

const Selector = z.object({
  selector: z.string().max(300).optional().meta({ description: "A CSS selector" }),
  statePath: z.string().max(300).optional().meta({
    description: "In place of a selector: a value in the data of a script",
    examples: ["__NEXT_DATA__ $.props.pageProps.product.price / 100"],
  }),
  hits: count.meta({ description: "Pages on which it had a price" }),
  agreements: count.meta({ description: "Of them, those on which another source said the same" }),
  contradictions: count.meta({ description: "Of them, those where another one said otherwise" }),
});

/** What is stored of where a shop shows its prices (docs/decisions/recipes.md). */
export const StoredRecipe = z.object({
  id: z.string(),
  source: z.enum(RECIPE_SOURCES).meta({ description: "Where it comes from" }),
  status: z.enum(["active", "drifting", "off"]),
  selectors: z.array(Selector).max(RECIPE_SELECTORS_MAX).meta({
    description: "The first one that has a price decides",
  }),
  support: count.meta({ description: "Pages on which another source said what it says" }),
  hitRate: z.number().min(0).max(1).meta({
    description: "The usual share of pages on which it has a price",
  }),
  confidenceMost: z.number().min(0).max(1).meta({ description: "What it may give at most" }),
  lastConfirmedAt: z.iso.datetime().nullable().meta({
    description: "When a page last bore it out",
  }),
  taughtBy: z.string().nullable().meta({ description: "Id of the person; null when not taught" }),
  taughtFrom: z.string().nullable().meta({ description: "The page that it was taught on" }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type StoredRecipe = Readonly<z.infer<typeof StoredRecipe>>;

/** A recipe as people and programs see it. */
export const ShopRecipe = StoredRecipe.extend({
  competitorId: z.string(),
  status: z.enum(RECIPE_STATUSES).meta({
    description: "`drifting`: the shop seems to have changed; `stale`: nothing has borne it out " +
      `for ${STALE_DAYS} days; \`off\`: a shipped one that a person does not want`,
  }),
}).meta({ id: "ShopRecipe" });

export type ShopRecipe = Readonly<z.infer<typeof ShopRecipe>>;

/** Its status at a time. */
export function recipeStatus(recipe: StoredRecipe, nowMs: number): RecipeStatus {
  if (recipe.status !== "active") return recipe.status;
  const confirmedMs = Date.parse(recipe.lastConfirmedAt ?? recipe.updatedAt);
  return nowMs - confirmedMs > STALE_DAYS * DAY_MS ? "stale" : "active";
}

const TAG_BYTES = 8;

/** A short text that changes with what a recipe says of pages. */
export function recipeTag({ source, selectors, confidenceMost, isDoubted }: PageRecipe): string {
  const said = [source, selectors.map(placeText), confidenceMost, isDoubted];
  return sha256(JSON.stringify(said)).slice(0, TAG_BYTES).toHex();
}

/** What a page of the shop is read with; null where the recipe is off. */
export function pageRecipe(recipe: StoredRecipe | null, nowMs: number): PageRecipe | null {
  if (recipe === null) return null;
  const status = recipeStatus(recipe, nowMs);
  if (status === "off") return null;
  const { source, selectors, confidenceMost } = recipe;
  return { source, selectors, confidenceMost, isDoubted: status !== "active" };
}
