/**
 * Reset links by mail. A request only writes a row, so it takes the same time for a known and an
 * unknown address. A link is created when its mail is sent, so the store never contains the link
 * itself.
 */
import { type Language, languageOf } from "../../base/language.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { resetMail } from "../../engine/wording/morning_words.ts";
import { roomLog } from "../../platform/log.ts";
import { type Mailer, MailTrouble } from "../../platform/mail.ts";
import { contextFor } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable, type Found } from "../../platform/store/table.ts";
import type { Anonymous, Tools } from "../anonymous.ts";
import { findWorkspace } from "../workspace_store.ts";
import { beginLink } from "./invite_user.ts";
import { findUserByEmail, noteUser, type StoredUser } from "./user.ts";

const log = roomLog("identity");

interface ForgottenPassword {
  readonly id: string;
  readonly email: string;
  readonly requestId: string;
  /** If absent, the mail is in the workspace's language. */
  readonly language?: Language | undefined;
  readonly atMs: number;
  /** Before this time, no process begins another attempt to send the mail. */
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

/** Call `countLinkRequest` first. */
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

/** Addresses of users without a password get no mail. */
export async function sendLinks(setup: LinkMailSetup): Promise<void> {
  for (const found of await forgottenPasswords.list(setup)) {
    if (found.row.dueMs > setup.clock.now().getTime()) continue;
    const claimed = await transact(setup, (write) => claim(write, setup, found));
    if (claimed) await sendLink(setup, found.row, claimed);
  }
}

interface Claimed {
  readonly user: StoredUser;
  readonly token: string;
}

async function claim(
  write: Write,
  { store, clock, isProviderOnly }: LinkMailSetup,
  { row, versionstamp }: Found<ForgottenPassword>,
): Promise<Claimed | null> {
  const now = clock.now();
  const found = await forgottenPasswords.find({ store }, row);
  if (found?.versionstamp !== versionstamp) return null;
  const user = (await findUserByEmail(store, row.email))?.user;
  const isClosed = isProviderOnly && user?.hasProvider;
  // After 30 minutes, the person no longer waits for the mail.
  if (!user?.passwordHash || isClosed || now.getTime() - row.atMs > 30 * MINUTE_MS) {
    forgottenPasswords.remove(write, {}, found);
    return null;
  }
  forgottenPasswords.save(write, {}, found, { ...row, dueMs: now.getTime() + 2 * MINUTE_MS });
  const link = await beginLink(store, write, { userId: user.id, now, livesMs: HOUR_MS });
  const actor = { type: "system", id: "forgotten_password", name: "Forgotten password" } as const;
  noteUser(write, contextFor({ store, clock, ...row }, user.workspaceId, actor), user, {
    action: "user.reset_link",
    after: { expiresAt: link.expiresAt },
  });
  return { user, token: link.token };
}

/** If the mail server refuses the mail, a later attempt sends a new link. */
async function sendLink(
  { store, mailer, linkOf }: LinkMailSetup,
  { id, requestId, language }: ForgottenPassword,
  { user, token }: Claimed,
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
