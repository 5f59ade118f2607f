/**
 * A proposal is a price that a rule computed and a person decides on. The trace says how the rule
 * computed the price. The trace is stored separately and expires; figures that need it are then
 * null.
 */
import { z } from "@hono/zod-openapi";
import {
  add,
  decimal,
  divide,
  marginPct,
  type MarginTerms,
  multiply,
  percent,
  roundOf,
  subtract,
  whole,
} from "../../base/fraction.ts";
import { DAY_MS } from "../../base/time.ts";
import { MarketOffer } from "../../catalogue/prices/product_market.ts";
import { PROPOSAL_STATUSES } from "../../engine/pricing/codes.ts";
import { Trace } from "../../engine/pricing/trace.ts";
import { wireObjection, wireSaid } from "../../engine/wording/reason_text.ts";
import type { Actor } from "../../platform/store/context.ts";
import { hasMoved, MarketStand, RIVALS, type Rivals } from "./priced_product.ts";
import { pick } from "../../base/collections.ts";

export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

const cents = z.int().describe("Minor units of `currency`");
const actor = z.object({ type: z.string(), id: z.string(), name: z.string() });

const { trigger, guards } = Trace.shape;

export const TraceDocument = Trace.extend({
  trigger: trigger.extend({
    reason: z.string().describe("`said` as a sentence"),
  }).describe("What the trigger compared, and its result"),
  guards: z.array(guards.element.extend({
    why: z.string().nullable().describe("Its objection as a sentence"),
  })).describe("In the order of their checks"),
}).meta({ id: "Trace", description: "Inputs, references, formula and guards of the decision" });

export type TraceDocument = z.infer<typeof TraceDocument>;

export function toTraceDocument(trace: Trace): TraceDocument {
  const { trigger, guards } = trace;
  return {
    ...trace,
    trigger: { ...trigger, reason: wireSaid(trigger.said) },
    guards: guards.map((asked) => ({
      ...asked,
      why: asked.facts && wireObjection({ code: asked.guard, facts: asked.facts }),
    })),
  };
}

export const EFFECT_BASES = ["piece", "30d"] as const;

export const ProposalApprovals = z.object({
  people: z.int().describe("Number of people who must approve"),
  cents,
  by: z.array(actor.extend({ at: z.iso.datetime() })).describe("In the order of approval"),
}).meta({ id: "ProposalApprovals" });

export type ProposalApprovals = Readonly<z.infer<typeof ProposalApprovals>>;

const EarlierRejection = z.object({
  at: z.iso.datetime(),
  reason: z.string().nullable().describe("The reason given with the rejection"),
  currentCents: cents.describe("Our price then"),
  proposedCents: cents.describe("The rejected price"),
}).meta({ id: "EarlierRejection" });

type EarlierRejection = Readonly<z.infer<typeof EarlierRejection>>;

/** Fields that newer versions added are absent in older rows, and null in answers. */
export const ProposalRecord = z.object({
  id: z.string(),
  ruleId: z.string(),
  ruleName: z.string().describe("Name of the rule when the proposal was created"),
  productId: z.string(),
  sku: z.string(),
  productTitle: z.string().nullable().default(null)
    .describe("Title when the proposal was created; null for old proposals"),
  currentCents: cents,
  proposedCents: cents,
  currency: z.string(),
  status: z.enum(PROPOSAL_STATUSES),
  reason: z.string().meta({
    description: "Why it was created; for a superseded one, a code for why it was closed",
    example: "no_longer_fires",
  }),
  trace: z.record(z.string(), z.unknown()).nullable()
    .describe("Inputs, references, formula and guards of the decision"),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: actor.nullable(),
  expiresAt: z.iso.datetime(),
  heldUntil: z.iso.datetime().nullable().default(null)
    .describe("The time until which an open proposal is put off; null: it is not"),
  reopenedFrom: z.string().nullable().default(null)
    .describe("The rejected or rolled back proposal that was reopened as this one"),
  appliedCents: cents.nullable().default(null)
    .describe("The price that was set; a counter-price differs from `proposedCents`"),
  decisionReason: z.string().nullable().default(null)
    .describe("The reason given with the decision"),
  units30d: z.number().nullable().default(null)
    .describe("Units sold in the 30 days before it was created; null if unknown"),
  approval: ProposalApprovals.nullable().default(null)
    .describe("Approvals of a large change; an open proposal needs more of them"),
  marketThen: MarketStand.nullable().default(null)
    .describe("Our market position when it was created; null for old proposals"),
  rejectedBefore: EarlierRejection.nullable().default(null)
    .describe("The last rejection of the same rule's price, unless one was set since; else null"),
});

