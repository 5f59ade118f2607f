import { deepStrictEqual as assertEquals, notStrictEqual, ok } from "node:assert/strict";
import type { TestApp } from "../../harness.ts";
import { bodyOf, row, SAMPLE } from "./rows.ts";

const PATH = "/api/public/v1/observations";

/** A product with one price from each of two shops, observed on two days. */
async function withHistory(app: TestApp) {
  const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const key = await app.key(["observations:write"]);
  const observations = ["2026-02-27", "2026-02-28"].flatMap((day) =>
    ["mediamarkt.de", "saturn.de"].map((shop) => ({
      sku: SAMPLE.sku,
      url: `https://www.${shop}/kuehlschrank.html`,
      price: 289.99,
      currency: "EUR",
      inStock: true,
      observedAt: `${day}T12:00:00Z`,
    }))
  );
  const { data } = await bodyOf(key.post(PATH, { observations }), 200);
  assertEquals(data, { accepted: 4, rejected: 0, errors: [] });
  return { id, key };
}

row(
  "§2.2 an entry of competitorPrices shows the newest price, stock and time of a match",
  async (app) => {
    const { id, key } = await withHistory(app);
    const { data } = await bodyOf(key.get(`/api/public/v1/products/${id}`), 200);
    assertEquals(data.competitorPrices.length, 2);
    const [entry] = data.competitorPrices;
    assertEquals(
      [entry.competitor, entry.domain, entry.url],
      ["mediamarkt.de", "mediamarkt.de", "https://www.mediamarkt.de/kuehlschrank.html"],
    );
    assertEquals(
      [entry.price, entry.currency, entry.inStock, entry.lastCheckedAt],
      [28999, "EUR", true, "2026-02-28T12:00:00.000Z"],
    );
  },
);

row("§2.2 price, inStock and lastCheckedAt are null before the first observation", async (app) => {
  const { id: productId } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const url = "https://www.mediamarkt.de/kuehlschrank.html";
  await bodyOf(app.owner.post("/api/competitor-products", { productId, url }), 201);
  const { competitorPrices: [entry] } = await bodyOf(
    app.owner.get(`/api/products/${productId}`),
    200,
  );
  assertEquals([entry.price, entry.inStock, entry.lastCheckedAt], [null, null, null]);
});

row(
  "§2.2 a conditional GET of a product returns it again after a new observation",
  async (app) => {
    const { id, key } = await withHistory(app);
    const path = `/api/public/v1/products/${id}`;
    const first = await key.get(path);
    await first.body?.cancel();
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    assertEquals((await key.get(path, headers)).status, 304);
    const observation = {
      sku: SAMPLE.sku,
      url: "https://www.saturn.de/kuehlschrank.html",
      price: 279,
      currency: "EUR",
    };
    await bodyOf(key.post(PATH, { observations: [observation] }), 200);
    const next = await key.get(path, headers);
    const { data } = await bodyOf(next, 200);
    notStrictEqual(next.headers.get("ETag"), first.headers.get("ETag"));
    assertEquals(data.competitorPrices[1].price, 27900);
  },
);

row("§2.3 an observation says what was seen, where, when and by whom", async (app) => {
  const { id, key } = await withHistory(app);
  const { data: [one] } = await bodyOf(key.get(`${PATH}?limit=1&productId=${id}`), 200);
  assertEquals(Object.keys(one), [
    "id",
    "productId",
    "sku",
    "competitorProductId",
    "competitorId",
    "competitor",
    "domain",
    "url",
    "price",
    "currency",
    "inStock",
    "availability",
    "listPrice",
    "lowest30",
    "shipping",
    "method",
    "confidence",
    "source",
    "runId",
    "observedAt",
  ]);
  ok(/^[0-9a-f]{24}$/.test(one.id));
  assertEquals([one.productId, one.sku, one.price], [id, SAMPLE.sku, 28999]);
});

row("§2.3 a CompetitorProduct can be disabled, and its observations stay", async (app) => {
  const { id, key } = await withHistory(app);
  const { items: [match] } = await bodyOf(
    app.owner.get(`/api/competitor-products?productId=${id}`),
    200,
  );
  await bodyOf(app.owner.patch(`/api/competitor-products/${match.id}`, { enabled: false }), 200);
  const product = await bodyOf(app.owner.get(`/api/products/${id}`), 200);
  assertEquals(product.competitorPrices.length, 1);
  const { count } = await bodyOf(key.get(`${PATH}?competitorProductId=${match.id}`), 200);
  assertEquals(count, 2);
});

row("§4.3 the history of all matches of a product is one list", async (app) => {
  const { id, key } = await withHistory(app);
  const { data, count, nextCursor } = await bodyOf(key.get(`${PATH}?productId=${id}`), 200);
  assertEquals([data.length, count, nextCursor], [4, 4, null]);
  const shops = new Set(data.map(({ competitor }: { competitor: string }) => competitor));
  assertEquals([...shops].sort(), ["mediamarkt.de", "saturn.de"]);
});

row("§4.3 the filter competitorId leaves the observations of one competitor", async (app) => {
  const { key } = await withHistory(app);
  const { data: [shop] } = await bodyOf(key.get("/api/public/v1/competitors"), 200);
  const { data } = await bodyOf(key.get(`${PATH}?competitorId=${shop.id}`), 200);
  assertEquals(data.map((one: { competitorId: string }) => one.competitorId), [shop.id, shop.id]);
});

row(
  "§4.3 a range of ISO dates leaves the observations of these days, both included",
  async (app) => {
    const { key } = await withHistory(app);
    const counts = [];
    for (
      const range of [
        "from=2026-02-27&to=2026-02-28",
        "from=2026-02-28",
        "to=2026-02-27",
        "from=2026-02-28T12:00:00Z&to=2026-02-28T12:00:00Z",
        "from=2026-03-01",
      ]
    ) counts.push((await bodyOf(key.get(`${PATH}?${range}`), 200)).count);
    assertEquals(counts, [4, 2, 2, 2, 0]);
  },
);

row("§4.3 any valid key can read the history, but no anonymous caller", async (app) => {
  await withHistory(app);
  const reader = await app.key([]);
  assertEquals((await bodyOf(reader.get(PATH), 200)).count, 4);
  const { error } = await bodyOf(app.anyone.get(PATH), 401);
  assertEquals(error.code, "missing_credentials");
  const other = await app.strangerKey([]);
  assertEquals((await bodyOf(other.get(PATH), 200)).count, 0);
});
