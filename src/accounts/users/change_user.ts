/**
 * Invites, changes and removes users. A workspace always keeps at least one owner.
 *
 * A user opens a secret link to choose a password. An owner passes the link on, or the service
 * sends it by mail. A user has at most one valid link; the store contains only its hash. Links are
 * mailed in the background: the response time does not reveal which e-mail addresses have users.
 */
import { sha256 } from "../../base/bytes.ts";
import { withPatch } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { type Language, languageOf } from "../../base/codes.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { resetMail } from "../../engine/wording/morning_words.ts";
import { requireVersion, versionOf } from "../../platform/http/http.ts";
import { roomLog } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail.ts";
import {
  type Anonymous,
  type Context,
  contextFor,
  type Tools,
  type WorkspaceStore,
} from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable, type Found } from "../../platform/store/table.ts";
import { changedFields } from "../audit/audit.ts";
import type { Role } from "../roles.ts";
import { newToken } from "../passwords/password.ts";
import { findWorkspace } from "../workspace.ts";
import {
  addUserRows,
  findUserByEmail,
  hasOtherOwner,
  newUser,
  noteUser,
  removeUserRows,
  requireFreeEmail,
  requireUser,
  saveUser,
  serialiseUser,
  type StoredUser,
  USER_READ_ONLY,
  visitRows,
} from "./user.ts";

export const links = defineStoreTable<
  { readonly hash: Uint8Array; readonly userId: string; readonly expiresAt: string },
  "hash",
  "user"
>({
  prefix: "il",
  about: "an invitation or a password link, by the SHA-256 of its token",
  key: { hash: "bytes" },
  indexes: { user: { prefix: "iu", key: { userId: "id" }, unique: true } },
  expireInMs: 80 * HOUR_MS,
});

export async function endLink(store: Store, write: Write, userId: string): Promise<void> {
  const found = await links.findBy({ store }, "user", { userId });
  if (found) links.remove(write, {}, found);
}

export async function inviteUser(
  ctx: Context,
  { email, role, name = null }: {
    readonly email: string;
    readonly role: Role;
    readonly name?: string | null | undefined;
  },
) {
  return await transact(ctx, async (write) => {
    await requireFreeEmail(ctx.store, email);
    const user = newUser(ctx, ctx.workspaceId, { email, name, role, passwordHash: null });
    addUserRows(write, user);
    const link = await beginLink(ctx.store, write, user.id, ctx.now());
    noteUser(write, ctx, user, {
      action: "user.create",
      after: { email, role, ...(name !== null && { name }) },
    });
    // Do not store the secret link in the idempotency record.
    ctx.receipt?.put(write, null);
    return { user, link };
  });
}

/** The commit fails if another commit creates or uses a link of the user at the same time. */
async function beginLink(
  store: Store,
  write: Write,
  userId: string,
  now: Date,
  livesMs = 72 * HOUR_MS,
) {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + livesMs).toISOString();
  const before = await links.findBy({ store }, "user", { userId });
  links.save(write, {}, before, { hash: sha256(token), userId, expiresAt });
  return { token, expiresAt };
}

export async function createResetLink(ctx: Context, id: string) {
  return await transact(ctx, async (write) => {
    const { row: user } = await requireUser(ctx, id);
    const link = await beginLink(ctx.store, write, user.id, ctx.now());
    noteUser(write, ctx, user, { action: "user.reset_link", after: { expiresAt: link.expiresAt } });
    return { user, link };
  });
}

const log = roomLog("identity");

interface ForgottenPassword {
  readonly id: string;
  readonly email: string;
  readonly requestId: string;
  readonly language?: Language | undefined;
  readonly atMs: number;
  readonly dueMs: number;
}

export const forgottenPasswords = defineStoreTable<ForgottenPassword, "id">({
  prefix: "fp",
  about: "an unfinished request for a password link by mail",
  key: { id: "id" },
  valueHasKey: true,
  expireInMs: 2 * HOUR_MS,
});

export const FORGOTTEN = "forgotten passwords";

/** Call `countLinkRequest` first, which limits the number of requests. */
export async function requestLink(
  asker: Anonymous,
  asked: Pick<ForgottenPassword, "email" | "language">,
): Promise<void> {
  const atMs = asker.clock.now().getTime();
  const { requestId } = asker;
  await transact(asker, (write) => {
    const row = { id: asker.clock.newId(), ...asked, requestId, atMs, dueMs: atMs };
    forgottenPasswords.put(write, {}, row);
    write.notify(FORGOTTEN);
  });
}

interface LinkMailSetup extends Tools {
  readonly mailer: Mailer;
  linkOf(token: string): string;
  readonly isProviderOnly: boolean;
}

