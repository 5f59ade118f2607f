import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";
import { type Coverage } from "../../src/market/read_coverage.ts";
import { everyItem, refuses, statusOf } from "../api/answers.ts";
import { contextOf, seedOffers } from "../bench/seed_offers.ts";
import { type TestApp, withApp } from "../harness.ts";
import { sheetsOf } from "../read_workbook.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { addProduct as addBareProduct } from "../shops/shop.ts";

/** Adds products A to F with different positions in the market, from much too dear to unknown. */
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

const skusOf = (rows: readonly (readonly string[])[]) => rows.slice(1).map(([sku]) => sku).join("");

withApp.test("the CSV file of a product list is filtered and sorted like the list", async (app) => {
  await fill(app);
  const cases: Record<string, string> = {
    "": "ABCDEF",
    "sort=gapPct&order=desc": "DABECF",
    "sort=gapPct": "CEBADF",
    "sort=sku&order=desc": "FEDCBA",
    "dearerThanPct=5&sort=cheapest": "DAB",
    "dearerThanPct=5": "ABD",
    "state=no_links": "F",
    "state=ok&q=product%20e": "E",
    "position=cheapest": "C",
    "sku=B&dearerThanPct=50": "",
  };
  for (const [query, expected] of Object.entries(cases)) {
    assertEquals(skusOf(await csv(app, `columns=sku&${query}`)), expected, query);
  }
  await refuses(
    app.viewer.get("/api/products.csv?includeDeleted=true&sort=rank"),
    "validation_failed",
  );
});

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
  assertEquals(a, [
    ..."A,100.00,80.00,acme.example,20.00,25,-20,3,3,2,2,ok,dearest,85.00,85.00,117.65,50".split(
      ",",
    ),
    clock.now().toISOString(),
    ..."exact,true,1,80.00,-20,Match,Product A".split(","),
  ]);
  const nothing = Array.from({ length: 6 }, () => "");
  assertEquals(f?.slice(0, 12), ["F", "100.00", ...nothing, "1", "0", "0", "no_links"]);
  // Without the parameter `columns`, the file has its default columns.
  const [plain] = await csv(app, "sort=gapPct");
  ok(plain?.includes("priceLocked") && !plain.includes("gapPct"));
  await owner.remove(`/api/products/${ids.A}`);
  const deleted = await csv(app, "includeDeleted=true&columns=sku,rank");
  assertEquals(deleted[1], ["A", ""]);
  for (const bad of ["sku,price", "sku,sku", ",", "sku,"]) {
    await refuses(app.viewer.get(`/api/products.csv?columns=${bad}`), "validation_failed", bad);
  }
  const excel = await (await app.viewer.get("/api/products.csv?columns=sku,gapPct,cheapest"))
    .text();
  match(excel, /"B";"5,26";"95,00"/);
});

withApp.test("the order of a file does not change while the file is read", async (app) => {
  const { owner } = app;
  await seedOffers(contextOf(app), { products: 2_500, shops: 1 });
  const { items } = await owner.read("/api/products?sort=ourPrice&order=desc&limit=20");
  const path = "/api/products.csv?sort=ourPrice&columns=sku,attributes";
  const answer = await app.app.fetch(
    new Request(`${app.base}${path}`, { headers: { Cookie: app.viewerCookie } }),
  );
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  // In a new order, products with this price would come first, and the reader would miss them.
  for (const { id } of items.slice(1)) await owner.patch(`/api/products/${id}`, { ourPrice: 0.5 });
  await owner.remove(`/api/products/${items[0].id}`);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
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
  assertEquals(await change({ dearerThanPct: "5" }, true), {
    changed: 3,
    unchanged: 0,
    missing: [],
  });
  assertEquals(await locked(), "ABD");
  assertEquals((await change({ position: "cheapest", hasProposal: "false" }, true)).changed, 1);
  assertEquals(await locked(), "ABCD");
  assertEquals((await change({ state: "ok", q: "product b" }, false)).changed, 1);
  assertEquals((await change({ state: "stale" }, false)).changed, 0);
  assertEquals(await locked(), "ACD");
  for (const filter of [{ dearerThanPct: 5 }, { sort: "rank" }, { rankMin: "0" }, { state: "x" }]) {
    const body = { filter, set: { priceLocked: true } };
    await refuses(
      manager.post("/api/products/bulk", body),
      "validation_failed",
      JSON.stringify(filter),
    );
  }
});

