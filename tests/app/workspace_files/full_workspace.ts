/** Fills a workspace with data for every type of line in a workspace file. */
import { DAY_MS } from "../../../src/base/time.ts";
import { MarketTable } from "../../../src/market/table/market_table.ts";
import { takeTrend } from "../../../src/market/trends/trend_job.ts";
import { addMoves } from "../../../src/shops/observations/move_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  discoveries,
  DISCOVERY_OFF,
  NOTHING_DISCOVERED,
} from "../../../src/shops/pages/discovery_store.ts";
import { suggestions } from "../../../src/shops/pages/found_page_store.ts";
import { identities, NO_IDENTITY, withPage } from "../../../src/shops/matches/match_identity.ts";
import { recordFetch } from "../../../src/shops/recording/record_observation.ts";
import { NO_LESSONS, shopLessons } from "../../../src/shops/pages/recipe_store.ts";
import {
  addProduct,
  addRule,
  proposals,
  push,
  untilJudged,
} from "../../rules/evaluation/market.ts";
import type { TestApp } from "../../harness.ts";
import { openSuggestion, shopPage } from "../../scraping/discovery/made_shop.ts";

export async function fillWorkspace(app: TestApp): Promise<void> {
  const { owner, clock } = app;
  await owner.change("/api/settings", {
    pricesIncludeVat: true,
    vatRatePct: 19,
    importExpectedHours: 30,
    ownShipping: 4.95,
    compareDelivered: true,
    ownSellerNames: ["Muster Handel"],
  });
  await addProfiles(app);
  const expected = { by: "06:00", days: ["mon", "sat"] };
  const source = { name: "ERP", id: "erp", kind: "upload", tier: "B2B", expected };
  await owner.create("/api/import-sources", source);
  const query = "dearerThanPct=3&sort=gapPct&order=desc";
  await owner.create("/api/views", { name: "Too dear", query, isShared: true });
  await app.viewer.create("/api/views", { name: "Mine", columns: ["rank"] });
  const alerting = [
    { type: "propose_price", formula: "match_cheapest" },
    { type: "alert_inapp", severity: "high" },
  ];
  await addRule(owner, { actions: alerting, marginFloor: { pct: 5 } });
  const leaving = await addRule(owner, { name: "Leaving", enabled: false });
  await owner.remove(`/api/rules/${leaving}`);
  const list = Array.from({ length: 1_000 }, (_, n) => `SKU-${"LONG-NAME-".repeat(5)}${n}`);
  await addRule(owner, { name: "Long", enabled: false, scope: { mode: "sku", list } });

  await addProduct(owner, "A", { brand: "Bosch", category: "Kühlschränke", tier: "B2C" });
  const b = await addProduct(owner, "B/ü", { attributes: { Farbe: "weiß" }, ean: "4006381333931" });
  const gone = await addProduct(owner, "GONE", { brand: "Bosch" });
  for (let n = 0; n < 30; n++) await addProduct(owner, `MANY-${n}`, { brand: `Brand ${n % 7}` });
  clock.advance(DAY_MS);
  await owner.change(`/api/products/${b}`, {
    ourPrice: 110,
    priceLocked: true,
    heldUntil: "2036-12-01T00:00:00Z",
    reason: "Campaign",
  });
  await owner.remove(`/api/products/${gone}`);
  const { items: [entry] } = await owner.read(`/api/products/${b}/price-history`);
  const mark = { isError: true, neverShown: true, reason: "Typing error" };
  await owner.act(`/api/products/${b}/price-history/${entry.at}/mark`, mark);

  const erp = await app.key(["products:write", "proposals:read"]);
  const date = clock.now().toISOString().slice(0, 10);
  const rows = [{ sku: "A", date, units: 2.5, revenue: "250.00" }, { sku: "B/ü", date, units: -1 }];
  await erp.act("/api/public/v1/sales", { rows });
  await push(app, [["A", "acme", 90], ["A", "bolt", 95], ["B/ü", "acme", 80]]);
  await untilJudged(app);
  clock.advance(DAY_MS);
  await push(app, [["A", "acme", 88.5], ["MANY-1", "acme", 70]]);
  const used = { condition: "used", seller: "Lager Öst", shipping: 4.95 };
  await push(app, [["MANY-3", "cord", 120]], used);
  await untilJudged(app);
  const open = (await proposals(owner, "status=open")).find(({ sku }) => sku === "MANY-1");
  await owner.act(`/api/proposals/${open?.id}/approve`);
  await untilJudged(app);
  const { items: [match] } = await owner.read(`/api/competitor-products?productId=${b}`);
  await addLoneMove(app, match);
  await addTrend(app);
  await owner.change(`/api/products/${b}`, { vatRatePct: 7 });
  const items = [{ sku: "B/ü", prices: [{ tier: "B2B", amount: 9.5 }] }];
  await erp.act("/api/public/v1/products/batch", { items });
  await erp.read("/api/public/v1/price-changes");
  await owner.remove(`/api/competitor-products/${match.id}`);
  await judgePages(app);
  await addRecipe(app);
  const { items: [competitor] } = await owner.read("/api/competitors");
  const terms = { groups: ["Online", "Große"], isMarketplace: true, sellerNames: ["Acme GmbH"] };
  await owner.change(`/api/competitors/${competitor.id}`, terms);
  await addSuggestion(app, b);
  await addBrake(app);
  await addHeldPrices(app);
  const { items: [alert] } = await owner.read("/api/alerts");
  await owner.act(`/api/alerts/${alert.id}/read`);
  // Waits until the alerts of closed proposals are marked as read, which happens in the background.
  await untilJudged(app);
}

