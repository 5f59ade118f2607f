import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { type Coverage } from "../../src/market/read_coverage.ts";
import { column, everyItem, refuses, statusOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { contextOf, seedOffers } from "../bench/seed_catalogue.ts";
import { type TestApp, withApp } from "../harness.ts";
import { sheetsOf } from "../read_table.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { addMatch, addProduct as addBareProduct } from "../shops/shop.ts";

async function fill(app: TestApp): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const sku of "ABCDEF") ids[sku] = await addProduct(app.owner, sku);
  await push(app, [["A", "acme", 80], ["A", "bolt", 90], ["B", "acme", 95], ["C", "bolt", 125]]);
  await push(app, [["D", "acme", 50], ["E", "acme", 99.99]]);
  return ids;
}

async function csv(app: TestApp, query: string): Promise<string[][]> {
  const answer = await app.viewer.get(`/api/products.csv?dialect=rfc4180&${query}`);
  const text = await answer.text();
  assertEquals(answer.status, 200, text);
  return text.trimEnd().split("\r\n").map((line) =>
    line.slice(1, -1).split('","').map((cell) => cell.replaceAll('""', '"'))
  );
}

withApp.test("the file of a list has the requested columns, also those of the market", async (app) => {
  const { owner, clock } = app;
  await addRule(owner, { name: "Match", scope: { mode: "sku", list: ["A"] } });
  const ids = await fill(app);
  await untilJudged(app);
  const columns = "sku,ourPrice,cheapest,cheapestCompetitor,gap,gapPct,room,rank,of,offers,links," +
    "state,position,median,average,index,margin,newestAt,cheapestMatchType,cheapestInStock," +
    "cheapestCount,proposal,proposalChange,rule,title";
  const [head, a, , , , , f] = await csv(app, `columns=${columns}`);
  assertEquals(head, columns.split(","));
  assertEquals(
    a?.join(),
    "A,100.00,80.00,acme.example,20.00,25,-20,3,3,2,2,ok,dearest,85.00,85.00,117.65,50," +
      `${clock.now().toISOString()},exact,true,1,80.00,-20,Match,Product A`,
  );
  assertEquals(f?.slice(0, 12).join(), "F,100.00,,,,,,,1,0,0,no_links");
  // Without the parameter `columns`, the file has the default columns.
  const [plain] = await csv(app, "sort=gapPct");
  ok(plain?.includes("priceLocked") && !plain.includes("gapPct"));
  await owner.remove(`/api/products/${ids.A}`);
  const deleted = await csv(app, "includeDeleted=true&columns=sku,rank");
  assertEquals(deleted[1], ["A", ""]);
  for (const bad of ["sku,price", "sku,sku", ",", "sku,"]) {
    await refuses(app.viewer.get(`/api/products.csv?columns=${bad}`), "validation_failed", bad);
  }
});

/** Calls the app directly, because a real connection would buffer more of the response. */
async function openFile({ app, base, viewerCookie }: TestApp, columns: string): Promise<Response> {
  const url = `${base}/api/products.csv?sort=ourPrice&columns=${columns}`;
  return await app.fetch(new Request(url, { headers: { Cookie: viewerCookie } }));
}

withApp.test("the order of a file does not change while the file is read", async (app) => {
  const { owner } = app;
  await seedOffers(contextOf(app), { products: 2_500, shops: 1 });
  const { items } = await owner.read("/api/products?sort=ourPrice&order=desc&limit=20");
  const answer = await openFile(app, "sku,attributes");
  const chunks = answer.body!.pipeThrough(new TextDecoderStream()).values();
  let text = (await chunks.next()).value ?? "";
  // If the list were sorted again now, these products would move to the part already read.
  for (const { id } of items.slice(1)) await owner.patch(`/api/products/${id}`, { ourPrice: 0.5 });
  await owner.remove(`/api/products/${items[0].id}`);
  for await (const chunk of chunks) text += chunk;
  const skus = [...text.matchAll(/"SKU-(\d+)"/g)].map(([, n]) => Number(n));
  const expected = Array.from({ length: 2_500 }, (_, n) => n)
    .sort((a, b) => a % 500 - b % 500 || a - b)
    .filter((n) => n !== Number(items[0].sku.slice(4)));
  assertEquals(skus, expected);
});

withApp.test("a bulk change selects products by market filters", async (app) => {
  const { manager } = app;
  await fill(app);
  const change = (filter: Record<string, string>, priceLocked: boolean) =>
    manager.act("/api/products/bulk", { filter, set: { priceLocked } });
  const locked = async () =>
    (await manager.read("/api/products?limit=200")).items
      .flatMap((item: { sku: string; priceLocked: boolean }) => item.priceLocked ? [item.sku] : [])
      .join("");
  const changed = await change({ dearerThanPct: "5" }, true);
  assertEquals(changed, { changed: 3, unchanged: 0, missing: [] });
  assertEquals(await locked(), "ABD");
  assertEquals((await change({ position: "cheapest", hasProposal: "false" }, true)).changed, 1);
  assertEquals(await locked(), "ABCD");
  assertEquals((await change({ state: "ok", q: "product b" }, false)).changed, 1);
  assertEquals((await change({ state: "stale" }, false)).changed, 0);
  assertEquals(await locked(), "ACD");
  for (const filter of [{ dearerThanPct: 5 }, { sort: "rank" }, { rankMin: "0" }, { state: "x" }]) {
    const answer = manager.post("/api/products/bulk", { filter, set: { priceLocked: true } });
    await refuses(answer, "validation_failed", JSON.stringify(filter));
  }
});

