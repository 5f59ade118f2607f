import { deepStrictEqual as assertEquals, match, ok, rejects } from "node:assert/strict";
import { bodyOf, refusalOf, statusOf } from "../api/answers.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { type TestApp, withApp } from "../harness.ts";
import { contextOf, seedOffers } from "../bench/seed_offers.ts";

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

withApp.test("the file of a list has its products in its order, under its market filters", async (app) => {
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
  const refused = await refusalOf(
    app.viewer.get("/api/products.csv?includeDeleted=true&sort=rank"),
  );
  assertEquals(refused.code, "validation_failed");
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
  await bodyOf(owner.delete(`/api/products/${ids.A}`), 200);
  const deleted = await csv(app, "includeDeleted=true&columns=sku,rank");
  assertEquals(deleted[1], ["A", ""]);
  for (const bad of ["sku,price", "sku,sku", ",", "sku,"]) {
    const { code } = await refusalOf(app.viewer.get(`/api/products.csv?columns=${bad}`));
    assertEquals(code, "validation_failed", bad);
  }
  const excel = await (await app.viewer.get("/api/products.csv?columns=sku,gapPct,cheapest"))
    .text();
  match(excel, /"B";"5,26";"95,00"/);
});

withApp.test("the order of a file stays while it is read, whatever changes meanwhile", async (app) => {
  const { owner } = app;
  await seedOffers(contextOf(app), { products: 2_500, shops: 1 });
  const { items } = await bodyOf(owner.get("/api/products?sort=ourPrice&order=desc&limit=20"), 200);
  const path = "/api/products.csv?sort=ourPrice&columns=sku,attributes";
  const answer = await app.app.fetch(
    new Request(`${app.base}${path}`, { headers: { Cookie: app.viewerCookie } }),
  );
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  // In a new order, products with this price would come first, and the reader would miss them.
  for (const { id } of items.slice(1)) await owner.patch(`/api/products/${id}`, { ourPrice: 0.5 });
  await bodyOf(owner.delete(`/api/products/${items[0].id}`), 200);
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

withApp.test("many products are changed by market filters", async (app) => {
  const { manager } = app;
  await fill(app);
  const change = (filter: Record<string, string>, priceLocked: boolean) =>
    bodyOf(manager.post("/api/products/bulk", { filter, set: { priceLocked } }), 200);
  const locked = async () =>
    (await bodyOf(manager.get("/api/products?limit=200"), 200)).items
      .flatMap((item: { sku: string; priceLocked: boolean }) => item.priceLocked ? [item.sku] : [])
      .join("");
  assertEquals(await change({ dearerThanPct: "5" }, true), {
    changed: 3,
    unchanged: 0,
    missing: [],
  });
  assertEquals(await locked(), "ABD");
  // The next change finds products by the market after the previous change.
  assertEquals((await change({ position: "cheapest", hasProposal: "false" }, true)).changed, 1);
  assertEquals(await locked(), "ABCD");
  assertEquals((await change({ state: "ok", q: "product b" }, false)).changed, 1);
  assertEquals((await change({ state: "stale" }, false)).changed, 0);
  assertEquals(await locked(), "ACD");
  for (const filter of [{ dearerThanPct: 5 }, { sort: "rank" }, { rankMin: "0" }, { state: "x" }]) {
    const body = { filter, set: { priceLocked: true } };
    const { code } = await refusalOf(manager.post("/api/products/bulk", body));
    assertEquals(code, "validation_failed", JSON.stringify(filter));
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
  assertEquals((await refusalOf(await open())).code, "rate_limited");
  // The limit does not apply to pages, to files in the order of ids, and to other workspaces.
  assertEquals(await statusOf(app.viewer.get("/api/products?sort=ourPrice")), 200);
  assertEquals(await statusOf(app.viewer.get("/api/products.csv?brand=x")), 200);
  const stranger = await app.strangerOwner();
  assertEquals(await statusOf(stranger.get("/api/products.csv?sort=ourPrice")), 200);
  // One reader cancels before the first row, and another one reads to the end. Both free their
  // places.
  await standing.pop()!.body!.cancel();
  assertEquals((await (await open()).text()).trimEnd().split("\r\n").length, 2_501);
  standing.push(await open());
  assertEquals((await refusalOf(await open())).code, "rate_limited");
  app.clock.advance(121_000);
  assertEquals((await (await open()).text()).trimEnd().split("\r\n").length, 2_501);
  // These streams fail, because their order is kept for only two minutes.
  for (const answer of standing) await rejects(answer.text());
});
