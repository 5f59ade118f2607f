/**
 * Guessing is slow (decisions §9): 5 failures per account and 20 per address in 15 minutes. An
 * attempt counts before its password is looked at and is forgiven when that was right, so that
 * many at once get no more guesses than one after the other.
 */
import { Failure } from "../../base/failure.ts";
import { transact, type Write } from "../../platform/kv.ts";
import type { Tools } from "../anonymous.ts";
import { addressBlock } from "../client_address.ts";
import { findAttempts, saveAttempts, type Throttled } from "./throttle_store.ts";

const WINDOW_MS = 15 * 60_000;
const FAILURES_MAX = { account: 5, address: 20 } as const;

/** One look at one password. */
export interface Attempt {
  readonly account: Throttled;
  readonly address: Throttled;
  readonly atMs: number;
}

/** Counts an attempt, or refuses with `rate_limited` while there were too many: the right password waits too. */
export async function countAttempt(
  { store, clockwork }: Tools,
  { email, address }: { email: string; address: string },
): Promise<Attempt> {
  const attempt: Attempt = {
    account: { kind: "account", value: email },
    address: { kind: "address", value: addressBlock(address) },
    atMs: clockwork.now().getTime(),
  };
  await transact({ store }, async (write) => {
    for (const throttled of [attempt.account, attempt.address]) {
      const { times, versionstamp } = await findAttempts(store, throttled);
      const recent = times.filter((time) => Math.abs(attempt.atMs - time) < WINDOW_MS);
      refuseTooMany(recent, FAILURES_MAX[throttled.kind], attempt.atMs);
      saveAttempts(write, throttled, [...recent, attempt.atMs], versionstamp);
    }
  });
  return attempt;
}

/** Adds to a commit that the password was right: the account starts afresh, the address loses this one. */
export async function forgiveAttempt({ store }: Tools, write: Write, attempt: Attempt) {
  const account = await findAttempts(store, attempt.account);
  saveAttempts(write, attempt.account, [], account.versionstamp);
  const { times, versionstamp } = await findAttempts(store, attempt.address);
  const at = times.indexOf(attempt.atMs);
  saveAttempts(write, attempt.address, times.filter((_, n) => n !== at), versionstamp);
}

function refuseTooMany(recent: readonly number[], failuresMax: number, nowMs: number): void {
  const decisive = recent.at(-failuresMax);
  if (recent.length < failuresMax || decisive === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((decisive + WINDOW_MS - nowMs) / 1000));
  throw new Failure(
    "rate_limited",
    `Too many failed attempts: wait ${Math.ceil(retryAfterSeconds / 60)} min`,
    { retryAfterSeconds },
  );
}
