/** A service at work: lists are read, and prices are pushed of products that no rule of a test is for. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import { pause } from "../../patience.ts";
import { extent } from "../../proof.ts";

/** The settings of a server that is asked without a pause. */
export const LOAD_SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000" } as const;

const OBSERVATIONS = "/api/public/v1/observations";
/** SKUs of the products that are pushed. */
export const LOADED = Array.from({ length: 50 }, (_, n) => `LOAD-${n}`);
/** Prices go from 90 up, so that none looks wrong beside 100. */
const PRICES = 10;
const BREATH_MS = extent(5, 20);
const LISTS = ["products?limit=50", "alerts?limit=50", "rules", "proposals?limit=50"];

export interface Load {
  /** Resolves once something was pushed and something read, and rejects when that was refused. */
  readonly begun: Promise<void>;
  /** Ends it; rejects when a push or a read was refused. */
  stop(): Promise<void>;
}

/** Begins at once. A server that is killed meanwhile ends it, too. */
export function startLoad(
  { reader, pusher, now }: {
    readonly reader: Caller;
    readonly pusher: Caller;
    /** Goes on from one push to the next. */
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
    const { data } = await bodyOf(pusher.post(OBSERVATIONS, { observations }), 200);
    assertEquals(data.rejected, 0, JSON.stringify(data));
  };
  const read = async (n: number) => {
    await bodyOf(reader.get(`/api/${LISTS[n % LISTS.length]}`), 200);
  };
  const repeat = async (first: Promise<void>, act: (n: number) => Promise<void>) => {
    await first;
    for (let n = 1; !isStopped; n++) {
      await pause(BREATH_MS);
      try {
        await act(n);
      } catch (error) {
        // A connection that breaks is no refusal: the server is killed.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };
  const firsts = [push(0), read(0)] as const;
  const all = Promise.all([repeat(firsts[0], push), repeat(firsts[1], read)]);
  // What is refused is told to who stops it.
  all.catch(() => {});
  return {
    begun: Promise.all(firsts).then(() => {}),
    async stop() {
      isStopped = true;
      await all;
    },
  };
}
