import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addMatch, addProduct, linksOf, listShops, withCheckedApp } from "../shop.ts";
import { column } from "../../api/answers.ts";
import { listed, pushed } from "./history.ts";
import { addProducts } from "../../rules/evaluation/market.ts";

const PATH = "/api/public/v1/observations";
const URL_1 = "https://www.preisfuchs.example/p/1.html";
const ROW = { sku: "A-1", url: URL_1, price: 10, currency: "EUR" };

withCheckedApp.test("POST /api/public/v1/observations creates match and competitor of an unknown URL in the same push", async (app) => {
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.owner, "A-1");
  const row = { ...ROW, price: "289.99", inStock: true };
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
    lowest30: null,
    shipping: null,
    method: null,
    confidence: 1,
    source: "push",
    runId: null,
    observedAt: "2026-03-02T09:00:00.000Z",
  });
  const match = await app.owner.read(`/api/competitor-products/${one.competitorProductId}`);
  assertEquals([match.source, match.currentPrice, match.lastStatus], ["push", 28999, "ok"]);
  const actions = column((await app.owner.read("/api/audit-logs")).items, "action");
  const aboutShops = actions.filter((action) => action.startsWith("competitor")).sort();
  assertEquals(aboutShops, ["competitor.create", "competitor_product.push"]);
});

withCheckedApp.test("POST /api/public/v1/observations refuses each invalid row separately, with its code", async (app) => {
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.owner, "A-1");
  const otherId = await addProduct(app.owner, "B-1");
  const goneId = await addProduct(app.owner, "GONE");
  await app.owner.remove(`/api/products/${goneId}`);
  const match = await addMatch(app.owner, otherId, URL_1);
  const stranger = await app.strangerOwner();
  const foreign = await addMatch(stranger, await addProduct(stranger, "A-1"), URL_1);
  const { url: _url, ...noUrl } = ROW;
  const { sku: _sku, ...noSku } = ROW;
  const table: [unknown, string | null][] = [
    [ROW, null],
    [{ ...noSku, productId }, null],
    [{ ...noUrl, sku: "B-1", competitorProductId: match.id }, null],
    [{ ...ROW, sku: " A-1 " }, null],
    [{ ...ROW, inStock: null, observedAt: null }, null],
    [{ ...ROW, observedAt: "2026-03-02T10:05:00+01:00" }, null],
    [{ ...ROW, sku: "NOPE" }, "not_found"],
    [{ ...ROW, sku: "" }, "not_found"],
    [{ ...ROW, sku: "GONE" }, "not_found"],
    [{ ...noSku, productId: goneId }, "not_found"],
    [{ ...noSku, productId: "nonsense" }, "not_found"],
    [{ ...noSku, productId: foreign.productId }, "not_found"],
    [{ ...noUrl, competitorProductId: match.id }, "not_found"],
    [{ ...noUrl, competitorProductId: foreign.id }, "not_found"],
    [noSku, "validation_failed"],
    [noUrl, "validation_failed"],
    [{ ...ROW, productId }, "validation_failed"],
    [{ ...ROW, competitorProductId: match.id }, "validation_failed"],
    [{ ...ROW, prize: 3 }, "validation_failed"],
    [{ ...ROW, price: -1 }, "validation_failed"],
    [{ ...ROW, price: 0 }, "validation_failed"],
    [{ ...ROW, price: "1,5" }, "validation_failed"],
    [{ ...ROW, price: 9.999 }, "validation_failed"],
    [{ ...ROW, price: 1.5, currency: "JPY" }, "validation_failed"],
    [{ ...ROW, price: undefined }, "validation_failed"],
    [{ ...ROW, inStock: "yes" }, "validation_failed"],
    [{ ...ROW, observedAt: "yesterday" }, "validation_failed"],
    [{ ...ROW, observedAt: "1969-12-31T23:59:59Z" }, "validation_failed"],
    [null, "validation_failed"],
    [7, "validation_failed"],
    [[], "validation_failed"],
    [{ ...ROW, currency: "eur" }, "invalid_currency"],
    [{ ...ROW, currency: "XXX" }, "invalid_currency"],
    [{ ...ROW, url: "" }, "invalid_url"],
    [{ ...ROW, url: "ftp://shop.example/1" }, "invalid_url"],
    [{ ...ROW, url: "http://127.0.0.1/1" }, "invalid_url"],
    [{ ...ROW, observedAt: "2026-03-02T09:05:00.001Z" }, "future_observation"],
  ];
  const outcome = await pushed(key, table.map(([row]) => row));
  const codes = new Map(outcome.errors.map(({ index, code }) => [index, code]));
  assertEquals(
    table.map(([row], index) => [row, codes.get(index) ?? null]),
    table.map(([row, code]) => [row, code]),
  );
  assertEquals([outcome.accepted, outcome.rejected], [6, table.length - 6]);
  assertEquals(outcome.errors.map(({ index }) => index), [...codes.keys()].sort((a, b) => a - b));
});

