import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  causeOf,
  type NewAlert,
  raiseAlerts,
  systemAlert,
} from "../../../src/messages/alerts/alert.ts";
import { closeDecided, createAlertListener } from "../../../src/messages/alerts/alert_listener.ts";
import { mailChoices, nextDailyMs } from "../../../src/messages/alerts/read_alerts.ts";
import type { Severity } from "../../../src/base/codes.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { listUsers } from "../../../src/accounts/users/user.ts";
import { bodyOf, refusalOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { alertOf, openAlertBench, UNDERCUT } from "./alert_bench.ts";
import { startSmtpServer } from "./smtp_server.ts";

const [RULE, PRODUCT] = ["a".repeat(24), "b".repeat(24)];
const HOUR_MS = 3_600_000;

const down = (domain: string) =>
  systemAlert({ code: "domain_failing", domain, since: "2026-11-20T08:00:00Z", lastError: null });

const fired = (n: number, severity: Severity = "medium"): NewAlert =>
  alertOf(n, {
    severity,
    ruleId: RULE,
    productId: PRODUCT,
    facts: { ...UNDERCUT, sku: `K-${n}` },
    mailTo: null,
  });

async function raise(app: TestApp, alerts: readonly NewAlert[]): Promise<void> {
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  await transact(ctx, (write) => {
    raiseAlerts(write, ctx, { isMailOn: false }, alerts);
    return Promise.resolve();
  });
}

async function causes(caller: Caller) {
  const { items, open } = await bodyOf(caller.get("/api/alerts/causes"), 200);
  const told = items.map((
    { key, count, changeCents, snoozed }: {
      key: string;
      count: number;
      changeCents: number;
      snoozed: object | null;
    },
  ) => [key, count, changeCents, snoozed !== null]);
  return { open, told };
}

const RULE_KEY = `rule ${RULE}`;

Deno.test("causeOf() is the same for all alerts of one shop or one rule", () => {
  const keyOf = (alert: NewAlert) => causeOf({ facts: null, ...alert }).key;
  assertEquals(keyOf(fired(1)), RULE_KEY);
  assertEquals(keyOf(fired(2)), RULE_KEY);
  assertEquals(keyOf(down("acme.de")), "shop acme.de");
  assertEquals(keyOf(down("other.de")), "shop other.de");
  const held = { code: "import_held", label: "a".repeat(900), jobId: "", errorCode: null } as const;
  assertEquals(keyOf(systemAlert(held)).length, 300);
});

withApp.test("one cause is one line; a person postpones it, and a worse state brings it back early", async (app) => {
  await raise(app, [fired(1), fired(2), down("acme.de")]);
  assertEquals(await causes(app.manager), {
    open: 2,
    told: [["shop acme.de", 1, 0, false], [RULE_KEY, 2, -200, false]],
  });

  const soon = new Date(app.app.clock.now().getTime() + 2 * HOUR_MS).toISOString();
  const snooze = (caller: Caller, key: string, until: string | null) =>
    caller.post("/api/alerts/causes/snooze", { key, until });
  await bodyOf(snooze(app.viewer, RULE_KEY, soon), 200);
  assertEquals((await causes(app.viewer)).open, 1);
  // The snooze of one person does not hide the cause from others.
  assertEquals((await causes(app.manager)).open, 2);
  await raise(app, [fired(3)]);
  assertEquals((await causes(app.viewer)).open, 1);
  await raise(app, [fired(4)]);
  assertEquals((await causes(app.viewer)).open, 2);

  await bodyOf(snooze(app.viewer, RULE_KEY, soon), 200);
  await raise(app, [fired(5, "critical")]);
  assertEquals((await causes(app.viewer)).open, 2);

  await bodyOf(snooze(app.viewer, "shop acme.de", "change"), 200);
  assertEquals((await causes(app.viewer)).open, 1);
  await bodyOf(snooze(app.viewer, "shop acme.de", null), 200);
  assertEquals((await causes(app.viewer)).open, 2);
  await bodyOf(snooze(app.viewer, RULE_KEY, soon), 200);
  app.clock.advance(3 * HOUR_MS);
  assertEquals((await causes(app.viewer)).open, 2);
  assertEquals((await refusalOf(snooze(app.viewer, "shop none", "change"))).code, "not_found");

  const read = (caller: Caller) => caller.post("/api/alerts/causes/read", { key: RULE_KEY });
  assertEquals((await refusalOf(read(app.viewer))).code, "forbidden");
  assertEquals((await bodyOf(read(app.manager), 200)).count, 5);
  assertEquals((await causes(app.viewer)).told, [["shop acme.de", 1, 0, false]]);
});

withApp.test("a decided proposal leaves its alert, and an alert without open proposals closes", async (app) => {
  await raise(app, [fired(1), down("acme.de")]);
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  const deps = { isMailOn: false };
  const listener = createAlertListener(deps);
  const decide = async (ruleId: string) => {
    const data = { proposalId: RULE, ruleId, productId: PRODUCT, sku: "K-1", title: "Kanne" };
    const event = { type: "proposal.decided", data: { ...data, status: "applied" } } as const;
    const relayed = { at: ctx.now().toISOString(), stamp: "", place: "", event };
    // Two decisions of one commit concern the same alert.
    await transact(ctx, async (write) => {
      await listener.handle(write, ctx, { ...relayed, eventId: ctx.newId() });
      await listener.handle(write, ctx, { ...relayed, eventId: ctx.newId() });
    });
    await closeDecided({ store: app.store, clock: app.app.clock, deps });
  };
  await decide(PRODUCT);
  assertEquals((await causes(app.viewer)).open, 2);
  await decide(RULE);
  assertEquals((await causes(app.viewer)).told, [["shop acme.de", 1, 0, false]]);
  assertEquals((await bodyOf(app.viewer.get("/api/alerts/unread-count"), 200)).count, 1);
});

Deno.test("nextDailyMs() is seven o'clock in the workspace's zone, also at clock changes", () => {
  const next = (now: string) =>
    new Date(nextDailyMs(Date.parse(now), "Europe/Berlin")).toISOString();
  assertEquals(next("2026-11-20T05:59:59Z"), "2026-11-20T06:00:00.000Z");
  assertEquals(next("2026-11-20T06:00:00Z"), "2026-11-21T06:00:00.000Z");
  assertEquals(next("2026-03-28T12:00:00Z"), "2026-03-29T05:00:00.000Z");
});

Deno.test("each person gets the mail at once, daily at seven, or never, as chosen", async () => {
  await using server = startSmtpServer();
  using bench = await openAlertBench(server.url);
  const { ctx, clock } = bench;
  const users = await listUsers(ctx, { after: null, limit: null });
  const choose = async (email: string, choice: "daily" | "here") => {
    const userId = users.find((user) => user.email === email)?.id ?? "";
    await transact(ctx, (write) => {
      mailChoices.put(write, ctx, { userId, kind: "shop", choice });
      return Promise.resolve();
    });
  };
  await choose("manager@shop.example", "daily");
  await bench.raise([down("acme.de")]);
  await bench.raise([down("other.de")]);
  await bench.send();
  assertEquals(server.mails.map(({ to }) => to), [["owner@shop.example"], ["owner@shop.example"]]);
  await choose("owner@shop.example", "here");
  await bench.raise([down("third.de")]);
  await bench.send();
  assertEquals(server.mails.length, 2);

  clock.advance(nextDailyMs(clock.now().getTime(), "Europe/Berlin") - clock.now().getTime());
  await bench.send();
  clock.advance(5_001);
  await bench.send();
  assertEquals(server.mails.slice(2).map(({ to, subject }) => [to, subject]), [
    [["manager@shop.example"], "[Muster] 3 Meldungen"],
  ]);
});

withApp.test("a person's choice of mails is stored at once, and only for that person", async (app) => {
  const path = "/api/alerts/mail-choices";
  const choiceOf = async (caller: Caller) => {
    const { items } = await bodyOf(caller.get(path), 200);
    return items.find(({ kind }: { kind: string }) => kind === "shop").choice;
  };
  await bodyOf(app.viewer.put(path, { kind: "shop", choice: "here" }), 200);
  assertEquals([await choiceOf(app.viewer), await choiceOf(app.manager)], ["here", "now"]);
  const { code } = await refusalOf(app.viewer.put(path, { kind: "no", choice: "here" }));
  assertEquals(code, "validation_failed");
});
