/**
 * Keys: `th kind hash` → times of the counted attempts in ms. The hash is 16
 * bytes of SHA-256, because people type passwords into the field for the address.
 */

import { sha256 } from "../../base/bytes.ts";
import type { Store, Write } from "../../platform/store/kv.ts";

/** The subject whose attempts are counted. */
export interface Throttled {
  readonly kind:
    | "pair"
    | "account"
    | "address"
    | "linked_account"
    | "linking_address"
    | "refused"
    | "refused_address";
  readonly value: string;
}

const rowKey = ({ kind, value }: Throttled) => ["th", kind, sha256(value).slice(0, 16)];

export async function findAttempts({ kv }: Store, throttled: Throttled) {
  const { value, versionstamp } = await kv.get<number[]>(rowKey(throttled));
  return { times: value ?? [], versionstamp };
}

/** The commit fails if another attempt was counted or undone since `versionstamp`. */
export function saveAttempts(
  write: Write,
  throttled: Throttled,
  times: readonly number[],
  versionstamp: string | null,
): void {
  const key = rowKey(throttled);
  write.check(key, versionstamp);
  if (times.length === 0) write.delete(key);
  // A little longer than the longest window of a limit.
  else write.set(key, times, 65 * 60_000);
}
