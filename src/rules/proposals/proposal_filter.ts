/**
 * Filters and sorts open proposals for lists, which read only a few fields (the brief) of each
 * proposal.
 */
import { z } from "@hono/zod-openapi";
import { sumOf } from "../../base/collections.ts";
import { isAtLeastPct } from "../../base/money.ts";
import { fold, hasWords, searchForm, type WordSearch } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { hasMoved } from "./priced_product.ts";
import { isPutOff, type ProposalBrief } from "./proposal.ts";

const Pct = z.string().regex(/^\d{1,9}(?:\.\d{1,4})?$/, "Must be a number with at most 4 decimals")
  .transform(Number).optional();
const Bound = (description: string) => BoundText.meta({ anyOf: [...BOUND_FORMS], description });
const Flag = (description: string) =>
  z.enum(["true", "false"]).transform((text) => text === "true").optional()
    .meta({ type: "boolean", description });

export const OPEN_FILTER_SHAPE = {
  later: Flag("Only proposals that are put off"),
  direction: z.enum(["up", "down"]).optional().describe("Direction of the price change"),
  changeBelowPct: Pct.meta({
    type: "number",
    description: "The price changes by less than this percentage",
  }),
  marginBelowPct: Pct.meta({ type: "number", description: "Its `marginAfterPct` is below this" }),
  hasMarketMoved: Flag("Only proposals since whose creation competitors have moved"),
  expiresBefore: Bound("Only proposals that expire before this time"),
  createdBefore: Bound("Only proposals created before this time"),
};

export const WORDS_SHAPE = {
  q: z.string().max(200).optional()
    .describe("SKU, title and name of the rule contain all these words, in any order"),
};

type OutputOf<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;
export type OpenFilterTexts = OutputOf<typeof OPEN_FILTER_SHAPE>;

export interface OpenFilter extends OpenFilterTexts {
  readonly search: WordSearch | null;
  readonly ruleId: string | null;
  readonly productId: string | null;
}

type Named = Pick<ProposalBrief, "sku" | "ruleName"> & { readonly productTitle?: string | null };

export function isNamed({ sku, productTitle, ruleName }: Named, search: WordSearch | null) {
  return search === null ||
    hasWords(search, searchForm(`${sku}\n${productTitle ?? ""}\n${ruleName}`));
}

/** Ignores the filter `hasMarketMoved`, which needs the current market. */
export function fitsFilter(brief: ProposalBrief, filter: OpenFilter, nowMs: number): boolean {
  const { later, direction, changeBelowPct, marginBelowPct } = filter;
  const { currentCents, proposedCents } = brief;
  const change = proposedCents - currentCents;
  return (filter.ruleId === null || brief.ruleId === filter.ruleId) &&
    (filter.productId === null || brief.productId === filter.productId) &&
    (later === undefined || isPutOff(brief, nowMs) === later) &&
    (direction === undefined || (direction === "up" ? change > 0 : change < 0)) &&
    (changeBelowPct === undefined ||
      !isAtLeastPct(Math.abs(change), currentCents, changeBelowPct)) &&
    (marginBelowPct === undefined ||
      (brief.marginAfterPct !== null && brief.marginAfterPct < marginBelowPct)) &&
    isBefore(brief.expiresAt, filter.expiresBefore) &&
    isBefore(brief.createdAt, filter.createdBefore) &&
    isNamed(brief, filter.search);
}

function isBefore(time: string, bound: string | undefined): boolean {
  const beforeMs = bound ? parseBound(bound, "start") : null;
  return beforeMs === null || Date.parse(time) < beforeMs;
}

export const PROPOSAL_SORTS = ["effect", "expires", "rule", "ruleEffect"] as const;
type ProposalSort = (typeof PROPOSAL_SORTS)[number];

export type PlaceValue = string | number | null;

/** Sums `effect30dCents` per rule and currency; returns each rule's largest absolute sum. */
export function ruleEffects(briefs: readonly ProposalBrief[]): Map<string, number> {
  const rules = Map.groupBy(briefs, ({ ruleId }) => ruleId);
  return new Map([...rules].map(([ruleId, own]) => {
    const sums = Map.groupBy(own, ({ currency }) => currency).values()
      .map((some) => Math.abs(sumOf(some, ({ effect30dCents = 0 }) => effect30dCents)));
    return [ruleId, Math.max(...sums)];
  }));
}

export const RULE_EFFECT_PLACE = 5;

/**
 * Returns a sort key that ends with the proposal's id. The sort `effect` puts the largest change of
 * the margin first, positive or negative.
 */
export function placeOf(
  brief: ProposalBrief,
  sort: ProposalSort | null,
  effects: ReadonlyMap<string, number>,
): readonly PlaceValue[] {
  const { id, ruleId, ruleName, expiresAt } = brief;
  switch (sort) {
    case null:
      return [id];
    case "effect":
      return effectPlace(brief);
    case "expires":
      return [expiresAt, id];
    case "rule":
      return [fold(ruleName), ruleId, ...effectPlace(brief)];
    case "ruleEffect":
      return [-(effects.get(ruleId) ?? 0), ...placeOf(brief, "rule", effects)];
  }
}

export function effectPlace(
  { id, effect30dCents, effectCents }: Pick<ProposalBrief, "id" | "effect30dCents" | "effectCents">,
): readonly PlaceValue[] {
  const cents = effect30dCents ?? effectCents;
  return [cents === null ? null : -Math.abs(cents), id];
}

export function comparePlaces(a: readonly PlaceValue[], b: readonly PlaceValue[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] ?? null;
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -1 : 1;
  }
  return 0;
}

export async function movedAmong(
  ctx: Context,
  market: MarketSource | null,
  briefs: readonly ProposalBrief[],
): Promise<ReadonlySet<string>> {
  if (market === null) throw new Error("Whether a market has moved, needs the market");
  const known = briefs.filter(({ rivals }) => rivals !== null);
  const { markets } = await market.beside(ctx, known.map(({ productId }) => productId));
  const moved = known.filter(({ productId, rivals }) => {
    const now = markets.get(productId);
    return rivals !== null && now !== undefined && hasMoved(rivals, now);
  });
  return new Set(moved.map(({ id }) => id));
}
