/**
 * Sums up many proposals: all open proposals, or price changes that a person is about to confirm.
 */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { pick, sumOf, TopN } from "../../base/collections.ts";
import { isId } from "../../base/id.ts";
import type { MarketSource } from "../../catalogue/prices/product_market.ts";
import type { Context } from "../../platform/store/context.ts";
import { briefOf, EFFECT_BASES, effectOf, isPutOff, type ProposalBrief } from "./proposal.ts";
import {
  comparePlaces,
  effectPlace,
  fitsFilter,
  movedAmong,
  OPEN_FILTER_SHAPE,
  type OpenFilterTexts,
} from "./proposal_filter.ts";
import { findOpenBriefsOf, findProposals, findTraces } from "./proposal_store.ts";
import { ANY_FILTER_SHAPE, findOpenBriefs } from "./read_proposals.ts";

const LEAVABLE_KINDS = ["below_cost", "thin", "moved", "large", "unsold"] as const;
export type LeavableKind = (typeof LEAVABLE_KINDS)[number];

const KIND_PCT = { below_cost: 0, thin: 10, moved: null, large: 8, unsold: null } as const;

const LeavableKindCode = z.enum(LEAVABLE_KINDS).describe(
  "`below_cost`: its margin is below 0; `thin`: its margin is below 10 %; `moved`: competitors " +
    "have moved since its creation; `large`: it changes the price by more than 8 %; `unsold`: no " +
    "unit was sold in 30 days",
);

export const LeaveOut = z.strictObject({
  kinds: z.array(LeavableKindCode).max(LEAVABLE_KINDS.length).default([]),
  ids: z.array(z.string()).max(200).default([]),
}).meta({ id: "LeftOutProposals" });

export type LeaveOut = Readonly<z.infer<typeof LeaveOut>>;

const LARGEST = 5;
/**
 * Edges between the bars of the histogram, in percent of today's price; a change exactly on an edge
 * belongs to the higher bar.
 */
const EDGES = [-8, -6, -4, -2, 0, 2, 4, 6, 8];

export const PreviewQuery = z.strictObject({
  ids: z.array(z.string()).min(1).max(10_000).optional()
    .describe("Proposals that are no longer open are not counted"),
  filter: z.strictObject({ ...ANY_FILTER_SHAPE, ...OPEN_FILTER_SHAPE }).optional()
    .describe("Instead of `ids`: all matching open proposals"),
  prices: z.array(z.strictObject({
    id: z.string().describe("The proposal"),
    priceCents: z.int().min(1).describe("The other price, in minor units"),
  }))
    .min(1).max(1_000).optional()
    .describe("Instead of `ids`: another price for each proposal"),
  leaveOut: LeaveOut.optional(),
})
  .refine(
    ({ ids, filter, prices }) =>
      [ids, filter, prices].filter((one) => one !== undefined).length === 1,
    { message: "Must name either ids, prices or a filter", path: ["ids"] },
  )
  .meta({ id: "ProposalPreviewQuery" });

export type PreviewQuery = z.infer<typeof PreviewQuery>;

const count = z.int();
const meanPct = z.number().nullable()
  .describe("Average change in percent, with one decimal; null without proposals");
const effects30d = z.array(
  z.object({ currency: z.string(), cents: z.int().describe("In minor units") }),
).describe(
  "Change of the net margin in 30 days at equal sales, in minor units: a sum per currency, over " +
    "the proposals with known sales",
);

const ProposalFigures = z.object({
  count,
  down: z.object({ count, meanPct }).describe("Number of proposals that lower the price"),
  up: z.object({ count, meanPct }).describe("Number of proposals that raise the price"),
  meanPct,
  thin: count.describe("Number of proposals with a known margin below 10 %"),
  belowCost: count.describe("Number of proposals with a margin below 0"),
  effects30d,
  settles: count
    .describe("Number of prices of other rules for the same products, which are decided with them"),
  withoutSales: count
    .describe("Number of proposals without known sales or VAT rate, which `effects30d` lacks"),
  changes: z.array(count).describe("Number of proposals by change; one more bin than `edges`"),
}).meta({ id: "ProposalFigures" });

export const ProposalPreview = z.object({
  found: ProposalFigures.describe("For all proposals"),
  accepted: ProposalFigures.describe("For the proposals without those in `leaveOut`"),
  edges: z.array(z.int())
    .describe("In percent of the current price; a change on an edge belongs to the bin above it"),
  kinds: z.array(z.object({
    kind: LeavableKindCode,
    pct: z.int().nullable().describe("The bound of the reason, if it has one"),
    count,
    already: count.describe("Number of these that another reason leaves out too"),
    effects30d,
  })).describe("Proposals that can be left out, by reason"),
  largest: z.array(z.object({
    id: z.string(),
    productId: z.string(),
    sku: z.string(),
    productTitle: z.string().nullable(),
    currentCents: z.int(),
    proposedCents: z.int(),
    currency: z.string(),
    marginAfterPct: z.number().nullable().describe("Null if unknown"),
    effect: z.object({
      cents: z.int().describe("In minor units"),
      basis: z.enum(EFFECT_BASES).describe("What the effect is computed for"),
    }).nullable().describe("Effect on the net margin; null if unknown"),
    kinds: z.array(LeavableKindCode).describe("Reasons to leave it out"),
    isLeftOut: z.boolean().describe("True if `leaveOut` contains one of its reasons"),
  })).describe("The five proposals with the largest effect, positive or negative"),
}).meta({ id: "ProposalPreview" });

