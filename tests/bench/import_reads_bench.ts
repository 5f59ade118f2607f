/**
 * Response times of lists and single products during an import, on a real server.
 * `deno task bench import_reads`, or `deno run -A tests/bench/import_reads_bench.ts [products]
 * [rounds]`
 */
import { argv } from "node:process";
import { AS_STARTED, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { generateItems, itemSku } from "./erp_items.ts";
import { medianP99, readBeside, type Times } from "./reads_beside.ts";
import { sendImport, type SentFile, weighFile } from "./send_import.ts";
import { say } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
/** Products that are stored before the import. Only these are read. */
const SEEDED = Math.ceil(PRODUCTS / 10);
const SEEDED_SKUS = Array.from({ length: SEEDED }, (_, n) => itemSku(n));
const BUDGETS_MS = { list: 130, get: 60 } as const;
const SETTINGS = { RATE_LIMIT_PER_MINUTE: "1000000", LOG_LEVEL: "warning", MALLOC_ARENA_MAX: "2" };

const seed = await xmlOf(SEEDED);
const all = await xmlOf(PRODUCTS + SEEDED);
const rounds: Times[] = [];
for (let round = 0; round < ROUNDS; round++) rounds.push(await measure());
for (const read of ["list", "get"] as const) tellVerdict(read);

function xmlOf(count: number): Promise<SentFile> {
  return weighFile("application/xml", () => generateItems(count, 1, { isVaried: true }));
}

async function measure(): Promise<Times> {
  await using folder = await temporaryFolder();
  await using live = await startLiveServer(folder.path, SETTINGS, AS_STARTED);
  await sendImport(live, seed);
  const told = { name: "import", products: PRODUCTS, skus: SEEDED_SKUS };
  return await readBeside(live, told, (begin) =>
    sendImport(live, all, {
      ended(phase) {
        if (phase === "plan") begin();
      },
    }));
}

function tellVerdict(read: "list" | "get"): void {
  const ms = medianP99(rounds, read);
  const verdict = ms <= BUDGETS_MS[read] ? "reached" : "MISSED";
  say(`${read} p99: ${ms.toFixed(0)} ms (≤ ${BUDGETS_MS[read]}: ${verdict}) of ${ROUNDS} rounds`);
}