async function addBrake(app: TestApp): Promise<void> {
  const { owner } = app;
  await owner.change("/api/settings", { autoApply: true, budgetPerDay: 5 });
  await addRule(owner, {
    priority: 1,
    scope: { mode: "sku", list: ["MANY-2"] },
    when: { trigger: "market_index", always: true },
    marginFloor: { pct: 10 },
    brake: { cuts: 1, days: 1, restDays: 2 },
    budgetPerDay: 3,
    actions: [{ type: "auto_apply_if_safe", price: { adjust: { cents: -1 } } }],
  });
  await push(app, [["MANY-2", "acme", 95]]);
  await untilJudged(app);
}

async function addHeldPrices(app: TestApp): Promise<void> {
  const { owner, clock } = app;
  await owner.change("/api/settings", { quarantine: {} });
  clock.advance(60_000);
  await push(app, [["A", "acme", 8.85], ["A", "bolt", 9.5]]);
  await untilJudged(app);
  const { items: [{ id }] } = await owner.read("/api/quarantine");
  await owner.act("/api/quarantine/bulk", { action: "release", ids: [id] });
  await untilJudged(app);
}

async function addSuggestion(app: TestApp, productId: string): Promise<void> {
  const { items: [competitor] } = await app.owner.read("/api/competitors");
  const settings = { ...DISCOVERY_OFF, mode: "suggest" as const, exclude: ["/blog/"] };
  const at = app.clock.now().toISOString();
  const product = { title: "Product B", brand: "Bosch", condition: "new" } as const;
  const gtin = "4006381333931";
  const offer = { price: 8_000, currency: "EUR", availability: "in_stock", seenAt: at } as const;
  const page = shopPage("https://acme.example/p/9", { ...product, gtin, gtins: [gtin], ...offer });
  const ids = { id: app.app.clock.newId(), productId, competitorId: competitor.id };
  const hash = "0123456789abcdef0123456789abcdef";
  await transact(app, (write) => {
    const discovery = { ...NOTHING_DISCOVERED, settings, isPaused: true };
    discoveries.put(write, app, { ...discovery, competitorId: competitor.id });
    suggestions.put(write, app, {
      ...openSuggestion({ ...ids, urlHash: hash, page, verdict: "same" }),
      reasons: [{ code: "gtin_same", side: "for", ours: "1", theirs: "1" }],
      status: "rejected",
      rejectedAs: "variant",
      decidedAt: at,
      decidedBy: { type: "user", id: app.app.clock.newId(), name: "somebody" },
    });
    const other = { ...ids, id: app.app.clock.newId(), urlHash: "f".repeat(32), page };
    suggestions.put(write, app, openSuggestion({ ...other, verdict: "same" }));
  });
}

