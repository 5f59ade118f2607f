import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { BLANK_OFFER } from "../../shops/shop.ts";
import type { Offer } from "../../../src/shops/offers/offer.ts";
import {
  countOffers,
  FRESH_HOURS,
  FreshnessCache,
  type ShopCounters,
} from "../../../src/market/overview/read_overview.ts";
import { addProduct, addRule, push, pushJudged } from "../../rules/evaluation/market.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { valuesOf } from "../../api/answers.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { MarketCache } from "../../../src/market/current/market_cache.ts";
import {
  composeMorning,
  isQuiet,
  type MorningFacts,
  queueMorningMails,
} from "../../../src/market/overview/morning_mail.ts";
import { mailQueue } from "../../../src/messages/alert_store.ts";
import { createRuleCache } from "../../../src/rules/rule.ts";
import { startSmtpServer } from "../../messages/smtp_server.ts";

withApp.test("GET /api/overview/shops counts the links of each shop by the age of their prices", async (app) => {
  const { owner, clock } = app;
  const ids = [];
  for (const sku of ["A", "B", "C"]) ids.push(await addProduct(owner, sku));
  await push(app, [["A", "acme", 90], ["B", "acme", 91], ["A", "bolt", 80]]);
  const firstAt = clock.now().toISOString();
  clock.advance(HOUR_MS);
  await push(app, [["C", "acme", 92]]);
  const secondAt = clock.now().toISOString();
  const counts = ["links", "fresh", "stale", "failing"];
  const shops = async () => {
    const { items } = await app.viewer.read("/api/overview/shops");
    return valuesOf(items, "domain", ...counts, "lastSeenAt", "mostSeenAt");
  };
  assertEquals(await shops(), [
    ["acme.example", 3, 3, 0, 0, secondAt, firstAt],
    ["bolt.example", 1, 1, 0, 0, firstAt, firstAt],
  ]);
  clock.advance(FRESH_HOURS * HOUR_MS - 30 * 60_000);
  assertEquals(await shops(), [
    ["acme.example", 3, 1, 2, 0, secondAt, firstAt],
    ["bolt.example", 1, 0, 1, 0, firstAt, firstAt],
  ]);
  await owner.remove(`/api/products/${ids[2]}`);
  clock.advance(5 * 60_000);
  assertEquals(await shops(), [
    ["acme.example", 2, 0, 2, 0, firstAt, firstAt],
    ["bolt.example", 1, 0, 1, 0, firstAt, firstAt],
  ]);
  // Counts that were computed at a later time are not reused after the clock is set back.
  clock.advance(-HOUR_MS);
  assertEquals((await shops()).map(([, , fresh]) => fresh), [2, 1]);
});

Deno.test("countOffers() counts each enabled offer exactly once: fresh, failing or neither", () => {
  const nowMs = 1_000 * HOUR_MS;
  const oldest = nowMs - FRESH_HOURS * HOUR_MS;
  const offers: readonly Partial<Offer>[] = [
    { observedAtMs: nowMs, checkedAtMs: nowMs },
    { observedAtMs: oldest, status: "blocked" },
    { observedAtMs: oldest - 1, checkedAtMs: 5, status: "blocked" },
    { observedAtMs: oldest - 1, status: "ok" },
    { observedAtMs: null, status: "blocked" },
    { observedAtMs: null, status: null },
    { observedAtMs: nowMs, checkedAtMs: nowMs, enabled: false },
    { observedAtMs: nowMs, competitorId: "other" },
  ];
  const counts = new Map<string, ShopCounters>();
  const enabled = { enabled: true, competitorId: "a", checkedAtMs: null };
  countOffers(counts, offers.map((one) => ({ ...BLANK_OFFER, ...enabled, ...one })), nowMs);
  const rest = { nextMs: null, due: new Map() };
  assertEquals(Object.fromEntries(counts), {
    a: { links: 6, fresh: 2, failing: 2, seenMs: [nowMs, 5], ...rest },
    other: { links: 1, fresh: 1, failing: 0, seenMs: [], ...rest },
  });
});

withApp.test("GET /api/overview shows the progress of a new workspace, until its first decision", async (app) => {
  const { owner } = app;
  const start = async () => (await app.viewer.read("/api/overview")).start;
  const none = { products: 0, shops: 0, readShops: 0, rules: 0 };
  const nothing = { ...none, hasProposal: false, hasDecision: false, isOver: false };
  assertEquals(await start(), nothing);
  await addProduct(owner, "A");
  await owner.create("/api/competitors", { domain: "later.example" });
  assertEquals(await start(), { ...nothing, products: 1, shops: 1 });
  await push(app, [["A", "acme", 80]]);
  await addRule(owner, { enabled: false });
  assertEquals(await start(), { ...nothing, products: 1, shops: 2, readShops: 1 });
  await addRule(owner);
  await pushJudged(app, [["A", "acme", 79]]);
  const waiting = { products: 1, shops: 2, readShops: 1, rules: 1, hasProposal: true };
  assertEquals(await start(), { ...nothing, ...waiting });
  const { items: [proposal] } = await owner.read("/api/proposals?status=open");
  await owner.act(`/api/proposals/${proposal.id}/reject`, {});
  assertEquals(await start(), { ...waiting, hasDecision: true, isOver: true });
});

