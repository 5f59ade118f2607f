/** Keys: `sul sha256(token)` → until when a set-up link counts; all are dead once there is a user. */
import type { Store, Write } from "../platform/store/kv.ts";

export interface SetUpLink {
  readonly expiresAt: string;
}

const SWEEP_MS = 3_600_000;

const rowKey = (hash: Uint8Array) => ["sul", hash];

/** Null for an unknown hash; whether the link has expired is for the reader to judge. */
export async function findSetUpLink({ kv }: Store, hash: Uint8Array): Promise<SetUpLink | null> {
  return (await kv.get<SetUpLink>(rowKey(hash))).value;
}

export function addSetUpLink(write: Write, hash: Uint8Array, link: SetUpLink): void {
  write.set(rowKey(hash), link, SWEEP_MS);
}

export function removeSetUpLink(write: Write, hash: Uint8Array): void {
  write.delete(rowKey(hash));
}
