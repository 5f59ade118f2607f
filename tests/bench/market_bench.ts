/**
 * The market of 100,000 products with 5 offers each: loading it, compared with plain lists of the
 * same rows; its pages, compared with plain pages; sums, trends and memory; pushes and imports,
 * compared with ones that write no log. `deno task bench market`, or `deno run -A
 * tests/bench/market_bench.ts [products]`
 */
import { Buffer } from "node:buffer";
import { argv, cpuUsage, stdout } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { createRuleCache } from "../../src/rules/rule_store.ts";
import { findLogEnd } from "../../src/catalogue/products/change_log_store.ts";
import { readCheckpoint, writeCheckpoint } from "../../src/market/current/checkpoint.ts";
import { fillTable, readTerms } from "../../src/market/current/read_market.ts";
import { COVERAGE_GROUPS } from "../../src/market/table/coverage.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { summarise } from "../../src/market/table/summary.ts";
import { takeTrend } from "../../src/market/trends/take_trend.ts";
import { GROUPINGS } from "../../src/market/trends/trend_days.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { threadMs } from "../processor_time.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { pusher } from "./pushed_prices.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { pause } from "../patience.ts";
import { generateItems } from "./erp_items.ts";
import { leaving } from "./leaving_store.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { median } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const SHOPS = 5;
const ROUNDS = 5;
const PUSH_ROUNDS = 25;
const IMPORTED = 20_000;

await using app = await startTestApp();
const ctx = contextOf(app);
await seedOffers(ctx, { products: PRODUCTS, shops: SHOPS });
const table = new MarketTable(PRODUCTS);
const loadMs = await compareLoad();
await compareCheckpoint(loadMs);
await comparePages();
await measureFiles();
await measureLooks();
await measureTrends();
await comparePushes();
await compareImports();

function print(what: string, value: string, budget: string): void {
  stdout.write(`${what.padEnd(64)} ${value.padStart(12)}   ${budget}\n`);
}

/** Processor time of this process in milliseconds, as the median of the rounds. */
async function cpuMs(work: () => Promise<unknown> | unknown, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const before = cpuUsage();
    await work();
    const { user, system } = cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return times.sort((a, b) => a - b)[rounds >> 1] ?? NaN;
}

/** Returns the processor time of a load in milliseconds. */
async function compareLoad(): Promise<number> {
  const terms = await readTerms(ctx, createRuleCache());
  const nowMs = ctx.now().getTime();
  const lists = await cpuMs(async () => {
    for (const name of ["p", "o", "rs"]) {
      const prefix = [name, idBytes(app.workspaceId)];
      for await (const _ of app.store.kv.list({ prefix }, { batchSize: 1_000 }));
    }
  });
  let longestMs = 0;
  let last = threadMs();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, threadMs() - last);
    last = threadMs();
  }, 1);
  const load = await cpuMs(() =>
    fillTable(ctx, new MarketTable(PRODUCTS), terms, nowMs, () => false)
  );
  clearInterval(timer);
  await fillTable(ctx, table, terms, nowMs, () => false);
  print("load / plain lists, processor", (load / lists).toFixed(2), "≤ 3.20");
  print("load, processor ms", load.toFixed(0), "");
  print("longest the thread was busy while loading, processor ms", longestMs.toFixed(0), "≤ 50");
  print("bytes per product", (table.memoryBytes / PRODUCTS).toFixed(0), "≤ 280");
  const all = await cpuMs(() => summarise(table, [], () => true));
  const shops = await cpuMs(() => summarise(table, ["brand", "competitor"], () => true));
  print(
    "summary of all; of brands and shops, processor ms",
    `${all.toFixed(0)}; ${shops.toFixed(0)}`,
    "",
  );
  return load;
}

