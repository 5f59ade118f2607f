import { column, valuesOf } from "../../api/answers.ts";
import { findIndexRow } from "../../../src/catalogue/products/index_row_store.ts";
import { type TestApp } from "../../harness.ts";
import { fileLink, importLinks } from "../imported_links.ts";
import { addMatch, linksOf, listShops, withProduct } from "../shop.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const URL_1 = "https://www.preisfuchs.example/p/1.html";
const on = fileLink(URL_1);
const off = fileLink(URL_1, { enabled: false });

const outcome = (app: TestApp, ...links: Parameters<typeof importLinks>[2]) =>
  importLinks(app, "A-1", links);

async function switchOf(app: TestApp): Promise<boolean | undefined> {
  return (await linksOf(app.viewer))[0]?.enabled;
}

withProduct.test("an import creates shops by domain and name, links once, and changes nothing the second time", async ({ app }) => {
  const links = [
    fileLink(URL_1, { domain: "preisfuchs.example", name: "Preisfuchs" }),
    fileLink("https://haus.example/1", { enabled: false }),
  ];
  assertEquals(await outcome(app, ...links), [1, 0]);
  const made = valuesOf(await listShops(app.viewer), "domain", "displayName", "trackedProducts");
  const preisfuchs = ["preisfuchs.example", "Preisfuchs", 1];
  assertEquals(made, [preisfuchs, ["haus.example", "haus.example", 0]]);
  const first = await linksOf(app.viewer);
  assertEquals(valuesOf(first, "source", "enabled"), [["import", true], ["import", false]]);
  assertEquals(await outcome(app, ...links), [0, 0]);
  assertEquals(await linksOf(app.viewer), first);
  // The last link of a URL counts, in any spelling. URLs that must not be stored are refused.
  const again = fileLink(`${URL_1}?utm_source=erp#top`, { enabled: false });
  const wrong = ["javascript:alert(1)", "http://192.168.1.10/p/1", "ftp://haus.example/1"];
  const named = fileLink("https://amzn.example/x", { domain: "WWW.Amazon.example" });
  const odd = fileLink("https://b.example/x", { domain: "no domain" });
  const others = [named, odd, ...wrong.map((url) => fileLink(url))];
  assertEquals(await outcome(app, ...links, again, ...others), [2, 3]);
  assertEquals(valuesOf(await linksOf(app.viewer), "domain", "enabled"), [
    ["preisfuchs.example", false],
    ["haus.example", false],
    ["amazon.example", true],
    ["b.example", true],
  ]);
});

withProduct.test("an import disables a link that a person created, and may enable it again", async ({ app, productId }) => {
  await addMatch(app.manager, productId, URL_1);
  assertEquals([await outcome(app, off), await switchOf(app)], [[0, 0], false]);
  assertEquals([await outcome(app, on), await switchOf(app)], [[1, 0], true]);
});

withProduct.test("an import enables a link that an import disabled, but none that a person disabled, whatever the file says", async ({ app }) => {
  const steps = [];
  for (const link of [on, off, off]) steps.push([...await outcome(app, link), await switchOf(app)]);
  assertEquals(steps, [[1, 0, true], [0, 0, false], [0, 0, false]]);
  const [match] = await linksOf(app.viewer);
  const path = `/api/competitor-products/${match!.id}`;
  // If a person saves the match unchanged, the import may still enable it.
  await app.manager.change(path, match);
  assertEquals([await outcome(app, on), await switchOf(app)], [[1, 0], true]);
  await app.manager.change(path, { enabled: false });
  assertEquals([await outcome(app, on), await switchOf(app)], [[0, 1], false]);
  assertEquals([await outcome(app, off), await switchOf(app)], [[0, 0], false]);
  assertEquals([await outcome(app, on), await switchOf(app)], [[0, 1], false]);
  await app.manager.change(path, { enabled: true });
  assertEquals([await outcome(app, off), await outcome(app, on)], [[0, 0], [1, 0]]);
});

withProduct.test("a match that a person deleted stays deleted until a person restores it", async ({ app, productId }) => {
  await outcome(app, on);
  const [match] = await linksOf(app.viewer);
  await app.manager.remove(`/api/competitor-products/${match!.id}`);
  assertEquals([await outcome(app, on), await outcome(app, off)], [[0, 1], [0, 0]]);
  assertEquals(await linksOf(app.viewer), []);
  const back = await addMatch(app.manager, productId, URL_1);
  assertEquals([await outcome(app, off), await outcome(app, on)], [[0, 0], [1, 0]]);
  assertEquals(column(await linksOf(app.viewer), "id"), [back.id]);
});

withProduct.test("a URL that a person moved a match away from is not linked again", async ({ app }) => {
  await outcome(app, on);
  const [match] = await linksOf(app.viewer);
  const url = "https://www.preisfuchs.example/p/2.html";
  await app.manager.change(`/api/competitor-products/${match!.id}`, { url });
  assertEquals(await outcome(app, on), [0, 1]);
  assertEquals(column(await linksOf(app.viewer), "url"), [url]);
});

withProduct.test("an import does not restore links of a deleted shop, but new links create the shop again", async ({ app }) => {
  await outcome(app, on);
  const [shop] = await listShops(app.viewer);
  await app.manager.remove(`/api/competitors/${shop!.id}`);
  assertEquals(await outcome(app, on), [0, 1]);
  assertEquals(await outcome(app, fileLink("https://preisfuchs.example/p/9")), [1, 0]);
});

withProduct.test("an import creates at most 200 links of a product", async ({ app }) => {
  const links = Array.from({ length: 202 }, (_, n) => fileLink(`https://shop.example/${n}`));
  assertEquals(await outcome(app, ...links.slice(0, 150)), [150, 0]);
  assertEquals(await outcome(app, ...links.slice(150)), [50, 2]);
  assertEquals((await linksOf(app.viewer)).length, 200);
});

withProduct.test("a person's change of a match makes the next import read the product again", async ({ app, productId }) => {
  const isReadAgain = async () => (await findIndexRow(app, "A-1"))?.importHash === null;
  await outcome(app, on);
  assertEquals(await isReadAgain(), false);
  const { id } = await addMatch(app.manager, productId, "https://other.example/1");
  assertEquals(await isReadAgain(), true);
  const path = `/api/competitor-products/${id}`;
  const disable = () => app.manager.change(path, { enabled: false });
  for (const change of [disable, () => app.manager.remove(path)]) {
    await outcome(app, on);
    assertEquals(await isReadAgain(), false);
    await change();
    assertEquals(await isReadAgain(), true);
  }
});
