/**
 * Measures a real server at its heaviest work: imports, lists, searches, a back-test, commands such
 * as `backup`, pushed prices, a simulation, and list downloads. Prints the time, processor time,
 * peak memory and written bytes of each, and the slowest response to `/healthz` meanwhile.
 * `deno task bench server`, or `deno task bench server 1000000` for a million products
 */
import { argv } from "node:process";
import { storeFile } from "../../src/platform/store/open_store.ts";
import { pagesOf, statusOf } from "../api/answers.ts";
import { type Caller, callerWithKey } from "../caller.ts";
import { type Beat, quantile, startProbe } from "../load/process_figures.ts";
import { memoryMib, processorMs, writtenBytes } from "../processor_time.ts";
import { pause, repeatedly, until } from "../patience.ts";
import { type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { addRule, UNDERCUT } from "../rules/evaluation/market.ts";
import { V8_FLAGS } from "../task_flags.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { untilAtRest, usedBytes } from "./store_figures.ts";
import { generateItems, itemCents, itemSku } from "./erp_items.ts";
import { sendImport, weighFile } from "./send_import.ts";
import { say, timed, untilSucceeded } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const READS = 100;
/** After this time in ms, the benchmark stops reading, even before `READS` requests. */
const READS_MS = 15_000;
const ROWS_PER_PUSH = 1_000;
const BEAT_MS = 20;
const POLL_MS = 100;
const PERSON_MS = 500;
const MB_PER_MIB = 1.048576;
const SETTINGS = {
  LOG_LEVEL: "warning",
  IMPORT_MAX_BODY_BYTES: String(4 * 2 ** 30),
  IMPORT_MAX_UNPACKED_BYTES: String(4 * 2 ** 30),
  IMPORT_MAX_ITEMS: "10000000",
  RATE_LIMIT_PER_MINUTE: "1000000",
  SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8",
  SCRAPE_DOMAIN_DELAY_MS: "0",
};
const LISTS = "/api/products?limit=100";
/** Some paths vary with `n`, so that the server cannot answer them from a cache. */
const READ_PATHS: readonly (readonly [name: string, path: (n: number) => string])[] = [
  ["first page of 100", () => LISTS],
  ["a brand", (n) => `${LISTS}&brand=Nordwerk+${n % 57}`],
  ["a category", (n) => `${LISTS}&category=Gruppe+${n % 15}`],
  ["brand and category", (n) => `${LISTS}&brand=Nordwerk+${n % 57}&category=Garten`],
  ["search, many found", () => `${LISTS}&q=wasserkocher`],
  ["search, some found", (n) => `${LISTS}&q=KS${n * 89}`],
  ["search, none found", () => `${LISTS}&q=zzz`],
];
const PERSON_PATHS = [
  "/api/products?limit=200&sort=gapPct&order=desc",
  "/api/products?limit=200&q=wasserkocher",
  "/api/market/summary?by=category,competitor",
  "/api/overview",
];
const FILES = [
  "products.csv",
  "products.csv?sort=title",
  "products.xlsx",
  "products.xlsx?sort=gapPct&columns=sku,cheapest,gapPct",
];

/** What a process has used since its start; `peakMib` is the peak since the last `forgetPeak`. */
interface Used {
  readonly processorMs: number;
  readonly peakMib: number;
  readonly writtenBytes: number;
}

await using folder = await temporaryFolder();
const dataDir = folder.path;
say(`${PRODUCTS.toLocaleString("en")} products`);
{
  await using live = await startLiveServer(dataDir, SETTINGS);
  const { owner, pid, tell } = await measured(live);

  const file = await weighFile("application/xml", () => items(1));
  say(`the file has ${(file.bytes / 1e6).toFixed(0)} MB of XML`);
  await tell("import, all new", () => sendImport(live, file));
  await tell("clearing away", () => untilAtRest(dataDir));
  await tellStore();
  await tell("the same again", () => sendImport(live, file));
  await tell("first search, loads the text", () => owner.read(`${LISTS}&q=rarit`));
  for (const [name, path] of READ_PATHS) await tellReads(owner, pid, name, path);
  await tell("walk through all pages of 200", () => walk(owner));
  const ruleId = await addRule(owner, {
    when: { trigger: "margin_below", marginPct: 1 },
    actions: [{ type: "alert_inapp", severity: "info" }],
  });
  await tell("back-test of 1 rule", () => backtest(owner, ruleId));
  const changed = await weighFile("application/xml", () => items(2));
  await tell("import, all prices changed", () => sendImport(live, changed));
  await tell("judging and clearing away", () => untilAtRest(dataDir));
  await tellStore();
}
const { ms, result } = await timed(() => command("compact"));
row("compact", ms, result);
await tellStore();
{
  const started = await timed(() => startLiveServer(dataDir, SETTINGS));
  await using live = started.result;
  const { owner, url, pid, tell } = await measured(live);
  row("start of the server", started.ms, await usedBy(pid));

  await using _person = startPerson(owner);
  const backup = `${dataDir}/backup.db`;
  await tell("backup", () => command("backup", backup));
  await Deno.remove(backup);
  await tell("backup without a look", () => command("backup", "--no-check", backup));
  await Deno.remove(backup);
  await tell("check-store", () => command("check-store"));
  await tell("workspace export", () => command("workspace", "export", `${dataDir}/out`));
  await addRule(owner);
  await tell("prices are pushed", () => pushPrices(owner, url));
  await tell("all is judged", () => untilAtRest(dataDir));
  await tell("simulation of a rule", () => simulate(owner));
  for (const name of FILES) await tell(name, () => takeFile(owner, name));
}

function items(revision: number) {
  return generateItems(PRODUCTS, revision, { hasTiers: false });
}

async function measured({ owner, url }: LiveServer) {
  const pid = await serverPid(dataDir);
  /** Prints the resources that `work` returns (of a command), otherwise those of the server. */
  const tell = async (what: string, work: () => Promise<unknown>) => {
    await forgetPeak(pid);
    const before = await usedBy(pid);
    const probe = startProbe(url, { pid, everyMs: BEAT_MS });
    try {
      await until("the server is asked", () => probe.beats.length > 0);
      const { ms, result } = await timed(work);
      const after = await usedBy(pid);
      const ofServer = {
        processorMs: after.processorMs - before.processorMs,
        peakMib: after.peakMib,
        writtenBytes: after.writtenBytes - before.writtenBytes,
      };
      row(what, ms, isUsed(result) ? result : ofServer, probe.beats);
    } finally {
      await probe.stop();
    }
  };
  return { owner, url, pid, tell };
}

function isUsed(value: unknown): value is Used {
  return typeof value === "object" && value !== null && "writtenBytes" in value;
}

async function forgetPeak(pid: number): Promise<void> {
  await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5");
}

async function usedBy(pid: number): Promise<Used> {
  return {
    processorMs: await processorMs(pid),
    peakMib: await memoryMib(pid, "VmHWM") ?? NaN,
    writtenBytes: await writtenBytes(pid),
  };
}

function row(what: string, ms: number, used: Used, beats: readonly Beat[] = []): void {
  const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`.padStart(9);
  const slowest = (of: (beat: Beat) => number) => Math.max(0, ...beats.map(of)).toFixed(0);
  const core = slowest(({ tookMs, waitedMs }) => tookMs - (waitedMs ?? 0));
  say(
    `${what.padEnd(32)} ${seconds(ms)} ${seconds(used.processorMs)} of the processor, ` +
      `${(used.peakMib * MB_PER_MIB).toFixed(0).padStart(5)} MB of memory, ` +
      `${(used.writtenBytes / 1e6).toFixed(0)} MB written, ` +
      `/healthz ${slowest(({ tookMs }) => tookMs)} ms, without waiting for a core ${core} ms`,
  );
}

async function tellStore(): Promise<void> {
  const { kvPath } = storeFile(dataDir);
  const { size } = await Deno.stat(kvPath);
  const perProduct = (bytes: number) => Math.round(bytes / PRODUCTS);
  say(
    `the store: ${(size / 1e6).toFixed(0)} MB, ${perProduct(size)} B a product, ` +
      `${perProduct(usedBytes({ storePath: kvPath }))} B of them used`,
  );
}

async function tellReads(owner: Caller, pid: number, name: string, path: (n: number) => string) {
  const times: number[] = [];
  const beganAt = performance.now();
  const { cpuMs } = await timed(async () => {
    for (let n = 0; n < READS && performance.now() - beganAt < READS_MS; n++) {
      times.push((await timed(() => owner.read(path(n)))).ms);
    }
  }, () => processorMs(pid));
  const [half, most] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
  const each = (cpuMs / times.length).toFixed(1);
  say(`${name.padEnd(32)} p50 ${half} ms, p99 ${most} ms, ${each} ms of the processor`);
}

async function walk(owner: Caller): Promise<void> {
  let seen = 0;
  for await (const { items } of pagesOf(owner, "/api/products?limit=200")) seen += items.length;
  if (seen !== PRODUCTS) throw new Error(`${seen} of ${PRODUCTS} products`);
}

async function backtest(owner: Caller, ruleId: string): Promise<void> {
  const { jobId } = await owner.begin(`/api/rules/${ruleId}/backtest`, { days: 30 });
  const { result } = await untilSucceeded(owner, `/api/backtests/${jobId}`, POLL_MS);
  if (result.evaluated !== PRODUCTS) throw new Error(`${result.evaluated} evaluated`);
}

async function pushPrices(owner: Caller, url: string): Promise<void> {
  const { key } = await owner.create("/api/keys", { name: "push", scopes: ["observations:write"] });
  const program = callerWithKey(url, key);
  const observedAt = new Date().toISOString();
  for (let from = 0; from < PRODUCTS; from += ROWS_PER_PUSH) {
    const length = Math.min(ROWS_PER_PUSH, PRODUCTS - from);
    const observations = Array.from({ length }, (_, at) => {
      const n = from + at;
      // No server listens at this address, so a visit fails at once.
      const page = `http://127.0.0.1:9/p/${n}`;
      const price = Math.round(itemCents(n, 1) * (0.9 + n % 20 / 100)) / 100;
      return { sku: itemSku(n), url: page, price, currency: "EUR", inStock: true, observedAt };
    });
    await program.act("/api/public/v1/observations", { observations });
  }
}