export async function sendLinks(setup: LinkMailSetup): Promise<void> {
  for (const found of await forgottenPasswords.list(setup)) {
    if (found.row.dueMs > setup.clock.now().getTime()) continue;
    const claimed = await transact(setup, (write) => claim(write, setup, found));
    if (claimed) await sendLink(setup, found.row, claimed);
  }
}

async function claim(
  write: Write,
  { store, clock, isProviderOnly }: LinkMailSetup,
  { row, versionstamp }: Found<ForgottenPassword>,
): Promise<{ user: StoredUser; token: string } | null> {
  const now = clock.now();
  const found = await forgottenPasswords.find({ store }, row);
  if (found?.versionstamp !== versionstamp) return null;
  const user = (await findUserByEmail(store, row.email))?.row;
  const isClosed = isProviderOnly && user?.hasProvider;
  // A request older than 30 minutes gets no mail, because the person no longer waits for it.
  if (!user?.passwordHash || isClosed || now.getTime() - row.atMs > 30 * MINUTE_MS) {
    forgottenPasswords.remove(write, {}, found);
    return null;
  }
  forgottenPasswords.save(write, {}, found, { ...row, dueMs: now.getTime() + 2 * MINUTE_MS });
  const link = await beginLink(store, write, user.id, now, HOUR_MS);
  const actor = { type: "system", id: "forgotten_password", name: "Forgotten password" } as const;
  noteUser(write, contextFor({ store, clock, ...row }, user.workspaceId, actor), user, {
    action: "user.reset_link",
    after: { expiresAt: link.expiresAt },
  });
  return { user, token: link.token };
}

async function sendLink(
  { store, mailer, linkOf }: LinkMailSetup,
  { id, requestId, language }: ForgottenPassword,
  { user, token }: { readonly user: StoredUser; readonly token: string },
): Promise<void> {
  const workspace = await findWorkspace(store, user.workspaceId);
  const text = resetMail(language ?? languageOf(workspace?.locale ?? ""), linkOf(token));
  const trouble = await mailer.send({ id, to: [user.email], ...text });
  const facts = { requestId, userId: user.id };
  if (trouble === null) log.info("reset link sent", facts);
  else log.warning("reset link not sent", { ...facts, reason: trouble.message });
  if (trouble?.isFinal === false) return;
  await transact({ store }, (write) => forgottenPasswords.drop(write, {}, { id }));
}

/** Absent fields stay unchanged; null removes the name. */
interface UserChange {
  readonly role?: Role | undefined;
  readonly name?: string | null | undefined;
  readonly dailyMail?: boolean;
}

/**
 * Throws `version_conflict` if the user does not have the version `expected`, and `conflict` if no
 * owner who has joined would remain.
 */
export async function changeUser(
  ctx: Context,
  id: string,
  change: UserChange,
  expected: string | null = null,
): Promise<StoredUser> {
  return await transact(ctx, async (write) => {
    const found = await requireUser(ctx, id);
    const { row: user } = found;
    requireVersion(expected, versionOf(serialiseUser(user), USER_READ_ONLY));
    const { role, name = null, dailyMail = false } = user;
    const before = { role, name, dailyMail };
    const after = withPatch(before, change, {});
    const fields = changedFields(before, after);
    if (Object.keys(fields.after ?? {}).length === 0) return user;
    if (after.role !== role) await keepAnOwner(write, ctx, user);
    const changed = saveUser(write, found, after);
    noteUser(write, ctx, changed, { action: "user.update", ...fields });
    return changed;
  });
}

interface Removal {
  forget(write: Write, ctx: Context, userId: string): Promise<void>;
  readonly expected: string | null;
}

export async function removeUser(ctx: Context, id: string, { forget, expected }: Removal) {
  await transact(ctx, async (write) => {
    const found = await requireUser(ctx, id);
    const { row: user } = found;
    requireVersion(expected, versionOf(serialiseUser(user), USER_READ_ONLY));
    await keepAnOwner(write, ctx, user);
    removeUserRows(write, found);
    visitRows.drop(write, user, { userId: user.id });
    await endLink(ctx.store, write, user.id);
    await forget(write, ctx, user.id);
    noteUser(write, ctx, user, {
      action: "user.delete",
      before: { email: user.email, role: user.role },
    });
  });
}

async function keepAnOwner(write: Write, workspace: WorkspaceStore, user: StoredUser) {
  if (user.role !== "owner" || await hasOtherOwner(write, workspace, user.id)) return;
  throw new Failure("conflict", "This is the last owner: make somebody else an owner first");
}
