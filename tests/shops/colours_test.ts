import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { array, assert, integer, property } from "fast-check";
import { freeColours } from "../../src/shops/competitor_store.ts";
import { type TestApp } from "../harness.ts";
import { fileLink, importLinks } from "./import_batch.ts";
import { addMatch, addProduct, listShops, withCheckedApp } from "./shop.ts";

const PATH = "/api/competitors";

const addShop = (app: TestApp, domain: string) =>
  app.manager.create<{ id: string; colour: number }>(PATH, { domain });

const coloursOf = async (app: TestApp) => (await listShops(app.viewer)).map(({ colour }) => colour);

Deno.test("freeColours() gives the lowest free numbers", () => {
  assert(
    property(array(integer({ min: 1, max: 30 })), integer({ min: 1, max: 10 }), (taken, count) => {
      const free = freeColours(taken.map((colour) => ({ colour })));
      const given = Array.from({ length: count }, () => free.next().value);
      const all = Array.from({ length: 60 }, (_, n) => n + 1).filter((n) => !taken.includes(n));
      assertEquals(given, all.slice(0, count));
    }),
  );
});

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
});
