/**
 * The article on a match's page, the verdict on it and a person's decision. The row is deleted with its
 * match, and is absent until the page was compared.
 *
 * Every commit that writes an identity also writes the product's offers row with its `verdict`. A commit
 * that read the identity before the offers row checks the identity.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type KeptIdentity, packIdentity, unpackIdentity } from "./match_identity.ts";

export interface IdentityRow extends KeptIdentity {
  readonly matchId: string;
}

export const identities = defineTable<IdentityRow, "matchId">({
  prefix: "idn",
  about: "what the page of a match says it shows, how that was judged and what a person said of it",
  key: { matchId: "id" },
  keyOnly: ["matchId"],
  codec: { encode: packIdentity, decode: (bytes) => unpackIdentity(Object(bytes)) },
});

export async function findIdentities(
  workspace: WorkspaceStore,
  matchIds: readonly string[],
): Promise<Map<string, KeptIdentity>> {
  const found = await identities.getMany(workspace, matchIds.map((matchId) => ({ matchId })));
  return new Map(found.flatMap((one) => one ? [[one.row.matchId, one.row]] : []));
}
