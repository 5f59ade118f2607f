import { HOUR_MS } from "../../../src/base/time.ts";
import { TEMPORARY_CODES } from "../../../src/engine/pricing/guards.ts";
import {
  lapseOf,
  nextMidnightMs,
  queueEnded,
} from "../../../src/rules/evaluation/rule_state_store.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { addProducts, addRule, priceOf, pushJudged, untilJudged } from "./market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const AUTO = {
  marginFloor: { pct: 10 },
  actions: [
    { type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 50 },
    { type: "alert_inapp", severity: "low" },
  ],
};

async function prepare(count: number, settings: Record<string, unknown> = {}) {
  const app = await startTestApp();
  await app.owner.change("/api/settings", { autoApply: true, ...settings });
  const skus = Array.from({ length: count }, (_, n) => `P${n}`);
  const ids = await addProducts(app, skus.map((sku) => ({ sku })));
  await addRule(app.owner, {
    name: "Told once",
    priority: 9,
    cooldownMinutes: 0,
    actions: [{ type: "alert_inapp", severity: "low" }],
  });
  app.clock.advance(HOUR_MS);
  return { app, skus, ids };
}

/**
 * Advances the clock by `ms`, and queues products whose obstacle to a price has ended. Returns the
 * number of queued products after their evaluation.
 */
async function after(app: TestApp, ms: number): Promise<number> {
  app.clock.advance(ms);
  const queued = await queueEnded({ store: app.store, clock: app.app.clock });
  await untilJudged(app);
  return queued;
}

const pricesOf = (app: TestApp, ids: readonly string[]) =>
  Promise.all(ids.map((id) => priceOf(app.owner, id)));

async function toldOnce(app: TestApp): Promise<number> {
  const { items } = await app.viewer.read("/api/alerts?limit=200");
  return items.filter(({ facts }: { facts: { ruleName: string } }) =>
    facts.ruleName === "Told once"
  ).length;
}

Deno.test("prices that a budget held back are set in the minute after local midnight", async () => {
  const { app, skus, ids } = await prepare(5);
  await using _ = app;
  await addRule(app.owner, { ...AUTO, budgetPerDay: 3 });
  await pushJudged(app, skus.map((sku) => [sku, "acme", 95]));
  const moved = (prices: readonly unknown[]) => prices.filter((price) => price === 9_500).length;
  assertEquals(moved(await pricesOf(app, ids)), 3);
  const told = await toldOnce(app);
  const midnightMs = nextMidnightMs(app.clock.now().getTime(), "Europe/Berlin");
  const leftMs = midnightMs - app.clock.now().getTime();
  assertEquals(await after(app, leftMs - 60_000), 0);
  assertEquals(moved(await pricesOf(app, ids)), 3);
  assertEquals(await after(app, 60_000 + 6_000), 2);
  assertEquals(moved(await pricesOf(app, ids)), 5);
  // Rules that set no price did not evaluate the products again.
  assertEquals(await toldOnce(app), told);
  assertEquals(await after(app, 25 * HOUR_MS), 0);
});

Deno.test("a price at its daily limit of moves may move again once the oldest move is a day ago", async () => {
  const { app, skus: [sku = ""], ids: [id = ""] } = await prepare(1);
  await using _ = app;
  await addRule(app.owner, {
    when: { trigger: "market_index", always: true },
    marginFloor: { pct: 10 },
    cooldownMinutes: 0,
    bounds: { maxMovesPerDay: 2 },
    actions: [{ type: "auto_apply_if_safe", maxChangePct: 50, price: { adjust: { cents: -1 } } }],
  });
  for (const price of [98, 96]) {
    await pushJudged(app, [[sku, "acme", price]]);
    app.clock.advance(HOUR_MS);
  }
  await pushJudged(app, [[sku, "acme", 94]]);
  assertEquals(await priceOf(app.owner, id), 9_599);
  assertEquals(await after(app, 21 * HOUR_MS), 0);
  assertEquals(await after(app, HOUR_MS + 60_000), 1);
  assertEquals(await priceOf(app.owner, id), 9_399);
});

Deno.test("a price that a cooldown held back is set when the cooldown ends", async () => {
  const { app, skus: [sku = ""], ids: [id = ""] } = await prepare(1);
  await using _ = app;
  await addRule(app.owner, { ...AUTO, cooldownMinutes: 120 });
  await pushJudged(app, [[sku, "acme", 98]]);
  app.clock.advance(HOUR_MS);
  await pushJudged(app, [[sku, "acme", 96]]);
  assertEquals(await priceOf(app.owner, id), 9_800);
  assertEquals(await after(app, HOUR_MS + 60_000), 1);
  assertEquals(await priceOf(app.owner, id), 9_600);
});

Deno.test("the end of every temporary objection is known", () => {
  const facts = { until: "2026-11-21T09:00:00.000Z" };
  const terms = { rules: [], nowMs: Date.parse("2026-11-20T09:00:00Z"), timeZone: "Europe/Berlin" };
  const endless = [...TEMPORARY_CODES].filter((code) => {
    const reason = { objections: [{ code, facts }] };
    return lapseOf([{ ruleId: "", wouldFire: true, reason }], terms) === null;
  });
  // The ends of brakes are in another table (`brakes`). Objections with the other two codes have no
  // known end.
  assertEquals(endless, ["max_move", "day_unread", "brake"]);
});

Deno.test("a local day may have 23 or 25 hours", () => {
  const from = (time: string) =>
    new Date(nextMidnightMs(Date.parse(time), "Europe/Berlin")).toISOString();
  assertEquals(from("2026-03-28T23:30:00Z"), "2026-03-29T22:00:00.000Z");
  assertEquals(from("2026-10-24T22:30:00Z"), "2026-10-25T23:00:00.000Z");
  assertEquals(from("2026-11-20T22:59:59Z"), "2026-11-20T23:00:00.000Z");
});
