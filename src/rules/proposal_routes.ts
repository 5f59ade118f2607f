/** Routes of price proposals (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../accounts/audit/audit.ts";
import { keyWith, manager, viewer } from "../accounts/roles.ts";
import { requireRefusal } from "../base/failure.ts";
import { exponentOf } from "../base/money.ts";
import { type Columns, openListTable } from "../catalogue/lists/list_file.ts";
import type { MarketSource } from "../catalogue/prices/product_market.ts";
import { MajorUnits, MinorUnits } from "../catalogue/products/product_fields.ts";
import { codeCell } from "../engine/wording/code_words.ts";
import { one, page } from "../platform/http/answer.ts";
import { flagQuery, pageQuery } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import { type Amount, amountCell, momentCell } from "../platform/tables/cell.ts";
import { approveProposal, putOffProposal, rejectProposal } from "./proposals/decide_proposal.ts";
import {
  isLeftOut,
  kindsOf,
  LeaveOut,
  previewMany,
  PreviewQuery,
  ProposalPreview,
  ProposalSummary,
  ProposalSummaryQuery,
  summariseProposals,
} from "./proposals/preview_many.ts";
import { Proposal, ProposalInMarket, type StoredProposal } from "./proposals/proposal.ts";
import { movedAmong, OPEN_FILTER_SHAPE } from "./proposals/proposal_filter.ts";
import { findOpenBriefsOf } from "./proposals/proposal_store.ts";
import {
  ANY_FILTER_SHAPE,
  pageOfProposals,
  pageOfRows,
  ProposalFilter,
  ProposalQuery,
  readProposal,
  serialiseProposal,
} from "./proposals/read_proposals.ts";
import {
  ReopenedProposal,
  reopenProposal,
  rollBackProposal,
  RolledBackProposal,
} from "./reopen_proposal.ts";

const IDS_MAX = 500;

const BULK_ACTIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

/** Null shows the proposal now. */
const Until = z.iso.datetime({ offset: true }).nullable()
  .describe("In the future, at most 30 days ahead; null shows it again now");

export const BulkDecision = z.strictObject({
  action: z.enum(BULK_ACTIONS).describe("What to do with each proposal"),
  ids: z.array(z.string()).min(1).max(IDS_MAX).optional(),
  filter: z.strictObject({ ...ANY_FILTER_SHAPE, ...OPEN_FILTER_SHAPE }).optional()
    .describe("Instead of `ids`: the matching open proposals, 500 per call"),
  cursor: pageQuery(IDS_MAX, IDS_MAX).cursor
    .describe("With `filter`: the `nextCursor` of the previous call"),
  until: Until.optional().describe("For `later`: when the proposal is shown again"),
  reason: AuditReason.optional(),
  leaveOut: LeaveOut.optional().describe("For `approve`: proposals that stay open, without result"),
})
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    message: "Must name either ids or a filter",
    path: ["ids"],
  })
  .refine(({ ids, cursor }) => ids === undefined || cursor === undefined, {
    message: "Is only allowed with `filter`",
    path: ["cursor"],
  })
  .refine(
    ({ action, filter }) => filter === undefined || action !== "reopen" && action !== "rollback",
    { message: "Selects only open proposals: send `ids` for this action", path: ["filter"] },
  )
  .refine(({ action, until }) => (action === "later") === (until !== undefined), {
    message: "Is required for `later`, and not allowed for other actions",
    path: ["until"],
  })
  .refine(({ action, leaveOut }) => action === "approve" || leaveOut === undefined, {
    message: "Is only allowed for `approve`",
    path: ["leaveOut"],
  })
  .meta({ id: "BulkDecision" });

export type BulkDecision = z.infer<typeof BulkDecision>;

export const BulkDecisionOutcome = z.object({
  results: z.array(z.object({
    id: z.string().describe("The proposal"),
    ok: z.boolean(),
    settles: z.int().optional().describe(
      "Approved: number of other rules' prices for the product that it decides; absent if none",
    ),
    isWaiting: z.boolean().optional()
      .describe("Approved, but still open: more people must approve it"),
    proposalId: z.string().optional().describe("The new proposal of `reopen` or `rollback`"),
    reopened: ReopenedProposal.optional().describe("For `rollback`: the new state of the proposal"),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }).optional().describe("Why it was refused; absent if it was not"),
  })),
  nextCursor: z.string().nullable().describe(
    "With `filter`: the next call's cursor; null: the end",
  ),
}).meta({ id: "BulkDecisionOutcome" });

export type BulkDecisionOutcome = z.infer<typeof BulkDecisionOutcome>;

