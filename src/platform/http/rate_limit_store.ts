/** Keys: `rls keyId` → the shares of a key's limit that processes hold or held within the window. */
import { idBytes } from "../../base/id.ts";
import type { Store, Write } from "../store/kv.ts";

const rowKey = (keyId: string) => ["rls", idBytes(keyId)];

/** `size` requests that the process `owner` may let in from `atMs` on. */
export interface Share {
  readonly owner: string;
  readonly number: number;
  readonly atMs: number;
  readonly size: number;
}

export async function findShares({ kv }: Store, keyId: string) {
  const { value, versionstamp } = await kv.get<Share[]>(rowKey(keyId));
  return { shares: value ?? [], versionstamp };
}

/** The commit fails when another process took a share meanwhile. */
export function saveShares(
  write: Write,
  keyId: string,
  versionstamp: string | null,
  shares: readonly Share[],
  sweepMs: number,
): void {
  write.check(rowKey(keyId), versionstamp);
  write.set(rowKey(keyId), shares, sweepMs);
}
