/**
 * Simulation of a rule for a whole catalogue with 10 other rules and 4 offers per product, over
 * HTTP, with progress polled as the web client does. Budget on two cores: 20 s for 100,000
 * products. Processor time is printed too, because other work affects it less. `deno run -A
 * tests/bench/simulation_bench.ts [products]`
 */
import { argv } from "node:process";
import { bodyOf } from "../api/answers.ts";
import { addSilentRule, UNDERCUT } from "../rules/evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { pause } from "../patience.ts";
import { processMs } from "../processor_time.ts";
import { addBenchRules, RULES } from "./bench_rules.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";
import { report } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const BUDGET_S = 20 * PRODUCTS / 100_000;
const SHOPS = 4;
const ASKED_EACH_MS = 250;
const MB = 1_000_000;

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
await seedOffers(contextOf(app), { products: PRODUCTS, shops: SHOPS });
await addBenchRules(app);
await timeSimulation("of a new rule", { rule: { ...UNDERCUT, name: "New", priority: 1 } });
const stored = await addSilentRule(app, { ...AIM, name: "Stored", bounds: { markupPct: 8 } });
await timeSimulation("before and after a change", {
  ruleId: stored,
  rule: { ...AIM, name: "Stored", bounds: { markupPct: 12, maxMovePct: 7 } },
});
await timeSimulation("with a bound of a day, and by itself", {
  ruleId: stored,
  rule: {
    ...AIM,
    name: "Stored",
    actions: [{ ...AIM.actions[0], type: "auto_apply_if_safe", maxChangePct: 20 }],
    bounds: { markupPct: 12, maxMovePerDayPct: 7 },
  },
});

async function timeSimulation(name: string, body: unknown): Promise<void> {
  const [began, worked] = [performance.now(), processMs()];
  let [asked, slowestMs, bytes] = [0, 0, 0];
  const { id } = await bodyOf(app.owner.post("/api/simulations", body), 202);
  for (;;) {
    const at = performance.now();
    const { status, result, error } = await bodyOf(app.owner.get(`/api/simulations/${id}`), 200);
    slowestMs = Math.max(slowestMs, performance.now() - at);
    bytes = Math.max(bytes, Deno.memoryUsage().rss);
    asked++;
    if (error) throw new Error(`The simulation has failed: ${JSON.stringify(error)}`);
    if (status === "succeeded") {
      const seconds = (performance.now() - began) / 1_000;
      const cpu = (processMs() - worked) / 1_000;
      const what = `simulation ${name}, ${result.inScope} products, ${RULES} rules, seconds`;
      const more = `${cpu.toFixed(2)} s of the processor; ${result.down} down, ${result.up} up; ` +
        `progress asked ${asked} times, at most ${Math.round(slowestMs)} ms; ` +
        `at most ${Math.round(bytes / MB)} MB`;
      report(what, seconds, `≤ ${BUDGET_S}`, more);
      return;
    }
    await pause(ASKED_EACH_MS);
  }
}
