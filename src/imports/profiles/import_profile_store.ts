/** Keys: `ipf W profileId` → a workspace's own import profile. */
import { idBytes } from "../../base/id.ts";
import { recordOf } from "../../base/record_of.ts";
import { PROFILE_FIELDS } from "./field_labels.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { AnyProfile } from "./any_profile.ts";
import type { ImportProfile } from "./profile.ts";
import { ProfileId } from "./profile_shape.ts";
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
