/**
 * Links with which a user chooses a password. An owner passes the link on, or the service sends it
 * by mail. A user has at most one valid link, of which the store contains only a hash. A request
 * for such a mail only writes a row, so unknown addresses take as long as known ones.
 */
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable, type Found } from "../../platform/store/table.ts";
import { sha256 } from "../../base/bytes.ts";
import { type Context, contextFor } from "../../platform/store/context.ts";
import type { Role } from "../roles.ts";
import { newToken } from "../secret.ts";
import {
  addUserRows,
  findUserByEmail,
  newUser,
  noteUser,
  requireFreeEmail,
  requireUser,
  type StoredUser,
} from "./user.ts";
import { type Language, languageOf } from "../../base/language.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { resetMail } from "../../engine/wording/morning_words.ts";
import { roomLog } from "../../platform/log.ts";
import { type Mailer, MailTrouble } from "../../platform/mail.ts";
import type { Anonymous, Tools } from "../anonymous.ts";
import { findWorkspace } from "../workspace_store.ts";

interface Link {
  readonly hash: Uint8Array;
  readonly userId: string;
  readonly expiresAt: string;
}

const SWEEP_MS = 80 * HOUR_MS;

export const links = defineStoreTable<Link, "hash">({
  prefix: "il",
  about: "the link whose token has this SHA-256",
  key: { hash: "bytes" },
  expireInMs: SWEEP_MS,
});

export const livingLinks = defineStoreTable<Omit<Link, "expiresAt">, "userId">({
  prefix: "iu",
  about: "the hash of a user's only valid link",
  key: { userId: "id" },
  value: "hash",
  expireInMs: SWEEP_MS,
});

/** The commit fails if the user gets or uses a link meanwhile. */
export async function endLink(store: Store, write: Write, userId: string): Promise<void> {
  const found = await livingLinks.find({ store }, { userId });
  livingLinks.check(write, {}, { userId }, found);
  if (found) links.drop(write, {}, found.row);
  livingLinks.drop(write, {}, { userId });
}

export async function inviteUser(
  ctx: Context,
  { email, role, name = null }: {
    readonly email: string;
    readonly role: Role;
    readonly name?: string | null | undefined;
  },
): Promise<{ user: StoredUser; link: NewLink }> {
  return await transact(ctx, async (write) => {
    await requireFreeEmail(ctx.store, email);
    const user = newUser(ctx, ctx.workspaceId, { email, name, role, passwordHash: null });
    addUserRows(write, user);
    const link = await beginLink(ctx.store, write, user.id, ctx.now());
    noteUser(write, ctx, user, {
      action: "user.create",
      after: { email, role, ...(name !== null && { name }) },
    });
    // A repeated request cannot get this answer again, because the link is not stored.
    ctx.receipt?.put(write, null);
    return { user, link };
  });
}

export interface NewLink {
  readonly token: string;
  readonly expiresAt: string;
}

async function beginLink(
  store: Store,
  write: Write,
  userId: string,
  now: Date,
  livesMs = 72 * HOUR_MS,
): Promise<NewLink> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + livesMs).toISOString();
  await endLink(store, write, userId);
  const hash = sha256(token);
  links.put(write, {}, { hash, userId, expiresAt });
  livingLinks.put(write, {}, { hash, userId });
  return { token, expiresAt };
}

export async function createResetLink(
  ctx: Context,
  id: string,
): Promise<{ user: StoredUser; link: NewLink }> {
  return await transact(ctx, async (write) => {
    const { user } = await requireUser(ctx, id);
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
  about: "a request for a reset link by mail, until it is answered",
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
  const user = (await findUserByEmail(store, row.email))?.user;
  const isClosed = isProviderOnly && user?.hasProvider;
  // Drop the request after 30 minutes, because the person no longer waits for the mail.
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
  try {
    await mailer.send({ to: [user.email], ...text, messageId: `<${id}@${mailer.host}>` });
    log.info("reset link sent", { requestId, userId: user.id });
  } catch (error) {
    if (!(error instanceof MailTrouble)) throw error;
    log.warning("reset link not sent", { requestId, userId: user.id, reason: error.message });
    if (!error.isFinal) return;
  }
  await transact({ store }, (write) => forgottenPasswords.drop(write, {}, { id }));
}
