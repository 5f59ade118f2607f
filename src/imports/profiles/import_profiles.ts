import { Failure } from "../../base/failure.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findOwnProfile, listOwnProfiles } from "./import_profile_store.ts";
import type { ImportProfile } from "./profile.ts";
import { PROFILES } from "./profiles.ts";

/** A built-in profile or one of the workspace; null for an unknown id. */
export async function findProfile(
  workspace: WorkspaceStore,
  id: string,
): Promise<ImportProfile | null> {
  const builtIn = PROFILES.find((profile) => profile.id === id);
  return builtIn ?? (await findOwnProfile(workspace, id))?.profile ?? null;
}

/** What an upload is read with: the named profile, or all to choose from, the workspace's own first. */
export async function profilesFor(
  workspace: WorkspaceStore,
  named: string | null,
): Promise<{ profile: ImportProfile | null; profiles: readonly ImportProfile[] }> {
  if (named === null) {
    return { profile: null, profiles: [...await listOwnProfiles(workspace), ...PROFILES] };
  }
  const profile = await findProfile(workspace, named);
  if (profile === null) throw noSuchProfile(named);
  return { profile, profiles: [profile] };
}

export function noSuchProfile(id: string): Failure {
  return new Failure("not_found", `There is no import profile "${id}"`);
}
