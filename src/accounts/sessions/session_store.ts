/**
 * Keys: `s sha256(token)` → session. Increasing the user's session generation ends all of the
 * user's sessions at once.
 */
import type { Store, Write } from "../../platform/store/kv.ts";
import type { StoredUser } from "../users/user.ts";
import { findUserById, userKey } from "../users/user_store.ts";
import { type Session, SESSION_SECONDS } from "./session.ts";

const SWEEP_MS = (SESSION_SECONDS + 3_600) * 1000;

const rowKey = (hash: Uint8Array) => ["s", hash];

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
    const [session, user] = await store.kv.getMany<[Session, StoredUser]>([
      rowKey(hash),
      userKey(guess),
    ]);
    if (session.value === null) return { session: null, user: null };
    if (session.value.userId === guess) return { session: session.value, user: user.value };
  }
  const { value: session } = await store.kv.get<Session>(rowKey(hash));
  const found = session && await findUserById(store, session.userId);
  return { session, user: found?.user ?? null };
}

export function addSession(write: Write, hash: Uint8Array, session: Session): void {
  write.set(rowKey(hash), session, SWEEP_MS);
}

export function removeSession(write: Write, hash: Uint8Array): void {
  write.delete(rowKey(hash));
}
