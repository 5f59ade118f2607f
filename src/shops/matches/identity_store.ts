/**
 * What the page of a match says it shows, how that was judged and what a person said of it. It goes with
 * its match, and is absent of one whose page was never read so.
 *
 * Every commit that writes one writes the product's offers row too, whose `verdict` follows from it; one
 * that writes an identity that was read before that row checks it (`checkIdentity`).
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { type KeptIdentity, packIdentity, unpackIdentity } from "./match_identity.ts";

interface IdentityRow extends KeptIdentity {
  readonly matchId: string;
}

export const identities = defineTable<IdentityRow, "matchId">({
  prefix: "idn",
  about: "what the page of a match says it shows, how that was judged and what a person said of it",
  key: { matchId: "id" },
  keyOnly: ["matchId"],
  codec: { encode: packIdentity, decode: (bytes) => unpackIdentity(Object(bytes)) },
});

/** Null where nothing is known of the page. */
export interface StoredIdentity {
  readonly matchId: string;
  readonly identity: KeptIdentity | null;
  readonly found: Found<IdentityRow> | null;
}

export async function findIdentity(
  workspace: WorkspaceStore,
  matchId: string,
): Promise<StoredIdentity> {
  const found = await identities.find(workspace, { matchId });
  return { matchId, identity: found?.row ?? null, found };
}

/** Identities of the pages of many matches, by id; unknown ones are absent. */
export async function findIdentities(
  workspace: WorkspaceStore,
  matchIds: readonly string[],
): Promise<Map<string, KeptIdentity>> {
  const found = await identities.getMany(workspace, matchIds.map((matchId) => ({ matchId })));
  return new Map(found.flatMap((one) => one ? [[one.row.matchId, one.row]] : []));
}

/** The commit fails when it was written since it was read. */
export function checkIdentity(
  write: Write,
  workspaceId: string,
  { matchId, found }: StoredIdentity,
): void {
  identities.check(write, { workspaceId }, { matchId }, found);
}

export function saveIdentity(
  write: Write,
  workspaceId: string,
  matchId: string,
  identity: KeptIdentity,
): void {
  identities.put(write, { workspaceId }, { ...identity, matchId });
}
