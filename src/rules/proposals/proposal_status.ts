/** Only the status `open` can change. The price of an applied proposal can be rolled back. */
export const PROPOSAL_STATUSES = [
  "open",
  "applied",
  "rejected",
  "expired",
  "superseded",
  "rolled_back",
] as const;

export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];
