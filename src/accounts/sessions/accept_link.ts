import { sha256 } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { contextFor } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import type { Anonymous } from "../anonymous.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import { isPast } from "../expiry.ts";
import { refuseEasyPassword, wordsOf } from "../passwords/hash_new_password.ts";
import { hashPassword } from "../passwords/password.ts";
import type { PasswordTurn } from "../passwords/password_turns.ts";
import { isToken } from "../secret.ts";
import { endLink, findLink } from "../users/link_store.ts";
import { actorOf, personName, type StoredUser } from "../users/user.ts";
import { findUserById, type FoundUser, saveUser } from "../users/user_store.ts";
import { beginSession } from "./begin_session.ts";

/**
 * Sets the password of the link's user, ends the sessions that there were and begins one. Refuses
 * with `forbidden` a link that is unknown, expired or used.
 */
export async function acceptLink(
  asker: Anonymous,
  { token, password }: { token: string; password: string },
  turn: PasswordTurn,
): Promise<{ user: StoredUser; token: string }> {
  const { user: asked } = await requireLinked(asker, token);
  refuseEasyPassword(password, { field: "password", words: await wordsOf(asker.store, asked) });
  const passwordHash = await turn(async () => {
    // Whoever was served before may have used the link: then nothing is worth the work any more.
    await requireLinked(asker, token);
    return await hashPassword(password);
  });
  return await transact(asker, async (write) => {
    const { user, versionstamp } = await requireLinked(asker, token);
    const changed = { ...user, passwordHash, sessionGeneration: user.sessionGeneration + 1 };
    saveUser(write, changed, versionstamp);
    await endLink(asker.store, write, user.id);
    const actor = actorOf(user);
    addAuditRow(write, contextFor(asker, user.workspaceId, actor), {
      action: user.passwordHash === null ? "user.join" : "user.password",
      resource: { type: "user", id: user.id, label: personName(user) },
      before: null,
      after: null,
    });
    return { user: changed, token: beginSession(write, changed, asker.clockwork.now()) };
  });
}

async function requireLinked({ store, clockwork }: Anonymous, token: string): Promise<FoundUser> {
  const found = isToken(token) ? await findLink(store, sha256(token)) : null;
  const isLive = found !== null && !isPast(found.link.expiresAt, clockwork.now());
  const user = isLive ? await findUserById(store, found.link.userId) : null;
  if (user) return user;
  throw new Failure(
    "forbidden",
    "The link is unknown, expired or used: ask an owner of the workspace for a new one",
  );
}