export const Proposal = ProposalRecord.extend({
  trace: TraceDocument.nullable().describe("The explanation; null after it has expired"),
  marketNow: MarketStand.nullable().describe("Our market position now; null unless it is open"),
  marketAfter: MarketStand.nullable()
    .describe("Our position in the current market with the proposed price"),
  hasMarketMoved: z.boolean().nullable()
    .describe("True if competitors have moved since it was created; null if unknown"),
  marginPct: z.number().nullable().describe("Margin at `currentCents`, rounded down"),
  marginAfterPct: z.number().nullable().describe("Margin at `proposedCents`, rounded down"),
  effect: z.object({
    cents: cents.describe("Change of the net margin; negative: it decreases"),
    basis: z.enum(EFFECT_BASES)
      .describe("`piece`: per piece sold; `30d`: for `units30d` pieces"),
  }).nullable(),
}).meta({ id: "Proposal" });

export type Proposal = Readonly<z.infer<typeof Proposal>>;

const ProposalOffer = MarketOffer.extend({
  thenCents: cents.nullable()
    .describe("`unitCents` when the proposal was created, rounded down"),
}).meta({ id: "ProposalOffer" });

export const ProposalInMarket = Proposal.extend({
  offers: z.array(ProposalOffer)
    .describe("Current offers of its product; those that count come first"),
  targetPriceCents: z.int().nullable().describe("The current target price (RRP)"),
}).meta({ id: "ProposalInMarket" });

export type ProposalInMarket = Readonly<z.infer<typeof ProposalInMarket>>;

export interface StoredProposal extends Readonly<Omit<z.infer<typeof ProposalRecord>, "trace">> {
  readonly appliedAt: string | null;
}

const LATER_FIELDS = {
  productTitle: null,
  heldUntil: null,
  reopenedFrom: null,
  appliedCents: null,
  decisionReason: null,
  units30d: null,
  approval: null,
  marketThen: null,
  rejectedBefore: null,
} as const satisfies Partial<StoredProposal>;

export type CloseReason =
  | "no_longer_fires"
  | "newer_decision"
  | "rule_deleted"
  | "rule_off"
  | "product_deleted"
  | "price_applied";

const KEPT_OPEN_MS = 7 * DAY_MS;

export function opened(id: string, now: Date) {
  return {
    id,
    status: "open" as const,
    createdAt: now.toISOString(),
    decidedAt: null,
    decidedBy: null,
    expiresAt: later(now, KEPT_OPEN_MS),
    heldUntil: null,
    reopenedFrom: null,
    appliedAt: null,
    appliedCents: null,
    decisionReason: null,
    approval: null,
    rejectedBefore: null,
  };
}

export function rejectionIn(last: StoredProposal): EarlierRejection | null {
  const { status, decidedAt, decisionReason = null, currentCents, proposedCents } = last;
  if (status === "applied" || status === "rolled_back") return null;
  if (status !== "rejected" || decidedAt === null) return last.rejectedBefore ?? null;
  return { at: decidedAt, reason: decisionReason, currentCents, proposedCents };
}

export function reopened(rejected: StoredProposal, id: string, now: Date): StoredProposal {
  return { ...rejected, ...opened(id, now), reopenedFrom: rejected.id };
}

/** Hides the proposal until `until`; it expires at least a day later. Null shows it again. */
export function putOff(proposal: StoredProposal, until: Date | null): StoredProposal {
  if (until === null) return { ...proposal, heldUntil: null };
  const dayAfter = later(until, DAY_MS);
  return {
    ...proposal,
    heldUntil: until.toISOString(),
    expiresAt: dayAfter > proposal.expiresAt ? dayAfter : proposal.expiresAt,
  };
}

export function isPutOff({ heldUntil }: { readonly heldUntil?: string | null }, nowMs: number) {
  return typeof heldUntil === "string" && Date.parse(heldUntil) > nowMs;
}

function later(time: Date, ms: number): string {
  return new Date(time.getTime() + ms).toISOString();
}

export function decided(
  proposal: StoredProposal,
  status: Exclude<ProposalStatus, "open">,
  by: Actor,
  now: Date,
): StoredProposal {
  return { ...proposal, status, decidedAt: now.toISOString(), decidedBy: by };
}

