import fc from "fast-check";
import { column, pagesOf, refuses } from "../../api/answers.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { ObservationDocument } from "../../../src/shops/observations/observation.ts";
import { testWith } from "../../opened.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { addMatch, addProduct, linksOf, withCheckedApp, withProduct } from "../shop.ts";
import {
  addProduct as addPricedProduct,
  push,
  untilJudged,
} from "../../rules/evaluation/market.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { watchedStore } from "../../watched_store.ts";
import { listed, priceRow, pushed, thinningRunner } from "./made_observations.ts";
import { checkObservations } from "../../../src/shops/check_shops.ts";
import { onEveryStore } from "../../stores.ts";
import { idMark } from "../../../src/base/id.ts";
import {
  commitMoves,
  decodeMoves,
  encodeMoves,
  type Move,
  MOVE_KINDS,
  packedMove,
  walkMoves,
} from "../../../src/shops/observations/move_store.ts";

const PATH = "/api/public/v1/observations";

/** Two products, each observed once a day at each of three shops, from 1 to 4 February. */
const withHistory = testWith(async () => {
  const app = await startTestApp();
  const key = await app.key(["observations:write"]);
  const ids = [await addProduct(app.owner, "A-1"), await addProduct(app.owner, "B/2")];
  const rows = [1, 2, 3, 4].flatMap((day) =>
    ["A-1", "B/2"].flatMap((sku, product) =>
      [0, 1, 2].map((shop) => {
        const url = `https://shop-${shop}.example/${product}`;
        return priceRow(sku, url, day, Date.parse(`2026-02-0${day}T0${shop}:00:00Z`));
      })
    )
  );
  await pushed(key, rows);
  return { app, key, ids, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

withHistory.test("GET /api/public/v1/observations: filters select the right observations, alone and together, newest first", async ({ key, ids }) => {
  const all = await listed(key, "");
  assertEquals(all.length, 24);
  const times = column(all, "observedAt");
  assertEquals(times, times.toSorted().reverse());
  const { competitorId: shopId, competitorProductId: linkId } = all[5]!;
  const second = "2026-02-02T01:00:00Z";
  const fits: [string, (one: ObservationDocument) => boolean][] = [
    [`productId=${ids[0]}`, (one) => one.productId === ids[0]],
    ["sku=B%2F2", (one) => one.sku === "B/2"],
    [`sku=A-1&productId=${ids[0]}`, (one) => one.sku === "A-1"],
    [`sku=A-1&productId=${ids[1]}`, () => false],
    [`competitorId=${shopId}`, (one) => one.competitorId === shopId],
    [`competitorProductId=${linkId}`, (one) => one.competitorProductId === linkId],
    [
      `competitorId=${shopId}&productId=${ids[0]}&from=2026-02-02`,
      (one) =>
        one.competitorId === shopId && one.productId === ids[0] && one.observedAt >= "2026-02-02",
    ],
    ["from=2026-02-02&to=2026-02-02", (one) => one.observedAt.startsWith("2026-02-02")],
    [`from=${second}&to=${second}`, (one) => one.observedAt === "2026-02-02T01:00:00.000Z"],
    ["to=2026-02-01T00:59:59.999Z", (one) => one.observedAt === "2026-02-01T00:00:00.000Z"],
    ["productId=&sku=&competitorId=&from=&to=", () => true],
    [`productId=${"0".repeat(24)}`, () => false],
    ["from=2026-02-04T02:00:00%2B01:00", (one) => one.observedAt >= "2026-02-04T01"],
    ...["productId", "sku", "competitorId", "competitorProductId"]
      .map((name): [string, () => boolean] => [`${name}=nonsense`, () => false]),
  ];
  for (const [query, isWanted] of fits) {
    for (const limit of [1, 5, 100]) {
      assertEquals(await listed(key, query, limit), all.filter(isWanted), `${query} by ${limit}`);
    }
    const asc = await listed(key, `${query}&order=asc`, 5);
    assertEquals(asc, all.filter(isWanted).reverse(), `${query} from the oldest on`);
  }
  const turned = key.get(`${PATH}?from=2026-02-02&to=2026-02-01`);
  await refuses(turned, "validation_failed");
});

withHistory.test("GET /api/public/v1/observations: a list is fixed by its first page, whatever is pushed meanwhile", async ({ app, key }) => {
  for (const order of ["asc", "desc"]) {
    const before = await listed(key, `order=${order}`);
    const seen: ObservationDocument[] = [];
    for await (const { data } of pagesOf(key, `${PATH}?order=${order}&limit=7`)) {
      seen.push(...data);
      app.clock.advance(60_000);
      await pushed(key, [priceRow("A-1", "https://shop-0.example/0", 9)]);
    }
    assertEquals(seen, before);
    app.clock.advance(60_000);
  }
});

withProduct.test("GET /api/public/v1/observations shows observations from clocks that are ahead", async ({ key }) => {
  const row = priceRow("A-1", "https://shop.example/0", 9);
  await pushed(key, [row, { ...row, observedAt: "2026-03-02T09:05:00Z" }]);
  for (const query of ["order=asc", "sku=A-1&order=asc", ""]) {
    assertEquals((await listed(key, query, 1)).length, 2, query);
  }
});

withHistory.test("observations keep SKU, URL and shop after a rename or deletion", async ({ app, key, ids }) => {
  const before = await listed(key, "");
  const [one] = before;
  const shop = before.find(({ domain }) => domain === "shop-1.example")!;
  await app.owner.change(`/api/competitors/${one!.competitorId}`, { displayName: "Zwei" });
  await app.owner.remove(`/api/competitors/${shop.competitorId}`);
  await app.owner.remove(`/api/competitor-products/${one!.competitorProductId}`);
  await app.owner.change(`/api/products/${ids[0]}`, { sku: "A-9" });
  await app.owner.remove(`/api/products/${ids[1]}`);
  const expected = before.map((was) => ({
    ...was,
    sku: was.sku === "A-1" ? "A-9" : was.sku,
    competitor: was.domain === one!.domain ? "Zwei" : was.competitor,
  }));
  assertEquals(await listed(key, ""), expected);
  const ofShop = (all: ObservationDocument[]) => all.filter((seen) => seen.domain === shop.domain);
  assertEquals(await listed(key, `competitorId=${shop.competitorId}`), ofShop(expected));
  const { competitorProductId } = one!;
  const ofLink = expected.filter((seen) => seen.competitorProductId === competitorProductId);
  assertEquals(await listed(key, `competitorProductId=${competitorProductId}`), ofLink);
  assertEquals((await listed(key, "sku=B%2F2")).length, 12);
});

Deno.test("GET /api/public/v1/observations names a match whose page moves while the list is read", async () => {
  const memory = await openMemoryStore();
  using _kv = memory.kv;
  let move = () => Promise.resolve();
  const store = watchedStore(memory, {
    async got(keys) {
      if (keys.some(([table]) => table === "mi")) await move();
    },
  });
  await using app = await startTestApp({ store });
  const key = await app.key(["observations:write"]);
  const productId = await addProduct(app.owner, "A-1");
  const match = await addMatch(app.owner, productId, "https://shop.example/old");
  const row = { sku: "A-1", competitorProductId: match.id, price: 1, currency: "EUR" };
  await pushed(key, [row]);
  await untilJudged(app);
  move = async () => {
    move = () => Promise.resolve();
    const body = { url: "https://shop.example/new" };
    await app.owner.change(`/api/competitor-products/${match.id}`, body);
  };
  assertEquals(column(await listed(key, ""), "url"), ["https://shop.example/new"]);
});

onEveryStore.test("observations are pushed over many shards, listed and packed", async (store) => {
  await using app = await startTestApp({ store });
  const key = await app.key(["observations:write"]);
  const skus = Array.from({ length: 24 }, (_, n) => `SKU-${n}`);
  for (const sku of skus) await addProduct(app.owner, sku);
  const startMs = app.clock.now().getTime() - 35 * 86_400_000;
  const rows = Array.from({ length: 240 }, (_, n) => {
    const product = n % skus.length;
    const url = `https://shop-${n % 5}.example/${product}`;
    return priceRow(`SKU-${product}`, url, n + 1, startMs + n * 3_600_000);
  });
  assertEquals((await pushed(key, rows)).errors, []);
  const before = await listed(key, "", 50);
  assertEquals(before.length, 240);
  const runner = await thinningRunner(app);
  await runner.drain();
  await runner.stop();
  assertEquals(await listed(key, "", 50), before);
  assertEquals(await Array.fromAsync(checkObservations(store, app.workspaceId)), []);
});

const ALL = { fromMs: 0, beforeMs: Infinity };

async function written(app: TestApp) {
  const rows = await Array.fromAsync(walkMoves(app, ALL));
  return rows.reverse().map(({ moves }) =>
    moves.map(({ kind, fromCents, toCents }) => [kind, fromCents, toCents] as const)
      .sort((a, b) => b[2] - a[2])
  );
}

const moveArbitrary = fc.record({
  kind: fc.constantFrom(...MOVE_KINDS),
  productId: fc.stringMatching(/^[0-9a-f]{24}$/),
  matchId: fc.stringMatching(/^[0-9a-f]{24}$/),
  competitorId: fc.stringMatching(/^[0-9a-f]{24}$/),
  fromCents: fc.option(fc.nat(10 ** 12)),
  toCents: fc.nat(10 ** 12),
  currency: fc.constantFrom("EUR", "CHF", "JPY"),
  packFactor: fc.constantFrom(1, 6, 0.5),
  atMs: fc.nat(2 ** 40),
  isObserved: fc.boolean(),
});

Deno.test("packed moves are unpacked unchanged, take about 70 bytes each, and a full row is below 60,000", () => {
  fc.assert(fc.property(fc.array(moveArbitrary), fc.nat(2 ** 40), (moves, atMs) => {
    const expected = moves.map(({ matchId, ...move }) => ({ ...move, linkMark: idMark(matchId) }));
    assertEquals(decodeMoves(encodeMoves(moves.map(packedMove), atMs), atMs), expected);
    // Earlier versions of Kurant stored price moves without `linkMark`.
    const unmarked = expected.map((move) => ({ ...move, linkMark: undefined! }));
    const former = expected.map((move) => ({ ...move, linkMark: null }));
    assertEquals(decodeMoves(encodeMoves(unmarked, atMs), atMs), former);
  }));
  const id = (at: number) => at.toString(16).padStart(24, "0");
  const most = Array.from({ length: 400 }, (_, at): Move => ({
    kind: "back_in_stock",
    productId: id(at),
    matchId: id(at),
    competitorId: id(at),
    fromCents: 10 ** 12,
    toCents: 10 ** 12,
    currency: "EUR",
    packFactor: 99_999.9999,
    atMs: 0,
    isObserved: true,
  }));
  assertEquals(encodeMoves(most.map(packedMove), 2 ** 41).length < 60_000, true);
  const usual = most.map(packedMove).map((move) => ({
    ...move,
    competitorId: id(0),
    fromCents: 19_999,
    toCents: 18_999,
    packFactor: 1,
    atMs: 2 ** 41,
  }));
  assertEquals(encodeMoves(usual, 2 ** 41).length < 400 * 73, true);
});

withCheckedApp.test("a push writes its moves in one row, and none when it is repeated or the link is disabled", async (app) => {
  for (const sku of ["A", "B"]) await addPricedProduct(app.owner, sku);
  await push(app, [["A", "acme", 90], ["B", "acme", 80], ["B", "bolt", 70]]);
  app.clock.advance(60_000);
  const again = [["A", "acme", 85], ["B", "acme", 80], ["B", "bolt", 71]] as const;
  await push(app, again);
  await push(app, again);
  app.clock.advance(60_000);
  // An observation older than the newest one makes no price move.
  await push(app, [["A", "acme", 1]], { observedAt: "2026-03-02T09:00:30Z" });
  await push(app, [["A", "acme", 85]], { inStock: false });
  app.clock.advance(60_000);
  await push(app, [["A", "acme", 85]], { currency: "USD" });
  assertEquals(await written(app), [
    [["new_offer", null, 9_000], ["new_offer", null, 8_000], ["new_offer", null, 7_000]],
    [["down", 9_000, 8_500], ["up", 7_000, 7_100]],
    [["sold_out", 8_500, 8_500]],
    [["new_offer", null, 8_500]],
  ]);
  const sweep = new Date(app.clock.now().getTime() - 60_000);
  assertEquals(await commitMoves.sweep(app, sweep), 2);
  assertEquals((await written(app)).length, 2);
  // A disabled link has no price moves.
  const link = (await linksOf(app.owner)).find(({ url }) => url.includes("bolt"));
  await app.owner.change(`/api/competitor-products/${link?.id}`, { enabled: false });
  app.clock.advance(1_000);
  await push(app, [["B", "bolt", 60]]);
  assertEquals((await written(app)).length, 2);
});
