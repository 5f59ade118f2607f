import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { LinkResult } from "../../../src/shops/matches/link_products.ts";
import type { CompetitorProduct } from "../../../src/shops/matches/match.ts";
import { type TestApp } from "../../harness.ts";
import { addMatch, addProduct, answered, withCheckedApp } from "../shop.ts";

const PATH = "/api/competitor-products/bulk";

async function link(app: TestApp, links: unknown[]): Promise<LinkResult[]> {
  const body = await answered<{ results: LinkResult[] }>(app.manager.post(PATH, { links }), 200);
  return body.results;
}

withCheckedApp.test("POST /api/competitor-products/bulk gives each link its own result, in order", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const old = await addMatch(app.manager, productId, "https://shop.de/old");
  await addProduct(app.manager, "A-2");
  const gone = await addProduct(app.manager, "A-3");
  await answered(app.manager.delete(`/api/products/${gone}`), 200);
  const results = await link(app, [
    { sku: "A-2", url: "https://shop.de/2", packFactor: 6 },
    { sku: "A-1", url: "https://shop.de/old#x" },
    { sku: "A-1", url: "https://shop.de/old", packFactor: 2 },
    { sku: "A-1", url: "https://shop.de/old", packFactor: 2 },
    { sku: "A-9", url: "https://shop.de/9" },
    { sku: "A-3", url: "https://shop.de/3" },
    { sku: "A-1", url: "http://10.0.0.1/" },
    { sku: "A-1", url: "https://shop.de/x", packFactor: 0 },
    { sku: "A-1", url: "https://shop.de/x", colour: "red" },
    { sku: "A-1" },
  ]);
  assertEquals(
    results.map(({ status, error }) => status ?? error?.code),
    ["created", "existing", "changed", "existing", "not_found", "not_found"]
      .concat(Array(4).fill("validation_failed")),
  );
  assertEquals(results.map(({ index }) => index), results.map((_, index) => index));
  assertEquals(results.map(({ ok }) => ok), results.map(({ error }) => error === null));
  assertEquals(results.slice(1, 4).map((one) => one.competitorProductId), Array(3).fill(old.id));
  const made: CompetitorProduct = await answered(
    app.viewer.get(`/api/competitor-products/${results[0]?.competitorProductId}`),
    200,
  );
  assertEquals([made.packFactor, made.source], [6, "manual"]);
  // The public API gives the same results.
  const key = await app.key(["matches:write"]);
  const links = [{ sku: "A-2", url: "https://shop.de/2" }, { sku: "nobody", url: "no address" }];
  const { data, count } = await answered<{ data: LinkResult[]; count: number }>(
    key.post("/api/public/v1/competitor-products/bulk", { links }),
    200,
  );
  assertEquals([count, data.map(({ ok }) => ok)], [2, [true, false]]);
  assertEquals(data[0]?.competitorProductId, made.id);
});