export function superseded(proposal: StoredProposal, reason: CloseReason, by: Actor, now: Date) {
  return { ...decided(proposal, "superseded", by, now), reason };
}

export interface PositionsNow {
  readonly now: MarketStand;
  readonly after: MarketStand;
}

export function effectOf(effectCents: number | null, effect30dCents: number | null) {
  if (effect30dCents !== null) return { cents: effect30dCents, basis: "30d" as const };
  return effectCents === null ? null : { cents: effectCents, basis: "piece" as const };
}

export function toProposal(
  proposal: StoredProposal,
  trace: Trace | null,
  positions: PositionsNow | null,
): Proposal {
  const { appliedAt: _, ...stored } = { ...LATER_FIELDS, ...proposal };
  const { marketThen } = stored;
  const { effectCents, effect30dCents, ...margins } = worthOf(stored, trace);
  return {
    ...stored,
    trace: trace && toTraceDocument(trace),
    marketNow: positions && positions.now,
    marketAfter: positions && positions.after,
    hasMarketMoved: marketThen && positions && hasMoved(marketThen, positions.now),
    ...margins,
    effect: effectOf(effectCents, effect30dCents),
  };
}

type PriceStep = Pick<StoredProposal, "currentCents" | "proposedCents">;

const Inputs = z.object({
  costPriceCents: z.int().nullable(),
  pricesIncludeVat: z.boolean(),
  vatRatePct: z.number().min(0).max(100).nullable(),
});

/** Returns cost and VAT at the time of the decision; null if the trace has expired. */
export function marginTermsOf(trace: Trace | null): MarginTerms | null {
  return Inputs.safeParse(trace?.inputs).data ?? null;
}

/**
 * Returns how a proposed price changes the margin; unknown figures are null. `effectCents` is the
 * change of the net margin per piece, `effect30dCents` for the units sold in 30 days, both in minor
 * units. Margins are in percent, rounded down to 2 decimals.
 */
export function worthOf(
  step: PriceStep & Partial<Pick<StoredProposal, "units30d">>,
  trace: Trace | null,
) {
  const inputs = marginTermsOf(trace);
  const { units30d = null } = step;
  return {
    effectCents: inputs && effectCents(step, inputs),
    effect30dCents: inputs && units30d !== null ? effectCents(step, inputs, units30d) : null,
    marginPct: inputs && marginPct(step.currentCents, inputs),
    marginAfterPct: inputs && marginPct(step.proposedCents, inputs),
  };
}

/** Returns the change of the net margin, rounded half up; null if a needed VAT rate is unknown. */
export function effectCents(
  { currentCents, proposedCents }: PriceStep,
  { pricesIncludeVat, vatRatePct }: Pick<MarginTerms, "pricesIncludeVat" | "vatRatePct">,
  units = 1,
): number | null {
  const gross = multiply(subtract(whole(proposedCents), whole(currentCents)), decimal(units));
  if (!pricesIncludeVat) return roundOf(gross);
  if (vatRatePct === null) return null;
  return roundOf(divide(gross, add(whole(1), percent(vatRatePct))));
}

const COPIED = [
  "ruleId",
  "ruleName",
  "productId",
  "sku",
  "productTitle",
  "currentCents",
  "proposedCents",
  "currency",
  "createdAt",
  "expiresAt",
  "heldUntil",
] as const;

export interface ProposalBrief extends Pick<StoredProposal, "id" | typeof COPIED[number]> {
  readonly effectCents: number | null;
  readonly effect30dCents?: number;
  readonly marginAfterPct: number | null;
  readonly behind?: number;
  /** Null in proposals of older versions of Kurant. */
  readonly rivals: Rivals | null;
}

export type StoredBrief = Omit<ProposalBrief, "id">;

export function briefOf(proposal: StoredProposal, trace: Trace | null): StoredBrief {
  const { marketThen } = proposal;
  const { effectCents, effect30dCents, marginAfterPct } = worthOf(proposal, trace);
  const behind = trace?.behind?.length ?? 0;
  return {
    ...pick({ ...LATER_FIELDS, ...proposal }, COPIED),
    effectCents,
    ...(effect30dCents !== null && { effect30dCents }),
    marginAfterPct,
    ...(behind > 0 && { behind }),
    rivals: marketThen ? pick(marketThen, RIVALS) : null,
  };
}

/** Returns only the fields that are not computed from the trace. */
export function withoutWorth(brief: StoredBrief): Partial<StoredBrief> {
  return pick(brief, [...COPIED, "rivals"]);
}
