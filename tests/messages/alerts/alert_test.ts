import { changeSettings } from "../../../src/accounts/change_settings.ts";
import {
  alerts,
  causeOf,
  type NewAlert,
  raiseAlerts,
  systemAlert,
} from "../../../src/messages/alerts/alert.ts";
import {
  AlertCauses,
  AlertQuery,
  mailChoices,
  nextDailyMs,
  pageOfAlerts,
  readAlert,
  readAllAlerts,
} from "../../../src/messages/alerts/read_alerts.ts";
import {
  closeDecided,
  createAlertListener,
  queueHeadMails,
  raiseOverdueImports,
} from "../../../src/messages/alerts/system_alerts.ts";
import { relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { column, refuses, valuesOf } from "../../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { publishAll, relaySetup } from "../../platform/events/outbox.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { alertOf, openAlertBench, UNDERCUT } from "./alert_bench.ts";
import { startSmtpServer } from "./smtp_server.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Severity } from "../../../src/base/codes.ts";
import { listUsers } from "../../../src/accounts/users/user.ts";
import type { Caller } from "../../caller.ts";
import { findLastSeal } from "../../../src/accounts/audit/audit_seal_store.ts";
import { sealAuditRows } from "../../../src/accounts/audit/seal_audit.ts";
import { DAY_MS, HOUR_MS } from "../../../src/base/time.ts";
import { mailQueue } from "../../../src/messages/alerts/mail_store.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const NOWHERE = "smtp://127.0.0.1:1";
const RULE = "a".repeat(24);
const PRODUCT = "b".repeat(24);

async function raise(app: TestApp, alerts: readonly NewAlert[]): Promise<void> {
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  await transact(ctx, (write) => {
    raiseAlerts(write, ctx, { isMailOn: false }, alerts);
  });
}

withApp.test("alerts are filtered and counted, and read singly or all at once", async (app) => {
  await raise(app, [
    alertOf(1, { severity: "high" }),
    alertOf(2, { ruleId: RULE, productId: PRODUCT, mailTo: null }),
    alertOf(3, { ruleId: RULE, severity: "critical" }),
  ]);
  const titles = async (query: string) => {
    const { items } = await app.viewer.read(`/api/alerts?${query}`);
    return items.map(({ title }: { title: string }) => title.at(-1)).join("");
  };
  const count = async () => (await app.viewer.read("/api/alerts/unread-count")).count;
  assertEquals([await titles(""), await titles("order=desc")], ["123", "321"]);
  assertEquals(await titles(`ruleId=${RULE}`), "23");
  assertEquals(await titles(`ruleId=${RULE}&severity=critical&unread=true`), "3");
  assertEquals(await titles(`productId=${PRODUCT}`), "2");
  assertEquals([await titles("productId=nobody"), await titles("unread=false")], ["", ""]);
  const { items } = await app.viewer.read("/api/alerts?limit=2");
  assertEquals(column(items, "mail"), ["off", null]);

  assertEquals(await count(), 3);
  const [{ id }] = items;
  const read = await app.manager.act(`/api/alerts/${id}/read`);
  ok(read.readAt !== null);
  await app.manager.act(`/api/alerts/${id}/read`);
  assertEquals(await count(), 2);
  assertEquals([await titles("unread=true"), await titles("unread=false")], ["23", "1"]);
  const stranger = await app.strangerOwner();
  assertEquals(await stranger.act("/api/alerts/read-all"), { ok: true, count: 0 });
  assertEquals(await app.manager.act("/api/alerts/read-all"), { ok: true, count: 2 });
  assertEquals([await count(), await titles("unread=true")], [0, ""]);
});

Deno.test("the unread count is right after parallel readers, raisers and sweepers", async () => {
  using bench = await openAlertBench(NOWHERE);
  const ids = await bench.raise(Array.from({ length: 30 }, (_, n) => alertOf(n, { mailTo: null })));
  await Promise.all([
    ...ids.slice(0, 10).map((id) => readAlert(bench.ctx, id)),
    ...ids.slice(5, 15).map((id) => readAlert(bench.ctx, id)),
    readAllAlerts(bench.ctx),
    readAllAlerts(bench.ctx),
    ...[1, 2, 3].map(() => bench.raise([alertOf(99, { mailTo: null })])),
  ]);
  const query = AlertQuery.parse({ unread: "true" });
  const { count } = await pageOfAlerts(bench.ctx, query);
  assertEquals(await alerts.count(bench.ctx, "unread"), count);
  ok(count <= 3);
  await bench.raise([alertOf(100)]);
  bench.clock.advance(1_000);
  assertEquals(await alerts.sweep(bench.ctx, bench.ctx.now()), 34);
  assertEquals(await alerts.count(bench.ctx, "unread"), 0);
  for (const table of ["al", "alu", "alr", "alp"]) {
    assertEquals(await Array.fromAsync(bench.store.kv.list({ prefix: [table] })), [], table);
  }
});

Deno.test("a failed import, a held one and a silent domain raise one system alert each", async () => {
  using bench = await openAlertBench(NOWHERE);
  const base = { jobId: RULE, hasErrors: true, label: "preise.xml", mode: "upsert", stats: {} };
  const ends = [
    ["succeeded", null],
    ["cancelled", null],
    ["failed", "malformed_xml"],
    ["failed", "price_guard"],
  ] as const;
  const shop = { competitorId: RULE, competitor: "Shop A", domain: "a.example" };
  await publishAll(bench.ctx, [
    ...ends.map(([status, errorCode]) => (
      { type: "import.finished", data: { ...base, status, errorCode } } as const
    )),
    { type: "domain.failing", data: { ...shop, since: NOON, lastError: "timeout" } },
  ]);
  const listener = createAlertListener({ isMailOn: true });
  await relayOutbox(relaySetup(bench.store, bench.clock, [listener]));
  await relayOutbox(relaySetup(bench.store, bench.clock, [listener]));
  const { items } = await pageOfAlerts(bench.ctx, AlertQuery.parse({}));
  assertEquals(valuesOf(items, "title", "severity", "ruleId", "mail"), [
    ["Import “preise.xml” failed", "high", null, "queued"],
    ["Import “preise.xml” is held", "high", null, "queued"],
    ["Shop A is down", "high", null, "queued"],
  ]);
});

Deno.test("raiseOverdueImports() raises one alert for a missing import, from several processes too", async () => {
  using bench = await openAlertBench(NOWHERE);
  const setup = { store: bench.store, clock: bench.clock, deps: { isMailOn: false } };
  assertEquals(await raiseOverdueImports(setup), 0);
  await changeSettings(bench.ctx, { importExpectedHours: 24 });
  bench.clock.advance(23 * HOUR_MS);
  assertEquals(await raiseOverdueImports(setup), 0);
  bench.clock.advance(2 * HOUR_MS);
  await Promise.all([raiseOverdueImports(setup), raiseOverdueImports(setup)]);
  assertEquals(await raiseOverdueImports(setup), 0);
  const { items } = await pageOfAlerts(bench.ctx, AlertQuery.parse({}));
  assertEquals(valuesOf(items, "title", "severity"), [["No import for 24 hours", "high"]]);
});

withApp.test("POST /api/settings/mail-test sends the owner a mail, or says why not", async (off) => {
  assertEquals((await off.owner.act("/api/settings/mail-test")).status, "off");

  await using server = startSmtpServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "prices@shop.example" };
  await using app = await startTestApp({ env });
  const { status, to } = await app.owner.act("/api/settings/mail-test");
  assertEquals([status, [to]], ["sent", server.mails[0]?.to]);
  server.answer(550);
  const failed = await app.owner.act("/api/settings/mail-test");
  assertEquals(failed.status, "failed");
  ok(failed.message.length > 5);
});

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

