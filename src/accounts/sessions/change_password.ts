import { addAuditRow } from "../audit/audit_store.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { beginSession } from "./begin_session.ts";
import { countAttempt, forgiveAttempt, inTurn } from "./login_throttle.ts";
import { personName, type StoredUser } from "../users/user.ts";
import { findUser, saveUser } from "../users/user_store.ts";
import { refuseEasyPassword, wordsOf } from "../passwords/hash_new_password.ts";
import { hashPassword, matchesPassword } from "../passwords/password.ts";
import type { PasswordTurn } from "../passwords/password_turns.ts";

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Where the request comes from: guesses count as failed sign-ins do. */
  readonly address: string;
  readonly turn: PasswordTurn;
}

/** Ends every session of the user, this one too, and gives back the token of a new one. */
export async function changePassword(
  ctx: Context,
  change: PasswordChange,
): Promise<{ user: StoredUser; token: string }> {
  const tools = { store: ctx.store, clockwork: ctx };
  const { user, versionstamp } = await requireSelf(ctx);
  const words = await wordsOf(ctx.store, user);
  refuseEasyPassword(change.newPassword, { field: "newPassword", words });
  const guess = { email: user.email, address: change.address, isKnownBrowser: true };
  const attempt = await countAttempt(tools, guess);
  const passwordHash = await inTurn(tools, attempt, change.turn, async () => {
    if (await matchesPassword(change.currentPassword, user.passwordHash)) {
      return await hashPassword(change.newPassword);
    }
    throw refuseFields([{ path: "currentPassword", message: "Is not the current password" }]);
  });
  const changed = { ...user, passwordHash, sessionGeneration: user.sessionGeneration + 1 };
  return await transact(ctx, async (write) => {
    if ((await requireSelf(ctx)).versionstamp !== versionstamp) {
      throw new Failure("conflict", "The account was changed meanwhile, try again");
    }
    saveUser(write, changed, versionstamp);
    await forgiveAttempt(tools, write, attempt);
    addAuditRow(write, ctx, {
      action: "user.password",
      resource: { type: "user", id: user.id, label: personName(user) },
      before: null,
      after: null,
    });
    return { user: changed, token: beginSession(write, changed, ctx.now()) };
  });
}

async function requireSelf(ctx: Context) {
  const found = await findUser(ctx, ctx.actor.id);
  if (!found) throw new Failure("not_authenticated", "A session is needed: sign in first");
  return found;
}