async function compareCheckpoint(loadMs: number): Promise<void> {
  const { version } = await readTerms(ctx, createRuleCache());
  const nowMs = ctx.now().getTime();
  const moment = { table, position: await findLogEnd(ctx), asOfMs: nowMs, knownSinceMs: nowMs };
  const setup = { ...ctx, isUnwanted: () => false };
  const written = await cpuMs(() => writeCheckpoint(setup, version, moment), 3);
  const read = await cpuMs(async () => {
    const found = await readCheckpoint(ctx, version, () => false);
    if (found?.table.size !== PRODUCTS) throw new Error("There is no checkpoint");
  });
  print("checkpoint written, processor ms", written.toFixed(0), "");
  print("checkpoint read / load", (read / loadMs).toFixed(3), "≤ 0.1");
  let bytes = 0;
  const parts = { prefix: ["mkp", idBytes(app.workspaceId)] };
  for await (const { value } of app.store.kv.list<Uint8Array>(parts, { batchSize: 8 })) {
    bytes += value.length;
  }
  print("bytes of a checkpoint per product", (bytes / PRODUCTS).toFixed(0), "");
}

async function comparePages(): Promise<void> {
  const read = (query: string) => bodyOf(app.viewer.get(`/api/products?limit=100${query}`), 200);
  await read("&sort=gapPct");
  await read("&sort=title");
  const key = await app.key([]);
  const plain = await cpuMs(() => bodyOf(key.get("/api/public/v1/products?limit=100"), 200), 21);
  print("page of 100 without markets, processor ms", plain.toFixed(1), "");
  const { nextCursor } = await read("&sort=gapPct&order=desc");
  for (
    const query of [
      "",
      "&sort=gapPct",
      "&sort=gapPct&order=desc&dearerThanPct=2",
      `&sort=gapPct&order=desc&cursor=${nextCursor}`,
      "&sort=title",
      "&sort=rank&brand=brand+1",
      "&sort=cheapest&q=77",
      "&sort=newestAt",
      "&sort=rule",
      "&state=ok&marginBelowPct=30&rankMax=2",
      "&offers=true",
    ]
  ) {
    const begun = performance.now();
    await read(query);
    const ms = performance.now() - begun;
    const cpu = await cpuMs(() => read(query), 11);
    const name = query.slice(0, 44) || "(by id)";
    print(
      `${name} / without markets, processor`,
      (cpu / plain).toFixed(1),
      `≤ 10; ${ms.toFixed(0)} ms`,
    );
  }
}

async function measureFiles(): Promise<void> {
  const take = async (query: string) => {
    await (await app.viewer.get(`/api/products.csv?${query}`)).arrayBuffer();
  };
  const plain = await cpuMs(() => take(""), 3);
  for (const query of ["sort=gapPct", "sort=title", "columns=sku,cheapest,gapPct&sort=gapPct"]) {
    const cpu = await cpuMs(() => take(query), 3);
    print(`CSV ${query} / by id, processor`, (cpu / plain).toFixed(2), "");
  }
}

async function measureLooks(): Promise<void> {
  const key = await app.key([]);
  // Prices stay above the cost of 60, so that none needs confirmation.
  let price = 100;
  const { data } = await bodyOf(key.get("/api/public/v1/products?limit=150"), 200);
  const one = await cpuMs(async () => {
    await bodyOf(app.owner.patch(`/api/products/${data[0].id}`, { ourPrice: price++ }), 200);
    await bodyOf(app.viewer.get("/api/products?limit=1&sort=gapPct"), 200);
  }, 21);
  print("a change and a sorted list of one behind it, processor ms", one.toFixed(1), "");
}

async function measureTrends(): Promise<void> {
  const { items: [shop] } = await bodyOf(app.viewer.get("/api/competitors"), 200);
  const brand = encodeURIComponent("Brand 7");
  for (
    const [name, query] of [
      ["all", "days=365"],
      ["a brand", `brand=${brand}`],
      ["a shop", `competitorId=${shop.id}`],
      ["a shop's brand", `competitorId=${shop.id}&brand=${brand}`],
    ] as const
  ) {
    const path = `/api/market/trend?${query}`;
    const cpu = await cpuMs(() => bodyOf(app.viewer.get(path), 200), 21);
    print(`trend of ${name}, processor ms`, cpu.toFixed(1), "≤ 20");
  }
  for (const by of GROUPINGS.map((names) => names.join()).filter((names) => names !== "")) {
    const cpu = await cpuMs(() => bodyOf(app.viewer.get(`/api/market/summary?by=${by}`), 200));
    print(`summary by ${by}, processor ms`, cpu.toFixed(0), "");
  }
  for (const by of COVERAGE_GROUPS) {
    const cpu = await cpuMs(() => bodyOf(app.viewer.get(`/api/coverage?by=${by}`), 200), 21);
    print(`coverage by ${by}, processor ms`, cpu.toFixed(0), "≤ 150");
  }
  const day = { date: ctx.now().toISOString().slice(0, 10), takenAtMs: ctx.now().getTime() };
  const { signal } = new AbortController();
  const cpu = await cpuMs(() => takeTrend(ctx, table, day, signal), 3);
  print("a day of trends, processor ms", cpu.toFixed(0), "");
}

