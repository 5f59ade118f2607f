/** Users. Each belongs to one workspace; an e-mail address is unique in the whole store. */
import { isLongerThan } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable, defineTable } from "../../platform/store/table.ts";
import { EMAIL_CHARACTERS_MAX, type StoredUser } from "./user.ts";

export const users = defineStoreTable<StoredUser, "id", "email" | "member">({
  prefix: "u",
  about: "a user",
  key: { id: "id" },
  indexes: {
    email: { prefix: "ue", key: { email: "text" }, unique: true },
    member: { prefix: "uw", key: { workspaceId: "id" } },
  },
});

export const userChanges = defineTable<object>({
  prefix: "uo",
  about: "empty; written with every change of a user",
  key: {},
  codec: { encode: () => new Uint8Array(), decode: () => ({}) },
});

export const firstUsers = defineStoreTable<{ readonly id: string }>({
  prefix: "uf",
  about: "the id of the first user of the store",
  key: {},
  codec: { encode: ({ id }) => id, decode: (id) => Object({ id }) },
});

/** The key of a user, for reads together with rows of another table. */
export const userKey = (id: string) => users.keyOf({}, { id });

/** A user with the version that writes check. */
export interface FoundUser {
  readonly user: StoredUser;
  readonly versionstamp: string;
}

/** A user of any workspace, for sessions and links, which contain the id. */
export async function findUserById(store: Store, id: string): Promise<FoundUser | null> {
  const found = await users.find({ store }, { id });
  return found && { user: found.row, versionstamp: found.versionstamp };
}

/** Null for an unknown id, and for a user of another workspace. */
export async function findUser(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundUser | null> {
  const found = await findUserById(store, id);
  return found?.user.workspaceId === workspaceId ? found : null;
}

/** Finds a user of any workspace by the normalised address. */
export async function findUserByEmail(store: Store, email: string): Promise<FoundUser | null> {
  // Anyone may send any text, even one that is too long for a key of the store.
  if (isLongerThan(email, EMAIL_CHARACTERS_MAX)) return null;
  const found = await users.findBy({ store }, "email", { email });
  return found && { user: found.row, versionstamp: found.versionstamp };
}

/** True if the store has ever had a user. Set-up and automatic creation then end. */
export async function hasHadUsers(store: Store): Promise<boolean> {
  return await firstUsers.find({ store }, {}) !== null;
}

/**
 * Users of the workspace after the id `after`, in the order of ids; all of them if `limit` is null.
 */
export async function listUsers(
  { store, workspaceId }: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<StoredUser[]> {
  const range = { after: after === null ? null : { id: after }, limit };
  return (await users.listBy({ store }, "member", { workspaceId }, range)).map(({ row }) => row);
}

/**
 * Finds out whether another owner with a password exists. Also returns the version for
 * `checkOwners`.
 */
export async function hasOtherOwner(workspace: WorkspaceStore, id: string) {
  const versionstamp = (await userChanges.find(workspace, {}))?.versionstamp ?? null;
  const all = await listUsers(workspace, { after: null, limit: null });
  const isTrue = all.some((user) =>
    user.id !== id && user.role === "owner" && user.passwordHash !== null
  );
  return { isTrue, versionstamp };
}

/**
 * Makes the commit fail if any user of the workspace was changed since `hasOtherOwner` was read.
 */
export function checkOwners(write: Write, workspaceId: string, versionstamp: string | null): void {
  const found = versionstamp === null ? null : { row: {}, versionstamp };
  userChanges.check(write, { workspaceId }, {}, found);
}

/** Adds a user. The commit fails if the address was taken meanwhile. */
export function addUserRows(write: Write, user: StoredUser): void {
  users.add(write, {}, user);
  userChanges.put(write, user, {});
}

/** Records forever that the store has had a user. The commit fails if it already had one. */
export function claimFirstUser(write: Write, id: string): void {
  firstUsers.save(write, {}, null, { id });
}

/** Makes the commit fail if the user was changed or removed since it was read. */
export function checkUser(write: Write, { user, versionstamp }: FoundUser): void {
  users.check(write, {}, user, { row: user, versionstamp });
}

/**
 * Saves a user, whose address must be unchanged. The commit fails if the user was changed or
 * removed since `versionstamp`.
 */
export function saveUser(write: Write, user: StoredUser, versionstamp: string): void {
  users.save(write, {}, { row: user, versionstamp }, user);
  userChanges.put(write, user, {});
}

/** Removes a user. The commit fails if the user was changed or removed since `versionstamp`. */
export function removeUserRows(write: Write, user: StoredUser, versionstamp: string): void {
  users.remove(write, {}, { row: user, versionstamp });
  userChanges.put(write, user, {});
}
