/** Import profiles of a workspace are made, changed and deleted; the built-in ones never. */

import { changedFields } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { foldedName } from "../../base/codes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { isBuiltIn, PROFILE_READ_ONLY, requireProfile } from "./import_profile_document.ts";
import {
  findOwnProfile,
  listOwnProfiles,
  noSuchProfile,
  removeProfile,
  saveProfile,
  type StoredProfile,
} from "./import_profile_store.ts";
import type { AnyProfile, NewProfile } from "./profile.ts";

const PROFILES_MAX = 100;

/** Refuses with `conflict` an id that is taken; one that is not given is made of the name. */
export async function createProfile(ctx: Context, given: NewProfile): Promise<AnyProfile> {
  return await transact(ctx, async (write) => {
    const own = await listOwnProfiles(ctx);
    const profile = { ...given, id: given.id ?? freeId(given.name, own) };
    if (isBuiltIn(profile.id) || own.some(({ id }) => id === profile.id)) {
      throw new Failure("conflict", `There is an import profile "${profile.id}" already`);
    }
    if (own.length >= PROFILES_MAX) {
      throw new Failure("conflict", `A workspace has at most ${PROFILES_MAX} import profiles`);
    }
    saveProfile(write, ctx.workspaceId, profile, null);
    audit(write, ctx, "create", null, profile);
    ctx.receipt?.put(write, `/api/import-profiles/${profile.id}`);
    return profile;
  });
}

const ID_CHARS_MAX = 60;

/** The name in letters, digits and hyphens, with a number behind it where that is taken. */
function freeId(name: string, own: readonly AnyProfile[]): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).map(foldedName).filter((word) => word !== "");
  const plain = words.join("-").slice(0, ID_CHARS_MAX).replace(/-$/, "") || "profile";
  const isTaken = (id: string) => isBuiltIn(id) || own.some((one) => one.id === id);
  if (!isTaken(plain)) return plain;
  for (let n = 2;; n++) {
    if (!isTaken(`${plain}-${n}`)) return `${plain}-${n}`;
  }
}

/** Merges the fields of `patch`, each as a whole; `null` is the default. Refuses with `forbidden` a built-in one. */
export async function changeProfile(
  ctx: Context,
  id: string,
  patch: Readonly<Record<string, unknown>>,
  expected: string | null = null,
): Promise<AnyProfile> {
  return await transact(ctx, async (write) => {
    const found = await requireOwnProfile(ctx, id);
    requireVersion(expected, versionOf(found.profile, PROFILE_READ_ONLY));
    const merged = Object.entries({ ...found.profile, ...patch });
    // An absent field is its default, and so is one that a change sets to null.
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
export async function deleteProfile(
  ctx: Context,
  id: string,
  expected: string | null = null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const found = await requireOwnProfile(ctx, id);
    requireVersion(expected, versionOf(found.profile, PROFILE_READ_ONLY));
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
  before: AnyProfile | null,
  after: AnyProfile | null,
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
