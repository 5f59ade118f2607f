/** Keys: `s sha256(token)` → session; `su userId sha256(token)` → empty, to end all of a user. */
import { idBytes } from "../base/id.ts";
import type { Store, Write } from "../platform/kv.ts";
import { type Session, SESSION_SECONDS } from "./session.ts";

const EMPTY = new Uint8Array();
const SWEEP_MS = (SESSION_SECONDS + 3_600) * 1000;

const rowKey = (hash: Uint8Array) => ["s", hash];
const userKey = (userId: string, hash: Uint8Array) => ["su", idBytes(userId), hash];

/** Null for an unknown hash; whether the session has ended by time is for the reader to judge. */
export async function findSession({ kv }: Store, hash: Uint8Array): Promise<Session | null> {
  return (await kv.get<Session>(rowKey(hash))).value;
}

/** The hashes of all sessions of a user. */
export async function listSessionHashes({ kv }: Store, userId: string): Promise<Uint8Array[]> {
  const rows = await Array.fromAsync(kv.list({ prefix: ["su", idBytes(userId)] }));
  return rows.flatMap(({ key }) => {
    const hash = key.at(-1);
    return hash instanceof Uint8Array ? [hash] : [];
  });
}

export function addSession(write: Write, hash: Uint8Array, session: Session): void {
  write.set(rowKey(hash), session, SWEEP_MS);
  write.set(userKey(session.userId, hash), EMPTY, SWEEP_MS);
}

export function removeSession(write: Write, hash: Uint8Array, userId: string): void {
  write.delete(rowKey(hash));
  write.delete(userKey(userId, hash));
}
