/**
 * Measures rules on products with 4 offers each. Compares evaluating 10 rules, and filling a
 * `MarketTable`, with only reading the same rows. Compares automatic pricing of `priced` products
 * (by default 5 %) with replaying its commits. Simulations run over HTTP.
 * `deno run -A tests/bench/evaluation_bench.ts [products] [priced]`
 */
import { argv } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { listDocuments } from "../../src/catalogue/products/product_store.ts";
import { dirtyQueue, outboxQueue, publish } from "../../src/platform/events/outbox_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { oldestDueMs } from "../../src/platform/store/row_queue_store.ts";
import { allRules, isIdle } from "../../src/rules/evaluation/judge.ts";
import { streamProducts } from "../../src/rules/evaluation/situation_reader.ts";
import { fillTable, readTerms } from "../../src/market/current/read_market.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { readSurroundings } from "../../src/rules/proposals/priced_product.ts";
import { startTestApp } from "../harness.ts";
import { pause } from "../patience.ts";
import { addSilentRule, UNDERCUT } from "../rules/evaluation/market.ts";
import { processMs } from "../processor_time.ts";
import { recordCommits, replayCommits } from "./recorded_commits.ts";
import { contextOf, seedOffers } from "./seed_catalogue.ts";
import { compareWork, report, timed, untilSucceeded } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const PRICED = Number(argv[3] ?? Math.ceil(PRODUCTS / 20));
const SHOPS = 4;
/** Number of product ids that fit into one commit. */
const TOUCHED = 5_000;
const SIMULATED_S_MAX = 20 * PRODUCTS / 100_000;
const POLL_MS = 250;
const RULES = 10;

const WHENS = [
  { trigger: "competitor_undercut", competitorDeltaPct: 30 },
  { trigger: "competitor_overcut", competitorDeltaPct: 60 },
  { trigger: "margin_below", marginPct: 1 },
  { trigger: "margin_above", marginPct: 95 },
  { trigger: "market_index", indexAbove: 150, indexBelow: 50 },
];

const AIM = {
  ...UNDERCUT,
  priority: 1,
  when: { trigger: "market_index", always: true },
  actions: [{
    type: "propose_price",
    price: {
      reference: { kind: "cheapest" },
      adjust: { pct: -1 },
      rounding: { to: "down", ranges: [{ belowCents: null, endings: ["99"] }] },
    },
  }],
};

await using app = await startTestApp();
const ctx = contextOf(app);
await seedOffers(ctx, { products: PRODUCTS, shops: SHOPS });
await compareLoad();
await addBenchRules();
await comparePass();
await timeSimulations();
await compareAutomaticPrices();

/** Adds rules that hardly ever fire. */
async function addBenchRules(): Promise<void> {
  for (let n = 0; n < RULES; n++) {
    const scopes = [
      { mode: "all" },
      { mode: "attribute", matches: { brand: [`Brand ${n}`, `Brand ${n + 1}`] } },
      { mode: "attribute", matches: { category: { contains: "e" } } },
    ];
    await addSilentRule(app, {
      name: `Rule ${n}`,
      cooldownMinutes: 60,
      when: WHENS[n % WHENS.length],
      scope: scopes[n % scopes.length],
      marginFloor: { pct: 5 },
    });
  }
}

async function listRows(): Promise<void> {
  let rows = 0;
  for (const table of ["p", "o", "rs"]) {
    const prefix = [table, idBytes(app.workspaceId)];
    for await (const _ of app.store.kv.list({ prefix }, { batchSize: 1_000 })) rows++;
  }
  if (rows !== 3 * PRODUCTS) throw new Error(`${rows} rows`);
}

async function compareWithLists(name: string, budget: string, work: () => Promise<unknown>) {
  const [workMs, listsMs] = await compareWork(work, listRows);
  const times = `${Math.round(workMs)} ms against ${Math.round(listsMs)} ms`;
  report(`${name} / plain lists, processor`, workMs / listsMs, budget, times);
}

async function compareLoad(): Promise<void> {
  const terms = await readTerms(ctx, createRuleCache());
  const nowMs = ctx.now().getTime();
  const load = () => fillTable(ctx, new MarketTable(PRODUCTS), terms, nowMs, () => false);
  await compareWithLists(`load of the market of ${PRODUCTS} products`, "≤ 3.20", load);
}

