import { column, refuses, valuesOf } from "../api/answers.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { finishDeletions } from "../../src/shops/change_competitor.ts";
import { competitors, leavingCompetitors } from "../../src/shops/competitor_store.ts";
import { addProducts } from "../rules/evaluation/market.ts";
import {
  actionsOf,
  addMatch,
  addProduct,
  disagreements,
  linksOf,
  listShops,
  withCheckedApp,
} from "./shop.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

withCheckedApp.test("DELETE /api/competitors/{id} deletes its matches, in as many commits as needed", async (app) => {
  const skus = Array.from({ length: 11 }, (_, n) => `A-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  const urls = (n: number) => [`gone.de/${n}`, `gone.de/${n}/other`, `stays.de/${n}`];
  const links = skus.flatMap((sku, n) => urls(n).map((url) => ({ sku, url: `https://${url}` })));
  await app.manager.act("/api/competitor-products/bulk", { links });
  const gone = (await listShops(app.viewer)).find(({ domain }) => domain === "gone.de")!;
  assertEquals(gone.trackedProducts, 11);
  const path = `/api/competitors/${gone.id}`;
  await app.manager.remove(path);
  await refuses(app.manager.delete(path), "not_found");
  await refuses(app.viewer.get(path), "not_found");
  const left = await listShops(app.viewer);
  assertEquals(valuesOf(left, "domain", "trackedProducts"), [["stays.de", 11]]);
  assertEquals(column(await linksOf(app.viewer), "domain"), Array(11).fill("stays.de"));
  const actions = await actionsOf(app.owner, `competitor:${gone.id}`);
  assertEquals(actions, ["competitor.create", "competitor.delete"]);
});

withCheckedApp.test("an interrupted deletion hides everything after its first commit, and can be completed", async (app) => {
  const productId = await addProduct(app.manager, "A-1");
  const match = await addMatch(app.manager, productId, "https://gone.de/1");
  const found = await competitors.find(app, { id: match.competitorId });
  await transact(app, (write) => {
    competitors.remove(write, app, found!);
    leavingCompetitors.put(write, app, found!.row);
    return Promise.resolve();
  });

  const read = await app.viewer.read(`/api/products/${productId}`);
  assertEquals(read.competitorPrices, []);
  const page = await app.viewer.read("/api/competitor-products");
  assertEquals([page.items, page.nextCursor], [[], null]);
  await refuses(app.viewer.get(`/api/competitor-products/${match.id}`), "not_found");
  assertEquals((await disagreements(app)).length, 1);

  await finishDeletions({ ...app, ...app.app.clock });
  await finishDeletions({ ...app, ...app.app.clock });
  assertEquals(await disagreements(app), []);
  await addMatch(app.manager, productId, "https://gone.de/1");
});

withCheckedApp.test("DELETE /api/competitors/{id} leaves no match, even if matches are created at the same time", async (app) => {
  const products: string[] = [];
  for (let n = 0; n < 12; n++) products.push(await addProduct(app.manager, `A-${n}`));
  const { competitorId } = await addMatch(app.manager, products[0]!, "https://shop.de/first");
  const answers = await Promise.all([
    app.manager.delete(`/api/competitors/${competitorId}`),
    ...products.map((productId, n) =>
      app.manager.post("/api/competitor-products", { productId, url: `https://shop.de/${n}` })
    ),
  ]);
  const [deleted, ...made] = answers.map(({ status }) => status);
  assertEquals([deleted, new Set(made)], [200, new Set([201])]);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
});
