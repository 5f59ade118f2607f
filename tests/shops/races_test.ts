import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { transact } from "../../src/platform/store/kv.ts";
import { addCompetitor } from "../../src/shops/competitor_store.ts";
import { contextOf } from "../platform/jobs/counting.ts";
import { statusOf } from "../api/answers.ts";
import { fileLink, importLinks } from "./imported_links.ts";
import { addMatch, addProduct, linksOf, listShops, withCheckedApp, withProduct } from "./shop.ts";
import type { TestApp } from "../harness.ts";

const PATH = "/api/competitor-products";

withProduct.test("many simultaneous requests for one match create one, and one new shop", async ({ app, productId }) => {
  const add = (n: number) => app.manager.post(PATH, { productId, url: `https://shop.de/1#${n}` });
  const statuses = await Promise.all(Array.from({ length: 10 }, (_, n) => statusOf(add(n))));
  assertEquals(statuses.toSorted(), [201, ...Array(9).fill(409)]);
  assertEquals((await listShops(app.viewer)).length, 1);
});

withCheckedApp.test("trackedProducts is exact after simultaneous changes by people, imports and a deletion", async (app) => {
  const skus = Array.from({ length: 6 }, (_, n) => `A-${n}`);
  const products: string[] = [];
  for (const sku of skus) products.push(await addProduct(app.manager, sku));
  const doomed = await addMatch(app.manager, products[0]!, "https://doomed.de/0");
  const people = products.map(async (productId, n) => {
    const one = await addMatch(app.manager, productId, `https://shop.de/${n}`);
    const two = await addMatch(app.manager, productId, `https://shop.de/${n}/2`);
    await app.manager.change(`${PATH}/${one.id}`, { enabled: false });
    if (n % 2 === 0) await app.manager.remove(`${PATH}/${two.id}`);
    await app.manager.change(`${PATH}/${one.id}`, { enabled: n % 3 === 0 });
  });
  const imports = skus.map(async (sku, n) => {
    for (const enabled of [true, false, true]) {
      await importLinks(app, sku, [
        fileLink(`https://file.de/${n}`, { enabled }),
        fileLink(`https://doomed.de/${n}`),
      ]);
    }
  });
  const deletion = app.manager.remove(`/api/competitors/${doomed.competitorId}`);
  const renames = products.map((id, n) =>
    app.manager.change(`/api/products/${id}`, { sku: `B-${n}`, title: "renamed" })
  );
  // An import fails without effect if its product has got another SKU in the meantime.
  await Promise.allSettled(imports);
  await Promise.all([...people, deletion, ...renames]);
  const links = await linksOf(app.viewer);
  for (const { id, trackedProducts } of await listShops(app.viewer)) {
    const tracking = links.filter((one) => one.competitorId === id && one.enabled);
    assertEquals(trackedProducts, new Set(tracking.map(({ productId }) => productId)).size);
  }
});

withCheckedApp.test("a domain never gets a second competitor, whatever was looked up before", async (app) => {
  await app.manager.create("/api/competitors", { domain: "shop.de" });
  const ctx = contextOf(app.store, app.app.clock, app.workspaceId);
  await rejects(transact(ctx, (write) => addCompetitor(write, ctx, "shop.de")), /Too many changes/);
  assertEquals((await listShops(app.viewer)).length, 1);
});

const addShop = (app: TestApp, domain: string) =>
  app.manager.create<{ id: string; colour: number }>("/api/competitors", { domain });

const coloursOf = async (app: TestApp) => (await listShops(app.viewer)).map(({ colour }) => colour);

withCheckedApp.test("competitors created at the same time by people, links and imports have different colours", async (app) => {
  const products: string[] = [];
  for (let n = 0; n < 4; n++) products.push(await addProduct(app.manager, `A-${n}`));
  await Promise.all([
    ...products.map((_, n) => addShop(app, `typed-${n}.de`)),
    ...products.map((id, n) => addMatch(app.manager, id, `https://linked-${n}.de/1`)),
    ...products.map((_, n) => importLinks(app, `A-${n}`, [fileLink(`https://file-${n}.de/1`)])),
  ]);
  const colours = await coloursOf(app);
  assertEquals(colours.toSorted((a, b) => a - b), Array.from({ length: 12 }, (_, n) => n + 1));
  // The next competitor gets the lowest colour that is free.
  const fifth = (await listShops(app.viewer)).find(({ colour }) => colour === 5);
  await app.manager.remove(`/api/competitors/${fifth?.id}`);
  assertEquals((await addShop(app, "next.de")).colour, 5);
});
