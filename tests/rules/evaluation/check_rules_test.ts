import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { HOUR_MS } from "../../../src/base/time.ts";
import { dueSlot, RuleSchedule } from "../../../src/engine/pricing/rule.ts";
import { transact, type Write } from "../../../src/platform/store/kv.ts";
import { queueScheduledRules } from "../../../src/rules/evaluation/rejudge_job.ts";
import {
  openTable,
  proposalTable,
  statusTable,
} from "../../../src/rules/proposals/proposal_store.ts";
import { askedSlots, createRuleCache } from "../../../src/rules/rule.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { checkRules } from "../check_rules.ts";
import { addProduct, addRule, propose, push, pushJudged, statuses, untilJudged } from "./market.ts";

const findings = (app: TestApp) => Array.fromAsync(checkRules(app.store, app.workspaceId));

withApp.test("check-store reports each row of proposals that is missing, surplus or different", async (app) => {
  const { productId, id } = await propose(app);
  const [key, open] = [{ id }, { productId, proposalId: id }];
  const proposal = await proposalTable.find(app, key);
  const listed = await statusTable.find(app, { status: "open", proposalId: id });
  ok(proposal && listed?.row.brief);
  const { row } = proposal;
  const { brief } = listed.row;
  const other = app.app.clock.newId();
  const cases: readonly [(write: Write) => void, (write: Write) => void, readonly string[]][] = [
    [
      (write) => openTable.drop(write, app, open),
      (write) => openTable.put(write, app, open),
      [`Product ${productId} lacks its open proposal ${id}`],
    ],
    [
      (write) => openTable.put(write, app, { productId: other, proposalId: id }),
      (write) => openTable.drop(write, app, { productId: other }),
      [`The open proposal ${id} of product ${other} is not open`],
    ],
    [
      (write) => statusTable.drop(write, app, listed.row),
      (write) => statusTable.put(write, app, listed.row),
      [`The list of open proposals lacks ${id}`],
    ],
    [
      (write) => statusTable.put(write, app, { status: "applied", proposalId: id, brief: null }),
      (write) => statusTable.drop(write, app, { status: "applied", proposalId: id }),
      [`The list of applied proposals wrongly has ${id}`],
    ],
    [
      (write) =>
        statusTable.put(write, app, {
          ...listed.row,
          brief: { ...brief, heldUntil: "2026-03-03T09:00:00.000Z" },
        }),
      (write) => statusTable.put(write, app, listed.row),
      [`The list of open proposals differs from ${id}`],
    ],
    [
      (write) => proposalTable.put(write, app, { ...row, ruleId: other }, row),
      (write) => proposalTable.put(write, app, row, { ...row, ruleId: other }),
      [
        `Proposal ${id} belongs to the unknown rule ${other}`,
        `The list of open proposals differs from ${id}`,
      ],
    ],
  ];
  assertEquals(await findings(app), []);
  for (const [damage, repair, named] of cases) {
    await commit(app, damage);
    assertEquals((await findings(app)).sort(), [...named].sort());
    await commit(app, repair);
    assertEquals(await findings(app), []);
  }
});

function commit(app: TestApp, change: (write: Write) => void): Promise<void> {
  return transact(app, (write) => Promise.resolve(change(write)));
}

const slotAt = (schedule: Record<string, unknown>, now: string) =>
  dueSlot(RuleSchedule.parse(schedule), new Date(now), "Europe/Berlin")?.slot ?? null;

Deno.test("dueSlot() is the last time of the schedule, at most two hours ago", () => {
  const workdays = { at: "06:00", days: ["fri", "mon", "tue", "wed", "thu"] };
  const rows: readonly [Record<string, unknown>, string, string | null][] = [
    [workdays, "2026-11-20T04:59:00Z", null],
    [workdays, "2026-11-20T05:00:00Z", "2026-11-20 06:00"],
    [workdays, "2026-11-20T07:00:00Z", "2026-11-20 06:00"],
    [workdays, "2026-11-20T07:00:01Z", null],
    [workdays, "2026-11-21T05:00:00Z", null],
    [{ at: "23:30" }, "2026-11-20T23:10:00Z", "2026-11-20 23:30"],
    // The clock jumps from 2:00 to 3:00, so 2:30 does not exist and becomes 3:00.
    [{ at: "02:30" }, "2026-03-29T00:59:00Z", null],
    [{ at: "02:30" }, "2026-03-29T01:00:00Z", "2026-03-29 02:30"],
    // On this day 2:30 occurs twice, and the first occurrence is the scheduled time.
    [{ at: "02:30" }, "2026-10-25T00:29:00Z", null],
    [{ at: "02:30" }, "2026-10-25T00:30:00Z", "2026-10-25 02:30"],
    [{ at: "02:30" }, "2026-10-25T01:30:00Z", "2026-10-25 02:30"],
  ];
  for (const [schedule, now, slot] of rows) assertEquals(slotAt(schedule, now), slot, now);
});

