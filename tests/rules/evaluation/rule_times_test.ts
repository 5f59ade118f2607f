import type { TestApp } from "../../harness.ts";
import { WORKSPACE_DEFAULTS } from "../../../src/accounts/workspace.ts";
import { type RulesApp, withRules } from "./market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { HOUR_MS } from "../../../src/base/time.ts";
import { dueSlot, RuleSchedule } from "../../../src/engine/pricing/rule.ts";
import { queueScheduledRules } from "../../../src/rules/evaluation/rejudge_job.ts";
import { askedSlots, createRuleCache } from "../../../src/rules/rule.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";

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
    // When it ends, 2:30 occurs twice, and the rule runs at the first time.
    [{ at: "02:30" }, "2026-10-25T00:29:00Z", null],
    [{ at: "02:30" }, "2026-10-25T00:30:00Z", "2026-10-25 02:30"],
    [{ at: "02:30" }, "2026-10-25T01:30:00Z", "2026-10-25 02:30"],
  ];
  for (const [schedule, now, slot] of rows) assertEquals(slotAt(schedule, now), slot, now);
});

Deno.test("a schedule has a local time and weekdays in order", () => {
  const days = ["fri", "mon", "mon"];
  assertEquals(RuleSchedule.parse({ at: "06:00", days }).days, ["mon", "fri"]);
  const times = ["6:00", "24:00", "06:60", "06:00 ", "", "06:00\n"].map((at) => ({ at }));
  for (const wrong of [...times, { at: "06:00", days: [] }, { at: "06:00", days: ["Mo"] }]) {
    assertEquals(RuleSchedule.safeParse(wrong).success, false, JSON.stringify(wrong));
  }
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
