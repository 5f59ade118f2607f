import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addProduct, disagreements, listShops } from "../competitors/shop.ts";
import { startTestApp } from "../harness.ts";
import { listed, pushed } from "./history.ts";

const URL_1 = "https://www.preisfuchs.example/p/1.html";

Deno.test("POST /api/public/v1/observations makes a match and a competitor of an unknown URL, in the same push", async () => {
  await using app = await startTestApp();
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.owner, "A-1");
  const row = { sku: "A-1", url: URL_1, price: "289.99", currency: "EUR", inStock: true };
  assertEquals(await pushed(key, [row]), { accepted: 1, rejected: 0, errors: [] });
  const [shop] = await listShops(app.owner);
  assertEquals([shop?.domain, shop?.trackedProducts], ["preisfuchs.example", 1]);
  const [one, ...others] = await listed(key, `productId=${productId}`);
  assertEquals(others, []);
  ok(one);
  assertEquals(one, {
    id: one.id,
    productId,
    sku: "A-1",
    competitorProductId: one.competitorProductId,
    competitorId: shop!.id,
    competitor: "preisfuchs.example",
    domain: "preisfuchs.example",
    url: URL_1,
    price: 28999,
    currency: "EUR",
    inStock: true,
    availability: "in_stock",
    listPrice: null,
    shipping: null,
    method: null,
    confidence: 1,
    source: "push",
    runId: null,
    observedAt: "2026-03-02T09:00:00.000Z",
  });
  assertEquals(await disagreements(app), []);
});
