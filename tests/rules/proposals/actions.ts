/** Chooses the action on a proposal by the number in the proposal's SKU. */
import type { StoredProposal } from "../../../src/rules/proposals/proposal.ts";

export const ACTIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;
export type Action = (typeof ACTIONS)[number];

export function actionOf({ sku }: Pick<StoredProposal, "sku">): Action {
  const action = ACTIONS[Number(sku.slice("SKU-".length)) % ACTIONS.length];
  if (action === undefined) throw new Error(`"${sku}" says nothing`);
  return action;
}
