/**
 * The article on a match's page, the verdict on it, and a person's decision. A match has no row
 * before its page was first compared. The row is deleted with the match.
 *
 * Every commit that writes an identity also writes the product's offers row with the `verdict`. A
 * commit that reads the identity before the offers row checks the identity.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type KeptIdentity, packIdentity, unpackIdentity } from "./match_identity.ts";

export interface IdentityRow extends KeptIdentity {
  readonly matchId: string;
}

export const identities = defineTable<IdentityRow, "matchId">({
  prefix: "idn",
  about: "the article on the page of a match, the verdict on it and a person's decision",
  key: { matchId: "id" },
  codec: { encode: packIdentity, decode: (bytes) => unpackIdentity(Object(bytes)) },
});

export async function findIdentities(
  workspace: WorkspaceStore,
  matchIds: readonly string[],
): Promise<Map<string, KeptIdentity>> {
  const found = await identities.getMany(workspace, matchIds.map((matchId) => ({ matchId })));
  return new Map(found.flatMap((one) => one ? [[one.row.matchId, one.row]] : []));
}
