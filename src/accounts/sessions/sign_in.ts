import { Failure } from "../../base/failure.ts";
import { transact } from "../../platform/store/kv.ts";
import { roomLog } from "../../platform/log.ts";
import type { Anonymous } from "../anonymous.ts";
import { matchesPassword } from "../passwords/password.ts";
import type { PasswordTurn } from "../passwords/password_turns.ts";
import { foldEmail, type StoredUser } from "../users/user.ts";
import { findUserByEmail } from "../users/user_store.ts";
import { beginSession } from "./begin_session.ts";
import { countAttempt, forgiveAttempt, inTurn } from "./login_throttle.ts";
import { removeSession } from "./session_store.ts";

const log = roomLog("identity");

export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** Where the request comes from. */
  readonly address: string;
  /** The hash of the session that the browser had: it ends. */
  readonly formerSession: Uint8Array | null;
  readonly turn: PasswordTurn;
  /** Whether the browser has signed in to the account before. */
  isKnownTo(user: StoredUser): Promise<boolean>;
}

/** A new session. Refuses with `invalid_login`, which says and costs the same for an unknown address. */
export async function signIn(
  asker: Anonymous,
  { email: typed, password, address, formerSession, turn, isKnownTo }: SignIn,
): Promise<{ user: StoredUser; token: string }> {
  const email = foldEmail(typed);
  const found = await findUserByEmail(asker.store, email);
  const isKnownBrowser = found !== null && await isKnownTo(found.user);
  const attempt = await countAttempt(asker, { email, address, isKnownBrowser });
  const isRight = await inTurn(
    asker,
    attempt,
    turn,
    () => matchesPassword(password, found?.user.passwordHash ?? null),
  );
  if (!found || !isRight) {
    log.warning("sign-in refused", { requestId: asker.requestId, address });
    throw new Failure("invalid_login", "The e-mail address or the password is wrong");
  }
  const { user } = found;
  const token = await transact(asker, async (write) => {
    await forgiveAttempt(asker, write, attempt);
    if (formerSession) removeSession(write, formerSession);
    return beginSession(write, user, asker.clockwork.now());
  });
  log.info("signed in", { requestId: asker.requestId, userId: user.id, address });
  return { user, token };
}