withApp.test("GET /api/overview ends the set-up, too, if rules only alert", async (app) => {
  const isOver = async () => (await app.viewer.read("/api/overview")).start.isOver;
  await addProduct(app.owner, "A");
  await addRule(app.owner, { actions: [{ type: "alert_inapp" }] });
  assertEquals(await isOver(), false);
  await push(app, [["A", "acme", 80]]);
  assertEquals(await isOver(), true);
  await addRule(app.owner);
  assertEquals(await isOver(), true);
});

withApp.test("GET /api/overview says whether the ERP's file came in time", async (app) => {
  const erp = async () => (await app.viewer.read("/api/overview")).erp;
  assertEquals(await erp(), { last: null, expectedHours: null, isLate: false });
  await app.owner.change("/api/settings", { importExpectedHours: 24 });
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", more: "<TITLE>A</TITLE>" }]));
  await app.owner.act("/api/imports", "<ITEMS>", { "Content-Type": "application/xml" });
  const { last, ...came } = await erp();
  assertEquals([last.stats.inserted, last.status], [1, "succeeded"]);
  assertEquals(came, { expectedHours: 24, isLate: false });
  app.clock.advance(24 * HOUR_MS);
  assertEquals((await erp()).isLate, true);
});

const PATH = "/api/overview/mail";

const QUIET: MorningFacts = {
  position: { compared: 10, cheapest: 4, middle: 5, dearest: 1, indexPct: 99.55 },
  open: 0,
  expiring: 0,
  proposals: [],
  lateHours: null,
  failingShops: [],
  moves: { groups: [], total: 0 },
};

const productTitle = "Kanne\r\nBcc: x@evil.example";
const PRICES = { currentCents: 10_000, proposedCents: 9_600, currency: "EUR" };
const LOUD: MorningFacts = {
  ...QUIET,
  open: 27,
  expiring: 6,
  lateHours: 24,
  failingShops: ["Kücheneck"],
  proposals: [{ sku: "KT-1", productTitle, ...PRICES }],
  moves: {
    total: 143,
    groups: [
      { kind: "down", competitor: "SparMarkt", category: "Kaffee", products: 38, changePct: -6.2 },
      { kind: "sold_out", competitor: "Weber", category: null, products: 17, changePct: 0 },
    ],
  },
};

function readersOf(language: "de" | "en") {
  const locale = language === "de" ? "de-DE" : "en-GB";
  const show = createShow({ locale, timeZone: "Europe/Berlin", currency: "EUR" }, () => 0);
  const publicUrl = "https://prices.shop.example";
  return { workspace: "Lindner", publicUrl, language, show, day: "20.11.2026" };
}

Deno.test("composeMorning() lists what waits, is missing or has moved, in both languages", () => {
  const de = composeMorning(LOUD, readersOf("de"));
  assertEquals(
    de.subject,
    "[Lindner] Morgen 20.11.2026: 27 Vorschläge offen, 6 davon laufen heute ab, 143 Bewegungen",
  );
  match(de.text, /seit mehr als 24 Stunden[^]*Kücheneck antwortet nicht/);
  match(de.text, /10 Produkte mit Vergleich: günstigster 40\s%, im Mittelfeld 50\s%, teuerster 10/);
  match(de.text, /SparMarkt: 38 Preise gesenkt \(−6,2\s%\) in Kaffee/);
  match(de.text, /Weber: 17 nicht mehr lieferbar\n/);
  match(de.text, /100,00\s€ → 96,00\s€ \(−4,0\s%\)/);
  match(de.text, /bestellen Sie sie auch ab/);
  const en = composeMorning(LOUD, readersOf("en"));
  match(en.subject, /^\[Lindner\] Morning 20.11.2026: 27 open proposals, 6 of them expire today/);
  match(en.text, /Settings → Account/);
});

Deno.test("isQuiet() is true only while nothing waits, is missing or has moved", () => {
  assertEquals(isQuiet(QUIET), true);
  const loud: readonly Partial<MorningFacts>[] = [
    { open: 1 },
    { lateHours: 24 },
    { failingShops: ["x"] },
    { moves: { groups: [], total: 1 } },
  ];
  for (const part of loud) assertEquals(isQuiet({ ...QUIET, ...part }), false);
  match(composeMorning(QUIET, readersOf("de")).text, /Nichts wartet/);
});