async function causes(caller: Caller) {
  const { items, open } = await caller.read("/api/alerts/causes");
  AlertCauses.shape.items.parse(items);
  return { open, told: valuesOf(items, "key", "count", "changeCents", "snoozed") };
}

const RULE_KEY = `rule ${RULE}`;

withApp.test("one cause is one line; a person postpones it, and a worse state brings it back early", async (app) => {
  await raise(app, [fired(1), fired(2), down("acme.de")]);
  const told = [["shop acme.de", 1, 0, null], [RULE_KEY, 2, -200, null]];
  assertEquals(await causes(app.manager), { open: 2, told });

  const soon = new Date(app.app.clock.now().getTime() + 2 * HOUR_MS).toISOString();
  const path = "/api/alerts/causes/snooze";
  const snooze = (key: string, until: string | null) => app.viewer.act(path, { key, until });
  const open = async () => (await causes(app.viewer)).open;
  await snooze(RULE_KEY, soon);
  assertEquals(await open(), 1);
  // The snooze of one person does not hide the cause from others.
  assertEquals((await causes(app.manager)).open, 2);
  await raise(app, [fired(3)]);
  assertEquals(await open(), 1);
  await raise(app, [fired(4)]);
  assertEquals(await open(), 2);

  await snooze(RULE_KEY, soon);
  await raise(app, [fired(5, "critical")]);
  assertEquals(await open(), 2);

  await snooze("shop acme.de", "change");
  assertEquals(await open(), 1);
  await snooze("shop acme.de", null);
  assertEquals(await open(), 2);
  await snooze(RULE_KEY, soon);
  app.clock.advance(3 * HOUR_MS);
  assertEquals(await open(), 2);
  await refuses(app.viewer.post(path, { key: "shop none", until: "change" }), "not_found");
  // The key of a cause has at most 300 characters.
  const held = { code: "import_held", label: "a".repeat(900), jobId: "", errorCode: null } as const;
  assertEquals(causeOf({ facts: null, ...systemAlert(held) }).key.length, 300);

  assertEquals((await app.manager.act("/api/alerts/causes/read", { key: RULE_KEY })).count, 5);
  assertEquals((await causes(app.viewer)).told, [["shop acme.de", 1, 0, null]]);
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
    await closeDecided({ store: app.store, clock: app.app.clock });
  };
  await decide(PRODUCT);
  assertEquals((await causes(app.viewer)).open, 2);
  await decide(RULE);
  assertEquals((await causes(app.viewer)).told, [["shop acme.de", 1, 0, null]]);
  assertEquals((await app.viewer.read("/api/alerts/unread-count")).count, 1);
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
  const choose = async (name: string, choice: "daily" | "here") => {
    const userId = users.find(({ email }) => email === `${name}@shop.example`)?.id ?? "";
    await transact(ctx, (write) => {
      mailChoices.put(write, ctx, { userId, kind: "shop", choice });
    });
  };
  await choose("manager", "daily");
  await bench.raise([down("acme.de")]);
  await bench.raise([down("other.de")]);
  await bench.send();
  assertEquals(column(server.mails, "to"), [["owner@shop.example"], ["owner@shop.example"]]);
  await choose("owner", "here");
  await bench.raise([down("third.de")]);
  await bench.send();
  assertEquals(server.mails.length, 2);

  clock.advance(nextDailyMs(clock.now().getTime(), "Europe/Berlin") - clock.now().getTime());
  await bench.send();
  clock.advance(5_001);
  await bench.send();
  const digest = [["manager@shop.example"], "[Muster] 3 Meldungen"];
  assertEquals(valuesOf(server.mails.slice(2), "to", "subject"), [digest]);
});

