/**
 * Each fetch of a linked page judges whether the page shows our product, stores the verdict and
 * reports a mismatch. People may decide otherwise.
 */

import type { CompetitorPrice } from "../../src/catalogue/prices/product_market.ts";
import { mismatches, raiseMismatches } from "../../src/messages/alerts/system_alerts.ts";
import { transact } from "../../src/platform/store/kv.ts";
import type { Preview } from "../../src/scraping/teaching/preview_page.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";
import { findMatchAt, findMatchPlace, saveMatch } from "../../src/shops/matches/match_store.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { addMatch, addProduct, auditOf } from "../shops/shop.ts";
import { articleText, html, openShop, tagged } from "./hostile_shop.ts";
import { alertsOf, onlyResult, scrape, withCheckedScrapingApp } from "./scraping_app.ts";
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";

const OURS = {
  title: "Bosch GSR 18V-55 Akkuschrauber",
  brand: "Bosch",
  ean: "4006381333931",
  mpn: "GSR18V55",
  ourPrice: 149,
};

interface Shown {
  readonly name?: string;
  readonly gtin13?: string | readonly string[];
  readonly gtin14?: string;
  readonly mpn?: string;
  readonly brand?: string;
  readonly itemCondition?: string;
  readonly price?: string;
  readonly etag?: string;
}

function page({ price = "99.00", itemCondition, etag, name = OURS.title, ...more }: Shown = {}) {
  const condition = itemCondition && `https://schema.org/${itemCondition}`;
  const text = articleText(name, more, { price, itemCondition: condition });
  return etag ? tagged(text, etag) : () => html(text);
}

const SAME = { gtin13: OURS.ean };
const OTHER = { gtin13: "4005556050178", name: "Puzzle 1000 Teile Burg" };