withApp.test("a workspace reads at most four sorted lists at once, and an idle reader loses its list", async (app) => {
  await seedOffers(contextOf(app), { products: 2_500, shops: 1 });
  const open = () =>
    app.app.fetch(
      new Request(`${app.base}/api/products.csv?sort=ourPrice&columns=sku,title,attributes`, {
        headers: { Cookie: app.viewerCookie },
      }),
    );
  const standing = [await open(), await open(), await open(), await open()];
  assertEquals(standing.map(({ status }) => status), [200, 200, 200, 200]);
  await refuses(await open(), "rate_limited");
  // The limit does not apply to pages, to files in the order of ids, or to other workspaces.
  assertEquals(await statusOf(app.viewer.get("/api/products?sort=ourPrice")), 200);
  assertEquals(await statusOf(app.viewer.get("/api/products.csv?brand=x")), 200);
  const stranger = await app.strangerOwner();
  assertEquals(await statusOf(stranger.get("/api/products.csv?sort=ourPrice")), 200);
  // One reader cancels before the first row, and another one reads to the end. Both free their
  // places.
  await standing.pop()!.body!.cancel();
  assertEquals((await (await open()).text()).trimEnd().split("\r\n").length, 2_501);
  standing.push(await open());
  await refuses(await open(), "rate_limited");
  app.clock.advance(121_000);
  assertEquals((await (await open()).text()).trimEnd().split("\r\n").length, 2_501);
  // These streams fail, because a file loses its order if nothing reads it for two minutes.
  for (const answer of standing) await rejects(answer.text());
});

interface Gaps {
  readonly items: readonly { readonly sku: string }[];
}

withApp.test("coverage counts products by brand and shop; lists, files and answers to keys show missing links", async (app) => {
  const { manager, viewer } = app;
  const shops: string[] = [];
  for (const domain of ["one.example", "two.example", "off.example"]) {
    const body = { domain, enabled: domain !== "off.example" };
    shops.push((await manager.create<{ id: string }>("/api/competitors", body)).id);
  }
  const [one = "", two = ""] = shops;
  const products: Record<string, string> = {};
  for (
    const [sku, brand] of [["A-1", "Bosch"], ["A-2", "Bosch"], ["A-3", "Makita"], ["A-4", null]]
  ) {
    products[sku ?? ""] = await addBareProduct(manager, sku ?? "", {
      title: `Gerät ${sku}`,
      ...(brand && { brand }),
    });
  }
  const link = async (sku: string, host: string, more: Record<string, unknown> = {}) =>
    (await manager.create<{ id: string }>("/api/competitor-products", {
      productId: products[sku],
      url: `https://${host}.example/${sku}/${Object.keys(more).length}`,
      ...more,
    })).id;
  await link("A-1", "one", { confirmed: true });
  // A second page at the same shop does not count the product again.
  await link("A-1", "one");
  await link("A-1", "two");
  const wrong = await link("A-2", "one");
  await link("A-3", "off");
  await manager.act(`/api/competitor-products/${wrong}/reject`);

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

  const gaps = (missing: string, more = "") =>
    viewer.read<Gaps>(`/api/coverage/products?missing=${missing}${more}`);
  const skus = ({ items }: Gaps) => items.map(({ sku }) => sku).toSorted();
  assertEquals(skus(await gaps(one)), ["A-2", "A-3", "A-4"]);
  assertEquals(skus(await gaps(two, "&brand=bosch")), ["A-2"]);
  const items = await everyItem(viewer, "/api/coverage/products?missing=any&limit=2");
  assertEquals(skus({ items }), ["A-2", "A-3", "A-4"]);
  await refuses(viewer.get("/api/coverage/products?missing=x"), "validation_failed");
  assertEquals(
    skus(await viewer.read<Gaps>(`/api/products?missing=${one}`)),
    ["A-2", "A-3", "A-4"],
  );
  const file = "/api/coverage/products";
  const workbook = await viewer.get(`${file}.xlsx?missing=${two}&lang=de`);
  const { "1": sheet = [] } = await sheetsOf(new Uint8Array(await workbook.arrayBuffer()));
  assertEquals([sheet.length, sheet[0]?.includes("Herstellernr.")], [1 + 3, true]);
  const lines = await (await viewer.get(`${file}.csv?missing=${two}`)).text();
  assertEquals(lines.trim().split("\r\n").length, 1 + 3);
  for (const query of ["lang=fr", "limit=2", "missing=x"]) {
    await refuses(viewer.get(`${file}.xlsx?${query}`), "validation_failed");
  }

  const key = await app.key([]);
  const { data } = await key.read<{ data: Coverage }>("/api/public/v1/coverage");
  assertEquals(data.groups, found.groups);
  const page = await key.read<{ data: { sku: string }[] }>(
    `/api/public/v1/coverage/products?missing=${two}`,
  );
  assertEquals(page.data.map(({ sku }) => sku).toSorted(), ["A-2", "A-3", "A-4"]);
});