async function comparePass(): Promise<void> {
  const { compiled } = await createRuleCache().rulesOf(ctx);
  const pass = async () => {
    const surroundings = await readSurroundings(ctx);
    const nowMs = ctx.now().getTime();
    let idle = 0;
    let seen = 0;
    const ask = allRules(compiled);
    for await (const { situation } of streamProducts(ctx, { surroundings, nowMs })) {
      seen++;
      if (isIdle(ask(situation))) idle++;
    }
    if (seen !== PRODUCTS || idle === 0) throw new Error(`${seen} seen, ${idle} idle`);
  };
  await compareWithLists(`pass of ${RULES} rules over ${PRODUCTS} products`, "≤ 2.00", pass);
}

async function timeSimulations(): Promise<void> {
  await timeSimulation("of a new rule", { rule: { ...UNDERCUT, name: "New", priority: 1 } });
  const stored = await addSilentRule(app, { ...AIM, name: "Stored", bounds: { markupPct: 8 } });
  const actions = [{ ...AIM.actions[0], type: "auto_apply_if_safe", maxChangePct: 20 }];
  const bounds = { markupPct: 12, maxMovePerDayPct: 7 };
  const rule = { ...AIM, name: "Stored", actions, bounds };
  await timeSimulation("with a bound of a day, and by itself", { ruleId: stored, rule });
}

async function timeSimulation(name: string, body: unknown): Promise<void> {
  const [began, worked] = [performance.now(), processMs()];
  let bytes = 0;
  const { id } = await app.owner.begin("/api/simulations", body);
  const { result } = await untilSucceeded(app.owner, `/api/simulations/${id}`, POLL_MS, () => {
    bytes = Math.max(bytes, Deno.memoryUsage().rss);
  });
  const seconds = (performance.now() - began) / 1_000;
  const cpu = (processMs() - worked) / 1_000;
  const what = `simulation ${name}, ${result.inScope} products, ${RULES} rules, seconds`;
  const used = `${cpu.toFixed(2)} s of the processor, at most ${Math.round(bytes / 1e6)} MB`;
  report(what, seconds, `≤ ${SIMULATED_S_MAX}`, `${used}; ${result.down} down, ${result.up} up`);
}

async function compareAutomaticPrices(): Promise<void> {
  await using auto = await startTestApp({ now: () => new Date() });
  const { store } = auto;
  const place = contextOf(auto);
  await seedOffers(place, { products: PRICED, shops: SHOPS });
  await auto.owner.change("/api/settings", { autoApply: true });
  await addSilentRule(auto, {
    marginFloor: { pct: 1 },
    actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 20 }],
  });
  const productIds = (await listDocuments(place, null, PRICED)).map(({ id }) => id);
  const recording = recordCommits(store, () => true);
  const { ms, cpuMs } = await timed(async () => {
    for (let at = 0; at < productIds.length; at += TOUCHED) {
      const touched = productIds.slice(at, at + TOUCHED);
      const data = { cause: "write", ref: null, productIds: touched } as const;
      await transact(place, (write) => publish(write, place, [{ type: "products.touched", data }]));
    }
    while (await oldestDueMs(outboxQueue, store) !== null) await pause(20);
    while (await oldestDueMs(dirtyQueue, store) !== null) await pause(20);
  });
  const commits = recording.stop();
  const rows = commits.flatMap(({ mutations }) => mutations);
  const prices = rows.filter(({ key }) => key[0] === "p").length;
  const bare = await replayCommits(commits);
  const micros = (ms: number) => `${Math.round(ms / prices * 1_000)} µs`;
  const times = `${micros(ms)} a price against ${micros(bare.ms)}, ` +
    `processor ${micros(cpuMs)} against ${micros(bare.cpuMs)}`;
  const what = `${prices} prices set by a rule beside a bare loop of their commits, time`;
  const made = `${commits.length} commits of ${rows.length} rows`;
  report(what, bare.ms / ms, "≥ 0.50", `${times}, ${made}`);
}
