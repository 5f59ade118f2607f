/**
 * The market of 100,000 products with 5 offers each: loading it, compared with plain lists of the
 * same rows; its pages, compared with plain pages; sums, trends and memory; pushes and imports,
 * compared with ones that write no log. `deno task bench market`, or `deno run -A
 * tests/bench/market_bench.ts [products]`
 */
import { Buffer } from "node:buffer";
import { argv, stdout } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { findLogEnd } from "../../src/catalogue/products/product_mark_store.ts";
import { readCheckpoint, writeCheckpoint } from "../../src/market/current/checkpoint.ts";
import { fillTable, readTerms } from "../../src/market/current/read_market.ts";
import { COVERAGE_GROUPS } from "../../src/market/read_coverage.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { summarise } from "../../src/market/table/summary.ts";
import { takeTrend } from "../../src/market/trends/take_trend.ts";
import { GROUPINGS } from "../../src/market/trends/trend_days.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { threadMs } from "../processor_time.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { pusher } from "./pushed_prices.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { generateItems } from "./erp_items.ts";
import { leaving } from "./leaving_store.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { alternately, median, timed, untilSucceeded } from "./slices.ts";

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
  const costs = await alternately(["work"], { rounds }, () => timed(async () => await work()));
  return median(costs.work.map(({ cpuMs }) => cpuMs));
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

/** Opens a store in a file of its own. */
async function openFile(folders: AsyncDisposableStack): Promise<Store> {
  const folder = folders.use(await temporaryFolder());
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  folders.defer(() => store.kv.close());
  return store;
}

/** Compares pushes with and without rows of the log and of moves. */
async function comparePushes(): Promise<void> {
  await using folders = new AsyncDisposableStack();
  const pushers = {
    kept: folders.use(await pusher(await openFile(folders), [])),
    bare: folders.use(await pusher(await openFile(folders), ["mkc", "mv"])),
  };
  for (const what of ["no price", "every price"] as const) {
    // Both stores create these rows, even if one discards them, so their time is subtracted.
    const makingMs = pushers.kept.makingMs(what);
    const { kept, bare } = await alternately(
      ["kept", "bare"],
      { rounds: PUSH_ROUNDS },
      (kind) => cpuMs(() => pushers[kind].push(what), 1),
    );
    const ratio = median(kept.map((ms, round) => ((bare[round] ?? NaN) - makingMs) / ms));
    const micros = median(kept) / pushers.kept.rows * 1_000;
    const goal = what === "no price" ? "≥ 0.95" : "≥ 0.90";
    print(
      `rate of pushes, ${what} moves / without log and moves, processor`,
      ratio.toFixed(2),
      `${goal}; ${micros.toFixed(0)} µs a row`,
    );
  }
}

/**
 * Compares imports without a log, with a log that is not read, and with a market in memory that
 * reads the log.
 */
async function compareImports(): Promise<void> {
  await using folders = new AsyncDisposableStack();
  const open = async (left: readonly string[]) => {
    const store = leaving(await openFile(folders), left);
    const importing = folders.use(await startTestApp({ store }));
    await importItems(importing, 1);
    return importing;
  };
  const apps = { bare: await open(["mkc"]), logged: await open([]), followed: await open([]) };
  const sorted = () => bodyOf(apps.followed.owner.get("/api/products?sort=gapPct&limit=1"), 200);
  await sorted();
  const times = await alternately(
    ["bare", "logged", "followed"],
    { rounds: ROUNDS },
    (kind, round) =>
      cpuMs(async () => {
        await importItems(apps[kind], 2 + round);
        if (kind === "followed") await sorted();
      }, 1),
  );
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
  await untilSucceeded(importing.owner, `/api/imports/${jobId}`, 50);
}
