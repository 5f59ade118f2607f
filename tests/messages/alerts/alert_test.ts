import { changeSettings } from "../../../src/accounts/change_settings.ts";
import { createAlertListener } from "../../../src/messages/alerts/alert_listener.ts";
import { alerts, raiseAlerts } from "../../../src/messages/alerts/alert.ts";
import {
  AlertQuery,
  pageOfAlerts,
  readAlert,
  readAllAlerts,
} from "../../../src/messages/alerts/read_alerts.ts";
import { raiseOverdueImports } from "../../../src/messages/alerts/timed_alerts.ts";
import { relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { bodyOf, refusalOf } from "../../api/answers.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { publishAll, relaySetup } from "../../platform/events/outbox.ts";
import { contextOf } from "../../platform/jobs/counting.ts";
import { alertOf, openAlertBench } from "./alert_bench.ts";
import { startSmtpServer } from "./smtp_server.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const NOON = "2026-11-20T12:00:00.000Z";
const NOWHERE = "smtp://127.0.0.1:1";
const RULE = "a".repeat(24);
const PRODUCT = "b".repeat(24);

withApp.test("alerts are filtered, paged and counted, and read singly or all at once", async (app) => {
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  await transact(ctx, (write) => {
    raiseAlerts(write, ctx, { isMailOn: false }, [
      alertOf(1, { severity: "high" }),
      alertOf(2, { ruleId: RULE, productId: PRODUCT, mailTo: null }),
      alertOf(3, { ruleId: RULE, severity: "critical" }),
    ]);
    return Promise.resolve();
  });
  const titles = async (query: string) => {
    const { items } = await bodyOf(app.viewer.get(`/api/alerts?${query}`), 200);
    return items.map(({ title }: { title: string }) => title.at(-1)).join("");
  };
  const count = async () => (await bodyOf(app.viewer.get("/api/alerts/unread-count"), 200)).count;
  assertEquals([await titles(""), await titles("order=desc")], ["123", "321"]);
  assertEquals(await titles(`ruleId=${RULE}`), "23");
  assertEquals(await titles(`ruleId=${RULE}&severity=critical&unread=true`), "3");
  assertEquals(await titles(`productId=${PRODUCT}`), "2");
  assertEquals([await titles("productId=nobody"), await titles("unread=false")], ["", ""]);
  const first = await bodyOf(app.viewer.get("/api/alerts?limit=2"), 200);
  assertEquals([first.count, await titles(`limit=2&cursor=${first.nextCursor}`)], [2, "3"]);
  assertEquals(first.items.map(({ mail }: { mail: string }) => mail), ["off", null]);

  assertEquals(await count(), 3);
  const [{ id }] = first.items;
  const read = await bodyOf(app.manager.post(`/api/alerts/${id}/read`), 200);
  ok(read.readAt !== null);
  await bodyOf(app.manager.post(`/api/alerts/${id}/read`), 200);
  assertEquals([await count(), await titles("unread=true"), await titles("unread=false")], [
    2,
    "23",
    "1",
  ]);
  const stranger = await app.strangerOwner();
  assertEquals(await bodyOf(stranger.post("/api/alerts/read-all"), 200), { ok: true, count: 0 });
  assertEquals(await bodyOf(app.manager.post("/api/alerts/read-all"), 200), { ok: true, count: 2 });
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
    { ...base, status: "succeeded", errorCode: null },
    { ...base, status: "cancelled", errorCode: null },
    { ...base, status: "failed", errorCode: "malformed_xml" },
    { ...base, status: "failed", errorCode: "price_guard" },
  ] as const;
  await publishAll(bench.ctx, [
    ...ends.map((data) => ({ type: "import.finished" as const, data })),
    {
      type: "domain.failing",
      data: {
        competitorId: RULE,
        competitor: "Shop A",
        domain: "a.example",
        since: NOON,
        lastError: "timeout",
      },
    },
  ]);
  const listener = createAlertListener({ isMailOn: true });
  await relayOutbox(relaySetup(bench.store, bench.clock, [listener]));
  await relayOutbox(relaySetup(bench.store, bench.clock, [listener]));
  const { items } = await pageOfAlerts(bench.ctx, AlertQuery.parse({}));
  assertEquals(items.map(({ title }) => title), [
    "Import “preise.xml” failed",
    "Import “preise.xml” is held",
    "Shop A is down",
  ]);
  for (const { severity, ruleId, mail } of items) {
    assertEquals([severity, ruleId, mail], ["high", null, "queued"]);
  }
});

Deno.test("raiseOverdueImports() raises one alert for a missing import, from several processes too", async () => {
  using bench = await openAlertBench(NOWHERE);
  const setup = { store: bench.store, clock: bench.clock, deps: { isMailOn: false } };
  assertEquals(await raiseOverdueImports(setup), 0);
  await changeSettings(bench.ctx, { importExpectedHours: 24 });
  bench.clock.advance(23 * 3_600_000);
  assertEquals(await raiseOverdueImports(setup), 0);
  bench.clock.advance(2 * 3_600_000);
  await Promise.all([raiseOverdueImports(setup), raiseOverdueImports(setup)]);
  assertEquals(await raiseOverdueImports(setup), 0);
  const { items } = await pageOfAlerts(bench.ctx, AlertQuery.parse({}));
  assertEquals(items.map(({ title, severity }) => [title, severity]), [[
    "No import for 24 hours",
    "high",
  ]]);
});

withApp.test("POST /api/settings/mail-test sends the owner a mail, or says why not", async (off) => {
  assertEquals((await bodyOf(off.owner.post("/api/settings/mail-test"), 200)).status, "off");
  assertEquals((await refusalOf(off.manager.post("/api/settings/mail-test"))).code, "forbidden");

  await using server = startSmtpServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "prices@shop.example" };
  await using app = await startTestApp({ env });
  const { status, to } = await bodyOf(app.owner.post("/api/settings/mail-test"), 200);
  assertEquals([status, [to]], ["sent", server.mails[0]?.to]);
  server.answer(550);
  const failed = await bodyOf(app.owner.post("/api/settings/mail-test"), 200);
  assertEquals(failed.status, "failed");
  ok(failed.message.length > 5);
});
