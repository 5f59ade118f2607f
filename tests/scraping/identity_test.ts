/**
 * Each fetch of a linked page checks whether the page shows our product, and reports a mismatch. A
 * person can override the result.
 */

import { assertFields, column, valuesOf } from "../api/answers.ts";
import { publish } from "../../src/platform/events/outbox_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";
import { findMatchAt, findMatchPlace, saveMatch } from "../../src/shops/matches/match_store.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { addProduct, auditOf } from "../shops/shop.ts";
import { articleText, html, marked, type Page, tagged } from "./hostile_shop.ts";
import {
  alertsOf,
  openLink,
  tickAndEnd,
  withCheckedScrapingApp,
  withScrapingApp,
} from "./scraping_app.ts";
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
  readonly price?: string;
  readonly etag?: string;
}

function page({ price = "99.00", etag, name = OURS.title, ...more }: Shown) {
  const text = articleText(name, more, { price });
  return etag ? tagged(text, etag) : () => html(text);
}

const SAME = { gtin13: OURS.ean };
const OTHER = { gtin13: "4005556050178", name: "Puzzle 1000 Teile Burg" };

async function startLink(
  app: TestApp,
  shown: Shown,
  { ours, terms }: { readonly ours?: object; readonly terms?: Record<string, unknown> } = {},
) {
  const link = await openLink(app, page(shown), { product: { ...OURS, ...ours }, terms });
  return {
    ...link,
    sees: (next?: Shown) => link.sees(next && page(next)),
    says: (verb: string): Promise<CompetitorProduct> => app.manager.act(`${link.path}/${verb}`),
    async prices() {
      const product = await app.viewer.read(`/api/products/${link.productId}`);
      return column(product.competitorPrices, "price");
    },
  };
}

async function simulated(app: TestApp, ruleId: string, productId: string) {
  const body = { sampleProductIds: [productId] };
  const { results } = await app.manager.act(`/api/rules/${ruleId}/simulate`, body);
  assertEquals(results.length, 1);
  return [results[0].wouldFire, column(results[0].trace.leftOut, "why")];
}

withCheckedScrapingApp.test("a page with another GTIN is shown before linking, refused by runs and rules, alerted once, and used once confirmed", async (app) => {
  await using link = await startLink(app, SAME);
  const rule = await addRule(app.owner);
  assertEquals((await link.sees()).price, 9_900);
  const same = await link.match();
  assertEquals([same.identity?.verdict, same.identity?.page?.gtin], ["same", OURS.ean]);
  const fires = () => simulated(app, rule, link.productId);
  assertEquals(await fires(), [true, []]);

  const subscription = { url: "https://hooks.example/kurant", events: ["match.mismatch"] };
  const webhook = await app.owner.create("/api/webhooks", subscription);
  const result = await link.sees(OTHER);
  assertFields(result, { status: "failed", errorCode: "other_product", price: null });
  assertEquals(column(result.alternatives, "price"), [9_900]);
  const { url, productId } = link;
  const preview = await app.manager.act("/api/competitor-products/preview", { url, productId });
  assertEquals([preview.verdict, preview.reasons[0].code], ["different", "gtin_differs"]);

  const other = await link.match();
  assertFields(other, { lastStatus: "other_product", currentPrice: 9_900 });
  assertEquals(other.identity?.verdict, "different");
  const [reason] = other.identity?.reasons ?? [];
  assertFields(reason, { code: "gtin_differs", ours: OURS.ean, theirs: OTHER.gtin13 });
  assertEquals(await link.prices(), []);
  assertEquals(await fires(), [false, ["other_product"]]);
  const alerts = () => alertsOf(app, "other_product");
  await until("people are alerted", async () => (await alerts()).length > 0);
  await link.sees(OTHER);
  assertEquals(valuesOf(await alerts(), "severity", "productId"), [["high", productId]]);

  const confirmed = await link.says("confirm");
  assertEquals(confirmed.identity?.confirmedBy?.type, "user");
  assertEquals([confirmed.identity?.verdict, confirmed.lastStatus], ["different", null]);
  assertEquals(await link.prices(), [9_900]);
  const after = await link.sees({ ...OTHER, price: "95.00" });
  assertFields(after, { status: "ok", price: 9_500 });
  assertEquals(await fires(), [true, []]);
  // If the page's content changes, the confirmation ends, and the mismatch is reported again.
  const third = await link.sees({ ...OTHER, name: "Lautsprecher XL 200", gtin13: "4012345678901" });
  assertEquals(third.errorCode, "other_product");
  assertEquals((await link.match()).identity?.confirmedBy, null);
  await until("the third product has an alert", async () => (await alerts()).length === 2);
  const { items } = await app.owner.read(`/api/webhooks/${webhook.id}/deliveries`);
  assertEquals(column(items, "type"), ["match.mismatch", "match.mismatch"]);
});