export type ProposalPreview = Readonly<z.infer<typeof ProposalPreview>>;

export type Move = Omit<
  ProposalBrief,
  "ruleId" | "ruleName" | "createdAt" | "expiresAt" | "heldUntil" | "rivals"
>;

export async function previewMany(
  ctx: Context,
  market: MarketSource,
  query: PreviewQuery,
): Promise<ProposalPreview> {
  const briefs = await findNamed(ctx, market, query);
  return previewMoves(briefs, query.leaveOut, await movedAmong(ctx, market, briefs));
}

const NOTHING_LEFT_OUT: LeaveOut = { kinds: [], ids: [] };

export function previewMoves(
  moves: readonly Move[],
  leaveOut: LeaveOut = NOTHING_LEFT_OUT,
  moved: ReadonlySet<string> = new Set(),
): ProposalPreview {
  const largest = new TopN<Judged>(
    LARGEST,
    (a, b) => comparePlaces(effectPlace(a.move), effectPlace(b.move)) < 0,
  );
  const judged = moves.map((move): Judged => {
    const kinds = kindsOf(move, moved.has(move.id));
    const one = { move, kinds, isLeftOut: isLeftOut(move, kinds, leaveOut) };
    largest.add(one);
    return one;
  });
  return {
    found: figuresOf(judged),
    accepted: figuresOf(judged.filter((one) => !one.isLeftOut)),
    edges: EDGES,
    kinds: LEAVABLE_KINDS.map((kind) => {
      const own = judged.filter(({ kinds }) => kinds.includes(kind));
      const already = own.filter(({ move, kinds }) => isLeftOut(move, kinds, leaveOut, kind));
      return {
        kind,
        pct: KIND_PCT[kind],
        count: own.length,
        already: already.length,
        effects30d: effectsOf(own),
      };
    }),
    largest: largest.sorted().map(toLargest),
  };
}

interface Judged {
  readonly move: Move;
  readonly kinds: readonly LeavableKind[];
  readonly isLeftOut: boolean;
}

async function findNamed(
  ctx: Context,
  market: MarketSource,
  { ids, filter = {}, prices }: PreviewQuery,
): Promise<ProposalBrief[]> {
  if (prices !== undefined) return await atOtherPrices(ctx, prices);
  if (ids !== undefined) return await findOpenBriefsOf(ctx, [...new Set(ids)]);
  return await findOpenBriefs(ctx, market, filter, filter);
}

async function atOtherPrices(ctx: Context, prices: NonNullable<PreviewQuery["prices"]>) {
  const centsOf = new Map(prices.map(({ id, priceCents }) => [id, priceCents]));
  const ids = [...centsOf.keys()].filter(isId);
  const [proposals, traces] = [await findProposals(ctx, ids), await findTraces(ctx, ids)];
  return [...proposals.values()].filter(({ status }) => status === "open").map((proposal) => {
    const { id } = proposal;
    const proposedCents = centsOf.get(id) ?? proposal.proposedCents;
    return { id, ...briefOf({ ...proposal, proposedCents }, traces.get(id) ?? null) };
  });
}

const SHOWN = ProposalPreview.shape.largest.element
  .omit({ effect: true, kinds: true, isLeftOut: true }).keyof().options;

function toLargest({ move, kinds, isLeftOut }: Judged): ProposalPreview["largest"][number] {
  const { productTitle = null, effectCents, effect30dCents = null } = move;
  const effect = effectOf(effectCents, effect30dCents);
  return { ...pick({ ...move, productTitle }, SHOWN), effect, kinds: [...kinds], isLeftOut };
}

function figuresOf(judged: readonly Judged[]): z.infer<typeof ProposalFigures> {
  const countOf = (kind: LeavableKind) => judged.filter(({ kinds }) => kinds.includes(kind)).length;
  const [cuts, raises] = [judged.filter(isCut), judged.filter((one) => !isCut(one))];
  const changes = new Array<number>(EDGES.length + 1).fill(0);
  for (const { move: { currentCents, proposedCents } } of judged) {
    const change = proposedCents - currentCents;
    const bin = EDGES.filter((edge) => change * 100 >= edge * currentCents).length;
    changes[bin] = (changes[bin] ?? 0) + 1;
  }
  return {
    ...sideOf(judged),
    down: sideOf(cuts),
    up: sideOf(raises),
    thin: countOf("thin"),
    belowCost: countOf("below_cost"),
    effects30d: effectsOf(judged),
    settles: sumOf(judged, ({ move: { behind = 0 } }) => behind),
    withoutSales: judged.filter(({ move }) => move.effect30dCents === undefined).length,
    changes,
  };
}

