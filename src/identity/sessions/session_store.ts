/** Keys: `s sha256(token)` → session. All of a user end at once by the user's generation. */
import type { Store, Write } from "../../platform/store/kv.ts";
import { type Session, SESSION_SECONDS } from "./session.ts";

const SWEEP_MS = (SESSION_SECONDS + 3_600) * 1000;

const rowKey = (hash: Uint8Array) => ["s", hash];

/** Null for an unknown hash; whether the session has ended is for the reader to judge. */
export async function findSession({ kv }: Store, hash: Uint8Array): Promise<Session | null> {
  return (await kv.get<Session>(rowKey(hash))).value;
}

export function addSession(write: Write, hash: Uint8Array, session: Session): void {
  write.set(rowKey(hash), session, SWEEP_MS);
}

export function removeSession(write: Write, hash: Uint8Array): void {
  write.delete(rowKey(hash));
}