/** Applies a decision to each proposal in its own commit. Returns one result per id, in order. */
export async function decideMany(
  ctx: Context,
  market: MarketSource | null,
  decision: BulkDecision,
): Promise<BulkDecisionOutcome> {
  // A receipt belongs to one commit. The proposals themselves show what was decided.
  const each = { ...ctx, receipt: null };
  const { ids, nextCursor } = await namedBy(ctx, market, decision);
  const briefs = decision.action === "approve" ? await findOpenBriefsOf(ctx, ids) : [];
  const behind = new Map(briefs.map((brief) => [brief.id, brief.behind]));
  const results: BulkDecisionOutcome["results"] = [];
  for (const id of ids) {
    try {
      const { id: decidedId, status, reopened } = await decide(each, id, decision);
      const isWaiting = decision.action === "approve" && status === "open";
      const proposalId = reopened ? reopened.proposalId : decidedId;
      const more = {
        ...(proposalId !== null && proposalId !== id && { proposalId }),
        ...(reopened && { reopened }),
        ...(isWaiting ? { isWaiting } : behind.get(id) && { settles: behind.get(id) }),
      };
      results.push({ id, ok: true, ...more });
    } catch (error) {
      const { code, message, details } = requireRefusal(error);
      results.push({ id, ok: false, error: { code, message, ...(details && { details }) } });
    }
  }
  return { results, nextCursor };
}

async function namedBy(
  ctx: Context,
  market: MarketSource | null,
  { ids, filter, cursor, leaveOut }: BulkDecision,
): Promise<{ readonly ids: readonly string[]; readonly nextCursor: string | null }> {
  const query = { ...filter, status: "open" as const, limit: IDS_MAX, cursor };
  const { rows, nextCursor } = ids === undefined
    ? await pageOfRows(ctx, query, market)
    : { rows: ids.map((id) => ({ id })), nextCursor: null };
  const named = rows.map(({ id }) => id);
  return { ids: await withoutLeftOut(ctx, market, named, leaveOut), nextCursor };
}

async function withoutLeftOut(
  ctx: Context,
  market: MarketSource | null,
  ids: readonly string[],
  leaveOut: LeaveOut | undefined,
): Promise<readonly string[]> {
  if (leaveOut === undefined) return ids;
  if (market === null) throw new Error("Kinds to leave out need the market");
  const briefs = await findOpenBriefsOf(ctx, ids);
  const moved = await movedAmong(ctx, market, briefs);
  const left = new Set(
    briefs.filter((brief) => isLeftOut(brief, kindsOf(brief, moved.has(brief.id)), leaveOut))
      .map(({ id }) => id),
  );
  return ids.filter((id) => !left.has(id));
}

interface OneDecided extends Pick<StoredProposal, "id" | "status"> {
  readonly reopened?: ReopenedProposal;
}

async function decide(
  ctx: Context,
  id: string,
  { action, until = null, reason = null }: BulkDecision,
): Promise<OneDecided> {
  switch (action) {
    case "approve":
      return await approveProposal(ctx, id, { reason });
    case "reject":
      return await rejectProposal(ctx, id, reason);
    case "later":
      return await putOffProposal(ctx, id, until);
    case "reopen":
      return await reopenProposal(ctx, id);
    case "rollback": {
      const { proposal, reopened } = await rollBackProposal(ctx, id, reason);
      return { ...proposal, reopened };
    }
  }
}

const total = z.int().nullable()
  .describe("Number of matching open proposals; null for other statuses, which are not counted");

/** An empty body approves the proposed price. */
const Approval = z.strictObject({
  price: MajorUnits.unwrap().optional()
    .describe("Another price than the proposed one, in major units"),
  priceCents: MinorUnits.unwrap().min(1).optional()
    .describe("The price in minor units; if `price` is given too, both must agree"),
  reason: AuditReason.optional()
    .describe("The reason, for the audit log; required for a price below cost or margin floor"),
}).meta({ id: "ProposalApproval" });

const Rejection = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "ProposalRejection" });

const RollBack = z.strictObject({ reason: AuditReason.optional() })
  .meta({ id: "ProposalRollBack" });

const PutOff = z.strictObject({ until: Until }).meta({ id: "ProposalPutOff" });

const largeChange = z.strictObject({
  allowLargeChange: flagQuery.meta({
    type: "boolean",
    description: "Allows a price that is exactly 100 times the previous one",
  }),
});

const proposal = (words: string) => one(Proposal, words, { external: "ProposalData" });

const proposalPage = page(Proposal, "In the order of creation, or of `sort`", {
  inApp: "ProposalPage",
  external: "ProposalDataPage",
  extra: { total },
});