withApp.test("a workspace reads at most four sorted lists at once", async (app) => {
  await seedOffers(contextOf(app), { products: 2_500, shops: 1 });
  const open = () => openFile(app, "sku,title,attributes");
  const lines = async () => (await (await open()).text()).trimEnd().split("\r\n").length;
  const standing = [await open(), await open(), await open(), await open()];
  assertEquals(standing.map(({ status }) => status), [200, 200, 200, 200]);
  await refuses(await open(), "rate_limited");
  // The limit counts only sorted files, and applies to each workspace separately.
  assertEquals(await statusOf(app.viewer.get("/api/products?sort=ourPrice")), 200);
  assertEquals(await statusOf(app.viewer.get("/api/products.csv?brand=x")), 200);
  const stranger = await app.strangerOwner();
  assertEquals(await statusOf(stranger.get("/api/products.csv?sort=ourPrice")), 200);
  // A download no longer counts once it is cancelled or read to its end.
  await standing.pop()!.body!.cancel();
  assertEquals(await lines(), 2_501);
  standing.push(await open());
  await refuses(await open(), "rate_limited");
  for (const answer of standing) await answer.body?.cancel();
});

withApp.test("coverage counts products by brand and shop; lists, files and answers to keys show missing links", async (app) => {
  const { manager, viewer } = app;
  const shop = async (name: string, enabled = true) =>
    (await manager.create("/api/competitors", { domain: `${name}.example`, enabled })).id;
  const one = await shop("one");
  const two = await shop("two");
  await shop("off", false);
  const add = (sku: string, brand: string | null) => addBareProduct(manager, sku, { brand });
  const a1 = await add("A-1", "Bosch");
  const a2 = await add("A-2", "Bosch");
  const a3 = await add("A-3", "Makita");
  await add("A-4", null);
  await addMatch(manager, a1, "https://one.example/1", { confirmed: true });
  // Two pages of a product at one shop count once.
  await addMatch(manager, a1, "https://one.example/2");
  await addMatch(manager, a1, "https://two.example/1");
  const wrong = await addMatch(manager, a2, "https://one.example/3");
  await addMatch(manager, a3, "https://off.example/1");
  await manager.act(`/api/competitor-products/${wrong.id}/reject`);

  const read = (by = "brand") => viewer.read<Coverage>(`/api/coverage?by=${by}`);
  const found = await read();
  const cellsOf = ({ shops }: Pick<Coverage["groups"][number], "shops">) =>
    shops.map(({ linked, confirmed, percent }) => [linked, confirmed, percent]);
  assertEquals(found.shops.map(({ competitorId }) => competitorId), [one, two].toSorted());
  assertEquals([found.products, found.anywhere, found.atThree, found.rest], [4, 1, 0, null]);
  assertEquals(cellsOf(found), [[1, 1, 25], [1, 0, 25]]);
  assertEquals(found.groups.map((group) => [group.name, group.products, cellsOf(group)]), [
    ["Bosch", 2, [[1, 1, 50], [1, 0, 50]]],
    ["Makita", 1, [[0, 0, 0], [0, 0, 0]]],
    [null, 1, [[0, 0, 0], [0, 0, 0]]],
  ]);
  assertEquals((await read("category")).groups.map(({ name }) => name), [null]);

  const file = "/api/coverage/products";
  const key = await app.key([]);
  const gaps: [Caller, path: string, skus: string[]][] = [
    [viewer, `${file}?missing=${one}`, ["A-2", "A-3", "A-4"]],
    [viewer, `${file}?missing=${two}&brand=bosch`, ["A-2"]],
    [viewer, `${file}?missing=any&limit=2`, ["A-2", "A-3", "A-4"]],
    [viewer, `/api/products?missing=${one}`, ["A-2", "A-3", "A-4"]],
    [key, `/api/public/v1/coverage/products?missing=${two}`, ["A-2", "A-3", "A-4"]],
  ];
  for (const [caller, path, skus] of gaps) {
    assertEquals(column(await everyItem(caller, path), "sku").sort(), skus, path);
  }
  await refuses(viewer.get(`${file}?missing=x`), "validation_failed");
  const workbook = await viewer.get(`${file}.xlsx?missing=${two}&lang=de`);
  const { "1": sheet = [] } = await sheetsOf(new Uint8Array(await workbook.arrayBuffer()));
  assertEquals([sheet.length, sheet[0]?.includes("Herstellernr.")], [1 + 3, true]);
  const lines = await (await viewer.get(`${file}.csv?missing=${two}`)).text();
  assertEquals(lines.trim().split("\r\n").length, 1 + 3);
});
