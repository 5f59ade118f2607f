/** Reads lists and single products while other work is running. */
import { bodyOf } from "../api/answers.ts";
import { callerWithKey } from "../caller.ts";
import { quantile } from "../load/quantile.ts";
import { pause } from "../patience.ts";
import type { LiveServer } from "../program.ts";
import { say } from "./slices.ts";

const BETWEEN_READS_MS = 5;
const LIST = "/api/public/v1/products";

type Read = "list" | "get";

export type Times = Readonly<Record<Read, readonly number[]>>;

/** Response times are recorded after `begin`. The products with these SKUs must exist. */
async function startReaders({ owner, url }: LiveServer, skus: readonly string[]) {
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

function wordsOf(times: Times, read: Read): string {
  const [half, most] = [0.5, 0.99].map((share) => quantile(times[read], share).toFixed(1));
  return `${times[read].length} × ${read} p50 ${half}, p99 ${most} ms`;
}

/** Reads while `work` runs, and prints a line about both. Times count after `begin`. */
export async function readBeside(
  live: LiveServer,
  { name, products, skus }: {
    readonly name: string;
    readonly products: number;
    readonly skus: readonly string[];
  },
  work: (begin: () => void) => Promise<unknown>,
): Promise<Times> {
  const readers = await startReaders(live, skus);
  let beganAt = 0;
  try {
    await work(() => {
      beganAt = performance.now();
      readers.begin();
    });
  } finally {
    await readers.stop();
  }
  const rate = Math.round(products / (performance.now() - beganAt) * 1_000).toLocaleString("en");
  say(`${name}: ${rate} products/s; ${wordsOf(readers, "list")}; ${wordsOf(readers, "get")}`);
  return readers;
}

/** Median of the rounds' 99th percentiles of response times. */
export function medianP99(rounds: readonly Times[], read: Read): number {
  return quantile(rounds.map((times) => quantile(times[read], 0.99)), 0.5);
}
