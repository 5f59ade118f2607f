/** A recipe says where the pages of a shop show the price (docs/decisions/recipes.md). */
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { PAGES_NEEDED } from "../../engine/extraction/recipe/learn_recipe.ts";
import { placeText } from "../../engine/extraction/recipe/recipe.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { type Competitor, competitors, requireCompetitor } from "../../shops/competitor_store.ts";
import {
  forgetLessons,
  lessonsOf,
  listKeptPages,
  NO_LESSONS,
  recipeStatus,
  relearned,
  shopLessons,
  ShopRecipe,
  StoredRecipe,
} from "../../shops/pages/recipe_store.ts";
import { currencyExponent } from "../../base/money.ts";
import { z } from "@hono/zod-openapi";

const FORCED_CONFIDENCE_MAX = 0.7;

export async function readRecipe(ctx: Context, competitorId: string): Promise<RecipeAnswer> {
  const { row: competitor } = await requireCompetitor(ctx, competitorId);
  const nowMs = ctx.now().getTime();
  const stored = await shopLessons.find(ctx, { competitorId });
  const { recipe } = lessonsOf(stored?.row ?? null, competitor.domain, nowMs);
  const pages = (await listKeptPages(ctx, competitorId)).length;
  return {
    recipe: recipe && { ...recipe, competitorId, status: recipeStatus(recipe, nowMs) },
    learning: { pages, needed: PAGES_NEEDED },
  };
}

export async function saveRecipe(
  ctx: Context,
  competitorId: string,
  { token, force }: SaveRecipe,
): Promise<RecipeAnswer> {
  await transact(ctx, async (write) => {
    const found = await requireCompetitor(ctx, competitorId);
    const taught = openTeaching(ctx, competitorId, token);
    if (!taught) {
      const message = "Has expired, or belongs to another person or shop: select the price again";
      throw refuseFields([{ path: "token", message }]);
    }
    const { verdict, ...rest } = taught;
    if (!isGood(verdict) && !force) {
      const message = "The trial on other pages failed: send `force` to save it anyway";
      throw new Failure("conflict", message, { verdict });
    }
    competitors.check(write, ctx, found.row, found);
    const stored = await shopLessons.find(ctx, { competitorId });
    const now = ctx.now().toISOString();
    const recipe: StoredRecipe = {
      id: ctx.newId(),
      source: "taught",
      status: "active",
      ...rest,
      confidenceMost: isGood(verdict) ? HIGH_CONFIDENCE : FORCED_CONFIDENCE_MAX,
      lastConfirmedAt: now,
      taughtBy: ctx.actor.id,
      createdAt: now,
      updatedAt: now,
    };
    const lessons = { ...(stored?.row ?? NO_LESSONS), recipe, window: "" };
    shopLessons.save(write, ctx, stored, { ...lessons, competitorId });
    noteAudit(write, ctx, "recipe.teach", found.row, stored?.row.recipe ?? null, recipe);
    ctx.receipt?.put(write, `/api/competitors/${competitorId}/recipe`);
  });
  return await readRecipe(ctx, competitorId);
}

export async function relearnRecipe(ctx: Context, competitorId: string): Promise<RecipeAnswer> {
  await transact(ctx, async (write) => {
    const found = await requireCompetitor(ctx, competitorId);
    const nowMs = ctx.now().getTime();
    const stored = await shopLessons.find(ctx, { competitorId });
    const before = lessonsOf(stored?.row ?? null, found.row.domain, nowMs);
    const pages = await listKeptPages(ctx, competitorId);
    const learned = relearned(before, pages, nowMs, ctx.newId);
    const after = { ...(learned ?? before), kept: 0 };
    competitors.check(write, ctx, found.row, found);
    shopLessons.save(write, ctx, stored, { ...after, competitorId });
    ctx.receipt?.put(write, `/api/competitors/${competitorId}/recipe`);
    if (learned === null) return;
    noteAudit(write, ctx, "recipe.relearn", found.row, before.recipe, after.recipe);
  });
  return await readRecipe(ctx, competitorId);
}

/** A recipe that Kurant ships cannot be deleted, so its status becomes `off`. */
export async function deleteRecipe(ctx: Context, competitorId: string): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireCompetitor(ctx, competitorId);
    const nowMs = ctx.now().getTime();
    const stored = await shopLessons.find(ctx, { competitorId });
    const { recipe: shipped } = lessonsOf(null, found.row.domain, nowMs);
    const before = stored?.row.recipe ?? shipped;
    if (before === null && stored === null) return;
    competitors.check(write, ctx, found.row, found);
    forgetLessons(write, ctx.workspaceId, competitorId, stored);
    if (shipped) {
      const lessons = { ...NO_LESSONS, recipe: { ...shipped, status: "off" as const } };
      shopLessons.save(write, ctx, stored, { ...lessons, competitorId });
    }
    if (before) noteAudit(write, ctx, "recipe.delete", found.row, before, null);
  });
}

function noteAudit(
  write: Write,
  ctx: Context,
  action: AuditAction<"recipe">,
  { id, displayName }: Competitor,
  before: StoredRecipe | null,
  after: StoredRecipe | null,
): void {
  addAuditRow(write, ctx, {
    action,
    resource: { type: "recipe", id, label: displayName },
    before: before && auditFields(before),
    after: after && auditFields(after),
    about: [`competitor:${id}`],
  });
}

function auditFields({ source, status, selectors, confidenceMost, taughtFrom }: StoredRecipe) {
  return { source, status, selectors: selectors.map(placeText), confidenceMost, taughtFrom };
}

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

/** The returned token is valid only for this person and this shop, and for 15 minutes. */
export function sealTeaching(ctx: Sealer, competitorId: string, taught: Taught): string {
  const untilMs = ctx.now().getTime() + 15 * 60_000;
  return ctx.cursors.seal(scopeOf(ctx, competitorId), { ...taught, untilMs });
}

function openTeaching(ctx: Sealer, competitorId: string, token: string): Taught | null {
  const opened = Sealed.safeParse(ctx.cursors.open(scopeOf(ctx, competitorId), token));
  if (!opened.success) return null;
  const { untilMs, ...taught } = opened.data;
  return ctx.now().getTime() <= untilMs ? taught : null;
}

function isGood(verdict: TrialVerdict): boolean {
  return verdict === "same" || verdict === "plausible";
}
