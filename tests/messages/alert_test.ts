import {
  type AlertDeps,
  alerts,
  BY_RULES,
  causeOf,
  mailQueue,
  type NewAlert,
  raiseAlerts,
  systemAlert,
  toStoredAlert,
} from "../../src/messages/alert_store.ts";
import { composeMail, createMailSender } from "../../src/messages/send_mails.ts";
import {
  addUserRows,
  findUserByEmail,
  newUser,
  removeUserRows,
} from "../../src/accounts/users/user.ts";
import type { Role } from "../../src/accounts/roles.ts";
import { dirtyQueue, relayOutbox } from "../../src/platform/events/outbox_store.ts";
import { WalkPosition } from "../../src/platform/store/row_queue_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { roomLog } from "../../src/platform/log.ts";
import { createMailer } from "../../src/platform/mail.ts";
import { addTestWorkspace } from "../catalogue/catalogue_workspace.ts";
import { openMemoryStore } from "../memory_store.ts";
import { contextOf, createTestClock } from "../platform/jobs/counting.ts";
import { changeSettings } from "../../src/accounts/change_settings.ts";
import {
  AlertCauses,
  AlertQuery,
  mailChoices,
  nextDailyMs,
  pageOfAlerts,
  readAlert,
  readAllAlerts,
} from "../../src/messages/read_alerts.ts";
import {
  closeDecided,
  createAlertListener,
  queueHeadMails,
  raiseOverdueImports,
} from "../../src/messages/system_alerts.ts";
import { column, refuses, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { publishAll, relaySetup } from "../platform/events/outbox.ts";
import { startSmtpServer } from "./smtp_server.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { languageOf, type Severity } from "../../src/base/codes.ts";
import type { Caller } from "../caller.ts";
import { findLastSeal } from "../../src/accounts/audit/audit_seal_store.ts";
import { sealAuditRows } from "../../src/accounts/audit/seal_audit.ts";
import { DAY_MS, HOUR_MS } from "../../src/base/time.ts";
import { testWith } from "../opened.ts";
import type { AlertFacts } from "../../src/engine/wording/alert_facts.ts";
import { createShow } from "../../src/engine/wording/show.ts";
import { extent } from "../proof.ts";

const FROM = "Kurant <prices@shop.example>";

function alertOf(n: number, change: Partial<NewAlert> = {}): NewAlert {
  const texts = { title: `Alert ${n}`, body: `Body ${n}` };
  return { severity: "medium", ruleId: null, productId: null, ...texts, mailTo: "team", ...change };
}

const UNDERCUT = {
  code: "rule_fired",
  ruleName: "Kaffee",
  sku: "K-1",
  productTitle: "Kanne",
  trigger: "competitor_undercut",
  outcome: "propose",
  currency: "EUR",
  currentCents: 1_000,
  proposedCents: 900,
  marginPct: null,
  competitor: "acme.example",
  competitorCents: 900,
  guard: null,
} as const;

/** A store with people, a settable clock, and a mail sender that tests start step by step. */
async function openAlertBench(smtpUrl: string) {
  const store = await openMemoryStore();
  const clock = createTestClock();
  const ctx = await addTestWorkspace(store, clock, { name: "Muster", locale: "de-DE" });
  const addPerson = async (role: Role, name: string, passwordHash: string | null, more = {}) => {
    const person = { email: `${name}@shop.example`, name: null, role, passwordHash };
    const user = { ...newUser(ctx, ctx.workspaceId, person), ...more };
    await transact(ctx, (write) => addUserRows(write, user));
  };
  for (const role of ["owner", "manager", "viewer"] as const) await addPerson(role, role, "x");
  await addPerson("manager", "invited", null);
  const mailer = createMailer({ smtpUrl, from: FROM });
  const mail = { mailer, publicUrl: "https://prices.shop.example", log: roomLog("mail") };
  const setup = { store, clock, ...mail, sweepMs: 600_000, random: () => 0.5 };
  const nextDueMs = async () => {
    const row = await mailQueue.findBehind(store, null);
    return row && row.dueMs - ctx.now().getTime();
  };
  return {
    store,
    clock,
    ctx,
    addPerson,
    async raise(
      alerts: readonly NewAlert[],
      deps: AlertDeps = { isMailOn: true },
      batch: string | null = null,
    ) {
      return await transact(ctx, (write) => raiseAlerts(write, ctx, deps, alerts, batch));
    },
    /** Stores which mails about causes of this kind the person gets. */
    async choose(name: string, kind: "shop" | "rule", choice: "daily" | "here") {
      const user = await findUserByEmail(store, `${name}@shop.example`);
      ok(user);
      const chosen = { userId: user.row.id, kind, choice };
      await transact(ctx, (write) => void mailChoices.put(write, ctx, chosen));
    },
    /** Sends all due mails, as after a restart; returns the milliseconds until the next attempt. */
    async send() {
      const position = new WalkPosition();
      await relayOutbox({ store, clock, listeners: [], log: setup.log, position });
      const sender = createMailSender(setup);
      let nextMs: number | null;
      do {
        await sender.round(new AbortController().signal);
        await sender.drain();
        nextMs = await nextDueMs();
      } while (nextMs !== null && nextMs <= 0);
      return nextMs;
    },
    [Symbol.dispose]: () => store.kv.close(),
  };
}

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

Deno.test("a failed import, a held one, a missing one and a silent domain raise one system alert each, from several processes too", async () => {
  using bench = await openAlertBench(NOWHERE);
  const { store, clock, ctx } = bench;
  const deps = { isMailOn: true };
  const base = { jobId: RULE, hasErrors: true, label: "preise.xml", mode: "upsert", stats: {} };
  const ends = [
    ["succeeded", null],
    ["cancelled", null],
    ["failed", "malformed_xml"],
    ["failed", "price_guard"],
  ] as const;
  const shop = { competitorId: RULE, competitor: "Shop A", domain: "a.example" };
  await publishAll(ctx, [
    ...ends.map(([status, errorCode]) => (
      { type: "import.finished", data: { ...base, status, errorCode } } as const
    )),
    { type: "domain.failing", data: { ...shop, since: NOON, lastError: "timeout" } },
  ]);
  for (let times = 0; times < 2; times++) {
    await relayOutbox(relaySetup(store, clock, [createAlertListener(deps)]));
  }
  const raiseMissing = () => raiseOverdueImports({ store, clock, deps });
  assertEquals(await raiseMissing(), 0);
  await changeSettings(ctx, { importExpectedHours: 24 });
  clock.advance(23 * HOUR_MS);
  assertEquals(await raiseMissing(), 0);
  clock.advance(2 * HOUR_MS);
  await Promise.all([raiseMissing(), raiseMissing()]);
  assertEquals(await raiseMissing(), 0);
  const { items } = await pageOfAlerts(ctx, AlertQuery.parse({}));
  assertEquals(valuesOf(items, "title", "severity", "ruleId", "mail"), [
    ["Import “preise.xml” failed", "high", null, "queued"],
    ["Import “preise.xml” is held", "high", null, "queued"],
    ["Shop A is down", "high", null, "queued"],
    ["No import for 24 hours", "high", null, "queued"],
  ]);
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
  // `changeCents` sums up only changes in the workspace's currency.
  const foreign = { ...UNDERCUT, currency: "JPY", currentCents: 900_000 };
  const other = alertOf(2, { ruleId: RULE, facts: foreign });
  await raise(app, [fired(1), other, down("acme.de")]);
  const told = [["shop acme.de", 1, 0, null], [RULE_KEY, 2, -100, null]];
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

withApp.test("causes are cut only if there are more than 2,000 unread alerts", async (app) => {
  const isCut = async () => (await app.viewer.read("/api/alerts/causes")).isCut;
  for (let at = 0; at < 2_000; at += 100) {
    await raise(app, Array.from({ length: 100 }, (_, n) => fired(at + n)));
  }
  assertEquals(await isCut(), false);
  await raise(app, [fired(2_000)]);
  const { told } = await causes(app.viewer);
  assertEquals([await isCut(), told], [true, [[RULE_KEY, 2_000, -200_000, null]]]);
});

withApp.test("a decided proposal leaves its alert, and an alert without open proposals closes", async (app) => {
  await raise(app, [fired(1), down("acme.de")]);
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  const deps = { isMailOn: false };
  const listener = createAlertListener(deps);
  const decide = async (ruleId: string, stamp = "f".repeat(20)) => {
    const data = { proposalId: RULE, ruleId, productId: PRODUCT, sku: "K-1", title: "Kanne" };
    const event = { type: "proposal.decided", data: { ...data, status: "applied" } } as const;
    const relayed = { at: ctx.now().toISOString(), stamp, place: "", event };
    await transact(ctx, async (write) => {
      await listener.handle(write, ctx, { ...relayed, eventId: ctx.newId() });
      await listener.handle(write, ctx, { ...relayed, eventId: ctx.newId() });
    });
    await closeDecided({ store: app.store, clock: app.app.clock });
  };
  await decide(PRODUCT);
  // An alert from the decision's own commit is about a newer proposal, so it stays open.
  await decide(RULE, (await alerts.listBy(ctx, "rule", { ruleId: RULE }))[0]?.versionstamp);
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

const withMailServer = testWith(startSmtpServer);

withMailServer.test("each person gets the mail at once, daily at seven, or never, as chosen", async (server) => {
  using bench = await openAlertBench(server.url);
  const { ctx, clock } = bench;
  await bench.choose("manager", "shop", "daily");
  await bench.raise([down("acme.de")]);
  await bench.raise([down("other.de")]);
  await bench.send();
  assertEquals(column(server.mails, "to"), [["owner@shop.example"], ["owner@shop.example"]]);
  await bench.choose("owner", "shop", "here");
  await bench.raise([down("third.de")]);
  await bench.send();
  assertEquals(server.mails.length, 2);

  for (const name of ["owner", "manager"]) await bench.choose(name, "rule", "daily");
  await bench.raise([{ ...fired(1), mailTo: "team" }]);
  await bench.send();
  assertEquals((await mailsOf(bench)).at(-1), "queued");
  const atSeven = async () => {
    const before = server.mails.length;
    clock.advance(nextDailyMs(clock.now().getTime(), "Europe/Berlin") - clock.now().getTime());
    await bench.send();
    clock.advance(5_001);
    await bench.send();
    const mails = server.mails.slice(before);
    return mails.map(({ to, subject }) => [...to, /\d Meldungen/.exec(subject)?.[0]]).sort();
  };
  assertEquals(await atSeven(), [
    ["manager@shop.example", "4 Meldungen"],
    ["owner@shop.example", undefined],
  ]);
  assertEquals((await mailsOf(bench)).at(-1), "sent");
  // A person who is removed before the mail at seven o'clock gets no mail.
  await bench.raise([{ ...fired(2), mailTo: "team" }]);
  await bench.send();
  const manager = await findUserByEmail(ctx.store, "manager@shop.example");
  ok(manager);
  await transact(ctx, (write) => removeUserRows(write, manager));
  assertEquals(await atSeven(), [["owner@shop.example", undefined]]);
});

withMailServer.test("a daily mail comes at seven in the zone of the workspace, even if the zone changes meanwhile", async (server) => {
  using bench = await openAlertBench(server.url);
  const { ctx, clock } = bench;
  await bench.choose("owner", "shop", "here");
  await bench.choose("manager", "shop", "daily");
  for (const timeZone of ["America/New_York", "Asia/Tokyo"]) {
    clock.advance(60_000);
    await bench.raise([down("acme.de")]);
    await bench.send();
    const before = server.mails.length;
    await changeSettings(ctx, { timeZone });
    const leftMs = nextDailyMs(clock.now().getTime(), timeZone) - clock.now().getTime();
    for (let hours = 1; hours < leftMs / HOUR_MS; hours++) {
      clock.advance(HOUR_MS);
      await bench.send();
    }
    const early = server.mails.length;
    clock.advance(HOUR_MS);
    await bench.send();
    assertEquals([early, server.mails.length], [before, before + 1], timeZone);
  }
});

withApp.test("a person's choice of mails is stored at once, and only for that person", async (app) => {
  const path = "/api/alerts/mail-choices";
  await app.viewer.replace(path, { kind: "shop", choice: "here" });
  for (const [caller, choice] of [[app.viewer, "here"], [app.manager, "now"]] as const) {
    const choices = valuesOf((await caller.read(path)).items, "kind", "choice");
    assertEquals(Object.fromEntries(choices).shop, choice);
  }
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

type Bench = Awaited<ReturnType<typeof openAlertBench>>;

async function mailsOf({ ctx }: Bench) {
  const { items } = await pageOfAlerts(ctx, AlertQuery.parse({ limit: "200" }));
  return column(items, "mail");
}

withMailServer.test("an alert is mailed once to owners and managers who have signed up", async (server) => {
  using bench = await openAlertBench(server.url);
  await bench.addPerson("manager", "provided", null, { hasProvider: true });
  await bench.raise([alertOf(1, { title: "Preis für Kühlschränke\r\nBcc: x@evil.example" })]);
  assertEquals(await mailsOf(bench), ["queued"]);
  await bench.send();
  await bench.send();
  assertEquals(server.mails.length, 1);
  const [mail] = server.mails;
  assertEquals(mail?.to, ["owner", "manager", "provided"].map((name) => `${name}@shop.example`));
  match(mail!.messageId, /^<[0-9a-f]{24}@shop\.example>$/);
  match(mail!.text, /Body 1/);
  ok(!/^Bcc:/im.test(mail!.text));
  assertEquals(await mailsOf(bench), ["sent"]);
});

withMailServer.test("a rule's own addresses replace the team; null sends no mail; without SMTP no mail is sent", async (server) => {
  using bench = await openAlertBench(server.url);
  await bench.raise([alertOf(1, { mailTo: ["buyer@shop.example"] }), alertOf(2, { mailTo: null })]);
  await bench.raise([alertOf(3)], { isMailOn: false });
  await bench.send();
  assertEquals(column(server.mails, "to"), [["buyer@shop.example"]]);
  assertEquals(await mailsOf(bench), ["sent", null, "off"]);
});

withMailServer.test("a large batch makes one mail per 900 alerts and receiver, once it is over", async (server) => {
  using bench = await openAlertBench(server.url);
  const raiseIn = async (batch: string, count: number, change = {}) => {
    for (let at = 0; at < count; at += 9) {
      const alerts = Array.from({ length: Math.min(9, count - at) }, (_, n) => alertOf(n, change));
      await bench.raise(alerts, { isMailOn: true }, batch);
      bench.clock.advance(10);
    }
  };
  const subjects = () => server.mails.map(({ subject }) => subject.replace("[Muster] ", ""));
  const batches = extent(2, 1);
  await raiseIn("import", 900 * batches + 50);
  await raiseIn("push", 20);
  await raiseIn("import", 21, { mailTo: ["buyer@shop.example"] });
  bench.clock.advance(4_800);
  await bench.send();
  assertEquals(subjects(), Array<string>(batches).fill("900 Meldungen"));
  bench.clock.advance(10_000);
  await Promise.all([bench.send(), bench.send()]);
  const rest = subjects().slice(batches);
  const digests = rest.filter((one) => / Meldungen$/.test(one)).sort();
  assertEquals(digests, ["21 Meldungen", "50 Meldungen"]);
  assertEquals(rest.filter((one) => /^Alert \d$/.test(one)).length, 20);
  assertEquals(server.mails.length, batches + 22);
  assertEquals(new Set(await mailsOf(bench)), new Set(["sent"]));
  assertEquals(await bench.send(), null);
});

withMailServer.test("a batch waits for the evaluation of its workspace's products, at most ten minutes", async (server) => {
  using bench = await openAlertBench(server.url);
  const { ctx, clock } = bench;
  const raise = async (count: number) => {
    const alerts = Array.from({ length: count }, (_, n) => alertOf(n));
    await bench.raise(alerts, { isMailOn: true }, BY_RULES);
  };
  const subjects = async (waitMs: number) => {
    clock.advance(waitMs);
    // The first `send` only postpones the mail; the second sends it.
    await bench.send();
    await bench.send();
    return server.mails.map(({ subject }) => subject);
  };
  const value = { cause: "rule", ref: null, productIds: [ctx.workspaceId], from: 0 } as const;
  const row = { partition: [ctx.workspaceId], id: ctx.newId(), dueMs: ctx.now().getTime(), value };
  await transact(ctx, (write) => dirtyQueue.add(write, row));
  await raise(15);
  assertEquals(await subjects(60_000), []);
  await raise(15);
  assertEquals(await subjects(60_000), []);
  await transact(ctx, async (write) => {
    const found = await dirtyQueue.findAgain(ctx.store, row);
    if (found) dirtyQueue.take(write, found);
  });
  assertEquals(await subjects(10_000), ["[Muster] 30 Meldungen"]);
  await transact(ctx, (write) => dirtyQueue.add(write, row));
  await raise(25);
  await subjects(590_000);
  assertEquals((await subjects(11_000)).slice(1), ["[Muster] 25 Meldungen"]);
});

Deno.test("a server that is down for hours loses no mail and gets each one once, under one Message-ID", async () => {
  const server = startSmtpServer();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  using bench = await openAlertBench(url);
  await bench.raise([alertOf(1), alertOf(2)]);
  for (let tries = 0; tries < 3; tries++) {
    const nextMs = await bench.send();
    ok(nextMs !== null && (tries > 0 || nextMs <= 10_000));
    bench.clock.advance(nextMs);
  }
  assertEquals(await mailsOf(bench), ["queued", "queued"]);
  await using back = startSmtpServer(Number(new URL(url).port));
  await bench.send();
  assertEquals(column(back.mails, "subject"), ["[Muster] Alert 1", "[Muster] Alert 2"]);
  assertEquals(await mailsOf(bench), ["sent", "sent"]);
  assertEquals(await bench.send(), null);
});

withMailServer.test("a temporary refusal is tried 8 times over a day, a permanent one once", async (server) => {
  using bench = await openAlertBench(server.url);
  server.answer(451);
  const startMs = bench.ctx.now().getTime();
  await bench.raise([alertOf(1)]);
  let tries = 0;
  for (let nextMs: number | null = 0; nextMs !== null; tries++) {
    bench.clock.advance(nextMs);
    nextMs = await bench.send();
    // The loop ends only if a second call finds no further attempt either.
    nextMs ??= await bench.send();
  }
  const hours = (bench.ctx.now().getTime() - startMs) / 3_600_000;
  ok(hours > 23 && hours < 25, `${hours} h`);
  assertEquals([tries, await mailsOf(bench)], [8, ["failed"]]);
  server.answer(550);
  await bench.raise([alertOf(2)]);
  await bench.send();
  assertEquals(await mailsOf(bench), ["failed", "failed"]);
  assertEquals(server.mails, []);
});

const CHEAPER = {
  ...UNDERCUT,
  ruleName: "Unterbieten",
  sku: "4711-A",
  productTitle: "Kühlschrank\r\nBcc: x@evil.example",
  currentCents: 123_456,
  proposedCents: 119_900,
  competitorCents: 119_900,
};
const LAST_AT = "2026-03-29T01:30:00.000Z";
const OVERDUE: AlertFacts = { code: "import_overdue", hours: 26, lastAt: LAST_AT };

function mailIn(locale: string, facts: readonly AlertFacts[]) {
  const rest = { id: "1", createdAt: "2026-03-30T00:00:00.000Z", mailId: "2", isMailOff: false };
  const alerts = facts.map((fact) => toStoredAlert(alertOf(1, { facts: fact }), rest));
  const settings = { locale, timeZone: "Europe/Berlin", currency: "EUR" };
  const show = createShow(settings, () => 0);
  const publicUrl = "https://prices.shop.example";
  const to = { language: languageOf(locale), show, workspace: "Muster", publicUrl };
  const { subject, text } = composeMail(alerts, to);
  return { subject, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

Deno.test("a German mail states the rule's facts and result in German, with German amounts", () => {
  assertEquals(mailIn("de-DE", [CHEAPER]), {
    subject: "[Muster] 4711-A Kühlschrank Bcc: x@evil.example",
    text: "4711-A Kühlschrank\r\nBcc: x@evil.example\nDringlichkeit: mittel\n\n" +
      "Unterbieten: acme.example verlangt 1.199,00 €, 2,9 % weniger als wir (1.234,56 €). " +
      "Vorschlag: 1.199,00 €.\n\n--\n\nAlle Meldungen: https://prices.shop.example\n",
  });
});

Deno.test("all other locales read English, with their own format; a difference below 0.05 % is an amount", () => {
  const near = { ...CHEAPER, competitorCents: 123_444 };
  const { subject, text } = mailIn("en-GB", [CHEAPER, OVERDUE, near]);
  assertEquals(subject, "[Muster] 3 alerts");
  const said = [
    "acme.example charges €1,234.44, €0.12 less than we do (€1,234.56).",
    "acme.example charges €1,199.00, 2.9% less than we do (€1,234.56). Proposal: €1,199.00.",
    "No import for 26 hours\nSeverity: medium\n\nThe last successful import was at 29 Mar 2026, 03:30.",
  ];
  assertEquals(said.filter((wanted) => !text.includes(wanted)), []);
});

Deno.test("a digest shows 20 alerts in full and names the others", () => {
  const { subject, text } = mailIn("de-DE", Array.from({ length: 1_022 }, () => OVERDUE));
  assertEquals(subject, "[Muster] 1.022 Meldungen");
  assertEquals(text.match(/Dringlichkeit: mittel/g)?.length, 20);
  assertEquals(text.match(/^- Seit 26 Stunden kein Import$/gm)?.length, 1_002);
  assertEquals(text.includes("Und 1.002 weitere:"), true);
});

withMailServer.test("a batch queued before the clock went back an hour is mailed at once", async (server) => {
  using bench = await openAlertBench(server.url);
  await bench.raise([alertOf(1)], { isMailOn: true }, "import");
  bench.clock.advance(-3_600_000);
  await bench.send();
  assertEquals(await mailsOf(bench), ["sent"]);
});
