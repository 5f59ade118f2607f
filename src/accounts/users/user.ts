/**
 * Stores the people of a workspace. An e-mail address is unique in the whole store. Each change of
 * a user also changes the workspace's row in `userChanges`. Commits check the version of this row,
 * so that two simultaneous commits cannot remove the last two owners.
 */
import { z } from "@hono/zod-openapi";
import { Failure, requireById } from "../../base/failure.ts";
import { composed, isLongerThan } from "../../base/text.ts";
import type { Actor, ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable, defineTable, type Found } from "../../platform/store/table.ts";
import type { AuditEntryOf } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { ROLES } from "../roles.ts";
import { Name } from "../../engine/pricing/field.ts";

const EMAIL_CHARACTERS_MAX = 254;

/** Form of an e-mail address, which may have letters of all scripts (RFC 6531). */
const EMAIL_FORM =
  /^[^\s@"<>()[\],;:\\\p{C}]{1,64}@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

/** An e-mail address, stored trimmed, in NFC and in lower case (docs/decisions/identity.md). */
export const Email = z.string()
  // Check the length first, because normalising a megabyte of accents takes minutes.
  .max(1_024, { abort: true, error: `Must have at most ${EMAIL_CHARACTERS_MAX} characters` })
  .overwrite(foldEmail)
  .max(EMAIL_CHARACTERS_MAX, `Must have at most ${EMAIL_CHARACTERS_MAX} characters`)
  .pipe(z.email({ pattern: EMAIL_FORM, error: "Must be an e-mail address" }))
  .meta({ format: "email", example: "anna@shop.example" });

export function foldEmail(text: string): string {
  return composed(text.trim()).toLowerCase();
}

export const UserRole = z.enum(ROLES).meta({
  id: "Role",
  description:
    "viewer: may read; manager: everything except users, keys and settings; owner: everything",
});

export const PersonName = Name.nullable().meta({
  description: "The displayed name of the person; null: their address is shown",
  example: "Jana Petersen",
});

export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: PersonName,
  role: UserRole,
  status: z.enum(["invited", "active"])
    .describe("`invited` until the person has chosen a password"),
  hasSecondFactor: z.boolean(),
  createdAt: z.iso.datetime(),
}).meta({ id: "User" });

export type User = z.infer<typeof User>;

/** `passwordHash` is null until the person chooses a password. */
export interface StoredUser extends Omit<User, "status" | "name" | "hasSecondFactor"> {
  /** Rows of earlier versions of Kurant lack `name`. */
  readonly name?: string | null;
  readonly workspaceId: string;
  readonly passwordHash: string | null;
  /** Increased to end all sessions of the user. */
  readonly sessionGeneration: number;
  readonly dailyMail?: boolean;
  readonly hasProvider?: boolean;
  readonly hasFactor?: boolean;
}

export function newUser(
  clock: Pick<ClockAndIds, "newId" | "now">,
  workspaceId: string,
  person: Pick<StoredUser, "email" | "name" | "role" | "passwordHash">,
): StoredUser {
  const createdAt = clock.now().toISOString();
  return { id: clock.newId(), workspaceId, ...person, sessionGeneration: 0, createdAt };
}

export function serialiseUser(user: StoredUser): User {
  const { id, email, name = null, role, hasFactor = false, createdAt } = user;
  const status = hasJoined(user) ? "active" : "invited";
  return { id, email, name, role, status, hasSecondFactor: hasFactor, createdAt };
}

export function hasJoined({ passwordHash, hasProvider = false }: StoredUser): boolean {
  return passwordHash !== null || hasProvider;
}

export const USER_READ_ONLY = ["id", "email", "status", "hasSecondFactor", "createdAt"] as const;

export function personName({ name, email }: Pick<StoredUser, "name" | "email">): string {
  return name ?? email;
}

export function actorOf(user: Pick<StoredUser, "id" | "name" | "email">): Actor {
  return { type: "user", id: user.id, name: personName(user) };
}

export function noteUser(
  write: Write,
  ctx: Parameters<typeof addAuditRow>[1],
  user: Pick<StoredUser, "id" | "name" | "email">,
  change: Omit<AuditEntryOf<"user">, "resource">,
): void {
  const resource = { type: "user", id: user.id, label: personName(user) } as const;
  addAuditRow(write, ctx, { resource, ...change });
}

