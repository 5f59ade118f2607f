/**
 * One run with a million products: import, lists, filters, searches, back-test of a rule, a change
 * of all products, and backup, check and compaction of the store. Prints elapsed and processor
 * time, peak memory, and the size of the file. `deno task bench million`, or `deno run -A
 * tests/bench/million_bench.ts [products]`
 */
import { argv } from "node:process";
import { storeFile } from "../../src/platform/store/open_store.ts";
import { pagesOf } from "../api/answers.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { quantile } from "../load/quantile.ts";
import { memoryMib, processorMs, writtenBytes } from "../other_process.ts";
import { pause } from "../patience.ts";
import { type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { V8_FLAGS } from "../task_flags.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { untilAtRest } from "./at_rest.ts";
import { generateItems, itemSku } from "./erp_items.ts";
import { sendImport, weighFile } from "./send_import.ts";
import { usedBytes } from "./used_bytes.ts";
import { say, timed, untilSucceeded } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 1_000_000);
const READS = 100;
/** Ends slow kinds of reads early, such as searches in more texts than the cache holds. */
const READS_MS = 15_000;
const POLL_MS = 100;
const MB_PER_MIB = 1.048576;
const SETTINGS = {
  LOG_LEVEL: "warning",
  IMPORT_MAX_BODY_BYTES: String(4 * 2 ** 30),
  IMPORT_MAX_UNPACKED_BYTES: String(4 * 2 ** 30),
  IMPORT_MAX_ITEMS: "10000000",
};
const LISTS = "/api/products?limit=100";
/**
 * Requests of each kind. Their addresses differ, because repeated requests would be answered from
 * memory.
 */
const READ_PATHS: readonly (readonly [name: string, path: (n: number) => string])[] = [
  ["first page of 100", () => LISTS],
  ["a brand", (n) => `${LISTS}&brand=Nordwerk+${n % 57}`],
  ["a category", (n) => `${LISTS}&category=Gruppe+${n % 15}`],
  ["brand and category", (n) => `${LISTS}&brand=Nordwerk+${n % 57}&category=Garten`],
  ["search, many found", () => `${LISTS}&q=wasserkocher`],
  ["search, some found", (n) => `${LISTS}&q=KS${n * 89}`],
  ["search, none found", () => `${LISTS}&q=zzz`],
  ["a product by its SKU", (n) => `/api/products?limit=1&sku=${skuOf(n * 97)}`],
];

await using folder = await temporaryFolder();
const dataDir = folder.path;
say(`${PRODUCTS.toLocaleString("en")} products; memory is the most that was resident meanwhile`);
{
  await using live = await startLiveServer(dataDir, SETTINGS);
  const file = await weighFile("application/xml", () => items(1));
  say(`the file has ${(file.bytes / 1e6).toFixed(0)} MB of XML`);
  await tell("import, all new", () => sendImport(live, file));
  await tell("clearing away", () => untilAtRest(dataDir));
  await tellStore();
  await tell("the same again", () => sendImport(live, file));
  await tellReads(live);
  await tell("walk through all pages of 200", () => walk(live));
  const ruleId = await addRule(live.owner, {
    when: { trigger: "margin_below", marginPct: 1 },
    actions: [{ type: "alert_inapp", severity: "info" }],
  });
  await tell("back-test of 1 rule", () => backtest(live, ruleId));
  const changed = await weighFile("application/xml", () => items(2));
  await tell("import, all prices changed", () => sendImport(live, changed));
  await tell("judging and clearing away", () => untilAtRest(dataDir));
  await tellStore();
}
await tellStart();
const backup = `${dataDir}/backup.db`;
await command("backup", ["backup", backup]);
await Deno.remove(backup);
await command("backup without a look", ["backup", "--no-check", backup]);
await Deno.remove(backup);
await command("check-store", ["check-store"]);
await command("compact", ["compact"]);
await tellStore();

function items(revision: number) {
  return generateItems(PRODUCTS, revision, { hasTiers: false, isVaried: true });
}

function skuOf(n: number): string {
  return itemSku(n % PRODUCTS);
}