async function startLink(
  app: TestApp,
  shown: Shown,
  { ours = {}, terms = {} }: { ours?: Record<string, unknown>; terms?: Record<string, unknown> } =
    {},
) {
  const state = { shown };
  const shop = openShop({ "/p/x": (request) => page(state.shown)(request) });
  const sku = `SKU-${app.app.clock.newId()}`;
  const productId = await addProduct(app.manager, sku, { ...OURS, ...ours });
  const url = `${shop.base}/p/x`;
  const { id } = await addMatch(app.manager, productId, url, terms);
  return {
    id,
    sku,
    url,
    productId,
    shop,
    async sees(next: Shown = state.shown) {
      state.shown = next;
      app.clock.advance(3_600_000);
      return onlyResult(await scrape(app, productId));
    },
    match: () => app.viewer.read<CompetitorProduct>(`/api/competitor-products/${id}`),
    says: (path: string): Promise<CompetitorProduct> =>
      app.manager.act(`/api/competitor-products/${id}/${path}`),
    async prices() {
      const product = await app.viewer.read(`/api/products/${productId}`);
      return product.competitorPrices.map(({ price }: CompetitorPrice) => price);
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

async function simulated(app: TestApp, ruleId: string, productId: string) {
  const { results } = await app.manager.act<
    { results: { wouldFire: boolean; trace: { leftOut: { why: string }[] } }[] }
  >(`/api/rules/${ruleId}/simulate`, { sampleProductIds: [productId] });
  assertEquals(results.length, 1);
  return results[0]!;
}

withCheckedScrapingApp.test("a page with another GTIN is shown before linking, refused by runs and rules, alerted once, and used once confirmed", async (app) => {
  await using link = await startLink(app, SAME);
  const rule = await addRule(app.owner);
  assertEquals((await link.sees()).price, 9_900);
  const same = await link.match();
  assertEquals([same.identity?.verdict, same.identity?.page?.gtin], ["same", OURS.ean]);
  assertEquals((await simulated(app, rule, link.productId)).wouldFire, true);

  const webhook = await app.owner.create<{ id: string }>("/api/webhooks", {
    url: "https://hooks.example/kurant",
    events: ["match.mismatch"],
  });
  // The page now shows another product, which the run and the preview notice.
  const result = await link.sees(OTHER);
  assertEquals([result.status, result.errorCode, result.price], ["failed", "other_product", null]);
  assertEquals(result.alternatives.map(({ price }) => price), [9_900]);
  const preview = await app.manager.act<Preview>("/api/competitor-products/preview", {
    url: link.url,
    productId: link.productId,
  });
  assertEquals([preview.verdict, preview.reasons[0]?.code], ["different", "gtin_differs"]);

  const other = await link.match();
  assertEquals(other.lastStatus, "other_product");
  assertEquals(other.identity?.verdict, "different");
  const [reason] = other.identity?.reasons ?? [];
  assertEquals([reason?.code, reason?.ours, reason?.theirs], [
    "gtin_differs",
    OURS.ean,
    OTHER.gtin13,
  ]);
  // The previous price stays stored, but no rule uses it.
  assertEquals(other.currentPrice, 9_900);
  assertEquals(await link.prices(), []);
  const left = await simulated(app, rule, link.productId);
  assertEquals(left.wouldFire, false);
  assertEquals(left.trace.leftOut.map(({ why }) => why), ["other_product"]);
  await until("people are alerted", async () => (await alertsOf(app, "other_product")).length > 0);
  await link.sees(OTHER);
  const alerts = await alertsOf(app, "other_product");
  assertEquals(alerts.map(({ severity, productId }) => [severity, productId]), [
    ["high", link.productId],
  ]);

  const confirmed = await link.says("confirm");
  assertEquals(confirmed.identity?.confirmedBy?.type, "user");
  assertEquals([confirmed.identity?.verdict, confirmed.lastStatus], ["different", null]);
  assertEquals(await link.prices(), [9_900]);
  const after = await link.sees({ ...OTHER, price: "95.00" });
  assertEquals([after.status, after.price], ["ok", 9_500]);
  assertEquals((await simulated(app, rule, link.productId)).wouldFire, true);
  // When the page's content changes, the confirmation ends and the mismatch is reported again.
  const third = await link.sees({ ...OTHER, name: "Lautsprecher XL 200", gtin13: "4012345678901" });
  assertEquals(third.errorCode, "other_product");
  assertEquals((await link.match()).identity?.confirmedBy, null);
  await until(
    "the third product has an alert",
    async () => (await alertsOf(app, "other_product")).length === 2,
  );
  const { items } = await app.owner.read<{ items: { type: string }[] }>(
    `/api/webhooks/${webhook.id}/deliveries`,
  );
  assertEquals(items.map(({ type }) => type), ["match.mismatch", "match.mismatch"]);
});

withCheckedScrapingApp.test("a page with the GTIN of a pack is refused until the link has a pack factor", async (app) => {
  await using pack = await startLink(app, { gtin14: "14006381333938" });
  assertEquals((await pack.sees()).errorCode, "other_product");
  const path = `/api/competitor-products/${pack.id}`;
  const patched = await app.manager.change(path, { packFactor: 6 });
  assertEquals([patched.identity?.verdict === "different", patched.lastStatus], [false, null]);
  assertEquals((await pack.sees()).status, "ok");
});

withCheckedScrapingApp.test("a 304 confirms the verdict, and a page that was never judged is fetched in full", async (app) => {
  await using link = await startLink(app, { ...SAME, etag: '"1"' });
  await link.sees();
  const again = await link.sees();
  assertEquals([again.httpStatus, again.status], [304, "ok"]);
  const { identity } = await link.match();
  assertEquals(identity?.verdict, "same");
  assertEquals(identity?.checkedAt, (await link.match()).lastCheckedAt);
  // A 304 confirms the stored price, even if our product has changed.
  await app.manager.change(`/api/products/${link.productId}`, { condition: "used" });
  const result = await link.sees();
  assertEquals([result.errorCode], [null]);
  await link.sees({ ...OTHER, etag: '"2"' });
  // A refused page is not stored, so the next request is unconditional.
  assertEquals((await link.sees()).httpStatus, 200);
});

/** The confidence of a price that is only in the markup. */
const MARKED = 0.9;

withCheckedScrapingApp.test("the price of an automatic link is not sure until its page is the same product, or confirmed", async (app) => {
  const probable = { name: `${OURS.title} 18 V` };
  for (
    const [source, shown, confidence] of [
      ["manual", probable, MARKED],
      ["discovery", probable, 0.7],
      ["discovery", SAME, MARKED],
    ] as const
  ) {
    await using link = await startLink(app, shown, { ours: { mpn: null } });
    await transact(app, async (write) => {
      const place = await findMatchPlace(app, link.id);
      const match = place && await findMatchAt(app, place);
      if (place && match) saveMatch(write, app.workspaceId, { ...match, source }, place.urlHash);
    });
    const path = `/api/competitor-products/${link.id}`;
    // Equivalent matches are not judged, so an automatic match remains uncertain.
    await app.manager.change(path, { matchType: "equivalent" });
    const equivalent = source === "manual" ? MARKED : 0.7;
    assertEquals((await link.sees()).confidence, equivalent, source);
    await app.manager.change(path, { matchType: "exact" });
    const result = await link.sees();
    const { verdict } = (await link.match()).identity ?? {};
    assertEquals(verdict, shown === SAME ? "same" : "probably");
    assertEquals([result.status, result.confidence], ["ok", confidence], `${source} ${verdict}`);
    if (confidence === MARKED) continue;
    await link.says("confirm");
    assertEquals((await link.sees()).confidence, MARKED);
  }
});

withCheckedScrapingApp.test("a rejected link stays disabled, and is judged again after an undo", async (app) => {
  await using link = await startLink(app, SAME);
  await link.sees();
  const rejected = await link.says("reject");
  assertEquals([rejected.enabled, rejected.identity?.rejectedBy?.type], [false, "user"]);
  assertEquals(await link.prices(), []);
  assertEquals(await link.says("reject"), rejected);
  const back = await link.says("reopen");
  assertEquals([back.enabled, back.identity?.rejectedBy, back.identity?.verdict], [
    true,
    null,
    "same",
  ]);
  assertEquals(await link.prices(), [9_900]);
  // Enabling the link also ends the rejection.
  await link.says("reject");
  const path = `/api/competitor-products/${link.id}`;
  const on = await app.manager.change<CompetitorProduct>(path, { enabled: true });
  assertEquals(on.identity?.rejectedBy, null);
  const audit = await auditOf(app.owner, `competitor_product:${link.id}`);
  const actions = audit.map(([action]) => action);
  assert(["reject", "reopen"].every((verb) => actions.includes(`competitor_product.${verb}`)));
  const reject = audit.find(([action]) => action === "competitor_product.reject");
  assertEquals(reject?.slice(1), [
    { enabled: true, disabledBy: null, said: null },
    { enabled: false, disabledBy: "person", said: "rejected" },
  ]);
});

withCheckedScrapingApp.test("a link that a person makes to a page with another product counts as confirmed", async (app) => {
  await using link = await startLink(app, OTHER, { terms: { confirmed: true } });
  assertEquals((await link.match()).identity?.confirmedBy?.type, "user");
  assertEquals((await link.sees()).price, 9_900);
  assertEquals((await link.match()).identity?.verdict, "different");
  assertEquals(await alertsOf(app, "other_product"), []);
  // The confirmation does not apply to another URL.
  const path = `/api/competitor-products/${link.id}`;
  const body = { url: `${link.shop.base}/p/y` };
  const moved = await app.manager.change<CompetitorProduct>(path, body);
  assertEquals(moved.identity, null);
  await app.manager.remove(path);
});

withCheckedScrapingApp.test("more than 20 pages of other products at once, or judged for the first time, share one alert", async (app) => {
  const { store, workspaceId, clock, app: { clock: appClock } } = app;
  const productId = await addProduct(app.manager, "MANY", OURS);
  const setup = { store, clock: appClock, deps: { isMailOn: false } };
  const add = (count: number, isFirstCheck: boolean) =>
    transact(app, (write) => {
      for (let n = 0; n < count; n++) {
        const id = appClock.newId();
        mismatches.put(write, { workspaceId }, {
          id,
          competitorProductId: id,
          productId,
          sku: "MANY",
          competitorId: n % 2 === 0 ? workspaceId : productId,
          competitor: "Acme",
          url: "https://acme.example/p",
          reasons: [],
          isFirstCheck,
        });
      }
      return Promise.resolve();
    });
  const alerts = async () => [
    (await alertsOf(app, "other_product")).length,
    (await alertsOf(app, "other_products")).map(({ facts }) =>
      facts?.code === "other_products" && [facts.count, facts.shops]
    ),
  ];
  const isTaken = () =>
    until("all changes were processed", async () => {
      await raiseMismatches(setup);
      return (await mismatches.list(app, { limit: 1 })).length === 0;
    });
  await add(20, false);
  await isTaken();
  assertEquals(await alerts(), [20, []]);
  await add(1, false);
  await add(30, true);
  await isTaken();
  assertEquals(await alerts(), [20, []]);
  clock.advance(3_600_000);
  await raiseMismatches(setup);
  await until(
    "one alert is about many products",
    async () => (await alertsOf(app, "other_products")).length > 0,
  );
  assertEquals(await alerts(), [20, [[31, 2]]]);
  // After this alert, pages are counted anew.
  await add(21, false);
  await isTaken();
  clock.advance(3_600_000);
  await raiseMismatches(setup);
  await until("it is raised", async () => (await alertsOf(app, "other_products")).length > 1);
  assertEquals(await alerts(), [20, [[31, 2], [21, 2]]]);
});
