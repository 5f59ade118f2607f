import { automatic, CENT_BELOW, withRules } from "./market.ts";
import { HOUR_MS } from "../../../src/base/time.ts";
import { TEMPORARY_CODES } from "../../../src/engine/pricing/guards.ts";
import { lapseOf, nextMidnightMs } from "../../../src/rules/evaluation/rule_state_store.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const AUTO = automatic(50);

withRules.test("prices that a budget held back are set in the minute after local midnight", async (app) => {
  const ids = await app.addAutomatic(["A", "B", "C", "D", "E"], 95);
  const alerting = await app.addRule({ priority: 9, actions: [{ type: "alert_inapp" }] });
  const told = async () => (await app.alerts(`ruleId=${alerting}`)).length;
  await app.addRule({ ...AUTO, budgetPerDay: 3 });
  const moved = async () => {
    const prices = await Promise.all(ids.map((id) => app.priceOf(id)));
    return prices.filter((price) => price === 9_500).length;
  };
  assertEquals([await moved(), await told()], [3, 5]);
  const midnightMs = nextMidnightMs(app.clock.now().getTime(), "Europe/Berlin");
  const leftMs = midnightMs - app.clock.now().getTime();
  assertEquals([await app.endedAfter(leftMs - 60_000), await moved()], [0, 3]);
  assertEquals([await app.endedAfter(60_000 + 6_000), await moved()], [2, 5]);
  // The rule `alerting` sets no price, so it was not evaluated again.
  assertEquals(await told(), 5);
  assertEquals(await app.endedAfter(25 * HOUR_MS), 0);
});

withRules.test("a price at its daily limit of moves may move again once the oldest move is a day ago", async (app) => {
  const [id = ""] = await app.addAutomatic(["A"], 100);
  await app.addSilentRule({ ...CENT_BELOW, bounds: { maxMovesPerDay: 2 } });
  for (const price of [98, 96, 94]) await app.pushAfter(HOUR_MS, [["A", "acme", price]]);
  assertEquals(await app.priceOf(id), 9_599);
  assertEquals(await app.endedAfter(21 * HOUR_MS), 0);
  assertEquals(await app.endedAfter(HOUR_MS + 60_000), 1);
  assertEquals(await app.priceOf(id), 9_399);
});

withRules.test("a price that a cooldown held back is set when the cooldown ends", async (app) => {
  const [id = ""] = await app.addAutomatic(["A"], 98);
  await app.addRule({ ...AUTO, cooldownMinutes: 120 });
  await app.pushAfter(HOUR_MS, [["A", "acme", 96]]);
  assertEquals(await app.priceOf(id), 9_800);
  assertEquals(await app.endedAfter(HOUR_MS + 60_000), 1);
  assertEquals(await app.priceOf(id), 9_600);
});

withRules.test("a price that a cooldown held back is proposed when the cooldown ends", async (app) => {
  const { id } = await app.propose({ cooldownMinutes: 120 });
  await app.owner.act(`/api/proposals/${id}/approve`);
  await app.pushAfter(HOUR_MS, [["A", "acme", 85]]);
  assertEquals(await app.statuses("status=open"), []);
  assertEquals(await app.endedAfter(HOUR_MS + 60_000), 1);
  assertEquals(await app.statuses("status=open"), [["open", 8_500]]);
});

Deno.test("the end of every temporary objection is known", () => {
  const facts = { until: "2026-11-21T09:00:00.000Z" };
  const terms = {
    rules: [],
    state: {},
    nowMs: Date.parse("2026-11-20T09:00:00Z"),
    timeZone: "Europe/Berlin",
  };
  const endless = [...TEMPORARY_CODES].filter((code) => {
    const reason = { objections: [{ code, facts }] };
    const rest = { ruleId: "", wouldFire: true, outcome: "rest", proposedCents: null } as const;
    return lapseOf([{ ...rest, reason }], terms) === null;
  });
  assertEquals(endless, ["max_move", "day_unread"]);
});

Deno.test("a local day may have 23 or 25 hours", () => {
  const from = (time: string) =>
    new Date(nextMidnightMs(Date.parse(time), "Europe/Berlin")).toISOString();
  assertEquals(from("2026-03-28T23:30:00Z"), "2026-03-29T22:00:00.000Z");
  assertEquals(from("2026-10-24T22:30:00Z"), "2026-10-25T23:00:00.000Z");
  assertEquals(from("2026-11-20T22:59:59Z"), "2026-11-20T23:00:00.000Z");
});