withCheckedScrapingApp.test("a page with the GTIN of a pack is refused until the link has a pack factor", async (app) => {
  await using pack = await startLink(app, { gtin14: "14006381333938" });
  assertEquals((await pack.sees()).errorCode, "other_product");
  const patched = await app.manager.change(pack.path, { packFactor: 6 });
  assertEquals([patched.identity?.verdict === "different", patched.lastStatus], [false, null]);
  assertEquals((await pack.sees()).status, "ok");
});

withCheckedScrapingApp.test("a 304 confirms the verdict, and a page that was never judged is fetched in full", async (app) => {
  await using link = await startLink(app, { ...SAME, etag: '"1"' });
  await link.sees();
  assertFields(await link.sees(), { httpStatus: 304, status: "ok" });
  const { identity, lastCheckedAt } = await link.match();
  assertFields(identity, { verdict: "same", checkedAt: lastCheckedAt });
  // A 304 confirms the stored price, even if our product has changed.
  await app.manager.change(`/api/products/${link.productId}`, { condition: "used" });
  assertEquals((await link.sees()).errorCode, null);
  await link.sees({ ...OTHER, etag: '"2"' });
  // A page of another product is not stored, so the next request is unconditional.
  assertEquals((await link.sees()).httpStatus, 200);
});

/** Confidence of a price that is in the page's markup, but not in its text. */
const MARKED = 0.9;

