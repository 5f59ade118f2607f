/** Signs users in with a password, or with a link to choose a new password; ends sessions. */
import { isPast } from "../../base/time.ts";
import { sha256 } from "../../base/bytes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { roomLog } from "../../platform/log.ts";
import { type Anonymous, type Context, contextFor } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import {
  hashPassword,
  isToken,
  matchesPassword,
  newToken,
  type PasswordPermit,
  refuseEasyPassword,
  wordsOf,
} from "../passwords/password.ts";
import { links } from "../users/change_user.ts";
import {
  actorOf,
  findUserByEmail,
  findUserById,
  foldEmail,
  noteUser,
  requireUser,
  saveUserAnew,
  type StoredUser,
} from "../users/user.ts";
import { countAttempt } from "./login_throttle.ts";
import {
  addSession,
  type Browser,
  removeSession,
  SESSION_SECONDS,
  type SignedIn,
} from "./session.ts";

const log = roomLog("identity");

/** A person who signs in or proves an identity, and the person's browser. */
export interface Stranger extends Anonymous {
  readonly browser: Browser;
  /** Hash of the token in the session cookie; null if the cookie is missing or malformed. */
  readonly earlierSession: Uint8Array | null;
  readonly permit: PasswordPermit;
  /** Returns the identity provider that the user must use; null if a password is allowed. */
  mustUse(user: StoredUser): string | null;
  /** True if the user has signed in with this browser since the password was last changed. */
  isKnownTo(user: StoredUser): Promise<boolean>;
}

/** Takes the same time for an unknown e-mail address as for a wrong password. */
export async function signIn(
  asker: Stranger,
  { email: typed, password }: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const email = foldEmail(typed);
  const { address } = asker.browser;
  const found = await findUserByEmail(asker.store, email);
  const isKnownBrowser = found !== null && await asker.isKnownTo(found.row);
  const forgive = await countAttempt(asker, { email, address, isKnownBrowser });
  const hash = found?.row.passwordHash ?? null;
  const isRight = await asker.permit(() => matchesPassword(password, hash));
  if (!found || !isRight) {
    log.warning("sign-in refused", { requestId: asker.requestId, address });
    throw new Failure("invalid_login", "The e-mail address or the password is wrong");
  }
  const { row: user } = found;
  refusePassword(asker.mustUse(user));
  const signedIn = await transact(asker, async (write) => {
    await forgive(write);
    return await replaceSession(write, asker, user);
  });
  log.info("signed in", { requestId: asker.requestId, userId: user.id, address });
  return signedIn;
}

export function refusePassword(label: string | null): void {
  if (label === null) return;
  throw new Failure("forbidden", `This account must sign in with ${label}, not with a password`);
}

export async function replaceSession(
  write: Write,
  { store, clock, browser, earlierSession }: Stranger,
  user: StoredUser,
  isComplete = false,
): Promise<SignedIn> {
  if (earlierSession) await removeSession(store, write, earlierSession);
  return { user, token: beginSession(write, user, clock.now(), { browser, isComplete }) };
}

export function beginSession(
  write: Write,
  user: StoredUser,
  now: Date,
  { browser, isComplete = false, provedAt = now }: {
    readonly browser?: Browser;
    readonly isComplete?: boolean;
    readonly provedAt?: Date;
  } = {},
): string {
  const token = newToken();
  const at = now.toISOString();
  addSession(write, sha256(token), {
    userId: user.id,
    generation: user.sessionGeneration,
    createdAt: at,
    expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000).toISOString(),
    ...(isComplete ? { isComplete } : user.hasFactor && { awaits: "factor" }),
    provedAt: provedAt.toISOString(),
    usedAt: at,
    ...(browser && { browser }),
  });
  return token;
}

export async function acceptLink(
  asker: Stranger,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<SignedIn> {
  const { found: { row: asked } } = await requireLinked(asker, token);
  refuseEasyPassword(password, { words: await wordsOf(asker.store, asked) });
  const passwordHash = await asker.permit(async () => {
    // While this request waited for its permit, another one may have used the link.
    await requireLinked(asker, token);
    return await hashPassword(password);
  });
  return await transact(asker, async (write) => {
    const { found, link } = await requireLinked(asker, token);
    const { row: user } = found;
    // The commit fails if another request has used the link since the link was read.
    links.remove(write, {}, link);
    refusePassword(asker.mustUse(user));
    const changed = saveUserAnew(write, found, { passwordHash });
    const actor = actorOf(user);
    noteUser(write, contextFor(asker, user.workspaceId, actor), user, {
      action: user.passwordHash === null ? "user.join" : "user.password",
    });
    const start = { browser: asker.browser };
    return { user: changed, token: beginSession(write, changed, asker.clock.now(), start) };
  });
}

async function requireLinked({ store, clock }: Anonymous, token: string) {
  const link = isToken(token) ? await links.find({ store }, { hash: sha256(token) }) : null;
  const isLive = link !== null && !isPast(link.row.expiresAt, clock.now());
  const found = isLive ? await findUserById(store, link.row.userId) : null;
  if (link && found) return { found, link };
  throw new Failure(
    "forbidden",
    "The link is unknown, expired or used: ask an owner of the workspace for a new one",
  );
}

/** Ends the session in the store, so that copies of its cookie become useless. */
export async function signOut(store: Store, session: Uint8Array): Promise<void> {
  await transact({ store }, (write) => removeSession(store, write, session));
}

export async function changePassword(
  ctx: Context,
  { currentPassword, newPassword }: Readonly<Record<"currentPassword" | "newPassword", string>>,
  { browser, permit, mustUse }: Stranger,
): Promise<SignedIn> {
  const found = await requireUser(ctx, ctx.actor.id);
  const { row: user, versionstamp } = found;
  refusePassword(mustUse(user));
  const words = await wordsOf(ctx.store, user);
  refuseEasyPassword(newPassword, { field: "newPassword", words });
  const guess = { email: user.email, address: browser.address, isKnownBrowser: true };
  const forgive = await countAttempt({ store: ctx.store, clock: ctx }, guess);
  const passwordHash = await permit(async () => {
    if (await matchesPassword(currentPassword, user.passwordHash)) {
      return await hashPassword(newPassword);
    }
    throw refuseFields([{ path: "currentPassword", message: "Is not the current password" }]);
  });
  return await transact(ctx, async (write) => {
    if ((await requireUser(ctx, user.id)).versionstamp !== versionstamp) {
      throw new Failure("conflict", "The account was changed meanwhile, try again");
    }
    const changed = saveUserAnew(write, found, { passwordHash });
    await forgive(write);
    noteUser(write, ctx, user, { action: "user.password" });
    const start = { browser, isComplete: user.hasFactor === true };
    return { user: changed, token: beginSession(write, changed, ctx.now(), start) };
  });
}
