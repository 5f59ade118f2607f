/**
 * Limits the requests of an API key within any 60 seconds (docs/decisions/identity.md). Processes
 * on a shared store reserve shares of the limit, so that not every request writes to the store.
 */
import { type Store, transact } from "../store/kv.ts";
import { defineStoreTable } from "../store/table.ts";

const WINDOW_MS = 60_000;
/** Number of requests that a process on a shared store reserves at a time. */
const SHARE_SIZE = 20;
const SHARE_MS = 5_000;

/** A part of the limit: from `atMs` on, the process `owner` may accept `size` requests. */
interface Share {
  readonly owner: string;
  /** Distinguishes the shares of a process, even if they have the same `atMs`. */
  readonly number: number;
  readonly atMs: number;
  readonly size: number;
}

export const rateShares = defineStoreTable<
  { readonly keyId: string; readonly shares: readonly Share[] },
  "keyId"
>({
  prefix: "rls",
  about: "the shares of a key's limit that processes have taken within the window",
  key: { keyId: "id" },
  value: "shares",
  expireInMs: WINDOW_MS + SHARE_MS,
});

export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Several processes reserve parts of the limit, so one process may refuse a request too early. */
export class RateLimiter {
  readonly #limit: number;
  readonly #timesOfKey = new Map<string, number[]>();
  readonly #spend: ReturnType<typeof createShares> | null;

  constructor(store: Store, limit: number) {
    this.#limit = limit;
    this.#spend = store.kind === "remote" ? createShares(store, limit) : null;
  }

  async take(keyId: string, nowMs: number): Promise<RateVerdict> {
    const limit = this.#limit;
    const times = this.#timesOfKey.getOrInsertComputed(keyId, () => []);
    while (times[0] !== undefined && !counts(nowMs - times[0], WINDOW_MS)) times.shift();
    // With a store file, `#spend` is null, so nothing is awaited between the comparison and `push`.
    const isAllowed = times.length < limit &&
      (this.#spend === null || await this.#spend(keyId, nowMs));
    if (isAllowed) times.push(nowMs);
    const leftMs = times[0] === undefined ? 0 : times[0] + WINDOW_MS - nowMs;
    return {
      isAllowed,
      limit,
      remaining: isAllowed || !this.#spend ? limit - times.length : 0,
      resetSeconds: Math.ceil(leftMs / 1_000),
    };
  }
}

/** Returns false also for a time far in the future, from before the clock was set back. */
function counts(ageMs: number, windowMs: number): boolean {
  return ageMs < windowMs && ageMs > -windowMs;
}

interface Held extends Share {
  used: number;
}

function createShares(store: Store, limit: number) {
  const heldByKey = new Map<string, Held>();
  const owner = crypto.randomUUID();
  const take = (keyId: string, nowMs: number, last: Held | undefined) =>
    transact({ store }, async (write) => {
      const found = await rateShares.find({ store }, { keyId });
      const live = (found?.row.shares ?? [])
        .filter((share) => counts(nowMs - share.atMs, WINDOW_MS + SHARE_MS))
        .map((share) =>
          last && share.owner === owner && share.number === last.number
            ? { ...share, size: last.used }
            : share
        );
      const free = limit - live.reduce((sum, share) => sum + share.size, 0);
      const size = Math.min(SHARE_SIZE, free);
      if (size <= 0) return null;
      const taken = { owner, number: (last?.number ?? 0) + 1, atMs: nowMs, size };
      rateShares.save(write, {}, found, { keyId, shares: [...live, taken] });
      return taken;
    });
  return async (keyId: string, nowMs: number): Promise<boolean> => {
    const mine = heldByKey.get(keyId);
    if (mine && mine.used < mine.size && nowMs - mine.atMs < SHARE_MS) {
      mine.used++;
      return true;
    }
    const taken = await take(keyId, nowMs, mine);
    if (taken) heldByKey.set(keyId, { ...taken, used: 1 });
    return taken !== null;
  };
}