export const users = defineStoreTable<StoredUser, "id", "email" | "member">({
  prefix: "u",
  about: "a user",
  key: { id: "id" },
  valueHasKey: true,
  indexes: {
    email: { prefix: "ue", key: { email: "text" }, unique: true },
    member: { prefix: "uw", key: { workspaceId: "id" } },
  },
});

const userChanges = defineTable<object>({
  prefix: "uo",
  about: "empty, a version counter that changes with each user",
  key: {},
  codec: { encode: () => new Uint8Array(), decode: () => ({}) },
});

const firstUsers = defineStoreTable<{ readonly id: string }>({
  prefix: "uf",
  about: "the id of the first user of the store",
  key: {},
  value: "id",
});

export type FoundUser = Found<StoredUser>;

export async function findUserById(store: Store, id: string): Promise<FoundUser | null> {
  return await users.find({ store }, { id });
}

export async function findUser(
  { store, workspaceId }: WorkspaceStore,
  id: string,
): Promise<FoundUser | null> {
  const found = await findUserById(store, id);
  return found?.row.workspaceId === workspaceId ? found : null;
}

export async function requireUser(workspace: WorkspaceStore, id: string): Promise<FoundUser> {
  return await requireById("user", id, (id) => findUser(workspace, id));
}

export async function findUserByEmail(store: Store, email: string): Promise<FoundUser | null> {
  // Looking up a longer address would throw, because its key would be too long.
  if (isLongerThan(email, EMAIL_CHARACTERS_MAX)) return null;
  return await users.findBy({ store }, "email", { email });
}

export async function requireFreeEmail(store: Store, email: string): Promise<void> {
  if (await findUserByEmail(store, email) === null) return;
  throw new Failure("conflict", `The address "${email}" is in use already`, { field: "email" });
}

export async function hasHadUsers(store: Store): Promise<boolean> {
  return await firstUsers.find({ store }, {}) !== null;
}

export async function listUsers(
  { store, workspaceId }: WorkspaceStore,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<StoredUser[]> {
  const range = { after: after === null ? null : { id: after }, limit };
  return (await users.listBy({ store }, "member", { workspaceId }, range)).map(({ row }) => row);
}

/**
 * True if an owner other than the user `id` has joined. The commit fails if any user of the
 * workspace changes after this call.
 */
export async function hasOtherOwner(
  write: Write,
  workspace: WorkspaceStore,
  id: string,
): Promise<boolean> {
  userChanges.check(write, workspace, {}, await userChanges.find(workspace, {}));
  const all = await listUsers(workspace, { after: null, limit: null });
  return all.some((user) => user.id !== id && user.role === "owner" && hasJoined(user));
}

/** The commit fails if another user has the e-mail address. */
export function addUserRows(write: Write, user: StoredUser): void {
  users.add(write, {}, user);
  userChanges.put(write, user, {});
}

/** The commit fails if the store has ever had a user. */
export function claimFirstUser(write: Write, id: string): void {
  firstUsers.save(write, {}, null, { id });
}

/** The commit fails if the user was changed or removed after `found` was read. */
export function saveUser(
  write: Write,
  found: FoundUser,
  change: Partial<StoredUser> = {},
): StoredUser {
  const user = { ...found.row, ...change };
  users.save(write, {}, found, user);
  userChanges.put(write, user, {});
  return user;
}

/** Saves the user like `saveUser`, and ends all sessions of the user. */
export function saveUserAnew(
  write: Write,
  found: FoundUser,
  change: Partial<StoredUser> = {},
): StoredUser {
  return saveUser(write, found, { ...change, sessionGeneration: found.row.sessionGeneration + 1 });
}

export function removeUserRows(write: Write, found: FoundUser): void {
  users.remove(write, {}, found);
  userChanges.put(write, found.row, {});
}

export interface Visit {
  readonly userId: string;
  readonly seenAtMs: number;
  readonly previousAtMs: number | null;
}

export const visitRows = defineTable<Visit, "userId">({
  prefix: "uv",
  about: "when a person last used Kurant, in the current and the previous visit",
  key: { userId: "id" },
});
