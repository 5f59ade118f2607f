import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { type TestApp } from "../harness.ts";
import { fileLink, importLinks } from "./imported_links.ts";
import { addMatch, addProduct, listShops, withCheckedApp } from "./shop.ts";

const PATH = "/api/competitors";

const addShop = (app: TestApp, domain: string) =>
  app.manager.create<{ id: string; colour: number }>(PATH, { domain });

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
  await app.manager.remove(`${PATH}/${fifth?.id}`);
  assertEquals((await addShop(app, "next.de")).colour, 5);
});
