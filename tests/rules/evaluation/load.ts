/**
 * Puts load on a service: reads lists, and pushes prices for products that are outside the scope of
 * the tested rules.
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Caller } from "../../caller.ts";
import { pause } from "../../patience.ts";
import { extent } from "../../proof.ts";

/** Settings of a service under load, which must not limit requests. */
export const LOAD_SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000" } as const;

const OBSERVATIONS = "/api/public/v1/observations";
export const LOADED = Array.from({ length: 50 }, (_, n) => `LOAD-${n}`);
/** Pushed prices rise from 90, so that none looks suspicious next to 100. */
const PRICES = 10;
const PAUSE_MIN_MS = extent(5, 60);
const LISTS = ["products?limit=50", "alerts?limit=50", "rules", "proposals?limit=50"];

interface Load {
  /** Resolves after the first push and the first read; rejects if one is refused. */
  readonly begun: Promise<void>;
  /** Ends the load. Rejects if a push or a read was refused. */
  stop(): Promise<void>;
}

export function startLoad(
  { reader, pusher, now }: {
    readonly reader: Caller;
    readonly pusher: Caller;
    /** The time for the next push. Each call must return a later time. */
    now(): Date;
  },
): Load {
  let isStopped = false;
  const push = async (n: number) => {
    const observedAt = now().toISOString();
    const observations = LOADED.map((sku) => ({
      sku,
      url: `https://load.example/${sku}`,
      price: 90 + n % PRICES,
      currency: "EUR",
      inStock: true,
      observedAt,
    }));
    const { data } = await pusher.act(OBSERVATIONS, { observations });
    assertEquals(data.rejected, 0, JSON.stringify(data));
  };
  const read = async (n: number) => {
    await reader.read(`/api/${LISTS[n % LISTS.length]}`);
  };
  const repeat = async (first: Promise<void>, act: (n: number) => Promise<void>) => {
    await first;
    for (let n = 1; !isStopped; n++) {
      await pause(PAUSE_MIN_MS);
      try {
        await act(n);
      } catch (error) {
        // The connection broke because the server was killed.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };
  const firsts = [push(0), read(0)] as const;
  const all = Promise.all([repeat(firsts[0], push), repeat(firsts[1], read)]);
  // Only `stop` reports a refusal, so this prevents an unhandled rejection.
  all.catch(() => {});
  return {
    begun: Promise.all(firsts).then(() => {}),
    async stop() {
      isStopped = true;
      await all;
    },
  };
}
