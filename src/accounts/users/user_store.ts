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
  about: "empty: set with every change of a user",
  key: {},
  codec: { encode: () => new Uint8Array(), decode: () => ({}) },
});

export const firstUsers = defineStoreTable<{ readonly id: string }>({
  prefix: "uf",
  about: "the id of the first user ever",
  key: {},
  codec: { encode: ({ id }) => id, decode: (id) => Object({ id }) },
});

/** For reads of a user together with rows of another table. */
export const userKey = (id: string) => users.keyOf({}, { id });

/** A user with the version that writes check. */
export interface FoundUser {
  readonly user: StoredUser;
  readonly versionstamp: string;
}

/** Of any workspace: for sessions and links, which know their user. */
export async function findUserById(store: Store, id: string): Promise<FoundUser | null> {
  const found = await users.find({ store }, { id });
  return found && { user: found.row, versionstamp: found.versionstamp };
}

/** Null for an unknown id and for another workspace's alike. */
export async function findUser(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundUser | null> {
  const found = await findUserById(store, id);
  return found?.user.workspaceId === workspaceId ? found : null;
}

/** By the normalised address, in whatever workspace. */
export async function findUserByEmail(store: Store, email: string): Promise<FoundUser | null> {
  // A stranger may ask for any text, also for one that no key of the store can hold.
  if (isLongerThan(email, EMAIL_CHARACTERS_MAX)) return null;
  const found = await users.findBy({ store }, "email", { email });
  return found && { user: found.row, versionstamp: found.versionstamp };
}

/** True as soon as the store has had a user: set-up and headless creation end with it. */
export async function hasHadUsers(store: Store): Promise<boolean> {
  return await firstUsers.find({ store }, {}) !== null;
}

/** Users of the workspace after the id `after`, in id order; all of them when `limit` is null. */
export async function listUsers(
  { store, workspaceId }: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<StoredUser[]> {
  const range = { after: after === null ? null : { id: after }, limit };
  return (await users.listBy({ store }, "member", { workspaceId }, range)).map(({ row }) => row);
}

/** Whether another owner with a password exists, with the version that `checkOwners` checks. */
export async function hasOtherOwner(workspace: WorkspaceStore, id: string) {
  const versionstamp = (await userChanges.find(workspace, {}))?.versionstamp ?? null;
  const all = await listUsers(workspace, { after: null, limit: null });
  const isTrue = all.some((user) =>
    user.id !== id && user.role === "owner" && user.passwordHash !== null
  );
  return { isTrue, versionstamp };
}

/** Keeps `hasOtherOwner` true: the commit fails when any user was changed since it was read. */
export function checkOwners(write: Write, workspaceId: string, versionstamp: string | null): void {
  const found = versionstamp === null ? null : { row: {}, versionstamp };
  userChanges.check(write, { workspaceId }, {}, found);
}

/** The commit fails when the address was taken meanwhile. */
export function addUserRows(write: Write, user: StoredUser): void {
  users.add(write, {}, user);
  userChanges.put(write, user, {});
}

/** Remembers for ever that the store has had a user; the commit fails when it already had one. */
export function claimFirstUser(write: Write, id: string): void {
  firstUsers.save(write, {}, null, { id });
}

/** The commit fails when the user was changed or removed since it was read. */
export function checkUser(write: Write, { user, versionstamp }: FoundUser): void {
  users.check(write, {}, user, { row: user, versionstamp });
}

/** The commit fails when the user was changed or removed since `versionstamp`; the address stays. */
export function saveUser(write: Write, user: StoredUser, versionstamp: string): void {
  users.save(write, {}, { row: user, versionstamp }, user);
  userChanges.put(write, user, {});
}

/** The commit fails when the user was changed or removed since `versionstamp`. */
export function removeUserRows(write: Write, user: StoredUser, versionstamp: string): void {
  users.remove(write, {}, { row: user, versionstamp });
  userChanges.put(write, user, {});
}