const HEALTH = { ok24h: 0, failed24h: 0, downSince: null, lastError: null, due: 0, perDayMax: 0 };

/** Queues the mails as a separate process would, but with the test's clock. */
function startRounds({ store, app, workspaceId }: TestApp) {
  const tables = new MarketCache({ bytesMax: 1e8, ruleCache: createRuleCache() });
  const setup = {
    store,
    clock: app.clock,
    publicUrl: null,
    morning: {
      healthOf: () => Promise.resolve(HEALTH),
      freshness: new FreshnessCache(),
      tables,
      movesOf: () => Promise.resolve({ groups: [], total: 0 }),
    },
  };
  return {
    round: () => queueMorningMails(setup),
    queued: async () => {
      const rows = await Array.fromAsync(mailQueue.list(store, [workspaceId]));
      return rows.flatMap(({ value }) => value.to ?? []);
    },
    [Symbol.asyncDispose]: () => tables.close(),
  };
}

withApp.test("the mail goes to its subscribers once a day, from half past six on, and not on a quiet day", async (app) => {
  const { owner, viewer, clock } = app;
  // Now it is 5:30 in Berlin, an hour before the mail.
  clock.advance(Date.parse("2026-03-03T04:30:00Z") - clock.now().getTime());
  await using rounds = startRounds(app);
  assertEquals(await viewer.read(PATH), { isOn: false, isMailOn: false, time: "06:30" });
  await owner.change(PATH, { isOn: true });
  assertEquals((await owner.read(PATH)).isOn, true);
  assertEquals((await viewer.read(PATH)).isOn, false);
  await addProduct(owner, "A");
  await addRule(owner);
  await pushJudged(app, [["A", "acme", 80]]);
  assertEquals(await rounds.round(), 0);
  clock.advance(HOUR_MS);
  const { email } = await owner.read("/api/auth/me");
  assertEquals([await rounds.round(), await rounds.round()], [1, 0]);
  assertEquals(await rounds.queued(), [email]);
  // In Honolulu, it is still the evening of the day before.
  await owner.change("/api/settings", { timeZone: "Pacific/Honolulu" });
  assertEquals(await rounds.round(), 0);
  await owner.change("/api/settings", { timeZone: "Europe/Berlin" });
  // Two processes start at the same time, and only one queues the mail.
  clock.advance(24 * HOUR_MS);
  await using others = startRounds(app);
  const counts = await Promise.all([rounds.round(), others.round()]);
  assertEquals(counts.toSorted(), [0, 1]);
  const { items } = await owner.read("/api/proposals?status=open");
  const until = new Date(clock.now().getTime() + 72 * HOUR_MS).toISOString();
  await owner.act(`/api/proposals/${items[0].id}/later`, { until });
  clock.advance(24 * HOUR_MS);
  assertEquals(await rounds.round(), 0);
  await owner.change(PATH, { isOn: false });
  clock.advance(24 * HOUR_MS);
  assertEquals([await rounds.round(), (await rounds.queued()).length], [0, 2]);
});

withApp.test("the mail begins with the largest changes in the workspace's currency", async (app) => {
  const { owner, clock } = app;
  clock.advance(Date.parse("2026-03-03T08:00:00Z") - clock.now().getTime());
  await using rounds = startRounds(app);
  await owner.change(PATH, { isOn: true });
  await addProduct(owner, "YEN", { currency: "JPY", ourPrice: 90_000, costPrice: 10 });
  for (const sku of ["SMALL", "LARGE"]) await addProduct(owner, sku);
  await addRule(owner);
  await pushJudged(app, [["YEN", "acme", 80_000]], { currency: "JPY" });
  await pushJudged(app, [["SMALL", "acme", 90], ["LARGE", "acme", 80]]);
  await rounds.round();
  const [row] = await Array.fromAsync(mailQueue.list(app.store, [app.workspaceId]));
  const order = row?.value.worded?.text.match(/(?<=- )(?:YEN|SMALL|LARGE)/g);
  assertEquals(order, ["LARGE", "SMALL", "YEN"]);
});

Deno.test("a trial mail is sent at once, also on a quiet day", async () => {
  await using server = startSmtpServer();
  const env = { SMTP_URL: server.url, MAIL_FROM: "Kurant <prices@shop.example>" };
  await using app = await startTestApp({ env });
  const result = await app.viewer.act(`${PATH}/test`);
  const { email } = await app.viewer.read("/api/auth/me");
  assertEquals([result.status, result.to], ["sent", email]);
  const [mail] = server.mails;
  assertEquals(mail?.to, [email]);
  ok(/Nichts wartet/.test(mail?.text ?? ""), mail?.text);
  await using without = await startTestApp();
  assertEquals((await without.viewer.act(`${PATH}/test`)).status, "off");
});
