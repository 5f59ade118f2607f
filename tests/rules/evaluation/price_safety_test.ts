import { startTestApp, type TestApp } from "../../harness.ts";
import { automatic, type RulesApp, rulesAppOf, withRules } from "./market.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { testWith } from "../../opened.ts";
import { html, openShop } from "../../scraping/hostile_shop.ts";
import { onlyResult, scrape, startScrapingApp } from "../../scraping/scraping_app.ts";
import { addMatch } from "../../shops/shop.ts";

/** A rule with automatic prices and the loosest possible limits. */
const DARING = {
  marginFloor: { pct: 5 },
  actions: [
    { type: "alert_inapp" },
    { type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 100 },
  ],
};

async function daringApp(start: () => Promise<TestApp> = () => startTestApp()): Promise<RulesApp> {
  const app = rulesAppOf(await start());
  await app.owner.change("/api/settings", { autoApply: true });
  await app.addRule(DARING);
  return app;
}

const withDaringApp = testWith(daringApp);

withDaringApp.test("a shop that changes its currency has no previous price to compare with, and one that returns with half its price is an outlier, however often others were seen", async (app) => {
  const ids = await app.addProducts([{ sku: "A", costPrice: 1 }, { sku: "B", costPrice: 1 }]);
  await app.push([["A", "acme", 120], ["B", "acme", 110]]);
  await app.pushAfter(60_000, [["A", "acme", 30]], { currency: "USD" });
  await pushOften(app, "B", "bolt", 120);
  await app.pushAfter(60_000, [["A", "acme", 30], ["B", "acme", 50]]);
  for (const [n, cents] of [3_000, 5_000].entries()) {
    assertEquals(await app.priceOf(ids[n] ?? ""), 10_000);
    const [open] = await app.proposals(`productId=${ids[n]}`);
    assertEquals([open?.status, open?.proposedCents], ["open", cents]);
    match(open?.reason ?? "", /outlier/);
    // A person may approve an outlier, but no rule may apply it.
    await app.owner.act(`/api/proposals/${open?.id}/approve`);
    assertEquals(await app.priceOf(ids[n] ?? ""), cents);
  }
});

Deno.test("a page that now shows a phone case does not change the phone's price automatically", async () => {
  await using app = await daringApp(startScrapingApp);
  const state = { name: "Product A" };
  const page = () => {
    const offers = { price: "95.00", priceCurrency: "EUR", availability: "InStock" };
    const product = { "@context": "https://schema.org", "@type": "Product", offers, ...state };
    return html(`<script type="application/ld+json">${JSON.stringify(product)}</script>`);
  };
  await using shop = openShop({ "/a": page });
  const id = await app.addProduct("A");
  await addMatch(app.owner, id, `${shop.base}/a`);
  app.clock.advance(60_000);
  state.name = "Hülle für Product A";
  assertEquals(onlyResult(await scrape(app, id)).confidence, 0.7);
  assertEquals(await app.priceOf(id), 10_000);
  const [open] = await app.proposals();
  match(open?.reason ?? "", /low_confidence/);
  state.name = "Product A";
  app.clock.advance(60_000);
  assertEquals(onlyResult(await scrape(app, id)).confidence, 0.9);
  assertEquals(await app.priceOf(id), 9_500);
});

withDaringApp.test("a changed pack factor does not cause an automatic price", async (app) => {
  const id = await app.addProduct("A", { costPrice: 1 });
  for (const price of [120, 119]) await app.pushAfter(60_000, [["A", "acme", price]]);
  const { items } = await app.owner.read(`/api/competitor-products?productId=${id}`);
  app.clock.advance(60_000);
  const path = `/api/competitor-products/${items[0].id}`;
  await app.owner.change(path, { packFactor: 100 });
  await app.pushAfter(60_000, [["A", "acme", 118]]);
  assertEquals(await app.priceOf(id), 10_000);
  const [open] = await app.proposals("status=open");
  match(open?.reason ?? "", /outlier: the match of .+ was changed since its price before/);
  // Both prices that Kurant compares are now newer than the changed pack factor.
  await app.owner.change(path, { packFactor: 1.2 });
  for (const price of [117, 116]) await app.pushAfter(60_000, [["A", "acme", price]]);
  assertEquals(await app.priceOf(id), 9_666);
});

const AUTO = automatic(50);

withRules.test("a person's price stands however often the same competitor price was seen since", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const id = await app.addProduct("A");
  await app.push([["A", "acme", 90]]);
  app.clock.advance(60_000);
  await app.owner.change(`/api/products/${id}`, { ourPrice: 95 });
  await app.judged();
  await app.addRule(AUTO);
  await pushOften(app, "A", "acme", 90);
  assertEquals(await app.priceOf(id), 9_500);
  const [proposal] = await app.proposals();
  assertEquals([proposal?.status, proposal?.proposedCents], ["open", 9_000]);
  match(proposal?.reason ?? "", /manual_price/);
  await pushOften(app, "A", "acme", 88);
  assertEquals(await app.priceOf(id), 8_800);
});

withRules.test("yesterday's price counts only in the same currency", async (app) => {
  await app.owner.change("/api/settings", { autoApply: true });
  const id = await app.addProduct("A");
  app.clock.advance(48 * 3_600_000);
  const forints = { currency: "HUF", ourPrice: 400, costPrice: 200 };
  await app.owner.change(`/api/products/${id}`, forints);
  const actions = [{ ...AUTO.actions[0], maxChangePct: 10 }];
  await app.addRule({ ...AUTO, actions });
  for (const price of [380, 361, 343]) {
    await app.pushAfter(60_000, [["A", "acme", price]], { currency: "HUF" });
  }
  // 361 forints are within 10 % of 400, our first price in forints, but 343 are not. Our earlier
  // price in euros does not count.
  assertEquals(await app.priceOf(id), 36_100);
  const proposal = (await app.proposals()).at(-1);
  assertEquals([proposal?.status, proposal?.proposedCents], ["open", 34_300]);
  match(proposal?.reason ?? "", /daily_change_too_large/);
});

async function pushOften(app: RulesApp, sku: string, shop: string, price: number): Promise<void> {
  const sinceMs = app.clock.now().getTime();
  app.clock.advance(500 * 60_000);
  const key = await app.key(["observations:write"]);
  const observations = Array.from({ length: 500 }, (_, n) => ({
    sku,
    url: `https://${shop}.example/${sku}`,
    price,
    currency: "EUR",
    observedAt: new Date(sinceMs + (n + 1) * 60_000).toISOString(),
  }));
  await key.act("/api/public/v1/observations", { observations });
  await app.judged();
}
