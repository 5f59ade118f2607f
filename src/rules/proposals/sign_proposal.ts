/** Large changes of prices are let through by several people, each another one. */
import type { Actor } from "../../platform/store/context.ts";
import { isLargeMove } from "../../base/money.ts";
import type { ApprovalBound } from "../../engine/pricing/situation.ts";
import type { ProposalApprovals, StoredProposal } from "./proposal.ts";

export interface Signing {
  /** Null: one person is enough for anything. */
  readonly bound: ApprovalBound | null;
  /** What the change is measured from: the price of 24 hours ago. */
  readonly fromCents: number;
  /** The price that is approved. */
  readonly cents: number;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * The approvals with this one; null where one is enough. `program`: only people can let it through.
 * `twice`: the same person has done so already. An approval of another price begins anew.
 */
export function signed(
  { approval }: Pick<StoredProposal, "approval">,
  { bound, fromCents, cents, actor: { type, id, name }, now }: Signing,
): ProposalApprovals | "program" | "twice" | null {
  if (bound === null || !isLargeMove(bound, fromCents, cents)) return null;
  if (type !== "user") return "program";
  // Rows of before lack it.
  const before = approval && approval.cents === cents ? approval.by : [];
  if (before.some((one) => one.id === id)) return "twice";
  return {
    people: bound.people,
    cents,
    by: [...before, { type, id, name, at: now.toISOString() }],
  };
}

/** Whether more people must approve. */
export function isUnfinished({ people, by }: ProposalApprovals): boolean {
  return by.length < people;
}
