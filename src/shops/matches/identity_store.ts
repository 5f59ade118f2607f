/**
 * The identity of a match: the article on its page, the verdict, and a person's statement. Every
 * commit that writes an identity must also write the `verdict` to the product's offers row. A
 * commit that reads the identity before the offers row must also check the identity.
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
