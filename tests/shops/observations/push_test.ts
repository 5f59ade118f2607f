import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { addMatch, addProduct, linksOf, listShops, withCheckedApp, withProduct } from "../shop.ts";
import { assertFields, column, valuesOf } from "../../api/answers.ts";
import { listed, pushed } from "./made_observations.ts";
import { addProducts } from "../../rules/evaluation/market.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { startTestApp } from "../../harness.ts";
import { watchedStore } from "../../watched_store.ts";
import { changedObservations, type Seen } from "../../../src/shops/observations/observation.ts";
import {
  type Comparison,
  recordFetch,
  suspicionOf,
} from "../../../src/shops/recording/record_observation.ts";

const PATH = "/api/public/v1/observations";
const URL_1 = "https://www.preisfuchs.example/p/1.html";
const ROW = { sku: "A-1", url: URL_1, price: 10, currency: "EUR" };

withProduct.test("POST /api/public/v1/observations creates match and competitor of an unknown URL in the same push", async ({ app, key, productId }) => {
  const row = { ...ROW, price: "289.99", inStock: true };
  assertEquals(await pushed(key, [row]), { accepted: 1, rejected: 0, errors: [] });
  const [shop] = await listShops(app.owner);
  assertFields(shop, { domain: "preisfuchs.example", trackedProducts: 1 });
  const [one, ...others] = await listed(key, `productId=${productId}`);
  assertEquals(others, []);
  ok(one);
  const observedAt = "2026-03-02T09:00:00.000Z";
  const isInStock = { inStock: true, availability: "in_stock" } as const;
  const nothing = { listPrice: null, lowest30: null, shipping: null, method: null, runId: null };
  assertFields(one, { productId, sku: "A-1", competitorId: shop!.id, url: URL_1, observedAt });
  assertFields(one, { price: 28999, currency: "EUR", ...isInStock, ...nothing });
  const domain = "preisfuchs.example";
  assertFields(one, { competitor: domain, domain, confidence: 1, source: "push" });
  const match = await app.owner.read(`/api/competitor-products/${one.competitorProductId}`);
  assertFields(match, { source: "push", currentPrice: 28999, lastStatus: "ok" });
  const actions = column((await app.owner.read("/api/audit-logs")).items, "action");
  const aboutShops = actions.filter((action) => action.startsWith("competitor")).sort();
  assertEquals(aboutShops, ["competitor.create", "competitor_product.push"]);
});

withProduct.test("POST /api/public/v1/observations refuses each invalid row separately, with its code", async ({ app, key, productId }) => {
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
    [{ ...ROW, price: 0 }, "validation_failed"],
    [{ ...ROW, price: "1,5" }, "validation_failed"],
    [{ ...ROW, price: 1.5, currency: "JPY" }, "validation_failed"],
    [{ ...ROW, price: undefined }, "validation_failed"],
    [{ ...ROW, inStock: "yes" }, "validation_failed"],
    [{ ...ROW, observedAt: "yesterday" }, "validation_failed"],
    [{ ...ROW, observedAt: "1969-12-31T23:59:59Z" }, "validation_failed"],
    [null, "validation_failed"],
    [[], "validation_failed"],
    [{ ...ROW, currency: "eur" }, "invalid_currency"],
    [{ ...ROW, currency: "XXX" }, "invalid_currency"],
    [{ ...ROW, url: "http://127.0.0.1/1" }, "invalid_url"],
    [{ ...ROW, observedAt: "2026-03-02T09:05:00.001Z" }, "future_observation"],
  ];
  const outcome = await pushed(key, table.map(([row]) => row));
  const refused = [...table.entries()].flatMap(([index, [, code]]) => code ? [[index, code]] : []);
  assertEquals(valuesOf(outcome.errors, "index", "code"), refused);
  assertFields(outcome, { accepted: 6, rejected: table.length - 6 });
  const strange = await pushed(await app.strangerKey(["observations:write"]), [ROW]);
  assertEquals(column(strange.errors, "code"), ["not_found"]);
});

withProduct.test("POST /api/public/v1/observations stores a repeated row once, within a push and later", async ({ app, key }) => {
  const row = { ...ROW, observedAt: "2026-03-01T00:00:00Z" };
  assertEquals((await pushed(key, [row, row])).accepted, 2);
  app.clock.advance(60_000);
  assertEquals((await pushed(key, [{ ...row, url: `${URL_1}?utm_source=x#top` }])).accepted, 1);
  assertEquals((await listed(key, "sku=A-1")).length, 1);
  assertEquals((await pushed(key, [{ ...row, price: 11 }])).accepted, 1);
  assertEquals((await listed(key, "sku=A-1")).length, 2);
});

