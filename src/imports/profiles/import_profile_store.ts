/** The import profiles of a workspace: its own ones, and the built-in ones behind them. */

import { Failure } from "../../base/failure.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { AnyProfile, isTable } from "./profile.ts";
import { ProfileId } from "./profile_shape.ts";
import { BUILT_IN } from "./profiles.ts";

/** A workspace has a handful. Fields and settings that came after a profile was stored have their default. */
export const ownProfiles = defineTable<AnyProfile, "id">({
  prefix: "ipf",
  about: "a workspace's own import profile",
  key: { id: "text" },
  codec: { decode: (value) => AnyProfile.parse(value) },
});

/** Null also for what cannot be an id: a key of the store is not to be made of it. */
export async function findOwnProfile(
  workspace: WorkspaceStore,
  id: string,
): Promise<Found<AnyProfile> | null> {
  return ProfileId.safeParse(id).success ? await ownProfiles.find(workspace, { id }) : null;
}

export async function listOwnProfiles(workspace: WorkspaceStore): Promise<AnyProfile[]> {
  return (await ownProfiles.list(workspace)).map(({ row }) => row);
}

/** Null for an unknown id. `format` says which of two that share the id. */
export async function findProfile(
  workspace: WorkspaceStore,
  id: string,
  format?: "xml" | "table",
): Promise<AnyProfile | null> {
  const profiles = await profilesOf(workspace, id);
  return profiles.find((one) => format === undefined || isTable(one) === (format === "table")) ??
    null;
}

/**
 * One name may be that of two built-in profiles: the feeds of a program, whatever kind of file they
 * are. An own profile with the id of a built-in one takes precedence.
 */
async function profilesOf(workspace: WorkspaceStore, id: string): Promise<readonly AnyProfile[]> {
  const own = await findOwnProfile(workspace, id);
  return own ? [own.row] : BUILT_IN.filter((profile) => profile.id === id);
}

/** The workspace's own profiles and, behind them, the built-in ones that they do not stand in for. */
export async function listProfiles(workspace: WorkspaceStore): Promise<readonly AnyProfile[]> {
  const own = await listOwnProfiles(workspace);
  const taken = new Set(own.map(({ id }) => id));
  return [...own, ...BUILT_IN.filter(({ id }) => !taken.has(id))];
}

export async function profilesFor(
  workspace: WorkspaceStore,
  named: string | null,
): Promise<{ profile: AnyProfile | null; profiles: readonly AnyProfile[] }> {
  if (named === null) return { profile: null, profiles: await listProfiles(workspace) };
  const profiles = await profilesOf(workspace, named);
  const [only, ...more] = profiles;
  if (only === undefined) throw noSuchProfile(named);
  // Of two with one name the file decides.
  return { profile: more.length === 0 ? only : null, profiles };
}

export async function isKnownProfile(workspace: WorkspaceStore, id: string): Promise<boolean> {
  return await findProfile(workspace, id) !== null;
}

export function noSuchProfile(id: string): Failure {
  return new Failure("not_found", `There is no import profile "${id}"`);
}
