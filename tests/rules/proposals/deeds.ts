/** What becomes of the proposals of a scene: the number in the SKU says it. */
import type { StoredProposal } from "../../../src/rules/proposals/proposal.ts";

export const DEEDS = [
  "approve",
  "reject",
  "later",
  "reopen",
  "rollback",
  "approve in bulk",
  "reject in bulk",
] as const;
export type Deed = (typeof DEEDS)[number];

export function deedOf({ sku }: Pick<StoredProposal, "sku">): Deed {
  const deed = DEEDS[Number(sku.slice("SKU-".length)) % DEEDS.length];
  if (deed === undefined) throw new Error(`"${sku}" says nothing`);
  return deed;
}