export function proposalRoutes(market: MarketSource) {
  return listRoutes(market)
    .read({
      answer: one(ProposalInMarket, "The proposal, with the current offers of its product"),
    }, ({ ctx, id }) => readProposal(ctx, market, id))
    .post("/{id}/approve", {
      query: largeChange,
      optionalBody: Approval,
      answer: proposal("The price was set"),
    }, async ({ ctx, id, query, body }) => {
      const options = { ...body, allowsLargeChange: query.allowLargeChange };
      return await serialiseProposal(ctx, await approveProposal(ctx, id, options));
    })
    .post("/{id}/reject", {
      optionalBody: Rejection,
      answer: proposal("The proposal is closed"),
    }, async ({ ctx, id, body: { reason } }) => {
      return await serialiseProposal(ctx, await rejectProposal(ctx, id, reason));
    })
    .post("/{id}/later", {
      body: PutOff,
      answer: proposal("The proposal is hidden until that time"),
    }, async ({ ctx, id, body: { until } }) => {
      return await serialiseProposal(ctx, await putOffProposal(ctx, id, until));
    })
    .post("/{id}/reopen", {
      callers: { people: manager },
      answer: one(Proposal, "The new proposal, with the same price"),
    }, async ({ ctx, id }) => await serialiseProposal(ctx, await reopenProposal(ctx, id)))
    .post("/{id}/rollback", {
      callers: { people: manager },
      optionalBody: RollBack,
      answer: one(RolledBackProposal, "The earlier price is set again"),
    }, async ({ ctx, id, body: { reason } }) => {
      const { proposal, reopened } = await rollBackProposal(ctx, id, reason);
      return { ...await serialiseProposal(ctx, proposal), reopened };
    }).routes;
}

function listRoutes(market: MarketSource) {
  return resource("/proposals", {
    read: { people: viewer, keys: keyWith("proposals:read") },
    change: { people: manager, keys: keyWith("proposals:write") },
  })
    .list({
      query: ProposalQuery,
      answer: proposalPage,
    }, ({ ctx, query }) => pageOfProposals(ctx, query, market))
    .files("", {
      query: ProposalFilter,
      words: "All matching proposals, in the order of the list",
      open: (ctx, filter) =>
        openListTable(
          "proposals",
          COLUMNS,
          (page) => pageOfProposals(ctx, { ...filter, ...page }, market),
        ),
    })
    .get("/summary", {
      callers: { people: viewer },
      query: ProposalSummaryQuery,
      answer: one(ProposalSummary, "Number of open proposals, by kind and by rule"),
    }, ({ ctx, query }) => summariseProposals(ctx, market, query))
    .post("/bulk", {
      body: BulkDecision,
      answer: one(BulkDecisionOutcome, "The result for each id"),
    }, ({ ctx, body }) => decideMany(ctx, market, body))
    .post("/bulk/preview", {
      callers: { people: manager },
      keepsAnswers: false,
      optionalBody: PreviewQuery,
      answer: one(ProposalPreview, "What approving them would change; nothing is written"),
    }, ({ ctx, body }) => previewMany(ctx, market, body));
}

const COLUMNS: Columns<Proposal> = {
  createdAt: ({ createdAt }) => momentCell(createdAt),
  status: ({ status }) => codeCell("proposalStatuses", status),
  sku: ({ sku }) => sku,
  title: ({ productTitle }) => productTitle,
  rule: ({ ruleName }) => ruleName,
  current: (proposal) => amountOf(proposal, proposal.currentCents),
  proposed: (proposal) => amountOf(proposal, proposal.proposedCents),
  applied: (proposal) => amountOf(proposal, proposal.appliedCents),
  currency: ({ currency }) => currency,
  marginPct: ({ marginPct }) => marginPct,
  marginAfterPct: ({ marginAfterPct }) => marginAfterPct,
  effect: (proposal) => amountOf(proposal, proposal.effect?.cents ?? null),
  effectBasis: ({ effect }) => codeCell("effectBases", effect?.basis ?? null),
  units30d: ({ units30d }) => units30d,
  cheapest: (proposal) => amountOf(proposal, proposal.marketNow?.cheapestCents ?? null),
  cheapestCompetitor: ({ marketNow }) => marketNow?.cheapestCompetitor ?? null,
  gapPct: ({ marketNow }) => marketNow?.gapPct ?? null,
  gapAfterPct: ({ marketAfter }) => marketAfter?.gapPct ?? null,
  rank: ({ marketNow }) => marketNow?.rank ?? null,
  rankAfter: ({ marketAfter }) => marketAfter?.rank ?? null,
  of: ({ marketNow }) => marketNow?.of ?? null,
  hasMarketMoved: ({ hasMarketMoved }) => hasMarketMoved,
  reason: ({ reason }) => reason,
  expiresAt: ({ expiresAt }) => momentCell(expiresAt),
  heldUntil: ({ heldUntil }) => momentCell(heldUntil),
  decidedAt: ({ decidedAt }) => momentCell(decidedAt),
  decidedBy: ({ decidedBy }) => decidedBy?.name ?? null,
  decisionReason: ({ decisionReason }) => decisionReason,
  ruleId: ({ ruleId }) => ruleId,
  productId: ({ productId }) => productId,
  id: ({ id }) => id,
};

function amountOf({ currency }: Proposal, cents: number | null): Amount | null {
  return amountCell(cents, exponentOf(currency));
}
