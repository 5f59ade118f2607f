/** Counts of open proposals by kind. */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { sumOf } from "../../base/collections.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  findOpenBriefs,
  fitsFilter,
  movedAmong,
  OPEN_FILTER_SHAPE,
  type OpenFilterTexts,
} from "./proposal_filter.ts";
import type { ProposalBrief } from "./proposal_brief.ts";
import { isPutOff } from "./proposal.ts";
import { ANY_FILTER_SHAPE, openFilterOf } from "./read_proposals.ts";

const { changeBelowPct, marginBelowPct, expiresBefore } = OPEN_FILTER_SHAPE;

export const ProposalSummaryQuery = z.strictObject({
  ...ANY_FILTER_SHAPE,
  changeBelowPct,
  marginBelowPct,
  expiresBefore,
});

export type ProposalSummaryQuery = z.infer<typeof ProposalSummaryQuery>;

const count = (description: string) => z.int().meta({ description });
const bounded = (bound: string) => z.int().nullable().describe(`Null without \`${bound}\``);

export const ProposalSummary = z.object({
  open: count("Proposals that are not put off"),
  later: count("Proposals that are put off; no other count includes them"),
  up: z.int(),
  down: z.int(),
  small: bounded("changeBelowPct"),
  thin: bounded("marginBelowPct"),
  expiring: bounded("expiresBefore"),
  moved: count("Proposals since whose creation competitors have moved"),
  effectCents: z.int()
    .describe("Sum of the known effects per piece in the workspace's currency, in minor units"),
  effect30dCents: z.int().nullable().describe(
    "Like `effectCents`, but for the units sold in 30 days; null if no effect is known",
  ),
  rules: z.array(
    z.object({ ruleId: z.string(), ruleName: z.string(), count: count("Number of proposals") }),
  ).describe("Sorted by name"),
}).meta({ id: "ProposalSummary" });

export type ProposalSummary = Readonly<z.infer<typeof ProposalSummary>>;

export async function summariseProposals(
  ctx: Context,
  market: MarketSource,
  query: ProposalSummaryQuery,
): Promise<ProposalSummary> {
  const nowMs = ctx.now().getTime();
  const filter = await openFilterOf(ctx, query, {});
  const all = filter === null ? [] : await findOpenBriefs(ctx, filter, market);
  const waiting = all.filter((brief) => !isPutOff(brief, nowMs));
  const countOf = (texts: OpenFilterTexts) =>
    waiting.filter((brief) => filter !== null && fitsFilter(brief, { ...filter, ...texts }, nowMs))
      .length;
  const { changeBelowPct, marginBelowPct, expiresBefore } = query;
  const [moved, { currency }] = await Promise.all([
    movedAmong(ctx, market, waiting),
    requireWorkspace(ctx),
  ]);
  const summed = waiting.filter((brief) => brief.currency === currency);
  return {
    open: waiting.length,
    later: all.length - waiting.length,
    up: countOf({ direction: "up" }),
    down: countOf({ direction: "down" }),
    small: changeBelowPct === undefined ? null : countOf({ changeBelowPct }),
    thin: marginBelowPct === undefined ? null : countOf({ marginBelowPct }),
    expiring: expiresBefore ? countOf({ expiresBefore }) : null,
    moved: moved.size,
    effectCents: sumOf(summed, ({ effectCents }) => effectCents ?? 0),
    effect30dCents: sumOfKnown(summed.map(({ effect30dCents }) => effect30dCents)),
    rules: rulesOf(waiting),
  };
}

function sumOfKnown(cents: readonly (number | undefined)[]): number | null {
  const known = cents.filter((one) => one !== undefined);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
}

function rulesOf(briefs: readonly ProposalBrief[]): ProposalSummary["rules"] {
  const groups = Map.groupBy(briefs, ({ ruleId }) => ruleId);
  return [...groups].map(([ruleId, group]) => ({
    ruleId,
    ruleName: group.at(-1)?.ruleName ?? "",
    count: group.length,
  })).toSorted((a, b) => a.ruleName < b.ruleName ? -1 : 1);
}