withProduct.test("POST /api/public/v1/observations: a product has at most 200 matches, in one push or many", async ({ key }) => {
  const long = "x".repeat(1_900);
  const row = (n: number) => ({ ...ROW, url: `https://shop-${n}.example/${long}` });
  const rows = Array.from({ length: 203 }, (_, n) => row(n));
  const outcome = await pushed(key, rows);
  assertFields(outcome, { accepted: 200, rejected: 3 });
  assertEquals(column(outcome.errors, "code"), Array(3).fill("validation_failed"));
  assertEquals((await pushed(key, rows)).accepted, 200);
});

withProduct.test("POST /api/public/v1/observations: a URL that a match moved away from becomes a new match", async ({ app, key }) => {
  await pushed(key, [ROW]);
  const [first] = await listed(key, "");
  await app.owner.remove(`/api/competitor-products/${first!.competitorProductId}`);
  const { url: _url, ...noUrl } = ROW;
  const gone = await pushed(key, [{ ...noUrl, competitorProductId: first!.competitorProductId }]);
  assertEquals(column(gone.errors, "code"), ["not_found"]);
  app.clock.advance(1_000);
  await pushed(key, [ROW]);
  const all = await listed(key, "");
  assertEquals(column(all, "url"), [URL_1, URL_1]);
  assertEquals(new Set(column(all, "competitorProductId")).size, 2);
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
      const observedAt = new Date(startMs + turn * 4_000 + pusher * 1_000).toISOString();
      const rows = ids.map((productId, n) => {
        const url = `https://shop-${(n + turn) % 3}.example/${n}`;
        return { productId, url, price: pusher + 1, currency: "EUR", observedAt };
      });
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

Deno.test("POST /api/public/v1/observations finds a product by id while its SKU changes", async () => {
  let rename = async () => {};
  const memory = await openMemoryStore();
  using _kv = memory.kv;
  const store = watchedStore(memory, {
    // `rename` acts at the second read of the product, in the commit that stores the price.
    got: async ([key = []]) => {
      if (key[0] === "p") await rename();
    },
  });
  await using app = await startTestApp({ store });
  const key = await app.key(["observations:write"]);
  for (const takesOver of [false, true]) {
    const [before, sku] = [`A-${takesOver}`, `B-${takesOver}`];
    const productId = await addProduct(app.owner, before);
    let reads = 0;
    rename = async () => {
      if (++reads !== 2) return;
      rename = async () => {};
      await app.owner.change(`/api/products/${productId}`, { sku });
      if (takesOver) await addProduct(app.owner, before);
    };
    const row = { productId, url: URL_1, price: 10, currency: "EUR" };
    assertEquals(await pushed(key, [row]), { accepted: 1, rejected: 0, errors: [] });
    assertEquals((await listed(key, `productId=${productId}`))[0]?.sku, sku);
  }
  assertEquals((await listed(key, "")).length, 2);
});

withProduct.test("POST /api/public/v1/observations: condition, seller and shipping stay until a row changes them", async ({ app, key, productId }) => {
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
  // Responses show the condition `new` as null, like an unknown condition.
  await push({ condition: "new", shipping: null, seller: "x".repeat(200) });
  const [condition, seller, shipping] = await sale();
  assertEquals([condition, shipping, String(seller).length < 60], [null, null, true]);
  await push({ shipping: "4.99" });
  await push({ currency: "USD" });
  assertEquals((await sale())[2], null, "shipping of another currency is unknown");
  await push({});
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

const SEEN: Seen = {
  priceCents: 24_900,
  currency: "EUR",
  availability: "limited",
  listPriceCents: 29_900,
  shippingCents: 490,
  method: "json_ld",
  confidence: 0.9,
  source: "scrape",
  runId: "0123456789abcdef01234567",
  observedAtMs: Date.parse("2026-03-02T08:00:00Z"),
};

withCheckedApp.test("recordFetch() concurrent with pushes of the same product loses neither; a fetched price older than a push makes no event", async (app) => {
  const key = await app.key(["observations:write"]);
  const id = await addProduct(app.owner, "A-1");
  const { id: matchId } = await addMatch(app.owner, id, "https://www.preisfuchs.example/p/1.html");
  const product = { id, sku: "A-1", costPriceCents: null, ourPriceCents: null, currency: "EUR" };
  const record = (more: Partial<Seen>) =>
    transact(app, (write) => {
      const ctx = { ...app, now: app.clock.now };
      const outcome = { kind: "seen", seen: { ...SEEN, ...more } } as const;
      return recordFetch(write, ctx, { product, matchId }, outcome);
    });
  const { observedAtMs } = SEEN;
  const fetchAt = (n: number) => record({ observedAtMs: observedAtMs + 2 * n });
  const fetches = Array.from({ length: 10 }, (_, n) => fetchAt(n));
  const pushes = Array.from({ length: 10 }, (_, n) => {
    const url = `https://shop-${n}.example/1`;
    return pushed(key, [{ sku: "A-1", url, price: n + 1, currency: "EUR" }]);
  });
  await Promise.all([...fetches, ...pushes]);
  assertEquals((await listed(key, "sku=A-1")).length, 20);
  const { competitorPrices: [price] } = await app.owner.read(`/api/products/${id}`);
  assertEquals([price.price, price.inStock], [24_900, true]);

  await pushed(key, [{ productId: id, competitorProductId: matchId, price: 8, currency: "EUR" }]);
  const late = await record({ priceCents: 900, observedAtMs: observedAtMs + 100 });
  ok(late);
  const { before, after } = late;
  const events = changedObservations(product, before, after, "scrape");
  assertEquals([events, after.priceCents], [[], 800]);
  const newest = await listed(key, `competitorProductId=${matchId}`);
  assertEquals(newest.slice(0, 2).map(({ price }) => price), [800, 900]);
});

const EUR = "EUR";
const price = (priceCents: number, packFactor = 1, currency = EUR) => ({
  priceCents,
  packFactor,
  currency,
});
const nothing: Comparison = { accepted: null, others: [], cost: null, own: null };
const suspicion = (seen: ReturnType<typeof price>, more: Partial<Comparison>) =>
  suspicionOf(seen, { ...nothing, ...more });

const OTHERS = [price(900), price(1_000), price(1_100)];
const COST = { priceCents: 1_000, currency: EUR };
const OWN = { priceCents: 1_000, currency: EUR };

/** Code → prices in cents that cause it; prices under `none` are not suspicious. */
type Limits = Readonly<Record<string, readonly number[]>>;

const LIMITS: readonly [what: string, Partial<Comparison>, Limits][] = [
  ["the accepted price", { accepted: price(10_000) }, {
    none: [10_000, 5_001, 19_999],
    fell: [5_000, 989, 1_011, 102],
    rose: [20_000, 101_001, 100_000_000],
    unit: [1_000, 990, 1_010, 99, 101, 10, 100_000, 101_000, 1_000_000, 10_000_000],
  }],
  ["the market", { others: OTHERS }, {
    none: [500, 3_000],
    below_market: [499],
    above_market: [3_001],
  }],
  ["a market of two shops", { others: OTHERS.slice(1) }, { none: [1] }],
  // The market price is the mean of the middle two prices: 950 cents.
  ["a market of four shops", { others: [2_000, 1_000, 400, 900].map((cents) => price(cents)) }, {
    none: [475],
    below_market: [474],
  }],
  ["our cost", { cost: COST }, { none: [500], below_cost: [499] }],
  // Without market price and cost, the first price of a shop is compared with our own price.
  ["our price", { own: OWN }, { none: [500, 2_000], first_price_off: [499, 2_001] }],
  ["our price of zero", { own: { ...OWN, priceCents: 0 } }, { none: [499] }],
];

for (const [what, comparison, limits] of LIMITS) {
  Deno.test(`each limit of the quarantine against ${what} is exact`, () => {
    for (const [code, prices] of Object.entries(limits)) {
      for (const cents of prices) {
        assertEquals(suspicion(price(cents), comparison)?.code ?? "none", code, String(cents));
      }
    }
  });
}

Deno.test("prices are compared per piece and in one currency, with our own price only if nothing else is known, and the suspicion names the compared price", () => {
  const own = { ...OWN, priceCents: 10_000 };
  const packs = [price(1_800, 2), price(1_000), price(1_101)];
  type Row = readonly [ReturnType<typeof price>, Partial<Comparison>, string?, number?];
  const rows: readonly Row[] = [
    [price(400), { accepted: price(1_000) }, "fell", 1_000],
    [price(10_000, 1, "USD"), { accepted: price(10_000) }, "currency", 10_000],
    [price(1), { others: [...OTHERS.slice(1), price(900, 1, "USD")] }],
    // Six pieces cost 6,000 cents at the other shops, so a price below 3,000 cents is suspicious.
    [price(2_999, 6), { others: OTHERS }, "below_market", 6_000],
    [price(3_000, 6), { others: OTHERS }],
    [price(2_400, 6), { others: packs }, "below_market", 6_000],
    [price(999, 2), { cost: COST }, "below_cost", 2_000],
    [price(499, 1, "USD"), { cost: COST }],
    [price(5_000, 6), { own: OWN }],
    [price(2_999, 6), { own: OWN }, "first_price_off", 6_000],
    [price(499, 1, "USD"), { own: OWN }],
    [price(600), { own, others: OTHERS }],
    [price(600), { own, others: OTHERS.slice(1) }, "first_price_off", 10_000],
    [price(600), { own, cost: COST }],
    [price(600), { own, cost: { ...COST, currency: "USD" } }, "first_price_off", 10_000],
    [price(600), { own, accepted: price(650) }],
  ];
  for (const [seen, comparison, code, againstCents] of rows) {
    const expected = code === undefined ? null : { code, againstCents };
    assertEquals(suspicion(seen, comparison), expected, JSON.stringify([seen, comparison]));
  }
});
