import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { BLANK_OFFER } from "../../shops/shop.ts";
import type { Offer } from "../../../src/shops/offers/offer.ts";
import {
  countOffers,
  FRESH_HOURS,
  type ShopCounters,
} from "../../../src/market/overview/read_overview.ts";
import { addProduct, addRule, push, pushJudged } from "../../rules/evaluation/market.ts";
import { withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { valuesOf } from "../../api/answers.ts";

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
  // After the clock was set back, counts from the future are computed again.
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
