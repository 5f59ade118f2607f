import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { bodyOf, refusalOf } from "../../api/answers.ts";
import { withApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { addProduct, addRule, push, pushJudged } from "./market.ts";

withApp.test("GET /api/products/{id}/decisions judges every enabled rule, fired or not, and writes nothing", async (app) => {
  const fires = await addRule(app.owner, { priority: 2, cooldownMinutes: 60 });
  const rests = await addRule(app.owner, {
    priority: 1,
    when: { trigger: "margin_below", marginPct: 10 },
  });
  await addRule(app.owner, { enabled: false });
  const elsewhere = await addRule(app.owner, { scope: { mode: "sku", list: ["OTHER"] } });
  const id = await addProduct(app.owner, "A");
  await pushJudged(app, [["A", "acme", 90]]);
  const { items, count } = await bodyOf(app.viewer.get(`/api/products/${id}/decisions`), 200);
  assertEquals(
    items.map((one: Record<string, unknown>) => [one.ruleId, one.wouldFire, one.cooldownActive]),
    [[rests, false, false], [fires, true, true], [elsewhere, false, false]],
  );
  assertEquals(count, 3);
  assertEquals(items[1].proposedCents, 9_000);
  match(items[2].reason, /out of scope/);
  ok(items[1].trace.references.length === 1);
});

withApp.test("POST /api/rules/{id}/backtest sums up the stored history of its scope as fires, moves and margins", async (app) => {
  const scope = { mode: "sku", list: ["A", "B"] };
  const ruleId = await addRule(app.owner, { enabled: false, scope });
  const rival = await addRule(app.owner, {
    name: "Rival",
    actions: [{ type: "propose_price", formula: "min_competitor_minus_1pct" }],
  });
  await addProduct(app.owner, "A");
  await addProduct(app.owner, "B");
  await addProduct(app.owner, "OUTSIDE");
  for (const price of [90, 80]) {
    app.clock.advance(DAY_MS);
    await push(app, [["A", "acme", price]]);
  }
  app.clock.advance(DAY_MS);
  const answer = await app.manager.post(`/api/rules/${ruleId}/backtest`, { days: 7 });
  const { jobId, status } = await bodyOf(answer, 202);
  assertEquals([status, answer.headers.get("Location")], ["queued", `/api/backtests/${jobId}`]);
  const read = () => bodyOf(app.viewer.get(`/api/backtests/${jobId}`), 200);
  await until("the backtest is over", async () => {
    const test = await read();
    ok(["queued", "running", "succeeded"].includes(test.status), JSON.stringify(test));
    return test.status === "succeeded";
  });
  const { days, evaluated, moves, margin, conflicts, firesPerDay } = (await read()).result;
  assertEquals([days, evaluated, firesPerDay.length], [7, 2, 7]);
  assertEquals([moves.up, moves.down, moves.averagePct], [0, 2, -15]);
  assertEquals(margin, { currentPct: 50, proposedPct: 40.97 });
  assertEquals(conflicts, [{ ruleId: rival, products: 1 }]);
  assertEquals((await refusalOf(app.viewer.get(`/api/backtests/${ruleId}`))).code, "not_found");
});
