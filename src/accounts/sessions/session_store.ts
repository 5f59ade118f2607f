/**
 * Sessions by the hash of their token. Increasing the user's session generation ends all of the
 * user's sessions at once.
 */
import type { Store, Write } from "../../platform/store/kv.ts";
import { getMixedRows, removeInBatches } from "../../platform/store/rows.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import type { StoredUser } from "../users/user.ts";
import { findUserById, userKey } from "../users/user_store.ts";
import { type Session, SESSION_SECONDS } from "./session.ts";

export const sessions = defineStoreTable<
  Session & { readonly hash: Uint8Array },
  "hash",
  "user"
>({
  prefix: "s",
  about: "the session whose token has this SHA-256",
  key: { hash: "bytes" },
  keyOnly: ["hash"],
  indexes: {
    user: {
      prefix: "su",
      key: { userId: "id" },
      // An older row gets its index row with its next use.
      of: (session) => session.usedAt === undefined ? [] : [session],
    },
  },
  expireInMs: (SESSION_SECONDS + 3_600) * 1000,
});

/** A session with its user. The caller checks whether it has ended. */
interface FoundSession {
  readonly session: Session | null;
  readonly user: StoredUser | null;
}

/** `guess` is the user's probable id, with which one read is enough for both rows. */
export async function findSessionWithUser(
  store: Store,
  hash: Uint8Array,
  guess: string | null,
): Promise<FoundSession> {
  if (guess !== null) {
    const keys = [sessions.keyOf({}, { hash }), userKey(guess)] as const;
    const [session, user] = await getMixedRows<[Session, StoredUser]>(store, keys);
    if (session.value === null) return { session: null, user: null };
    if (session.value.userId === guess) return { session: session.value, user: user.value };
  }
  const session = await sessions.find({ store }, { hash });
  const found = session && await findUserById(store, session.row.userId);
  return { session: session?.row ?? null, user: found?.user ?? null };
}

export function addSession(write: Write, hash: Uint8Array, session: Session): void {
  sessions.put(write, {}, { ...session, hash });
}

/** Removes a session, if there still is one. */
export async function removeSession(
  store: Store,
  write: Write,
  hash: Uint8Array,
): Promise<void> {
  const found = await sessions.find({ store }, { hash });
  if (found) sessions.drop(write, {}, found.row);
}

/** Removes all sessions of a user who is being removed, in separate commits. */
export async function clearSessions(store: Store, userId: string): Promise<void> {
  const found = sessions.walkBy({ store }, "user", { userId });
  await removeInBatches(store, found, 100, (write, { row }) => sessions.drop(write, {}, row));
}
