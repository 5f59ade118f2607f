/**
 * Keys: `u id` → user; `ue email` → id, one person per address in the whole store; `uw W id` →
 * empty; `uo W` → empty, set with every change of a user; `uf` → id of the first user ever.
 */
import { idBytes } from "../../base/id.ts";
import { isLongerThan } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { lastIdOf } from "../../platform/store/id_keys.ts";
import { listThrough } from "../../platform/store/rows.ts";
import { EMAIL_CHARACTERS_MAX, type StoredUser } from "./user.ts";

const FIRST_KEY = ["uf"];
const EMPTY = new Uint8Array();

/** For reads of a user together with rows of another table. */
export const userKey = (id: string) => ["u", idBytes(id)];
const emailKey = (email: string) => ["ue", email];
const memberKey = (workspaceId: string, id: string) => ["uw", idBytes(workspaceId), idBytes(id)];
const ownersKey = (workspaceId: string) => ["uo", idBytes(workspaceId)];

/** A user with the version that writes check. */
export interface FoundUser {
  readonly user: StoredUser;
  readonly versionstamp: string;
}

/** Of any workspace: for sessions and links, which know their user. */
export async function findUserById({ kv }: Store, id: string): Promise<FoundUser | null> {
  const { value, versionstamp } = await kv.get<StoredUser>(userKey(id));
  return value === null ? null : { user: value, versionstamp };
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
  const { value: id } = await store.kv.get<string>(emailKey(email));
  return id === null ? null : await findUserById(store, id);
}

/** True as soon as the store has had a user: set-up and headless creation end with it. */
export async function hasHadUsers({ kv }: Store): Promise<boolean> {
  return (await kv.get(FIRST_KEY)).value !== null;
}

/** Users of the workspace after the id `after`, in id order; all of them when `limit` is null. */
export async function listUsers(
  { store, workspaceId }: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<StoredUser[]> {
  const page = { prefix: ["uw", idBytes(workspaceId)], after, limit: limit ?? Infinity };
  return await listThrough(store, page, async (rows) => {
    const keys = rows.map(({ key }) => userKey(lastIdOf(key)));
    const found = await store.kv.getMany<StoredUser[]>(keys);
    return found.flatMap(({ value }) => value === null ? [] : [value]);
  });
}

/** Whether another owner with a password exists, with the version that `checkOwners` checks. */
export async function hasOtherOwner(workspace: WorkspaceStore, id: string) {
  const { versionstamp } = await workspace.store.kv.get(ownersKey(workspace.workspaceId));
  const users = await listUsers(workspace, { after: null, limit: null });
  const isTrue = users.some((user) =>
    user.id !== id && user.role === "owner" && user.passwordHash !== null
  );
  return { isTrue, versionstamp };
}

/** Keeps `hasOtherOwner` true: the commit fails when any user was changed since it was read. */
export function checkOwners(write: Write, workspaceId: string, versionstamp: string | null): void {
  write.check(ownersKey(workspaceId), versionstamp);
}

/** The commit fails when the address was taken meanwhile. */
export function addUserRows(write: Write, user: StoredUser): void {
  write.check(emailKey(user.email), null);
  write.set(emailKey(user.email), user.id);
  write.set(memberKey(user.workspaceId, user.id), EMPTY);
  write.set(userKey(user.id), user);
  write.set(ownersKey(user.workspaceId), EMPTY);
}

/** Remembers for ever that the store has had a user; the commit fails when it already had one. */
export function claimFirstUser(write: Write, id: string): void {
  write.check(FIRST_KEY, null);
  write.set(FIRST_KEY, id);
}

/** The commit fails when the user was changed or removed since it was read. */
export function checkUser(write: Write, { user, versionstamp }: FoundUser): void {
  write.check(userKey(user.id), versionstamp);
}

/** The commit fails when the user was changed or removed since `versionstamp`. */
export function saveUser(write: Write, user: StoredUser, versionstamp: string): void {
  write.check(userKey(user.id), versionstamp);
  write.set(userKey(user.id), user);
  write.set(ownersKey(user.workspaceId), EMPTY);
}

/** The commit fails when the user was changed or removed since `versionstamp`. */
export function removeUserRows(write: Write, user: StoredUser, versionstamp: string): void {
  write.check(userKey(user.id), versionstamp);
  write.delete(userKey(user.id));
  write.delete(emailKey(user.email));
  write.delete(memberKey(user.workspaceId, user.id));
  write.set(ownersKey(user.workspaceId), EMPTY);
}