withCheckedScrapingApp.test("the price of an automatic link is not sure until its page is the same product, or confirmed", async (app) => {
  const probable = { name: `${OURS.title} 18 V` };
  const cases = [
    ["manual", probable, MARKED],
    ["discovery", probable, 0.7],
    ["discovery", SAME, MARKED],
  ] as const;
  for (const [source, shown, confidence] of cases) {
    await using link = await startLink(app, shown, { ours: { mpn: null } });
    await transact(app, async (write) => {
      const place = await findMatchPlace(app, link.id);
      const match = place && await findMatchAt(app, place);
      if (place && match) saveMatch(write, app.workspaceId, { ...match, source }, place.urlHash);
    });
    const { path } = link;
    // Kurant does not compare pages of equivalent products, so the automatic link stays uncertain.
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
  assertEquals(back.enabled, true);
  assertFields(back.identity, { rejectedBy: null, verdict: "same" });
  assertEquals(await link.prices(), [9_900]);
  await link.says("reject");
  const on = await app.manager.change<CompetitorProduct>(link.path, { enabled: true });
  assertEquals(on.identity?.rejectedBy, null);
  const audit = await auditOf(app.owner, `competitor_product:${link.id}`);
  assert(audit.some(([action]) => action === "competitor_product.reopen"));
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
  const moved = await app.manager.change(link.path, { url: `${link.base}/p/y` });
  assertEquals(moved.identity, null);
});

withCheckedScrapingApp.test("many pages of other products at once are one line of alerts", async (app) => {
  const { workspaceId, app: { clock } } = app;
  const productId = await addProduct(app.manager, "MANY", OURS);
  const mismatch = () => ({
    type: "match.mismatch" as const,
    data: {
      competitorProductId: clock.newId(),
      productId,
      sku: "MANY",
      competitorId: workspaceId,
      competitor: "Acme",
      url: "https://acme.example/p",
      reasons: [],
      isFirstCheck: true,
    },
  });
  const events = Array.from({ length: 21 }, mismatch);
  await transact(app, (write) => publish(write, { workspaceId, ...clock }, events));
  await until(
    "people are alerted",
    async () => (await alertsOf(app, "other_product")).length === 21,
  );
  const { items } = await app.manager.read("/api/alerts/causes");
  assertEquals(valuesOf(items, "kind", "count"), [["links", 21]]);
});

interface Variant {
  readonly sku: string;
  readonly price: string;
  readonly gtin?: string | undefined;
  readonly url?: string;
}

const TITLE = "Talheim Bratpfanne Pro";

/** The page has markup of two variants, and displays the price of the first. */
function pageOf(...variants: readonly [Variant, Variant]): Page {
  const hasVariant = variants.map(({ sku, price, gtin, url }) => ({
    "@type": "Product",
    name: TITLE,
    sku,
    gtin13: gtin,
    url,
    offers: { "@type": "Offer", url, price, priceCurrency: "EUR" },
  }));
  const markup = { "@type": "ProductGroup", name: TITLE, hasVariant };
  const shown = variants[0].price.replace(".", ",");
  return () =>
    html(`${marked(markup)}
<h1>${TITLE}</h1><p class="price">${shown} €</p><button>In den Warenkorb</button>`);
}

async function read(link: Awaited<ReturnType<typeof openLink>>, page?: Page) {
  const { status, price, confidence } = await link.sees(page);
  const { currentPrice, identity } = await link.match();
  return [status, price, confidence, currentPrice, identity?.page?.variant?.by ?? null];
}

withScrapingApp.test("the shop's number stored with a link chooses the variant if the page no longer has GTINs, also in a preview", async (app) => {
  const shows = (large: string, small?: string, gtin?: string) =>
    pageOf({ sku: "PF-20", price: "19.99", gtin: small }, { sku: "PF-32", price: large, gtin });
  await using link = await openLink(app, shows("39.99", "4006381333948", OURS.ean), {
    product: { title: TITLE, ean: OURS.ean },
  });
  assertEquals(await read(link), ["ok", 3_999, 0.9, 3_999, "gtin"]);
  const preview = async (productId: string) => {
    const body = { url: `${link.url}?utm_source=x#top`, productId };
    const { price, page } = await app.manager.act("/api/competitor-products/preview", body);
    return [price, page?.variant?.by ?? null];
  };
  assertEquals(await read(link, shows("37.99")), ["ok", 3_799, 0.9, 3_799, "sku"]);
  assertEquals(await preview(link.productId), [3_799, "sku"]);
  assertEquals(await read(link, shows("36.99")), ["ok", 3_699, 0.9, 3_699, "sku"]);
  const other = await addProduct(app.manager, "WB-2", { title: TITLE });
  assertEquals(await preview(other), [1_999, null]);
});

withScrapingApp.test("the fragment of a link's URL chooses the variant", async (app) => {
  const page = pageOf(
    { sku: "PF-20", price: "19.99", url: "/p/x#/26-groesse-20cm" },
    { sku: "PF-32", price: "39.99", url: "/p/x#/27-groesse-32cm" },
  );
  await using link = await openLink(app, page, { product: { title: TITLE } });
  const { path, url, productId } = link;
  await app.manager.change(path, { url: `${url}?utm_source=x#PF-32` });
  const [status, price, , currentPrice, by] = await read(link);
  assertEquals([status, price, currentPrice, by], ["ok", 3_999, 3_999, "address"]);

  // A link whose URL changes to another variant has no price until its next fetch, due at once.
  const moved = await app.manager.change(path, { url: `${url}#PF-20` });
  assertEquals([moved.currentPrice, moved.identity?.page ?? null], [null, null]);
  assertEquals(await tickAndEnd(app, productId), 1);
  assertEquals((await link.match()).currentPrice, 1_999);
});
