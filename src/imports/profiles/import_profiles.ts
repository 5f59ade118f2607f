import { Failure } from "../../base/failure.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findOwnProfile, listOwnProfiles } from "./import_profile_store.ts";
import type { ImportProfile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";

/** A profile of the workspace or a built-in one; null for an unknown id. */
export async function findProfile(
  workspace: WorkspaceStore,
  id: string,
): Promise<ImportProfile | null> {
  const own = await findOwnProfile(workspace, id);
  return own?.profile ?? PROFILES.find((profile) => profile.id === id) ?? null;
}

/**
 * The workspace's own profiles and, behind them, the built-in ones. An own one that has the id of a
 * built-in one was there before it, and goes on to count.
 */
export async function listProfiles(workspace: WorkspaceStore): Promise<readonly ImportProfile[]> {
  const own = await listOwnProfiles(workspace);
  const taken = new Set(own.map(({ id }) => id));
  return [...own, ...PROFILES.filter(({ id }) => !taken.has(id))];
}

/** What an upload is read with: the named profile, or all to choose from, the workspace's own first. */
export async function profilesFor(
  workspace: WorkspaceStore,
  named: string | null,
): Promise<{ profile: ImportProfile | null; profiles: readonly ImportProfile[] }> {
  if (named === null) {
    return { profile: null, profiles: await listProfiles(workspace) };
  }
  const profile = await findProfile(workspace, named);
  if (profile === null) throw noSuchProfile(named);
  return { profile, profiles: [profile] };
}

export function noSuchProfile(id: string): Failure {
  return new Failure("not_found", `There is no import profile "${id}"`);
}
