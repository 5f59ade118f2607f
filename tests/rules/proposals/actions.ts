/** The number in a proposal's SKU decides what is done with the proposal. */
import type { StoredProposal } from "../../../src/rules/proposals/proposal.ts";

export const ACTIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;
export type Action = (typeof ACTIONS)[number];

export function actionOf({ sku }: Pick<StoredProposal, "sku">): Action {
  const action = ACTIONS[Number(sku.slice("SKU-".length)) % ACTIONS.length];
  if (action === undefined) throw new Error(`"${sku}" says nothing`);
  return action;
}