withApp.test("a person's choice of mails is stored at once, and only for that person", async (app) => {
  const path = "/api/alerts/mail-choices";
  const choiceOf = async (caller: Caller) => {
    const { items } = await caller.read(path);
    return items.find(({ kind }: { kind: string }) => kind === "shop").choice;
  };
  await app.viewer.replace(path, { kind: "shop", choice: "here" });
  assertEquals([await choiceOf(app.viewer), await choiceOf(app.manager)], ["here", "now"]);
});

withApp.test("the newest seal is mailed once a day, with the hash that audit verify accepts", async (app) => {
  const { store, app: { clock }, workspaceId } = app;
  const setup = { store, clock, to: ["audit@shop.example"] };
  assertEquals(await queueHeadMails(setup), 0);
  await app.manager.create("/api/products", { sku: "A-1", title: "Kanne" });
  await sealAuditRows({ store, clock });
  await Promise.all([queueHeadMails(setup), queueHeadMails(setup)]);
  await queueHeadMails(setup);
  const mails = await Array.fromAsync(mailQueue.list(store, [workspaceId]));
  assertEquals(mails.map(({ value }) => value.to), [["audit@shop.example"]]);
  const { hash = "", number } = await findLastSeal({ store, workspaceId }) ?? {};
  const { subject = "", text = "" } = mails[0]?.value.worded ?? {};
  match(subject, new RegExp(` ${number}$`));
  assertEquals(text.split("\n").includes(hash), true);
  app.clock.advance(DAY_MS);
  assertEquals(await queueHeadMails(setup), 1);
});
