import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { bodyOf, row, SAMPLE } from "./rows.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

row(
  "§1 a product is created, read, changed in part and soft-deleted with a session",
  async (app) => {
    const made = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
    const path = `/api/products/${made.id}`;
    assertEquals((await bodyOf(app.owner.get(path), 200)).title, SAMPLE.title);
    assertEquals((await bodyOf(app.owner.patch(path, { title: "Neu" }), 200)).title, "Neu");
    await bodyOf(app.owner.delete(path), 200);
    await bodyOf(app.owner.get(path), 404);
  },
);

row("§1 a bearer key lists and fetches products, and without a scope changes none", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const key = await app.key([]);
  assertEquals((await bodyOf(key.get("/api/public/v1/products"), 200)).count, 1);
  assertEquals((await bodyOf(key.get(`/api/public/v1/products/${id}`), 200)).data.id, id);
  await bodyOf(key.post("/api/public/v1/products", {}), 405);
  await bodyOf(key.patch(`/api/public/v1/products/${id}`, {}), 403);
  await bodyOf(key.delete(`/api/public/v1/products/${id}`), 403);
});

row(
  "§1 both interfaces show a product in the same shape, in-app lists also its market",
  async (app) => {
    const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
    const key = await app.key([]);
    const external = (await bodyOf(key.get(`/api/public/v1/products/${id}`), 200)).data;
    const single = await bodyOf(app.owner.get(`/api/products/${id}`), 200);
    assertEquals(external, single);
    const [listed] = (await bodyOf(key.get("/api/public/v1/products"), 200)).data;
    const [inApp] = (await bodyOf(app.owner.get("/api/products"), 200)).items;
    assertEquals({ ...listed, market: single.market }, inApp);
  },
);

const FIELDS: [string, unknown, (value: unknown) => boolean][] = [
  ["id", undefined, (value) => /^[0-9a-f]{24}$/.test(String(value))],
  ["sku", undefined, (value) => value === "4711-A"],
  ["title", undefined, (value) => value === "Kühlschrank KS 300"],
  ["brand", undefined, (value) => value === "Sony"],
  ["category", undefined, (value) => value === "Haushalt"],
  ["tier", "STANDARD", (value) => value === "STANDARD"],
  ["ourPrice", undefined, (value) => value === 29_999],
  ["ourPriceUpdatedAt", undefined, (value) => ISO.test(String(value))],
  ["costPrice", "200.5", (value) => value === 20_050],
  ["targetPrice", 320, (value) => value === 32_000],
  ["currency", undefined, (value) => value === "EUR"],
  ["scrapeEnabled", false, (value) => value === false],
  ["scrapeIntervalHours", 12, (value) => value === 12],
  ["lastScrapedAt", undefined, (value) => value === null],
  ["createdAt", undefined, (value) => ISO.test(String(value))],
  ["updatedAt", undefined, (value) => ISO.test(String(value))],
  ["deletedAt", undefined, (value) => value === null],
];

for (const [field, given, holds] of FIELDS) {
  row(`§2.1 field ${field}`, async (app) => {
    const body = given === undefined ? SAMPLE : { ...SAMPLE, [field]: given };
    const { id } = await bodyOf(app.owner.post("/api/products", body), 201);
    const product = await bodyOf(app.owner.get(`/api/products/${id}`), 200);
    ok(field in product, `${field} is missing`);
    ok(holds(product[field]), `${field} is ${JSON.stringify(product[field])}`);
  });
}

row("§2.1 sku is the unique key and finds the product", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const { error } = await bodyOf(app.owner.post("/api/products", SAMPLE), 409);
  assertEquals([error.code, error.details.productId], ["sku_exists", id]);
  await bodyOf(app.owner.post("/api/products", { ...SAMPLE, sku: "4711-a" }), 201);
  const key = await app.key([]);
  assertEquals((await bodyOf(key.get("/api/public/v1/products/4711-A"), 200)).data.id, id);
});

row("§2.1 brand and category can be filtered by", async (app) => {
  await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const other = { ...SAMPLE, sku: "B", brand: "Bose", category: "Audio" };
  await bodyOf(app.owner.post("/api/products", other), 201);
  const skus = async (query: string) =>
    (await bodyOf(app.owner.get(`/api/products?${query}`), 200)).items
      .map((item: { sku: string }) => item.sku);
  assertEquals(await skus("brand=son"), ["4711-A"]);
  assertEquals(await skus("category=aud"), ["B"]);
});

row("§2.1 prices are integers when read", async (app) => {
  const body = { ...SAMPLE, costPrice: 8.2, targetPrice: "310.00" };
  const product = await bodyOf(app.owner.post("/api/products", body), 201);
  assertEquals([product.ourPrice, product.costPrice, product.targetPrice], [29_999, 820, 31_000]);
});