/** Compares pushes with and without rows of the log and of moves, in turn, on a file each. */
async function comparePushes(): Promise<void> {
  await using folders = new AsyncDisposableStack();
  const open = async (left: readonly string[]) => {
    const folder = folders.use(await temporaryFolder());
    const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
    folders.defer(() => store.kv.close());
    return folders.use(await pusher(store, left));
  };
  const kept = await open([]);
  const bare = await open(["mkc", "mv"]);
  for (const what of ["no price", "every price"] as const) {
    const makingMs = kept.makingMs(what);
    const ratios: number[] = [];
    const withRows: number[] = [];
    for (let round = 0; round < PUSH_ROUNDS; round++) {
      const first = round % 2 === 0 ? kept : bare;
      const second = first === kept ? bare : kept;
      const one = await cpuMs(() => first.push(what), 1);
      const other = await cpuMs(() => second.push(what), 1);
      const [ours, theirs] = first === kept ? [one, other] : [other, one];
      // Both stores create these rows, even if one discards them, so their time is subtracted.
      ratios.push((theirs - makingMs) / ours);
      withRows.push(ours / kept.rows * 1_000);
    }
    const goal = what === "no price" ? "≥ 0.95" : "≥ 0.90";
    print(
      `rate of pushes, ${what} moves / without log and moves, processor`,
      median(ratios).toFixed(2),
      `${goal}; ${median(withRows).toFixed(0)} µs a row`,
    );
  }
}

/**
 * Compares imports without a log, with a log that is not read, and with a market in memory that
 * reads the log, in turn, on a file each.
 */
async function compareImports(): Promise<void> {
  await using folders = new AsyncDisposableStack();
  const open = async (left: readonly string[]) => {
    const folder = folders.use(await temporaryFolder());
    const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
    folders.defer(() => store.kv.close());
    const importing = folders.use(await startTestApp({ store: leaving(store, left) }));
    await importItems(importing, 1);
    return importing;
  };
  const [bare, logged, followed] = [await open(["mkc"]), await open([]), await open([])];
  const look = () => bodyOf(followed.owner.get("/api/products?sort=gapPct&limit=1"), 200);
  await look();
  const times = { bare: [] as number[], logged: [] as number[], followed: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const revision = 2 + round;
    const runs = [
      async () => times.bare.push(await cpuMs(() => importItems(bare, revision), 1)),
      async () => times.logged.push(await cpuMs(() => importItems(logged, revision), 1)),
      async () =>
        times.followed.push(
          await cpuMs(async () => {
            await importItems(followed, revision);
            await look();
          }, 1),
        ),
    ];
    for (let n = 0; n < runs.length; n++) await runs[(n + round) % runs.length]?.();
  }
  const ratio = (ours: number[]) => median(times.bare.map((ms, n) => ms / (ours[n] ?? NaN)));
  const perItem = (median(times.bare) / IMPORTED * 1_000).toFixed(0);
  print(
    "rate of imports, changed prices, with a log / without, processor",
    ratio(times.logged).toFixed(2),
    `${perItem} µs an item without`,
  );
  print("the same with a market that follows", ratio(times.followed).toFixed(2), "");
}

/** Imports a file in which each revision has other prices. */
async function importItems(importing: TestApp, revision: number): Promise<void> {
  const xml = Buffer.concat(await Array.fromAsync(generateItems(IMPORTED, revision)));
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const path = "/api/imports?mode=upsert";
  const { jobId } = await bodyOf(importing.owner.post(path, xml, headers), 202);
  for (;;) {
    const job = await bodyOf(importing.owner.get(`/api/imports/${jobId}`), 200);
    if (job.status === "succeeded") return;
    if (job.status !== "queued" && job.status !== "running") throw new Error(job.status);
    await pause(50);
  }
}