function startPerson({ get }: Caller): AsyncDisposable {
  let n = 0;
  return repeatedly(async () => {
    await statusOf(get(PERSON_PATHS[n++ % PERSON_PATHS.length] ?? ""));
    await pause(PERSON_MS);
  });
}

async function simulate(owner: Caller): Promise<void> {
  const rule = { ...UNDERCUT, name: "New", priority: 1 };
  const { id } = await owner.begin("/api/simulations", { rule });
  await untilSucceeded(owner, `/api/simulations/${id}`, POLL_MS);
}

async function takeFile(owner: Caller, name: string): Promise<void> {
  const answer = await owner.get(`/api/${name}`);
  const { length } = await answer.bytes();
  if (!answer.ok || length < PRODUCTS) {
    throw new Error(`${name}: ${answer.status}, ${length} bytes`);
  }
}

async function command(...args: readonly string[]): Promise<Used> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-all", V8_FLAGS, "main.ts", ...args],
    env: { DATA_DIR: dataDir, MALLOC_ARENA_MAX: "2" },
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  let used: Used = { processorMs: 0, peakMib: 0, writtenBytes: 0 };
  const ended = child.status.then(({ success }) => {
    if (!success) throw new Error(`${args.join(" ")} has failed`);
    return true;
  });
  while (!await Promise.race([ended, pause(POLL_MS)])) {
    // An ended process has no figures, so keep the last ones before its end.
    const seen = await usedBy(child.pid).catch(() => used);
    if (!Number.isNaN(seen.peakMib)) used = seen;
  }
  return used;
}
