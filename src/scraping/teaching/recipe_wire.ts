/** Recipes of shops as the in-app interface has them (docs/decisions/recipes.md). */

import { currencyExponent } from "../../base/currency.ts";
import type { Context } from "../../platform/store/context.ts";
import { ShopRecipe, StoredRecipe } from "../../shops/recipes/shop_lessons.ts";
import { z } from "@hono/zod-openapi";

export const RecipeAnswer = z.object({
  recipe: ShopRecipe.nullable().meta({ description: "Null: none is known yet" }),
  learning: z.object({
    pages: z.int().meta({ description: "Pages that are kept to learn from" }),
    needed: z.int().meta({ description: "Pages without which nothing is learned" }),
  }).meta({ description: "How far learning has come" }),
}).meta({ id: "ShopRecipeAnswer" });

export type RecipeAnswer = Readonly<z.infer<typeof RecipeAnswer>>;

/** Where a page shows its price, in the words of a person. */
export const TeachRequest = z.strictObject({
  url: z.string().min(1).max(4_096).meta({
    format: "uri",
    example: "https://www.mediamarkt.de/p/1.html",
  }),
  price: z.string().min(1).max(40).nullish().meta({
    description: "The price that the page shows, as it is written; this or `candidateId`",
    example: "1299.95",
  }),
  candidateId: z.string().min(1).max(40).nullish().meta({
    description: "Which of the `candidates` of a preview of the page it is",
  }),
  currency: z.string().refine(
    (code) => currencyExponent(code) !== null,
    'Must be a currency code of ISO 4217 in upper case, such as "EUR"',
  ).nullish().meta({ example: "EUR" }),
}).meta({ id: "TeachRecipeRequest" });

export type TeachRequest = z.infer<typeof TeachRequest>;

export const TRIAL_VERDICTS = ["same", "plausible", "differs", "nothing"] as const;

export type TrialVerdict = (typeof TRIAL_VERDICTS)[number];

const Verdict = z.enum(TRIAL_VERDICTS).meta({
  description:
    "`same`: as another source of the page, or the last known price, says; `plausible`: " +
    "nothing says otherwise; `differs`: another source of the page says something else; `nothing`: " +
    "no price there",
});

const cents = z.int().nullable().meta({ description: "Minor units of `currency`" });

export const RecipeTrial = z.object({
  url: z.string(),
  title: z.string().nullable().meta({ description: "What the page calls its article" }),
  text: z.string().nullable().meta({ description: "What stands at the place" }),
  price: cents,
  currency: z.string().nullable(),
  wasPrice: cents.meta({ description: "The last known price of the page, in minor units" }),
  otherwise: z.object({
    price: z.int(),
    currency: z.string(),
    method: z.string().meta({ description: "A way to a price, as in results of runs" }),
  }).nullable().meta({ description: "What the page says without the place; null for nothing" }),
  errorCode: z.string().nullable().meta({ description: "Why the page has no price" }),
  verdict: Verdict,
}).meta({ id: "RecipeTrial" });

export type RecipeTrial = Readonly<z.infer<typeof RecipeTrial>>;

export const Teaching = z.object({
  token: z.string().meta({ description: "Saves it, within 15 minutes" }),
  selectors: z.array(z.string()).meta({
    description: "CSS selectors, and values in the data of scripts: the first one that has a " +
      "price decides",
  }),
  tests: z.array(RecipeTrial).meta({ description: "What it finds on other pages of the shop" }),
  verdict: Verdict,
}).meta({ id: "RecipeTeaching" });

export type Teaching = Readonly<z.infer<typeof Teaching>>;

export const SaveRecipe = z.strictObject({
  token: z.string().min(1).max(12_000),
  force: z.boolean().default(false).meta({
    description: "Save it although the trial speaks against it; what it says then counts for less",
  }),
}).meta({ id: "SaveRecipeRequest" });

export type SaveRecipe = z.infer<typeof SaveRecipe>;

const VALID_MS = 15 * 60_000;

const Taught = z.object({
  selectors: StoredRecipe.shape.selectors,
  support: StoredRecipe.shape.support,
  hitRate: StoredRecipe.shape.hitRate,
  taughtFrom: z.string(),
  verdict: z.enum(TRIAL_VERDICTS),
});

export type Taught = z.infer<typeof Taught>;

const Sealed = Taught.extend({ untilMs: z.number() });

type Sealer = Pick<Context, "cursors" | "workspaceId" | "actor" | "now">;

function scopeOf({ workspaceId, actor }: Sealer, competitorId: string): string {
  return `teaching ${workspaceId} ${competitorId} ${actor.id}`;
}

/** A token that only the same person can use, for the same shop. */
export function sealTeaching(ctx: Sealer, competitorId: string, taught: Taught): string {
  const untilMs = ctx.now().getTime() + VALID_MS;
  return ctx.cursors.seal(scopeOf(ctx, competitorId), { ...taught, untilMs });
}

/** `null` for a token that is too old, or of another person or shop. */
export function openTeaching(ctx: Sealer, competitorId: string, token: string): Taught | null {
  const opened = Sealed.safeParse(ctx.cursors.open(scopeOf(ctx, competitorId), token));
  if (!opened.success) return null;
  const { untilMs, ...taught } = opened.data;
  return ctx.now().getTime() <= untilMs ? taught : null;
}
