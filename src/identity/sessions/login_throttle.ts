/**
 * Guessing is slow (docs/decisions/identity.md): 5 failures per account and 20 per address in 15
 * minutes. An attempt counts before its password is looked at and is forgiven when that was right,
 * so that many at once get no more guesses than one after the other.
 */
import { Failure } from "../../base/failure.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import type { Tools } from "../anonymous.ts";
import { addressBlock } from "../client_address.ts";
import type { PasswordTurn } from "../passwords/password_turns.ts";
import { findAttempts, saveAttempts, type Throttled } from "./throttle_store.ts";

const WINDOW_MS = 15 * 60_000;
const FAILURES_MAX = { account: 5, address: 20 } as const;

/** One look at one password. */
export interface Attempt {
  readonly account: Throttled;
  readonly address: Throttled;
  readonly atMs: number;
}

/**
 * Counts an attempt, or refuses with `rate_limited` while there were too many: the right password
 * waits too.
 */
export async function countAttempt(
  { store, clockwork }: Tools,
  { email, address }: { email: string; address: string },
): Promise<Attempt> {
  const attempt: Attempt = {
    account: { kind: "account", value: email },
    address: { kind: "address", value: addressBlock(address) },
    atMs: clockwork.now().getTime(),
  };
  const counting = transact({ store }, async (write) => {
    for (const throttled of [attempt.account, attempt.address]) {
      const { times, versionstamp } = await findAttempts(store, throttled);
      const recent = times.filter((time) => Math.abs(attempt.atMs - time) < WINDOW_MS);
      refuseTooMany(recent, FAILURES_MAX[throttled.kind], attempt.atMs);
      saveAttempts(write, throttled, [...recent, attempt.atMs], versionstamp);
    }
  });
  await counting.catch(refuseCrowd);
  return attempt;
}

/** A crowd in which not even the counting comes to an end tries too much. */
function refuseCrowd(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== "conflict") throw error;
  const message = "Too many attempts at once: wait a moment";
  throw new Failure("rate_limited", message, { retryAfterSeconds: 1 }, { cause: error });
}

/**
 * Looks at the password of a counted attempt. One that found no turn was none: it is taken back.
 */
export async function inTurn<T>(
  { store }: Tools,
  attempt: Attempt,
  turn: PasswordTurn,
  look: () => Promise<T>,
): Promise<T> {
  let isLookedAt = false;
  try {
    return await turn(() => {
      isLookedAt = true;
      return look();
    });
  } catch (error) {
    if (!isLookedAt) {
      await transact({ store }, async (write) => {
        await takeBack(store, write, attempt.account, attempt.atMs);
        await takeBack(store, write, attempt.address, attempt.atMs);
      });
    }
    throw error;
  }
}

async function takeBack(store: Store, write: Write, throttled: Throttled, atMs: number) {
  const { times, versionstamp } = await findAttempts(store, throttled);
  const at = times.indexOf(atMs);
  saveAttempts(write, throttled, times.filter((_, n) => n !== at), versionstamp);
}

/**
 * Adds to a commit that the password was right: the account starts afresh, the address loses this
 * one.
 */
export async function forgiveAttempt({ store }: Tools, write: Write, attempt: Attempt) {
  const account = await findAttempts(store, attempt.account);
  saveAttempts(write, attempt.account, [], account.versionstamp);
  await takeBack(store, write, attempt.address, attempt.atMs);
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
