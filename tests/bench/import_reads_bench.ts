/**
 * Response times of lists and single products during an import, on a real server with a separate
 * store handle for reads, and on the same server with one handle. The servers alternate, so that
 * noise affects both. `deno task bench import_reads`, or `deno run -A
 * tests/bench/import_reads_bench.ts [products] [rounds]`
 */
import { argv } from "node:process";
import { startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { generateItems, itemSku } from "./erp_items.ts";
import { medianP99, readBeside, type Times } from "./reads_beside.ts";
import { sendImport, type SentFile, weighFile } from "./send_import.ts";
import { alternately, say } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
/** Products that are stored before the import. Only these are read. */
const SEEDED = Math.ceil(PRODUCTS / 10);
const SEEDED_SKUS = Array.from({ length: SEEDED }, (_, n) => itemSku(n));
const BUDGETS_MS = { list: 130, get: 60 } as const;
const SHARE_OF_ONE_HANDLE = 0.3;
const SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000", LOG_LEVEL: "warning", MALLOC_ARENA_MAX: "2" };
/** The flags of the task `start`. */
const V8_FLAGS =
  "--v8-flags=--min-semi-space-size=8,--max-semi-space-size=8,--heap-growing-percent=100,--no-allocation-site-pretenuring";
const SERVERS = { two: "main.ts", one: "tests/bench/one_handle_entry.ts" } as const;
const NAMES = { two: "two handles", one: "one handle " } as const;

type Kind = keyof typeof SERVERS;

const seed = await xmlOf(SEEDED);
const all = await xmlOf(PRODUCTS + SEEDED);
const found = await alternately(["two", "one"], { rounds: ROUNDS }, measure);
for (const read of ["list", "get"] as const) tellVerdict(read);

function xmlOf(count: number): Promise<SentFile> {
  return weighFile("application/xml", () => generateItems(count, 1, { isVaried: true }));
}

async function measure(kind: Kind): Promise<Times> {
  await using folder = await temporaryFolder();
  const program = { flags: [V8_FLAGS, "--allow-all"], entry: SERVERS[kind] };
  await using live = await startLiveServer(folder.path, SETTINGS, { program });
  await sendImport(live, seed);
  const told = { name: NAMES[kind], products: PRODUCTS, skus: SEEDED_SKUS };
  return await readBeside(live, told, (begin) =>
    sendImport(live, all, {
      ended(phase) {
        if (phase === "plan") begin();
      },
    }));
}

function tellVerdict(read: "list" | "get"): void {
  const [two, one] = [medianP99(found.two, read), medianP99(found.one, read)];
  const verdict = (isSo: boolean) => isSo ? "reached" : "MISSED";
  say(
    `${read} p99: ${two.toFixed(0)} ms (≤ ${BUDGETS_MS[read]}: ` +
      `${verdict(two <= BUDGETS_MS[read])}), with one handle ${one.toFixed(0)} ms, ratio ` +
      `${(two / one).toFixed(2)} (≤ ${SHARE_OF_ONE_HANDLE}: ` +
      `${verdict(two / one <= SHARE_OF_ONE_HANDLE)}), medians of ${ROUNDS} rounds`,
  );
}
