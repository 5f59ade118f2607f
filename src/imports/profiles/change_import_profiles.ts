/** Import profiles of a workspace are made, changed and deleted; the built-in ones never. */
import { changedFields } from "../../audit/audit.ts";
import { addAuditRow } from "../../audit/audit_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { isBuiltIn, requireProfile } from "./import_profile_document.ts";
import {
  findOwnProfile,
  listOwnProfiles,
  removeProfile,
  saveProfile,
  type StoredProfile,
} from "./import_profile_store.ts";
import { noSuchProfile } from "./import_profiles.ts";
import type { ImportProfile } from "./profile.ts";

const PROFILES_MAX = 100;

/** Refuses with `conflict` an id that is taken. */
export async function createProfile(ctx: Context, profile: ImportProfile): Promise<ImportProfile> {
  await transact(ctx, async (write) => {
    const own = await listOwnProfiles(ctx);
    if (isBuiltIn(profile.id) || own.some(({ id }) => id === profile.id)) {
      throw new Failure("conflict", `There is an import profile "${profile.id}" already`);
    }
    if (own.length >= PROFILES_MAX) {
      throw new Failure("conflict", `A workspace has at most ${PROFILES_MAX} import profiles`);
    }
    saveProfile(write, ctx.workspaceId, profile, null);
    audit(write, ctx, "create", null, profile);
    ctx.receipt?.put(write, `/api/import-profiles/${profile.id}`);
  });
  return profile;
}

/** Merges the fields of `patch`, each as a whole; `null` is the default. Refuses with `forbidden` a built-in one. */
export async function changeProfile(
  ctx: Context,
  id: string,
  patch: Readonly<Record<string, unknown>>,
): Promise<ImportProfile> {
  return await transact(ctx, async (write) => {
    const found = await requireOwnProfile(ctx, id);
    const merged = Object.entries({ ...found.profile, ...patch });
    // What is absent in a profile is its default, and so is what a change sets to null.
    const given = merged.filter(([, value]) => value !== null);
    const after = requireProfile(Object.fromEntries(given));
    if (after.id !== id) throw refuseFields([{ path: "id", message: "Cannot be changed" }]);
    if (JSON.stringify(after) === JSON.stringify(found.profile)) return after;
    saveProfile(write, ctx.workspaceId, after, found.versionstamp);
    audit(write, ctx, "update", found.profile, after);
    return after;
  });
}

/** Refuses with `not_found`, and with `forbidden` a built-in one. */
export async function deleteProfile(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireOwnProfile(ctx, id);
    removeProfile(write, ctx.workspaceId, found);
    audit(write, ctx, "delete", found.profile, null);
  });
}

async function requireOwnProfile(ctx: Context, id: string): Promise<StoredProfile> {
  const found = await findOwnProfile(ctx, id);
  if (found) return found;
  if (isBuiltIn(id)) {
    throw new Failure("forbidden", `The import profile "${id}" is built in: copy it to change it`);
  }
  throw noSuchProfile(id);
}

function audit(
  write: Write,
  ctx: Context,
  verb: "create" | "update" | "delete",
  before: ImportProfile | null,
  after: ImportProfile | null,
): void {
  const named = after ?? before;
  if (!named) return;
  const fields = before && after ? changedFields(before, after) : { before, after };
  addAuditRow(write, ctx, {
    action: `import_profile.${verb}`,
    resource: { type: "import_profile", id: named.id, label: named.name },
    ...fields,
  });
}
