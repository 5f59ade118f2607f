import { exponentOf } from "../../base/money.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { PageDigest } from "../../engine/extraction/recipe/page_digest.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Competitor } from "../../shops/competitor_store.ts";
import type { LiveMatch } from "../../shops/matches/competitor_prices.ts";
import {
  keepPage,
  type KeptPage,
  listKeptPages,
  type PlacedPage,
  shopLessons,
} from "../../shops/recipes/recipe_store.ts";
import {
  lessonsOf,
  pageRecipe,
  wantsPage,
  withOutcomeOf,
  withPagesKept,
} from "../../shops/recipes/shop_lessons.ts";
import type { PageLearning, PageLesson } from "./answer_verdict.ts";

/** Adds one check and at most two rows to the commit. */
export async function noteLesson(
  write: Write,
  ctx: Pick<Context, "store" | "workspaceId" | "now" | "newId">,
  { match, competitor }: LiveMatch,
  product: Product,
  { recipe, digest }: PageLesson,
): Promise<void> {
  if (recipe === null && digest === null) return;
  const nowMs = ctx.now().getTime();
  const stored = await shopLessons.find(ctx, { competitorId: competitor.id });
  const before = lessonsOf(stored?.row ?? null, competitor.domain, nowMs);
  const noted = recipe ? withOutcomeOf(before, recipe, nowMs) : { lessons: before, isNew: false };
  let { lessons } = noted;
  if (digest !== null) {
    const kept = await listKeptPages(ctx, competitor.id);
    const ownPrice = ownPriceIn(product, digest);
    const page: KeptPage = { matchId: match.id, atMs: nowMs, ownPrice, digest };
    keepPage(write, ctx.workspaceId, competitor.id, kept, page);
    lessons = withPagesKept(lessons, withPage(kept, page), nowMs, ctx.newId);
  }
  if (lessons === stored?.row) return;
  shopLessons.save(write, ctx, stored, { ...lessons, competitorId: competitor.id });
  if (!noted.isNew) return;
  const { id, domain, displayName } = competitor;
  publish(write, ctx, [{
    type: "recipe.drifting",
    data: { competitorId: id, domain, competitor: displayName },
  }]);
}

function withPage(kept: readonly PlacedPage[], page: KeptPage): readonly KeptPage[] {
  const others = kept.flatMap((one) => one.matchId === page.matchId ? [] : [one]);
  return [page, ...others];
}

/** Our price in major units; null if the page has another currency. */
function ownPriceIn({ ourPriceCents, currency }: Product, { reference }: PageDigest) {
  if (ourPriceCents === null || reference === null) return null;
  const isSame = reference.codes.length === 0 || reference.codes.includes(currency);
  return isSame ? ourPriceCents / 10 ** exponentOf(currency) : null;
}

export async function learningOf(
  ctx: Pick<Context, "store" | "workspaceId" | "now">,
  { id, domain }: Competitor,
): Promise<PageLearning> {
  const nowMs = ctx.now().getTime();
  const stored = await shopLessons.find(ctx, { competitorId: id });
  const lessons = lessonsOf(stored?.row ?? null, domain, nowMs);
  const recipe = pageRecipe(lessons.recipe, nowMs);
  return { recipe, isLearning: wantsPage(lessons, nowMs), wanted: null };
}