async function addRecipe(app: TestApp): Promise<void> {
  const { items: [competitor] } = await app.owner.read("/api/competitors");
  const at = app.clock.now().toISOString();
  const counts = { hits: 5, agreements: 4, contradictions: 0 };
  const selectors = [
    { selector: "#buy b", ...counts },
    { statePath: "__STATE__ $.item.price / 100", ...counts },
  ];
  const trust = { support: 4, hitRate: 1, confidenceMost: 0.9 };
  const times = { lastConfirmedAt: at, createdAt: at, updatedAt: at };
  const recipe = {
    id: app.app.clock.newId(),
    source: "taught",
    status: "active",
    selectors,
    ...trust,
    ...times,
    taughtBy: null,
    taughtFrom: "https://acme.example/p/1",
  } as const;
  await transact(app, (write) => {
    const lessons = { ...NO_LESSONS, competitorId: competitor.id, recipe, window: "aahm" };
    shopLessons.put(write, app, lessons);
  });
}

async function judgePages(app: TestApp): Promise<void> {
  const { items } = await app.owner.read("/api/competitor-products");
  const [judged, said] = items;
  const codes = { gtin: null, gtins: ["4006381333931", "4012345678901"], mpn: null, sku: "77" };
  const product = { title: "Bosch GSR 18V-55", brand: "Bosch", ...codes };
  const page = { ...product, condition: null, isOtherVariant: false };
  const verdict = "probably";
  const reasons = [{ code: "title", side: "for", ours: "GSR 18V-55", theirs: page.title }] as const;
  await transact(app, async (write) => {
    const identity = withPage(NO_IDENTITY, page, { verdict, reasons }, app.clock.now().getTime());
    const unpriced = { sku: "A", costPriceCents: null, ourPriceCents: null, currency: "EUR" };
    const failed = { kind: "failed", errorCode: "sold_out", message: "Gone" } as const;
    const target = { product: { id: judged.productId, ...unpriced }, matchId: judged.id, verdict };
    await recordFetch(write, { ...app, now: app.clock.now }, target, failed);
    identities.put(write, app, { ...identity, matchId: judged.id });
  });
  await app.owner.act(`/api/competitor-products/${said.id}/confirm`);
  await untilJudged(app);
}

async function addTrend({ store, workspaceId, clock }: TestApp): Promise<void> {
  const table = new MarketTable(0);
  const snapshot = { date: "2026-03-04", takenAtMs: clock.now().getTime() };
  await takeTrend({ store, workspaceId }, table, snapshot, new AbortController().signal);
}

type Match = Record<"id" | "productId" | "competitorId", string>;

async function addLoneMove(app: TestApp, { id, productId, competitorId }: Match): Promise<void> {
  const price = { fromCents: 8_000, toCents: 8_000, currency: "EUR", packFactor: 1 };
  const ids = { productId, matchId: id, competitorId };
  const atMs = app.clock.now().getTime();
  await transact(app, (write) =>
    addMoves(write, { ...app, now: app.clock.now }, [
      { kind: "sold_out", ...ids, ...price, atMs, isObserved: false },
    ]));
}

async function addProfiles({ owner }: TestApp): Promise<void> {
  const { items: [profile] } = await owner.read("/api/import-profiles");
  const table = await owner.read("/api/import-profiles/idealo");
  for (const [id, one] of [["own", profile], ["own-table", table]]) {
    const { builtIn: _, ...copy } = one;
    await owner.create("/api/import-profiles", { ...copy, id });
  }
}
