/** Recipes of shops in the form of the in-app interface (docs/decisions/recipes.md). */
import { currencyExponent } from "../../base/money.ts";
import type { Context } from "../../platform/store/context.ts";
import { ShopRecipe, StoredRecipe } from "../../shops/recipes/shop_lessons.ts";
import { z } from "@hono/zod-openapi";

export const RecipeAnswer = z.object({
  recipe: ShopRecipe.nullable().describe("Null: no recipe is known yet"),
  learning: z.object({
    pages: z.int().describe("Number of pages stored for learning"),
    needed: z.int().describe("Number of pages needed for learning"),
  }).describe("The progress of learning"),
}).meta({ id: "ShopRecipeAnswer" });
export type RecipeAnswer = Readonly<z.infer<typeof RecipeAnswer>>;

export const TeachRequest = z.strictObject({
  url: z.string().min(1).max(4_096).meta({
    format: "uri",
    example: "https://www.mediamarkt.de/p/1.html",
  }),
  price: z.string().min(1).max(40).nullish().meta({
    description: "The price as the page shows it; alternative to `candidateId`",
    example: "1299.95",
  }),
  candidateId: z.string().min(1).max(40).nullish()
    .describe("Id of one of the `candidates` of the page's preview"),
  currency: z.string().refine(
    (code) => currencyExponent(code) !== null,
    'Must be a currency code of ISO 4217 in upper case, such as "EUR"',
  ).nullish().meta({ example: "EUR" }),
}).meta({ id: "TeachRecipeRequest" });
export type TeachRequest = z.infer<typeof TeachRequest>;

const TRIAL_VERDICTS = ["same", "plausible", "differs", "nothing"] as const;
export type TrialVerdict = (typeof TRIAL_VERDICTS)[number];

const Verdict = z.enum(TRIAL_VERDICTS).describe(
  "`same`: another source of the page or the last known price agrees; `plausible`: nothing " +
    "contradicts it; `differs`: another source of the page has another price; `nothing`: there is " +
    "no price",
);

const cents = z.int().nullable().describe("Minor units of `currency`");

export const RecipeTrial = z.object({
  url: z.string(),
  title: z.string().nullable().describe("Title of the article on the page"),
  text: z.string().nullable().describe("The text at the place"),
  price: cents,
  currency: z.string().nullable(),
  wasPrice: cents.describe("The last known price of the page, in minor units of `currency`"),
  otherwise: z.object({
    price: z.int(),
    currency: z.string(),
    method: z.string().describe("The extraction method, as in results of runs"),
  }).nullable().describe("The price that the page has without the place; null for none"),
  errorCode: z.string().nullable().describe("Code of the reason why the page has no price"),
  verdict: Verdict,
}).meta({ id: "RecipeTrial" });
export type RecipeTrial = Readonly<z.infer<typeof RecipeTrial>>;

export const Teaching = z.object({
  token: z.string().describe("Token for saving the recipe within 15 minutes"),
  selectors: z.array(z.string()).describe(
    "CSS selectors, and values in the data of scripts; the first one with a price is used",
  ),
  tests: z.array(RecipeTrial).describe("Results of the recipe on other pages of the shop"),
  verdict: Verdict,
}).meta({ id: "RecipeTeaching" });
export type Teaching = Readonly<z.infer<typeof Teaching>>;

export const SaveRecipe = z.strictObject({
  token: z.string().min(1).max(12_000),
  force: z.boolean().default(false)
    .describe("Save the recipe although its trial failed; its prices then have a lower confidence"),
}).meta({ id: "SaveRecipeRequest" });
export type SaveRecipe = z.infer<typeof SaveRecipe>;

const Taught = z.object({
  selectors: StoredRecipe.shape.selectors,
  support: StoredRecipe.shape.support,
  hitRate: StoredRecipe.shape.hitRate,
  taughtFrom: z.string(),
  verdict: z.enum(TRIAL_VERDICTS),
});
type Taught = z.infer<typeof Taught>;

const Sealed = Taught.extend({ untilMs: z.number() });

type Sealer = Pick<Context, "cursors" | "workspaceId" | "actor" | "now">;

function scopeOf({ workspaceId, actor }: Sealer, competitorId: string): string {
  return `teaching ${workspaceId} ${competitorId} ${actor.id}`;
}

/** Only the same person can use the token, within 15 minutes. */
export function sealTeaching(ctx: Sealer, competitorId: string, taught: Taught): string {
  const untilMs = ctx.now().getTime() + 15 * 60_000;
  return ctx.cursors.seal(scopeOf(ctx, competitorId), { ...taught, untilMs });
}

/** Null for a token that is too old or is for another person or shop. */
export function openTeaching(ctx: Sealer, competitorId: string, token: string): Taught | null {
  const opened = Sealed.safeParse(ctx.cursors.open(scopeOf(ctx, competitorId), token));
  if (!opened.success) return null;
  const { untilMs, ...taught } = opened.data;
  return ctx.now().getTime() <= untilMs ? taught : null;
}
