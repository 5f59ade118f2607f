import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../identity/workspace_store.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  grossCents,
  isReduction,
  lowestPrice,
  wasShown,
  WINDOW_MS,
} from "../prices/lowest_price.ts";
import type { PriceChange } from "../prices/price_history.ts";
import { type PriceHistoryEntry, PriceMark, withMarks } from "../prices/price_mark.ts";
import { listPriceMarks } from "../prices/price_mark_store.ts";
import { listPriceChanges } from "../products/price_changes.ts";

/** The answer of `GET /api/products/{id}/lowest-price` (docs/decisions/catalogue.md). */
export const LowestPriceAnswer = z.object({
  at: z.iso.datetime().meta({ description: "End of the 30 days, itself not among them" }),
  lowestCents: z.int().nullable().meta({ description: "Gross when the workspace's prices are" }),
  lowestGrossCents: z.int().nullable().optional()
    .meta({ description: "Only where prices are net; null without a known VAT rate" }),
  currency: z.string(),
  since: z.iso.datetime().nullable().meta({ description: "When that price took effect" }),
  complete: z.boolean().meta({ description: "False when the kept history is shorter" }),
  leftOut: z.array(
    PriceMark.omit({ isError: true, neverShown: true })
      .extend({ at: z.iso.datetime(), toCents: z.int().nullable(), currency: z.string() }),
  ).meta({
    description:
      "Prices of these 30 days that are marked as never shown, newest first: who and why",
  }),
}).meta({ id: "LowestPrice" });

export type LowestPriceAnswer = z.infer<typeof LowestPriceAnswer>;

/** What of a product the lowest price goes by. */
export interface LowestPriceSubject {
  readonly id: string;
  readonly currency: string;
  /** Null: the workspace's rate counts. */
  readonly vatRatePct: number | null;
}

const CHANGES_PER_READ = 500;

/** `atMs` null is the start of the current uninterrupted reduction, else now. */
export async function findLowestPrice(
  ctx: Context,
  product: LowestPriceSubject,
  atMs: number | null,
): Promise<LowestPriceAnswer> {
  const endMs = atMs ?? await findReductionStart(ctx, product.id) ?? ctx.now().getTime();
  const { changes, leftOut } = await readWindow(ctx, product.id, endMs);
  const { pricesIncludeVat, vatRatePct } = await requireWorkspace(ctx);
  const { lowestCents, currency, since, complete } = lowestPrice(changes, endMs);
  const ratePct = product.vatRatePct ?? vatRatePct;
  const isGrossKnown = lowestCents !== null && ratePct !== null;
  return {
    at: new Date(endMs).toISOString(),
    lowestCents,
    ...(!pricesIncludeVat && {
      lowestGrossCents: isGrossKnown ? grossCents(lowestCents, ratePct) : null,
    }),
    currency: currency ?? product.currency,
    since,
    complete,
    leftOut: leftOut.map(leftOutOf),
  };
}

/**
 * When the run of reductions began that led to today's price; null when the last change was none.
 */
async function findReductionStart(ctx: Context, productId: string): Promise<number | null> {
  let start: number | null = null;
  let later: PriceChange | null = null;
  for await (const change of newestFirst(ctx, productId, Infinity)) {
    if (!wasShown(change)) continue;
    if (later !== null) {
      if (!isReduction(later, change)) return start;
      start = Date.parse(later.at);
    }
    later = change;
  }
  return start;
}

async function readWindow(
  ctx: Context,
  productId: string,
  endMs: number,
): Promise<{ changes: PriceChange[]; leftOut: PriceHistoryEntry[] }> {
  const changes: PriceChange[] = [];
  const leftOut: PriceHistoryEntry[] = [];
  const startMs = endMs - WINDOW_MS;
  let untilMs = endMs;
  for await (const change of newestFirst(ctx, productId, endMs)) {
    const atMs = Date.parse(change.at);
    if (wasShown(change)) changes.push(change);
    else if (untilMs > startMs) leftOut.push(change);
    untilMs = atMs;
    // A price that nobody saw was not in force when the window opened: an earlier one was.
    if (wasShown(change) && atMs <= startMs) break;
  }
  return { changes: changes.reverse(), leftOut };
}

function leftOutOf({ at, toCents, currency, mark }: PriceHistoryEntry) {
  if (mark === null) throw new Error("Only what is marked is left out");
  const { reason, by, markedAt } = mark;
  return { at, toCents, currency, reason, by, markedAt };
}

async function* newestFirst(
  ctx: Context,
  productId: string,
  beforeMs: number,
): AsyncGenerator<PriceHistoryEntry> {
  const marks = await listPriceMarks(ctx, productId, { fromMs: 0, beforeMs });
  for (let end = beforeMs;;) {
    const stretch = { fromMs: 0, beforeMs: end };
    const changes = await listPriceChanges(ctx, productId, stretch, CHANGES_PER_READ);
    yield* withMarks(changes, marks);
    const last = changes.at(-1);
    if (!last || changes.length < CHANGES_PER_READ) return;
    end = Date.parse(last.at);
  }
}