const isCut = ({ move }: Judged) => move.proposedCents < move.currentCents;

function sideOf(judged: readonly Judged[]) {
  const { length: count } = judged;
  const pct = sumOf(
    judged,
    ({ move: { currentCents, proposedCents } }) =>
      (proposedCents - currentCents) / currentCents * 100,
  );
  return { count, meanPct: count === 0 ? null : Math.round(pct / count * 10) / 10 + 0 };
}

function effectsOf(judged: readonly Judged[]): { currency: string; cents: number }[] {
  const known = judged.filter(({ move }) => move.effect30dCents !== undefined);
  return [...Map.groupBy(known, ({ move }) => move.currency)].map(([currency, own]) => ({
    currency,
    cents: sumOf(own, ({ move: { effect30dCents = 0 } }) => effect30dCents),
  })).toSorted((a, b) => a.currency < b.currency ? -1 : 1);
}

export function kindsOf(move: Move, hasMarketMoved: boolean): readonly LeavableKind[] {
  const { currentCents, proposedCents, marginAfterPct, effect30dCents } = move;
  const change = Math.abs(proposedCents - currentCents);
  const isOf: Readonly<Record<LeavableKind, boolean>> = {
    below_cost: marginAfterPct !== null && marginAfterPct < KIND_PCT.below_cost,
    thin: marginAfterPct !== null && marginAfterPct < KIND_PCT.thin,
    moved: hasMarketMoved,
    large: change * 100 > currentCents * KIND_PCT.large,
    unsold: effect30dCents === 0,
  };
  return LEAVABLE_KINDS.filter((kind) => isOf[kind]);
}

export function isLeftOut(
  { id }: Pick<ProposalBrief, "id">,
  kinds: readonly LeavableKind[],
  leaveOut: LeaveOut,
  besides: LeavableKind | null = null,
): boolean {
  return leaveOut.ids.includes(id) ||
    kinds.some((kind) => kind !== besides && leaveOut.kinds.includes(kind));
}

const { changeBelowPct, marginBelowPct, expiresBefore } = OPEN_FILTER_SHAPE;

export const ProposalSummaryQuery = z.strictObject({
  ...ANY_FILTER_SHAPE,
  changeBelowPct,
  marginBelowPct,
  expiresBefore,
});

const bounded = (bound: string) => z.int().nullable().describe(`Null without \`${bound}\``);

export const ProposalSummary = z.object({
  open: count.describe("Proposals that are not put off"),
  later: count.describe("Proposals that are put off; no other count includes them"),
  up: z.int(),
  down: z.int(),
  small: bounded("changeBelowPct"),
  thin: bounded("marginBelowPct"),
  expiring: bounded("expiresBefore"),
  moved: count.describe("Proposals since whose creation competitors have moved"),
  effectCents: z.int()
    .describe("Sum of the known effects per piece in the workspace's currency, in minor units"),
  effect30dCents: z.int().nullable().describe(
    "Like `effectCents`, but for the units sold in 30 days; null if no effect is known",
  ),
  rules: z.array(
    z.object({
      ruleId: z.string(),
      ruleName: z.string(),
      count: count.describe("Number of proposals"),
    }),
  ).describe("Sorted by name"),
}).meta({ id: "ProposalSummary" });

export type ProposalSummary = Readonly<z.infer<typeof ProposalSummary>>;

const ANY = { search: null, ruleId: null, productId: null };

export async function summariseProposals(
  ctx: Context,
  market: MarketSource,
  query: z.infer<typeof ProposalSummaryQuery>,
): Promise<ProposalSummary> {
  const nowMs = ctx.now().getTime();
  const all = await findOpenBriefs(ctx, market, query, {});
  const waiting = all.filter((brief) => !isPutOff(brief, nowMs));
  const countOf = (texts: OpenFilterTexts) =>
    waiting.filter((brief) => fitsFilter(brief, { ...ANY, ...texts }, nowMs)).length;
  const { changeBelowPct, marginBelowPct, expiresBefore } = query;
  const [moved, { currency }] = await Promise.all([
    movedAmong(ctx, market, waiting),
    requireWorkspace(ctx),
  ]);
  const summed = waiting.filter((brief) => brief.currency === currency);
  const sold = summed.filter(({ effect30dCents }) => effect30dCents !== undefined);
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
    effect30dCents: sold.length === 0
      ? null
      : sumOf(sold, ({ effect30dCents = 0 }) => effect30dCents),
    rules: rulesOf(waiting),
  };
}

function rulesOf(briefs: readonly ProposalBrief[]): ProposalSummary["rules"] {
  const groups = Map.groupBy(briefs, ({ ruleId }) => ruleId);
  return [...groups].map(([ruleId, group]) => ({
    ruleId,
    ruleName: group.at(-1)?.ruleName ?? "",
    count: group.length,
  })).toSorted((a, b) => a.ruleName < b.ruleName ? -1 : 1);
}