async function tell(what: string, work: () => Promise<unknown>): Promise<void> {
  const pid = await serverPid(dataDir);
  await forgetPeak(pid);
  const before = await usedBy(pid);
  const { ms } = await timed(work);
  const after = await usedBy(pid);
  row(what, ms, {
    processorMs: after.processorMs - before.processorMs,
    peakMib: after.peakMib,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  });
}

interface Used {
  readonly processorMs: number;
  readonly peakMib: number;
  readonly writtenBytes: number;
}

/** Totals since the start of the process; the peak since the last `forgetPeak`. */
async function usedBy(pid: number): Promise<Used> {
  return {
    processorMs: await processorMs(pid),
    peakMib: await memoryMib(pid, "VmHWM") ?? NaN,
    writtenBytes: await writtenBytes(pid),
  };
}

function row(what: string, ms: number, { processorMs, peakMib, writtenBytes }: Used): void {
  const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`.padStart(9);
  say(
    `${what.padEnd(32)} ${seconds(ms)} ${seconds(processorMs)} of the processor, ` +
      `${(peakMib * MB_PER_MIB).toFixed(0).padStart(5)} MB of memory, ` +
      `${(writtenBytes / 1e6).toFixed(0)} MB written`,
  );
}

async function forgetPeak(pid: number): Promise<void> {
  await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5");
}

async function tellStore(): Promise<void> {
  const { kvPath } = storeFile(dataDir);
  const { size } = await Deno.stat(kvPath);
  const used = usedBytes({ storePath: kvPath });
  const perProduct = (bytes: number) => Math.round(bytes / PRODUCTS);
  say(
    `the store: ${(size / 1e6).toFixed(0)} MB, ${perProduct(size)} B a product, ` +
      `${perProduct(used)} B of them used`,
  );
}

async function tellReads({ owner }: LiveServer): Promise<void> {
  const pid = await serverPid(dataDir);
  await tell("first search, loads the text", () => owner.read(`${LISTS}&q=rarit`));
  for (const [name, path] of READ_PATHS) {
    const times: number[] = [];
    const beganAt = performance.now();
    const all = await timed(async () => {
      for (let n = 0; n < READS && performance.now() - beganAt < READS_MS; n++) {
        times.push((await timed(() => owner.read(path(n)))).ms);
      }
    }, () => processorMs(pid));
    const [half, most] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
    const cpuMs = all.cpuMs / times.length;
    say(
      `${name.padEnd(32)} p50 ${half} ms, p99 ${most} ms, ${cpuMs.toFixed(1)} ms of the processor` +
        (times.length < READS ? `, ${times.length} reads` : ""),
    );
  }
}

async function walk({ owner }: LiveServer): Promise<void> {
  let seen = 0;
  for await (const { items } of pagesOf(owner, "/api/products?limit=200")) seen += items.length;
  if (seen !== PRODUCTS) throw new Error(`${seen} of ${PRODUCTS} products`);
}

async function backtest({ owner }: LiveServer, ruleId: string): Promise<void> {
  const { jobId } = await owner.begin(`/api/rules/${ruleId}/backtest`, { days: 30 });
  const { result } = await untilSucceeded(owner, `/api/backtests/${jobId}`, POLL_MS);
  if (result.evaluated !== PRODUCTS) throw new Error(`${result.evaluated} evaluated`);
}

async function tellStart(): Promise<void> {
  const startedAt = performance.now();
  await using _live = await startLiveServer(dataDir, SETTINGS);
  const ms = performance.now() - startedAt;
  row("start of the server", ms, await usedBy(await serverPid(dataDir)));
}

async function command(what: string, args: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-all", V8_FLAGS, "main.ts", ...args],
    env: { DATA_DIR: dataDir, MALLOC_ARENA_MAX: "2" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const watch = watchUse(child.pid);
  const { code, stdout, stderr } = await child.output();
  const ms = performance.now() - startedAt;
  row(what, ms, await watch.stop());
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  if (code !== 0) throw new Error(said);
}

function watchUse(pid: number) {
  let used: Used = { processorMs: 0, peakMib: 0, writtenBytes: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      try {
        const seen = await usedBy(pid);
        // A process that has ended but not been collected has no memory figures.
        if (!Number.isNaN(seen.peakMib)) used = seen;
      } catch {
        // The process has ended, so the last measurement counts.
      }
      await pause(POLL_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return used;
    },
  };
}