Deno.test("a schedule has a local time and weekdays in order", () => {
  const days = ["fri", "mon", "mon"];
  assertEquals(RuleSchedule.parse({ at: "06:00", days }).days, ["mon", "fri"]);
  for (const at of ["6:00", "24:00", "06:60", "06:00 ", "", "06:00\n"]) {
    assertEquals(RuleSchedule.safeParse({ at }).success, false, at);
  }
  assertEquals(RuleSchedule.safeParse({ at: "06:00", days: [] }).success, false);
  assertEquals(RuleSchedule.safeParse({ at: "06:00", days: ["Mo"] }).success, false);
});

async function pass(app: TestApp): Promise<number> {
  const setup = { store: app.store, clock: app.app.clock, ruleCache: createRuleCache() };
  const counts = await Promise.all([queueScheduledRules(setup), queueScheduledRules(setup)]);
  await untilJudged(app);
  return counts.reduce((sum, count) => sum + count, 0);
}

withApp.test("a rule with only scheduled times is evaluated then, once, and its proposals stay until the next time", async (app) => {
  const { timeZone } = await app.owner.read("/api/settings");
  const inAnHour = new Date(app.clock.now().getTime() + HOUR_MS);
  const at = inAnHour.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const id = await addProduct(app.owner, "A");
  await push(app, [["A", "acme", 90]]);
  await addRule(app.owner, { schedule: { at, only: true } });
  await untilJudged(app);
  assertEquals([await pass(app), await statuses(app.owner)], [0, []]);
  app.clock.advance(HOUR_MS);
  assertEquals(await pass(app), 1);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  app.clock.advance(60_000);
  assertEquals(await pass(app), 0);
  // Another cause does not evaluate the rule.
  await app.owner.change(`/api/products/${id}`, { costPrice: 40 });
  await pushJudged(app, [["A", "acme", 85]]);
  assertEquals(await statuses(app.owner), [["open", 9_000]]);
  app.clock.advance(24 * HOUR_MS);
  await push(app, [["A", "acme", 85]]);
  assertEquals(await pass(app), 1);
  assertEquals(await statuses(app.owner), [["superseded", 9_000], ["open", 8_500]]);
});

withApp.test("the mark of a scheduled time is deleted with its rule, never restored, and check-store reports a stray one", async (app) => {
  const { timeZone } = await app.owner.read("/api/settings");
  const inAnHour = new Date(app.clock.now().getTime() + HOUR_MS);
  const at = inAnHour.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const ids = [
    await addRule(app.owner, { schedule: { at } }),
    await addRule(app.owner, { schedule: { at } }),
  ];
  const marks = async () => (await askedSlots.list(app)).map(({ row }) => row.ruleId).sort();
  const said = () => Array.fromAsync(checkRules(app.store, app.workspaceId));
  await untilJudged(app);
  app.clock.advance(HOUR_MS);
  assertEquals(await pass(app), 2);
  assertEquals([await marks(), await said()], [ids.toSorted(), []]);
  const [gone = "", kept = ""] = ids;
  await app.owner.remove(`/api/rules/${gone}`);
  assertEquals([await marks(), await said()], [[kept], []]);
  // A process that still has a deleted rule in its cache does not run this rule.
  const page = await createRuleCache().rulesOf(app);
  const stale = { rulesOf: () => Promise.resolve(page) };
  await app.owner.remove(`/api/rules/${kept}`);
  app.clock.advance(24 * HOUR_MS);
  const setup = { store: app.store, clock: app.app.clock, ruleCache: stale };
  assertEquals(page.byId.has(kept), true);
  assertEquals([await queueScheduledRules(setup), await marks()], [0, []]);
  await transact(app, (write) => {
    askedSlots.put(write, app, { ruleId: gone, slot: "2026-11-20 06:00" });
    return Promise.resolve();
  });
  assertEquals(await said(), [`A time of day is kept of rule ${gone}, which does not exist`]);
});
