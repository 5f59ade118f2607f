/** What was taught, on its way to the person who decides and back: signed, for one shop, for 15 minutes. */
import { z } from "zod";
import type { Context } from "../../platform/store/context.ts";
import { StoredRecipe } from "../../shops/recipes/shop_recipe.ts";
import { TRIAL_VERDICTS } from "./recipe_wire.ts";

const VALID_MS = 15 * 60_000;

const Taught = z.object({
  selectors: StoredRecipe.shape.selectors,
  support: StoredRecipe.shape.support,
  hitRate: StoredRecipe.shape.hitRate,
  taughtFrom: z.string(),
  verdict: z.enum(TRIAL_VERDICTS),
});

/** What was taught, and how its trial went. */
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

/** Null for a token that is too old, of somebody else or of another shop. */
export function openTeaching(ctx: Sealer, competitorId: string, token: string): Taught | null {
  const opened = Sealed.safeParse(ctx.cursors.open(scopeOf(ctx, competitorId), token));
  if (!opened.success) return null;
  const { untilMs, ...taught } = opened.data;
  return ctx.now().getTime() <= untilMs ? taught : null;
}
