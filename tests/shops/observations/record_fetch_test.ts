import { bodyOf } from "../../api/answers.ts";
import { findIndexRow } from "../../../src/catalogue/products/index_row_store.ts";
import { findProduct } from "../../../src/catalogue/products/product_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import type { Seen } from "../../../src/shops/observations/observation.ts";
import { type FetchOutcome, recordFetch } from "../../../src/shops/record_fetch.ts";
import { startTestApp } from "../../harness.ts";
import { addMatch, addProduct, disagreements } from "../shop.ts";
import { listed, pushed } from "./history.ts";
import { deepStrictEqual as assertEquals, notStrictEqual } from "node:assert/strict";

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

async function startTarget() {
  const app = await startTestApp();
  const key = await app.key(["observations:write"]);
  const id = await addProduct(app.owner, "A-1");
  const match = await addMatch(app.owner, id, "https://www.preisfuchs.example/p/1.html");
  const workspace = { ...app, now: app.clock.now };
  const target = { id, sku: "A-1", costPriceCents: null, ourPriceCents: null, currency: "EUR" };
  const record = async (outcome: FetchOutcome, matchId = match.id) =>
    await transact(
      app,
      (write) => recordFetch(write, workspace, { product: target, matchId }, outcome),
    );
  const product = () => app.owner.get(`/api/products/${id}`);
  const shown = async () => {
    const { competitorPrices: [price] } = await bodyOf(product(), 200);
    return [price?.price, price?.inStock, price?.lastCheckedAt];
  };
  const state = async () => {
    const { lastStatus, lastError, currentPrice } = await app.owner.read<Record<string, unknown>>(
      `/api/competitor-products/${match.id}`,
    );
    return [lastStatus, lastError, currentPrice];
  };
  return { app, key, id, match, record, product, shown, state };
}

Deno.test("recordFetch() stores the observation with its offer, and does not change the product and its index row", async () => {
  const { app, key, id, match, record, product, shown, state } = await startTarget();
  await using _app = app;
  const before = [await findProduct(app, id), await findIndexRow(app, "A-1")];
  const etag = (await product()).headers.get("ETag");
  assertEquals(await shown(), [null, null, null]);
  await record({ kind: "seen", seen: SEEN });
  assertEquals(await shown(), [24_900, true, "2026-03-02T08:00:00.000Z"]);
  assertEquals(await state(), ["ok", null, 24_900]);
  assertEquals([await findProduct(app, id), await findIndexRow(app, "A-1")], before);
  const [one, ...others] = await listed(key, `competitorProductId=${match.id}`);
  assertEquals(others, []);
  assertEquals(
    [one?.price, one?.availability, one?.inStock, one?.listPrice, one?.shipping],
    [24_900, "limited", true, 29_900, 490],
  );
  assertEquals(
    [one?.method, one?.confidence, one?.source, one?.runId, one?.observedAt],
    ["json_ld", 0.9, "scrape", SEEN.runId, "2026-03-02T08:00:00.000Z"],
  );
  const now = await product();
  notStrictEqual(now.headers.get("ETag"), etag);
  await now.body?.cancel();
  await record({ kind: "seen", seen: SEEN });
  assertEquals((await listed(key, "")).length, 1);
  assertEquals(await disagreements(app), []);
});

Deno.test("recordFetch() concurrent with pushes of the same product loses neither", async () => {
  const { app, key, record, shown } = await startTarget();
  await using _app = app;
  const fetches = Array.from(
    { length: 10 },
    (_, n) => record({ kind: "seen", seen: { ...SEEN, observedAtMs: SEEN.observedAtMs + 2 * n } }),
  );
  const pushes = Array.from({ length: 10 }, (_, n) =>
    pushed(key, [{
      sku: "A-1",
      url: `https://shop-${n}.example/1`,
      price: n + 1,
      currency: "EUR",
    }]));
  await Promise.all([...fetches, ...pushes]);
  assertEquals((await listed(key, "sku=A-1")).length, 20);
  assertEquals((await shown())[0], 24_900);
  assertEquals(await disagreements(app), []);
});

Deno.test("recordFetch() writes nothing for a deleted match", async () => {
  const { app, key, match, record } = await startTarget();
  await using _app = app;
  await app.owner.remove(`/api/competitor-products/${match.id}`);
  assertEquals(await record({ kind: "seen", seen: SEEN }), null);
  assertEquals(await listed(key, ""), []);
});
