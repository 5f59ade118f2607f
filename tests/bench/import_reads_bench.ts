/**
 * How long lists and single products take while an import writes, on a real server whose reads have a
 * handle of the store's file of their own, and on the same server with one handle for all; in turns, so
 * that the machine is equally noisy for both. Budgets on two cores: 99 of 100 lists of 100 products
 * within 130 ms, 99 of 100 products by SKU within 60 ms, each at most 0.3 of what one handle gives.
 * `deno task bench import_reads`, or
 * `deno run -A tests/bench/import_reads_bench.ts [products] [rounds]`
 */
import { argv, stdout } from "node:process";
import { bodyOf } from "../api/answers.ts";
import { type Caller, callerWithKey } from "../caller.ts";
import { quantile } from "../load/quantile.ts";
import { pause } from "../patience.ts";
import { type LiveServer, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { generateItems } from "./erp_items.ts";
import { sendImport, type SentFile, weighFile } from "./send_import.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
/** Those that are there before; what is read is among them. */
const SEEDED = Math.ceil(PRODUCTS / 10);
const SHARE = 0.99;
const SHARE_OF_ONE_HANDLE = 0.3;
const BETWEEN_READS_MS = 5;
const LIST = "/api/public/v1/products";
const SETTINGS = {
  RATE_LIMIT_PER_MINUTE: "1000000",
  LOG_LEVEL: "warning",
  MALLOC_ARENA_MAX: "2",
};
/** As the task "start" has them. */
const V8_FLAGS = "--v8-flags=--max-semi-space-size=8,--heap-growing-percent=100";
const SERVERS = { two: "main.ts", one: "tests/bench/one_handle_entry.ts" } as const;
const NAMES = { two: "two handles", one: "one handle " } as const;
const BUDGETS_MS = { list: 130, get: 60 } as const;

type Kind = keyof typeof SERVERS;
type Read = keyof typeof BUDGETS_MS;

/** Milliseconds of each read while products were written. */
type Times = Readonly<Record<Read, readonly number[]>>;

const seed = await xmlOf(SEEDED);
const all = await xmlOf(PRODUCTS + SEEDED);
const found: Record<Kind, Times[]> = { two: [], one: [] };
for (let round = 0; round < ROUNDS; round++) {
  const kinds: readonly Kind[] = round % 2 === 0 ? ["two", "one"] : ["one", "two"];
  for (const kind of kinds) found[kind].push(await measure(kind));
}
for (const read of ["list", "get"] as const) tellVerdict(read);

function xmlOf(count: number): Promise<SentFile> {
  return weighFile("application/xml", () => generateItems(count, 1, { isVaried: true }));
}

async function measure(kind: Kind): Promise<Times> {
  await using folder = await temporaryFolder();
  const program = { flags: [V8_FLAGS, "--allow-all"], entry: SERVERS[kind] };
  await using live = await startLiveServer(folder.path, SETTINGS, { program });
  await sendImport(live, seed);
  const readers = startReaders(await keyOf(live));
  let beganAt = 0;
  try {
    await sendImport(live, all, {
      ended(phase) {
        if (phase !== "plan") return;
        beganAt = performance.now();
        readers.begin();
      },
    });
  } finally {
    await readers.stop();
  }
  const rate = Math.round(PRODUCTS / (performance.now() - beganAt) * 1_000).toLocaleString("en");
  say(`${NAMES[kind]}: ${rate} products/s; ${words(readers, "list")}; ${words(readers, "get")}`);
  return { list: readers.list, get: readers.get };
}

async function keyOf({ owner, url }: LiveServer): Promise<Caller> {
  const { key } = await bodyOf(owner.post("/api/keys", { name: "bench", scopes: [] }), 201);
  return callerWithKey(url, key);
}

/** Somebody who lists and somebody who asks for products; what they wait is kept from `begin` on. */
function startReaders(caller: Caller) {
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
      n = (n + 7_919) % SEEDED;
      return bodyOf(caller.get(`${LIST}/KS-${String(n).padStart(7, "0")}`), 200);
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

function words(times: Times, read: Read): string {
  const [half, most] = [0.5, SHARE].map((share) => quantile(times[read], share).toFixed(1));
  return `${times[read].length} × ${read} p50 ${half}, p99 ${most} ms`;
}

function tellVerdict(read: Read): void {
  const [two, one] = (["two", "one"] as const).map((kind) =>
    quantile(found[kind].map((times) => quantile(times[read], SHARE)), 0.5)
  );
  if (two === undefined || one === undefined) return;
  const verdict = (isSo: boolean) => isSo ? "reached" : "MISSED";
  say(
    `${read} p99: ${two.toFixed(0)} ms (≤ ${BUDGETS_MS[read]}: ` +
      `${verdict(two <= BUDGETS_MS[read])}), with one handle ${one.toFixed(0)} ms, ratio ` +
      `${(two / one).toFixed(2)} (≤ ${SHARE_OF_ONE_HANDLE}: ` +
      `${verdict(two / one <= SHARE_OF_ONE_HANDLE)}), medians of ${ROUNDS} rounds`,
  );
}

function say(line: string): void {
  stdout.write(`${line}\n`);
}
