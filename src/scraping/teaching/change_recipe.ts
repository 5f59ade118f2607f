/** Functions with which people read, save, relearn and delete the recipe of a shop. */
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { PAGES_NEEDED } from "../../engine/extraction/recipe/learn_recipe.ts";
import { placeText } from "../../engine/extraction/recipe/recipe.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { type Competitor, competitors, requireCompetitor } from "../../shops/competitor_store.ts";
import { forgetLessons, listKeptPages, shopLessons } from "../../shops/recipes/recipe_store.ts";
import {
  lessonsOf,
  NO_LESSONS,
  recipeStatus,
  relearned,
  type StoredRecipe,
} from "../../shops/recipes/shop_lessons.ts";
import { openTeaching, type RecipeAnswer, type SaveRecipe } from "./recipe_wire.ts";
import { isGood } from "./teach_recipe.ts";

/** Maximum confidence of prices if the recipe was saved despite a failed trial. */
const FORCED = 0.7;

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

/** Throws `validation_failed` for an invalid token, and `conflict` after a failed trial. */
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
      confidenceMost: isGood(verdict) ? HIGH_CONFIDENCE : FORCED,
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

/** Keeps the recipe if learning fails. Throws `not_found`. */
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

/** Switches off a built-in recipe. Throws `not_found`. */
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
