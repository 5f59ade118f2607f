import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { PUBLIC_EVENTS } from "../../../src/platform/events/event.ts";
import { addMatch, addProduct, answered } from "../../shops/shop.ts";
import { until } from "../../patience.ts";
import { startReceiver } from "../../messages/webhooks/receiver.ts";
import { articlePage, discover, suggestions, urlset, withDiscovery, xml } from "./made_shop.ts";
import { addProducts } from "../../rules/evaluation/market.ts";

/** Number of suggestions, which is more than an event may contain. */
const PAGES = 23;
const GTIN = "9521000000018";

withDiscovery.test("webhooks get suggestions in batches, and each link by people or automatic", async ({ app, shop: { base, pages }, competitorId }) => {
  await using receiver = startReceiver();
  const names = Array.from({ length: PAGES }, (_, n) => `/p/${n}`);
  // Without a brand, an equal part number gives only the verdict `probably`.
  names.forEach((name, n) => {
    pages[name] = articlePage({ name: `Pumpe PX${100 + n}`, mpn: `PX${100 + n}` });
  });
  pages["/p/0"] = articlePage({ name: "Pumpe PX100", brand: "Pumpenwerk", mpn: "PX100" });
  pages["/p/later"] = articlePage({ name: "Textmarker", gtin13: GTIN });
  pages["/map.xml"] = xml(urlset([...names, "/p/later"].map((name) => base + name)));
  const { manager, owner } = app;
  const skus = names.map((_, n) => `PX${100 + n}`);
  const more = { brand: "Pumpenwerk", ourPrice: 10 };
  const products = skus.map((sku) => ({ sku, title: `Pumpe ${sku}`, mpn: sku, ...more }));
  const productIds = await addProducts(app, products);
  const events = ["match.suggested", "match.linked"] as const;
  await answered(owner.post("/api/webhooks", { url: `${receiver.url}/hook`, events }), 201);
  const eventsOf = <T extends typeof events[number]>(type: T) =>
    receiver.receipts.filter(({ body }) => body.type === type)
      .map(({ body }) => PUBLIC_EVENTS[type].strict().parse(body.data));

  await discover(app, competitorId, { mode: "automatic", sitemaps: [`${base}/map.xml`] });
  const suggested = () =>
    eventsOf("match.suggested").flatMap((event) => "suggestions" in event ? event.suggestions : []);
  await until("every suggestion is published", () => Promise.resolve(suggested().length === PAGES));
  await until(
    "the link is published",
    () => Promise.resolve(eventsOf("match.linked").length === 1),
  );
  assertEquals(suggested().map(({ sku }) => sku).toSorted(), skus.toSorted());
  const batches = eventsOf("match.suggested");
  const sizes = batches.map((event) => "suggestions" in event ? event.suggestions.length : 0);
  // Deliveries run in parallel, so events may arrive in another order.
  assertEquals(sizes.toSorted((one, other) => other - one), [20, 3]);
  assertEquals(batches.map((event) => event.competitorId), [competitorId, competitorId]);
  assertEquals(suggested().find(({ sku }) => sku === "PX100")?.verdict, "same");
  assertEquals(suggested().find(({ sku }) => sku === "PX101")?.verdict, "probably");
  const [own] = eventsOf("match.linked");
  ok(own && "isAutomatic" in own);
  assertEquals([own.isAutomatic, own.sku, own.url], [true, "PX100", `${base}/p/0`]);

  const [first] = await suggestions(app, `productId=${productIds[1]}`);
  await answered(manager.post(`/api/match-suggestions/${first?.id}/accept`), 200);
  await addMatch(manager, productIds[2]!, `${base}/p/2`);
  await until("links of people are published", () => {
    return Promise.resolve(eventsOf("match.linked").length === 3);
  });
  const others = eventsOf("match.linked").slice(1);
  assertEquals(
    others.map((event) => "isAutomatic" in event && [event.isAutomatic, event.sku]).toSorted(),
    [[false, "PX101"], [false, "PX102"]],
  );

  await addProduct(manager, "LATER", { title: "Marker", ean: GTIN, ourPrice: 1_000 });
  await until("the new product's page is published", () => {
    return Promise.resolve(suggested().some(({ sku }) => sku === "LATER"));
  });
  assertEquals(eventsOf("match.linked").length, 3);
});
