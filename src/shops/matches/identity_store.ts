/**
 * What the page of a match says it shows, how that was judged and what a person said of it. It goes with
 * its match, and is absent of one whose page was never read so.
 *
 * Every commit that writes one writes the product's offers row too, whose `verdict` follows from it; one
 * that writes an identity that was read before that row checks it.
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
