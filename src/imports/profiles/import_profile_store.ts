/** Keys: `ipf W profileId` → a workspace's own import profile. */

import { recordOf } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { type AnyProfile, type ImportProfile, isTable } from "./profile.ts";
import { PROFILE_FIELDS, ProfileId } from "./profile_shape.ts";
import { BUILT_IN } from "./profiles.ts";
import type { TableProfile } from "./table_profile.ts";

const rowKey = (workspaceId: string, profileId: string) => [
  "ipf",
  idBytes(workspaceId),
  profileId,
];

/** Settings that profiles have had since they were first stored. */
type LaterSetting = "zeroIsEmpty" | "sale" | "currencyInAmount";

/** Profiles of XML that were stored before a setting or a product field was there lack it. */
type KeptXml =
  & Omit<ImportProfile, LaterSetting | "fields">
  & Partial<Pick<ImportProfile, LaterSetting>>
  & { readonly fields: Pick<ImportProfile["fields"], "sku"> & Partial<ImportProfile["fields"]> };

/** As stored. Of tables too, fields and settings that came later may be absent. */
type KeptProfile = KeptXml | (Omit<TableProfile, "matchBy"> & Partial<TableProfile>);

const NO_FIELDS = recordOf(PROFILE_FIELDS, () => null);

export interface StoredProfile {
  readonly profile: AnyProfile;
  readonly versionstamp: string;
}

/** Null also for what cannot be an id: a key of the store is not to be made of it. */
export async function findOwnProfile(
  { store, workspaceId }: WorkspaceStore,
  profileId: string,
): Promise<StoredProfile | null> {
  if (!ProfileId.safeParse(profileId).success) return null;
  const { value, versionstamp } = await store.kv.get<KeptProfile>(rowKey(workspaceId, profileId));
  return value === null ? null : { profile: profileOf(value), versionstamp };
}

/** By id; a workspace has a handful. */
export async function listOwnProfiles(
  { store, workspaceId }: WorkspaceStore,
): Promise<AnyProfile[]> {
  const prefix = ["ipf", idBytes(workspaceId)];
  const rows = await Array.fromAsync(store.kv.list<KeptProfile>({ prefix }));
  return rows.map(({ value }) => profileOf(value));
}

function profileOf(kept: KeptProfile): AnyProfile {
  if (kept.format === "table") {
    const matchBy = kept.matchBy ?? "sku";
    return { ...kept, fields: { ...NO_FIELDS, ...kept.fields }, matchBy };
  }
  return {
    ...kept,
    fields: { ...NO_FIELDS, ...kept.fields },
    zeroIsEmpty: kept.zeroIsEmpty ?? false,
    sale: kept.sale ?? null,
    currencyInAmount: kept.currencyInAmount ?? false,
  };
}

/** The commit fails when the profile is no longer the one of `versionstamp` (null: a new one). */
export function saveProfile(
  write: Write,
  workspaceId: string,
  profile: AnyProfile,
  versionstamp: string | null,
): void {
  write.check(rowKey(workspaceId, profile.id), versionstamp);
  write.set(rowKey(workspaceId, profile.id), profile);
}

/** The commit fails when the profile was changed or deleted since it was read. */
export function removeProfile(
  write: Write,
  workspaceId: string,
  { profile, versionstamp }: StoredProfile,
): void {
  write.check(rowKey(workspaceId, profile.id), versionstamp);
  write.delete(rowKey(workspaceId, profile.id));
}

/**
 * A profile of the workspace or a built-in one; null for an unknown id. `format` says which of two that
 * share the id.
 */
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
 * are. An own one that has the id of a built-in one was there before it, and goes on to count.
 */
async function profilesOf(workspace: WorkspaceStore, id: string): Promise<readonly AnyProfile[]> {
  const own = await findOwnProfile(workspace, id);
  if (own) return [own.profile];
  return BUILT_IN.filter((profile) => profile.id === id);
}

/** The workspace's own profiles and, behind them, the built-in ones that they do not stand in for. */
export async function listProfiles(workspace: WorkspaceStore): Promise<readonly AnyProfile[]> {
  const own = await listOwnProfiles(workspace);
  const taken = new Set(own.map(({ id }) => id));
  return [...own, ...BUILT_IN.filter(({ id }) => !taken.has(id))];
}

/** The named profile, or all to choose from, the workspace's own first. */
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

/** True for the id of a profile that files may be read with. */
export async function isKnownProfile(workspace: WorkspaceStore, id: string): Promise<boolean> {
  return await findProfile(workspace, id) !== null;
}

export function noSuchProfile(id: string): Failure {
  return new Failure("not_found", `There is no import profile "${id}"`);
}
