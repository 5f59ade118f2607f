import { z } from "@hono/zod-openapi";
import type { Actor } from "../platform/store/context.ts";
import type { StoredTrace } from "../pricing/former_trace.ts";
import { PROPOSAL_STATUSES, type ProposalStatus } from "./proposal_status.ts";
import { toTraceDocument } from "./trace_document.ts";

const cents = z.int().meta({ description: "Minor units of `currency`" });
const actor = z.object({ type: z.string(), id: z.string(), name: z.string() });

/** A price that a rule asks for (docs/decisions/rules.md). */
export const Proposal = z.object({
  id: z.string(),
  ruleId: z.string(),
  ruleName: z.string().meta({ description: "As it was when the proposal was made" }),
  productId: z.string(),
  sku: z.string(),
  productTitle: z.string().nullable().default(null).meta({
    description: "As it was when the proposal was made; null for an old one",
  }),
  currentCents: cents,
  proposedCents: cents,
  currency: z.string(),
  status: z.enum(PROPOSAL_STATUSES),
  reason: z.string().meta({
    description: "Why it was made; for a superseded one a code of why it was closed",
    example: "no_longer_fires",
  }),
  trace: z.record(z.string(), z.unknown()).nullable().meta({
    description: "Inputs, references, formula and guards of the decision",
  }),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: actor.nullable(),
  expiresAt: z.iso.datetime(),
}).meta({ id: "Proposal" });

export type Proposal = Readonly<z.infer<typeof Proposal>>;

/** As stored; the trace may lie beside it. */
export interface StoredProposal extends Omit<Proposal, "trace"> {
  /** When the price that it caused took effect; null unless it was applied. */
  readonly appliedAt: string | null;
}

/** Codes that a superseded proposal has for its reason. */
export type CloseReason =
  | "no_longer_fires"
  | "newer_decision"
  | "rule_deleted"
  | "product_deleted"
  | "price_applied";

const KEPT_OPEN_MS = 7 * 24 * 3_600_000;

export interface NewProposal {
  readonly id: string;
  readonly rule: { readonly id: string; readonly name: string };
  readonly product: {
    readonly id: string;
    readonly sku: string;
    readonly title: string;
    readonly currency: string;
  };
  readonly currentCents: number;
  readonly proposedCents: number;
  readonly reason: string;
  readonly now: Date;
}

/** An open proposal, which expires after 7 days. */
export function openProposal(
  { id, rule, product, currentCents, proposedCents, reason, now }: NewProposal,
): StoredProposal {
  return {
    id,
    ruleId: rule.id,
    ruleName: rule.name,
    productId: product.id,
    sku: product.sku,
    productTitle: product.title,
    currentCents,
    proposedCents,
    currency: product.currency,
    status: "open",
    reason,
    createdAt: now.toISOString(),
    decidedAt: null,
    decidedBy: null,
    expiresAt: new Date(now.getTime() + KEPT_OPEN_MS).toISOString(),
    appliedAt: null,
  };
}

/** The proposal after somebody, or the service, has decided on it. */
export function decided(
  proposal: StoredProposal,
  status: Exclude<ProposalStatus, "open">,
  by: Actor,
  now: Date,
): StoredProposal {
  return { ...proposal, status, decidedAt: now.toISOString(), decidedBy: by };
}

/** Closed by the service, with the code of why. */
export function superseded(
  proposal: StoredProposal,
  reason: CloseReason,
  by: Actor,
  now: Date,
): StoredProposal {
  return { ...decided(proposal, "superseded", by, now), reason };
}

/** The proposal as both interfaces show it. */
export function toProposal(
  { appliedAt: _, decidedAt, decidedBy, expiresAt, createdAt, ...rest }: StoredProposal,
  trace: StoredTrace | null,
): Proposal {
  const { productTitle = null, ...stored } = rest;
  return {
    ...stored,
    productTitle,
    trace: trace && toTraceDocument(trace),
    createdAt,
    decidedAt,
    decidedBy,
    expiresAt,
  };
}
