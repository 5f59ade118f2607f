/**
 * Loading the market of 100,000 products with 5 offers each, compared with plain lists of the same
 * rows. `deno task bench market`, or `deno run -A
 * tests/bench/market_bench.ts [products]`
 */
import { argv, stdout } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { fillTable, readTerms } from "../../src/market/current/read_market.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { threadMs } from "../processor_time.ts";
import { startTestApp } from "../harness.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { alternately, median, timed } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const SHOPS = 5;
const ROUNDS = 5;

await using app = await startTestApp();
const ctx = contextOf(app);
await seedOffers(ctx, { products: PRODUCTS, shops: SHOPS });
await compareLoad();

function print(what: string, value: string, budget: string): void {
  stdout.write(`${what.padEnd(64)} ${value.padStart(12)}   ${budget}\n`);
}

async function cpuMs(work: () => Promise<unknown> | unknown, rounds = ROUNDS): Promise<number> {
  const costs = await alternately(["work"], { rounds }, () => timed(async () => await work()));
  return median(costs.work.map(({ cpuMs }) => cpuMs));
}

async function compareLoad(): Promise<void> {
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
  print("load / plain lists, processor", (load / lists).toFixed(2), "≤ 3.20");
  print("load, processor ms", load.toFixed(0), "");
  print("longest the thread was busy while loading, processor ms", longestMs.toFixed(0), "≤ 50");
}
