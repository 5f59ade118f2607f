/** Keys: `ipf W profileId` → a workspace's own import profile. */
import { idBytes } from "../../base/id.ts";
import { recordOf } from "../../base/record_of.ts";
import { IMPORTED_NAMES, majorName } from "../../catalogue/products/product_field_table.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { ImportProfile } from "./profile.ts";
import { ProfileId } from "./profile_shape.ts";

const rowKey = (workspaceId: string, profileId: string) => [
  "ipf",
  idBytes(workspaceId),
  profileId,
];

/** Profiles that were stored before a setting or a product field was there lack it. */
type KeptProfile =
  & Omit<ImportProfile, "zeroIsEmpty" | "fields">
  & Partial<Pick<ImportProfile, "zeroIsEmpty">>
  & { readonly fields: Pick<ImportProfile["fields"], "sku"> & Partial<ImportProfile["fields"]> };

const NO_FIELDS = recordOf(IMPORTED_NAMES.map(majorName), () => null);

export interface StoredProfile {
  readonly profile: ImportProfile;
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
): Promise<ImportProfile[]> {
  const prefix = ["ipf", idBytes(workspaceId)];
  const rows = await Array.fromAsync(store.kv.list<KeptProfile>({ prefix }));
  return rows.map(({ value }) => profileOf(value));
}

function profileOf(kept: KeptProfile): ImportProfile {
  return {
    ...kept,
    fields: { ...NO_FIELDS, ...kept.fields },
    zeroIsEmpty: kept.zeroIsEmpty ?? false,
  };
}

/** The commit fails when the profile is no longer the one of `versionstamp` (null: a new one). */
export function saveProfile(
  write: Write,
  workspaceId: string,
  profile: ImportProfile,
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
