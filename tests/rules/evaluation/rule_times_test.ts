import type { TestApp } from "../../harness.ts";
import { WORKSPACE_DEFAULTS } from "../../../src/accounts/workspace.ts";
import { automatic, CENT_BELOW, type RulesApp, withRules } from "./market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { HOUR_MS } from "../../../src/base/time.ts";
import { dueSlot, RuleSchedule } from "../../../src/engine/pricing/rule.ts";
import { queueScheduledRules } from "../../../src/rules/evaluation/rejudge_job.ts";
import { askedSlots, createRuleCache } from "../../../src/rules/rule.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { TEMPORARY_CODES } from "../../../src/engine/pricing/guards.ts";
import { lapseOf, nextMidnightMs } from "../../../src/rules/evaluation/rule_state_store.ts";

const findings = ({ store }: TestApp) =>
  Array.fromAsync(findDisagreements(store), (finding) => finding.replace(/^Test: /, ""));

const slotAt = (schedule: Record<string, unknown>, now: string) =>
  dueSlot(RuleSchedule.parse(schedule), new Date(now), "Europe/Berlin");

Deno.test("dueSlot() is the last time of the schedule, at most two hours ago", () => {
  const workdays = { at: "06:00", days: ["fri", "mon", "tue", "wed", "thu"] };
  const rows: readonly [Record<string, unknown>, string, string | null][] = [
    [workdays, "2026-11-20T04:59:00Z", null],
    [workdays, "2026-11-20T05:00:00Z", "2026-11-20 06:00"],
    [workdays, "2026-11-20T07:00:00Z", "2026-11-20 06:00"],
    [workdays, "2026-11-20T07:00:01Z", null],
    [workdays, "2026-11-21T05:00:00Z", null],
    [{ at: "23:30" }, "2026-11-20T23:10:00Z", "2026-11-20 23:30"],
    // When summer time begins, 2:30 does not exist, so the rule runs at 3:00.
    [{ at: "02:30" }, "2026-03-29T00:59:00Z", null],
    [{ at: "02:30" }, "2026-03-29T01:00:00Z", "2026-03-29 02:30"],
    // When summer time ends, 2:30 occurs twice, and the rule runs at the first time.
    [{ at: "02:30" }, "2026-10-25T00:29:00Z", null],
    [{ at: "02:30" }, "2026-10-25T00:30:00Z", "2026-10-25 02:30"],
    [{ at: "02:30" }, "2026-10-25T01:30:00Z", "2026-10-25 02:30"],
  ];
  for (const [schedule, now, slot] of rows) assertEquals(slotAt(schedule, now), slot, now);
});

Deno.test("a schedule has its weekdays once and in order", () => {
  const days = ["fri", "mon", "mon"];
  assertEquals(RuleSchedule.parse({ at: "06:00", days }).days, ["mon", "fri"]);
});

async function pass(app: RulesApp): Promise<number> {
  const setup = { store: app.store, clock: app.app.clock, ruleCache: createRuleCache() };
  const counts = await Promise.all([queueScheduledRules(setup), queueScheduledRules(setup)]);
  await app.judged();
  return counts.reduce((sum, count) => sum + count, 0);
}

function inAnHour({ clock }: RulesApp): string {
  const time = { timeZone: WORKSPACE_DEFAULTS.timeZone, timeStyle: "short" } as const;
  return new Date(clock.now().getTime() + HOUR_MS).toLocaleTimeString("en-GB", time);
}

withRules.test("a rule with only scheduled times is evaluated then, once, and its proposals stay until the next time", async (app) => {
  const id = await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  await app.addRule({ schedule: { at: inAnHour(app), only: true } });
  assertEquals([await pass(app), await app.statuses()], [0, []]);
  app.clock.advance(HOUR_MS);
  assertEquals(await pass(app), 1);
  assertEquals(await app.statuses(), [["open", 9_000]]);
  app.clock.advance(60_000);
  assertEquals(await pass(app), 0);
  // A new cost does not evaluate the rule before its time.
  await app.owner.change(`/api/products/${id}`, { costPrice: 40 });
  await app.push([["A", "acme", 85]]);
  assertEquals(await app.statuses(), [["open", 9_000]]);
  await app.pushAfter(24 * HOUR_MS, [["A", "acme", 85]]);
  assertEquals(await pass(app), 1);
  assertEquals(await app.statuses(), [["superseded", 9_000], ["open", 8_500]]);
});

withRules.test("a change of a rule loses no scheduled evaluation, and only times after it are scheduled", async (app) => {
  await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  const at = inAnHour(app);
  const ruleId = await app.addRule({ schedule: { at, only: true } });
  const change = (more: Record<string, unknown>) => app.owner.change(`/api/rules/${ruleId}`, more);
  app.clock.advance(HOUR_MS + 60_000);
  await change({ name: "Changed before the late evaluation" });
  assertEquals([await pass(app), await app.statuses()], [1, [["open", 9_000]]]);
  await change({ enabled: false });
  app.clock.advance(24 * HOUR_MS);
  await change({ enabled: true });
  await app.addRule({ schedule: { at } });
  assertEquals(await pass(app), 0);
  await change({ schedule: { at: inAnHour(app) } });
  app.clock.advance(HOUR_MS);
  assertEquals(await pass(app), 1);
});

withRules.test("the mark of a scheduled time is deleted with its rule, and never restored", async (app) => {
  const schedule = { at: inAnHour(app) };
  const [gone, kept] = [await app.addRule({ schedule }), await app.addRule({ schedule })];
  const marks = async () => (await askedSlots.list(app)).map(({ row }) => row.ruleId).sort();
  await app.judged();
  app.clock.advance(HOUR_MS);
  assertEquals(await pass(app), 2);
  assertEquals([await marks(), await findings(app)], [[gone, kept].toSorted(), []]);
  await app.owner.remove(`/api/rules/${gone}`);
  assertEquals([await marks(), await findings(app)], [[kept], []]);
  // Another process still has the deleted rule in its cache, but must not run it.
  const page = await createRuleCache().rulesOf(app);
  const stale = { rulesOf: () => Promise.resolve(page) };
  await app.owner.remove(`/api/rules/${kept}`);
  app.clock.advance(24 * HOUR_MS);
  const setup = { store: app.store, clock: app.app.clock, ruleCache: stale };
  assertEquals(page.byId.has(kept), true);
  assertEquals([await queueScheduledRules(setup), await marks()], [0, []]);
});

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

withRules.test("a price that a cooldown held back is set or proposed when the cooldown ends", async (app) => {
  const [a = "", b = ""] = await app.addAutomatic(["A", "B"], 98);
  const ruleFor = (sku: string, rule = {}) =>
    app.addRule({ ...rule, cooldownMinutes: 120, scope: { mode: "sku", list: [sku] } });
  await ruleFor("A", AUTO);
  await ruleFor("B");
  const [open] = await app.proposals("status=open");
  await app.owner.act(`/api/proposals/${open?.id}/approve`);
  await app.pushAfter(HOUR_MS, [["A", "acme", 96], ["B", "acme", 96]]);
  assertEquals([await app.priceOf(a), await app.priceOf(b)], [9_800, 9_800]);
  assertEquals(await app.statuses("status=open&sku=B"), []);
  assertEquals(await app.endedAfter(HOUR_MS + 60_000), 2);
  assertEquals(await app.priceOf(a), 9_600);
  assertEquals(await app.statuses("status=open&sku=B"), [["open", 9_600]]);
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
