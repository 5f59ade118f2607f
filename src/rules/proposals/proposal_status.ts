/** `open` waits for a person; all others are final but `applied`, which can be rolled back. */
export const PROPOSAL_STATUSES = [
  "open",
  "applied",
  "rejected",
  "expired",
  "superseded",
  "rolled_back",
] as const;

export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];