row("§2.1 only a product that is fetched singly has competitorPrices", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const key = await app.key([]);
  assertEquals((await bodyOf(app.owner.get(`/api/products/${id}`), 200)).competitorPrices, []);
  const fetched = await bodyOf(key.get(`/api/public/v1/products/${id}`), 200);
  assertEquals(fetched.data.competitorPrices, []);
  const listed = (await bodyOf(app.owner.get("/api/products"), 200)).items[0];
  ok(!("competitorPrices" in listed));
});

row(
  "§2.1 one product has at least id, sku, title, ourPrice, currency, competitorPrices",
  async (app) => {
    const { id } = await bodyOf(app.owner.post("/api/products", { sku: "A", title: "B" }), 201);
    const product = await bodyOf(app.owner.get(`/api/products/${id}`), 200);
    for (const name of ["id", "sku", "title", "ourPrice", "currency", "competitorPrices"]) {
      ok(name in product, name);
    }
  },
);

row("§3.1 an active product has no deletedAt", async (app) => {
  const product = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  assertEquals(product.deletedAt, null);
});

row("§3.1 DELETE sets deletedAt and keeps the record", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  assertEquals(await bodyOf(app.owner.delete(`/api/products/${id}`), 200), { ok: true });
  const kept = await bodyOf(app.owner.get(`/api/products/${id}?includeDeleted=true`), 200);
  match(kept.deletedAt, ISO);
});

row("§4.1 GET products takes limit, brand, category and a cursor", async (app) => {
  for (const sku of ["A", "B", "C"]) {
    await bodyOf(app.owner.post("/api/products", { ...SAMPLE, sku }), 201);
  }
  const key = await app.key([]);
  const query = "limit=2&brand=SONY&category=haus";
  const first = await bodyOf(key.get(`/api/public/v1/products?${query}`), 200);
  assertEquals([first.data.length, first.count, typeof first.nextCursor], [2, 2, "string"]);
  const rest = await bodyOf(
    key.get(`/api/public/v1/products?${query}&cursor=${first.nextCursor}`),
    200,
  );
  assertEquals([rest.data[0].sku, rest.count, rest.nextCursor], ["C", 1, null]);
});

row("§4.1 the list answers data, nextCursor and count, nothing else", async (app) => {
  const key = await app.key([]);
  assertEquals(await bodyOf(key.get("/api/public/v1/products"), 200), {
    data: [],
    nextCursor: null,
    count: 0,
  });
});

row("§4.1 brand and category match contained text, in any case", async (app) => {
  await bodyOf(app.owner.post("/api/products", { ...SAMPLE, brand: "Bosch Siemens" }), 201);
  const key = await app.key([]);
  for (const query of ["brand=SIEM", "brand=bosch%20s", "category=HAUSHALT", "category=shal"]) {
    assertEquals((await bodyOf(key.get(`/api/public/v1/products?${query}`), 200)).count, 1, query);
  }
  assertEquals((await bodyOf(key.get("/api/public/v1/products?brand=siemx"), 200)).count, 0);
});

row("§4.1 GET one product by id or by SKU", async (app) => {
  const sku = "A/B ü";
  const { id } = await bodyOf(app.owner.post("/api/products", { ...SAMPLE, sku }), 201);
  const key = await app.key([]);
  for (const text of [id, encodeURIComponent(sku), `sku:${encodeURIComponent(sku)}`, `id:${id}`]) {
    const { data } = await bodyOf(key.get(`/api/public/v1/products/${text}`), 200);
    assertEquals(data.id, id);
  }
});

row("§4.2 POST takes product fields as JSON and answers the created product", async (app) => {
  const answer = await app.owner.post("/api/products", SAMPLE);
  const product = await bodyOf(answer, 201);
  assertEquals(answer.headers.get("Location"), `/api/products/${product.id}`);
  assertEquals([product.sku, product.brand, product.ourPrice], ["4711-A", "Sony", 29_999]);
});

row("§4.2 GET /api/products/{id} takes only an id", async (app) => {
  await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  await bodyOf(app.owner.get("/api/products/4711-A"), 404);
});

row("§4.2 PATCH takes the same fields, all optional", async (app) => {
  const made = await bodyOf(app.owner.post("/api/products", SAMPLE), 201);
  const path = `/api/products/${made.id}`;
  const changes = { sku: "N", title: "T", brand: "B", category: "C", tier: "X", ourPrice: 1.5 };
  for (const [name, value] of Object.entries(changes)) {
    const changed = await bodyOf(app.owner.patch(path, { [name]: value }), 200);
    assertEquals(changed[name], name === "ourPrice" ? 150 : value);
  }
  assertEquals((await bodyOf(app.owner.patch(path, {}), 200)).title, "T");
});

row("§4.2 a POST with a body must be application/json", async (app) => {
  const answer = await app.owner.send("POST", "/api/products", JSON.stringify(SAMPLE), {
    "Content-Type": "text/plain",
  });
  assertEquals((await bodyOf(answer, 415)).error.code, "unsupported_media_type");
});
