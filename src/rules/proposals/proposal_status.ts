/**
 * An `open` proposal waits for a person. The other statuses are final, but an `applied` proposal
 * can be rolled back.
 */
export const PROPOSAL_STATUSES = [
  "open",
  "applied",
  "rejected",
  "expired",
  "superseded",
  "rolled_back",
] as const;

export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];
