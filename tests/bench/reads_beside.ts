/** Somebody who lists and somebody who asks for products while something else goes on. */
import { bodyOf } from "../api/answers.ts";
import { callerWithKey } from "../caller.ts";
import { quantile } from "../load/quantile.ts";
import { pause } from "../patience.ts";
import type { LiveServer } from "../program.ts";

const BETWEEN_READS_MS = 5;
const LIST = "/api/public/v1/products";

export type Read = "list" | "get";

/** Milliseconds of each read. */
export type Times = Readonly<Record<Read, readonly number[]>>;

/** What they wait is kept from `begin` on. `skus` are there before. */
export async function startReaders({ owner, url }: LiveServer, skus: readonly string[]) {
  const { key } = await bodyOf(owner.post("/api/keys", { name: "bench", scopes: [] }), 201);
  const caller = callerWithKey(url, key);
  const list: number[] = [];
  const get: number[] = [];
  let [isKept, isOver] = [false, false];
  const loop = async (times: number[], read: () => Promise<unknown>) => {
    while (!isOver) {
      const wasKept = isKept;
      const startedAt = performance.now();
      await read();
      if (wasKept) times.push(performance.now() - startedAt);
      await pause(BETWEEN_READS_MS);
    }
  };
  let cursor = "";
  let n = 0;
  const loops = Promise.all([
    loop(list, async () => {
      const page = await bodyOf(caller.get(`${LIST}?limit=100${cursor}`), 200);
      cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
    }),
    loop(get, () => {
      n = (n + 7_919) % skus.length;
      return bodyOf(caller.get(`${LIST}/${skus[n]}`), 200);
    }),
  ]);
  return {
    list,
    get,
    begin() {
      isKept = true;
    },
    async stop() {
      isOver = true;
      await loops;
    },
  };
}

/** What 99 of 100 waited at most, in milliseconds. */
export function p99(times: Times, read: Read): number {
  return quantile(times[read], 0.99);
}

/** One kind of read in a few words. */
export function wordsOf(times: Times, read: Read): string {
  const half = quantile(times[read], 0.5).toFixed(1);
  return `${times[read].length} × ${read} p50 ${half}, p99 ${p99(times, read).toFixed(1)} ms`;
}
