/**
 * A pass of 10 rules over 100,000 products with 4 offers each and a row of memory, beside plain lists
 * of the same three ranges in batches of 1,000, in the same run; and a dry run over 25 products beside
 * 25 reads of one product; and the simulation of one more rule over all of them, as people ask for it.
 * Budgets on two cores: the pass 2 × the lists, the dry run 5 × the reads, the simulation 20 s.
 * `deno run -A tests/bench/evaluation_bench.ts [products]`
 */
import { argv } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { isIdle } from "../../src/evaluation/evaluate_backlog.ts";
import { streamProducts } from "../../src/evaluation/product_stream.ts";
import { createRuleBook } from "../../src/evaluation/rule_book.ts";
import { readSurroundings } from "../../src/evaluation/situation_reader.ts";
import { bodyOf } from "../api/answers.ts";
import { addUnheardRule, UNDERCUT } from "../evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { pause } from "../patience.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { compareRates, inProcess, report } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const SHOPS = 4;
const RULES = 10;

await using app = await startTestApp();
const ctx = contextOf(app);
await seedOffers(ctx, { products: PRODUCTS, shops: SHOPS });
const ruleIds: string[] = [];
for (let n = 0; n < RULES; n++) ruleIds.push(await addBenchRule(n));
await comparePass();
await compareSimulation();
await timeCatalogue();

async function comparePass(): Promise<void> {
  const { compiled } = await createRuleBook().rulesOf(ctx);
  const pass = inProcess(1, async () => {
    const surroundings = await readSurroundings(ctx);
    const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
    let idle = 0;
    let seen = 0;
    await streamProducts(ctx, { surroundings, moment, wanted: null }, (product) => {
      seen++;
      if (isIdle(compiled, product)) idle++;
    });
    if (seen !== PRODUCTS || idle === 0) throw new Error(`${seen} seen, ${idle} idle`);
  });
  const lists = inProcess(1, async () => {
    let rows = 0;
    for (const table of ["p", "o", "rs"]) {
      const prefix = [table, idBytes(app.workspaceId)];
      for await (const _ of app.store.kv.list({ prefix }, { batchSize: 1_000 })) rows++;
    }
    if (rows !== 3 * PRODUCTS) throw new Error(`${rows} rows`);
  });
  const [passes, floors] = await compareRates(pass, lists);
  report(
    `pass of ${RULES} rules over ${PRODUCTS} products / plain lists, time`,
    floors / passes,
    "≤ 2.00",
    `${Math.round(1_000 / passes)} ms against ${Math.round(1_000 / floors)} ms`,
  );
}

async function timeCatalogue(): Promise<void> {
  const began = performance.now();
  const rule = { ...UNDERCUT, name: "Simulated", priority: 1 };
  const { id } = await bodyOf(app.owner.post("/api/simulations", { rule }), 202);
  for (;;) {
    const { status, result } = await bodyOf(app.owner.get(`/api/simulations/${id}`), 200);
    if (status === "succeeded") {
      const seconds = (performance.now() - began) / 1_000;
      const what = `simulation over ${result.inScope} products beside ${RULES} rules, seconds`;
      report(what, seconds, "≤ 20", `${result.down} down, ${result.up} up`);
      return;
    }
    if (status === "failed") throw new Error("The simulation has failed");
    await pause(100);
  }
}

async function compareSimulation(): Promise<void> {
  const { items } = await bodyOf(app.owner.get("/api/products?limit=25"), 200);
  const ids = items.map(({ id }: { id: string }) => id);
  const simulation = (body: unknown) =>
    inProcess(1, async () => {
      const path = `/api/rules/${ruleIds[0]}/simulate`;
      const { evaluated } = await bodyOf(app.owner.post(path, body), 200);
      if (evaluated !== 25) throw new Error(`${evaluated} evaluated`);
    });
  const reads = inProcess(1, async () => {
    for (const id of ids) await bodyOf(app.owner.get(`/api/products/${id}`), 200);
  });
  for (const [name, body] of [["named", { sampleProductIds: ids }], ["chosen", {}]] as const) {
    const [simulations, read] = await compareRates(simulation(body), reads);
    report(
      `dry run over 25 ${name} products / 25 reads, time`,
      read / simulations,
      "≤ 5.00",
      `${(1_000 / simulations).toFixed(1)} ms against ${(1_000 / read).toFixed(1)} ms`,
    );
  }
}

/** Scopes from a brand to everything; hardly any product is outside the bounds. */
async function addBenchRule(n: number): Promise<string> {
  const whens = [
    { trigger: "competitor_undercut", competitorDeltaPct: 30 },
    { trigger: "competitor_overcut", competitorDeltaPct: 60 },
    { trigger: "margin_below", marginPct: 1 },
    { trigger: "margin_above", marginPct: 95 },
    { trigger: "market_index", indexAbove: 150, indexBelow: 50 },
  ];
  const scopes = [
    { mode: "all" },
    { mode: "attribute", matches: { brand: [`Brand ${n}`, `Brand ${n + 1}`] } },
    { mode: "attribute", matches: { category: { contains: "e" } } },
  ];
  return await addUnheardRule(app, {
    name: `Rule ${n}`,
    cooldownMinutes: 60,
    when: whens[n % whens.length],
    scope: scopes[n % scopes.length],
    marginFloor: { pct: 5 },
  });
}