withCheckedApp.test("POST /api/public/v1/observations stores a repeated row once, within a push and later", async (app) => {
  const key = await app.key(["observations:write"]);
  await addProduct(app.owner, "A-1");
  const row = { ...ROW, observedAt: "2026-03-01T00:00:00Z" };
  assertEquals((await pushed(key, [row, row])).accepted, 2);
  app.clock.advance(60_000);
  assertEquals((await pushed(key, [{ ...row, url: `${URL_1}?utm_source=x#top` }])).accepted, 1);
  assertEquals((await listed(key, "sku=A-1")).length, 1);
  assertEquals((await pushed(key, [{ ...row, price: 11 }])).accepted, 1);
  assertEquals((await listed(key, "sku=A-1")).length, 2);
});

withCheckedApp.test("POST /api/public/v1/observations: a product has at most 200 matches, in one push or many", async (app) => {
  const key = await app.key(["observations:write"]);
  await addProduct(app.owner, "A-1");
  const long = "x".repeat(1_900);
  const row = (n: number) => ({ ...ROW, url: `https://shop-${n}.example/${long}` });
  const rows = Array.from({ length: 203 }, (_, n) => row(n));
  const outcome = await pushed(key, rows);
  assertEquals([outcome.accepted, outcome.rejected], [200, 3]);
  assertEquals(new Set(outcome.errors.map(({ code }) => code)), new Set(["validation_failed"]));
  assertEquals((await pushed(key, rows)).accepted, 200);
  assertEquals((await listShops(app.owner)).length > 0, true);
});

withCheckedApp.test("POST /api/public/v1/observations: a URL that a match moved away from becomes a new match", async (app) => {
  const key = await app.key(["observations:write"]);
  await addProduct(app.owner, "A-1");
  await pushed(key, [ROW]);
  const [first] = await listed(key, "");
  await app.owner.remove(`/api/competitor-products/${first!.competitorProductId}`);
  const { url: _url, ...noUrl } = ROW;
  const gone = await pushed(key, [{ ...noUrl, competitorProductId: first!.competitorProductId }]);
  assertEquals(gone.errors.map(({ code }) => code), ["not_found"]);
  app.clock.advance(1_000);
  await pushed(key, [ROW]);
  const all = await listed(key, "");
  assertEquals(all.map(({ url }) => url), [URL_1, URL_1]);
  assertEquals(new Set(all.map((one) => one.competitorProductId)).size, 2);
});

