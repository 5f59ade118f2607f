/**
 * A pass of 10 rules over 100,000 products with 4 offers each and a row of memory, beside plain lists
 * of the same three ranges in batches of 1,000, in the same run; and a dry run over 25 products beside
 * 25 reads of one product. Budgets on two cores: the pass 2 × the lists, the dry run 5 × the reads.
 * `deno run -A tests/bench/evaluation_bench.ts [products]`
 */
import { argv } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { allRules, everyProduct, isIdle, judge } from "../../src/rules/evaluation/judge.ts";
import { createRuleCache } from "../../src/rules/rule_store.ts";
import { readSurroundings } from "../../src/rules/evaluation/situation_reader.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { addBenchRules, RULES } from "./bench_rules.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { compareRates, compareWork, inProcess, report } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const SHOPS = 4;

await using app = await startTestApp();
const ctx = contextOf(app);
await seedOffers(ctx, { products: PRODUCTS, shops: SHOPS });
const ruleIds = await addBenchRules(app);
await comparePass();
await compareSimulation();

async function comparePass(): Promise<void> {
  const { compiled } = await createRuleCache().rulesOf(ctx);
  const pass = async () => {
    const surroundings = await readSurroundings(ctx);
    const moment = { nowMs: ctx.now().getTime(), mode: "live" } as const;
    let idle = 0;
    let seen = 0;
    const products = everyProduct(ctx, { surroundings, wanted: null });
    await judge(products, allRules(compiled), moment, {
      history: null,
      take: (_, answer) => {
        seen++;
        if (isIdle(answer)) idle++;
      },
    });
    if (seen !== PRODUCTS || idle === 0) throw new Error(`${seen} seen, ${idle} idle`);
  };
  const lists = async () => {
    let rows = 0;
    for (const table of ["p", "o", "rs"]) {
      const prefix = [table, idBytes(app.workspaceId)];
      for await (const _ of app.store.kv.list({ prefix }, { batchSize: 1_000 })) rows++;
    }
    if (rows !== 3 * PRODUCTS) throw new Error(`${rows} rows`);
  };
  const [passMs, listsMs] = await compareWork(pass, lists);
  report(
    `pass of ${RULES} rules over ${PRODUCTS} products / plain lists, processor`,
    passMs / listsMs,
    "≤ 2.00",
    `${Math.round(passMs)} ms against ${Math.round(listsMs)} ms`,
  );
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
