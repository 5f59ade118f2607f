/**
 * Keys: `il sha256(token)` → link; `iu userId` → sha256(token), the one link of a user that lives:
 * a new one takes the place of the one before.
 */
import { idBytes } from "../../base/id.ts";
import type { Store, Write } from "../../platform/store/kv.ts";

/** The token lets its bearer choose the user's password, once. */
export interface Link {
  readonly userId: string;
  readonly expiresAt: string;
}

const SWEEP_MS = 80 * 3_600_000;

const rowKey = (hash: Uint8Array) => ["il", hash];
const userKey = (userId: string) => ["iu", idBytes(userId)];

/** Null for an unknown hash; whether the link has expired is for the reader to judge. */
export async function findLink({ kv }: Store, hash: Uint8Array) {
  const { value, versionstamp } = await kv.get<Link>(rowKey(hash));
  return value === null ? null : { link: value, versionstamp };
}

/** Ends the link that the user had, if any; the commit fails when it is no longer that one. */
export async function endLink({ kv }: Store, write: Write, userId: string): Promise<void> {
  const { value: hash, versionstamp } = await kv.get<Uint8Array>(userKey(userId));
  write.check(userKey(userId), versionstamp);
  if (hash !== null) write.delete(rowKey(hash));
  write.delete(userKey(userId));
}

/** Takes the place of the link that `endLink` ended in the same commit. */
export function addLink(write: Write, hash: Uint8Array, link: Link): void {
  write.set(rowKey(hash), link, SWEEP_MS);
  write.set(userKey(link.userId), hash, SWEEP_MS);
}
