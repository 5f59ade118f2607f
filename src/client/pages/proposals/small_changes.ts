import type { Proposal } from "../../../proposals/proposal.ts";

type Change = Pick<Proposal, "currentCents" | "proposedCents">;

/** Those whose price moves by less than `pct` percent of today's, up or down; exactly `pct` is not less. */
export function smallerThan<P extends Change>(proposals: readonly P[], pct: number): P[] {
  return proposals.filter(({ currentCents, proposedCents }) =>
    Math.abs(proposedCents - currentCents) * 100 < currentCents * pct
  );
}