withCheckedApp.test("POST /api/public/v1/observations: products of all shards at new shops with an Idempotency-Key fit into commits", async (app) => {
  const key = await app.key(["observations:write"]);
  const skus = Array.from({ length: 120 }, (_, n) => `S-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  const observations = skus.map((sku) => ({ ...ROW, sku, url: `${URL_1}?${sku}` }));
  const headers = { "Idempotency-Key": "many-shards" };
  const answer = await key.act<{ data: unknown }>(PATH, { observations }, headers);
  assertEquals(answer.data, { accepted: skus.length, rejected: 0, errors: [] });
  assertEquals(await key.act(PATH, { observations }, headers), answer);
  assertEquals((await listed(key, "")).length, skus.length);
});

withCheckedApp.test("simultaneous pushes of the same products lose nothing, while matches and SKUs change", async (app) => {
  const key = await app.key(["observations:write"]);
  const skus = Array.from({ length: 12 }, (_, n) => `SKU-${n}`);
  const ids: string[] = [];
  for (const sku of skus) ids.push(await addProduct(app.owner, sku));
  const startMs = app.clock.now().getTime() - 3_600_000;
  const pushes = [0, 1, 2, 3].map(async (pusher) => {
    for (let turn = 0; turn < 5; turn++) {
      const rows = ids.map((productId, n) => ({
        productId,
        url: `https://shop-${(n + turn) % 3}.example/${n}`,
        price: pusher + 1,
        currency: "EUR",
        observedAt: new Date(startMs + turn * 4_000 + pusher * 1_000).toISOString(),
      }));
      assertEquals((await pushed(key, rows)).accepted, rows.length);
    }
  });
  const comings = ids.map(async (id, n) => {
    const match = await addMatch(app.owner, id, `https://other.example/${n}`);
    await app.owner.change(`/api/products/${id}`, { sku: `NEW-${n}` });
    if (n % 2 === 0) await app.owner.remove(`/api/competitor-products/${match.id}`);
  });
  await Promise.all([...pushes, ...comings]);
  assertEquals((await listed(key, "", 500)).length, 12 * 4 * 5);
  for (const id of ids) {
    const [newest] = await listed(key, `productId=${id}`);
    const { competitorPrices } = await app.owner.read(`/api/products/${id}`);
    const shown = competitorPrices.find(({ url }: { url: string }) => url === newest!.url);
    assertEquals(shown?.price, newest!.price);
  }
});

withCheckedApp.test("POST /api/public/v1/observations assigns a row to the product that has the SKU now", async (app) => {
  const key = await app.key(["observations:write"]);
  const stranger = await app.strangerKey(["observations:write"]);
  const push = async () => {
    app.clock.advance(1_000);
    const { errors } = await pushed(key, [ROW]);
    return errors[0]?.code ?? (await listed(key, ""))[0]?.productId;
  };
  const first = await addProduct(app.owner, "A-1");
  assertEquals([await push(), await push()], [first, first]);
  assertEquals((await pushed(stranger, [ROW])).errors[0]?.code, "not_found");
  await app.owner.change(`/api/products/${first}`, { sku: "A-2" });
  assertEquals(await push(), "not_found");
  const second = await addProduct(app.owner, "A-1");
  assertEquals([await push(), await push()], [second, second]);
  await app.owner.remove(`/api/products/${second}`);
  assertEquals(await push(), "not_found");
  await app.owner.act(`/api/products/${second}/restore`);
  assertEquals(await push(), second);
});

withCheckedApp.test("POST /api/public/v1/observations: condition, seller and shipping stay until a row changes them", async (app) => {
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.owner, "A-1");
  const push = async (more: Record<string, unknown>) => {
    app.clock.advance(60_000);
    return await pushed(key, [{ ...ROW, ...more }]);
  };
  const sale = async () => {
    const [one] = await linksOf(app.owner, `productId=${productId}`);
    return [one?.condition, one?.seller, one?.shipping];
  };
  await push({ condition: "used", seller: " Händler GmbH ", shipping: "4.99" });
  assertEquals(await sale(), ["used", "Händler GmbH", 499]);
  assertEquals((await listed(key, `productId=${productId}`))[0]?.shipping, 499);
  await push({});
  assertEquals(await sale(), ["used", "Händler GmbH", 499]);
  await push({ seller: null, shipping: 0 });
  assertEquals(await sale(), ["used", null, 0]);
  // The condition `new` is shown as null, like an unknown condition.
  await push({ condition: "new", shipping: null, seller: "x".repeat(200) });
  const [condition, seller, shipping] = await sale();
  assertEquals([condition, shipping, String(seller).length < 60], [null, null, true]);
  // An observation that is older than the current one changes no current value.
  const observedAt = new Date(app.clock.now().getTime() - 3_600_000).toISOString();
  await push({ condition: "damaged", observedAt });
  assertEquals((await sale())[0], null);
  const wrong = [
    ...["mint", "", ["used"]].map((condition) => ({ condition })),
    ...["", "x".repeat(201), 7].map((seller) => ({ seller })),
    ...[-1, "4,99", 1.234, "9".repeat(40), {}].map((shipping) => ({ shipping })),
  ];
  for (const more of wrong) {
    const { accepted, errors } = await push(more);
    assertEquals([accepted, errors[0]?.code], [0, "validation_failed"], JSON.stringify(more));
  }
});
