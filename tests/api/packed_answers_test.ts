import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Caller } from "../caller.ts";
import { startTestApp } from "../harness.ts";
import { testWith } from "../opened.ts";
import { etagOf, statusOf } from "./answers.ts";

const GZIP = { "Accept-Encoding": "gzip" };
const PLAIN = { "Accept-Encoding": "identity" };

const withProducts = testWith(async () => {
  const app = await startTestApp();
  const key = await app.key(["products:read", "products:write"]);
  const items = Array.from({ length: 40 }, (_, n) => ({ sku: `SKU-${n}`, title: "Kühlschrank" }));
  await key.act("/api/public/v1/products/batch", { items });
  return { app, key, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

/** Lists, files and documents that are large enough to be compressed. */
const largeOnes = (owner: Caller, anyone: Caller, key: Caller): [Caller, string][] => [
  [key, "/api/public/v1/products"],
  [key, "/api/public/v1/products.csv"],
  [key, "/api/public/v1/products.ndjson"],
  [owner, "/api/import-profiles"],
  [owner, "/api/products.csv"],
  [anyone, "/api/openapi.json"],
  [anyone, "/api/public/v1/openapi.json"],
];

withProducts.test("JSON, CSV and documents are compressed for callers that accept gzip", async ({ app: { owner, anyone }, key }) => {
  for (const [caller, path] of largeOnes(owner, anyone, key)) {
    const packed = await caller.get(path, GZIP);
    const plain = await caller.get(path, PLAIN);
    assertEquals([path, packed.status, plain.status], [path, 200, 200]);
    assertEquals([path, packed.headers.get("Content-Encoding")], [path, "gzip"]);
    assertEquals([path, plain.headers.get("Content-Encoding")], [path, null]);
    for (const answer of [packed, plain]) match(answer.headers.get("Vary") ?? "", /accept-enc/i);
    assertEquals(await packed.text(), await plain.text(), path);
  }
  const refused = await key.get("/api/public/v1/products", { "Accept-Encoding": "gzip;q=0" });
  assertEquals(refused.headers.get("Content-Encoding"), null);
  await refused.body?.cancel();
});

withProducts.test("small or already compressed answers are sent unchanged", async ({ app: { owner }, key }) => {
  const asked: readonly [Caller, string][] = [
    [key, "/api/public/v1/products?limit=1"],
    [key, "/api/public/v1/products.csv?sku=none"],
    [owner, "/api/products.xlsx"],
    [key, "/api/public/v1/none"],
  ];
  for (const [caller, path] of asked) {
    const answer = await caller.get(path, GZIP);
    ok((await answer.bytes()).length > 0);
    assertEquals([path, answer.headers.get("Content-Encoding")], [path, null]);
  }
});

withProducts.test("JSON and files that the caller already has are answered with 304, compressed or not", async ({ app: { anyone, owner }, key }) => {
  const asked: readonly [Caller, string][] = [
    ...largeOnes(owner, anyone, key),
    [key, "/api/public/v1/products?limit=1"],
    [key, "/api/public/v1/products/SKU-1"],
  ];
  for (const [caller, path] of asked) {
    for (const coding of [GZIP, PLAIN]) {
      const etag = await etagOf(caller.get(path, coding));
      match(etag, /^(?:W\/)?"[0-9a-f-]{16,}"$/, path);
      const again = await caller.get(path, { ...coding, "If-None-Match": `"other", ${etag}` });
      assertEquals([path, again.status, await again.text()], [path, 304, ""]);
      ok(etag.endsWith(again.headers.get("ETag") ?? "none"));
      const other = caller.get(path, { ...coding, "If-None-Match": '"other"' });
      assertEquals(await statusOf(other), 200);
    }
  }
  const before = await etagOf(key.get("/api/public/v1/products"));
  await owner.create("/api/products", { sku: "NEW", title: "Neu" });
  const after = key.get("/api/public/v1/products", { "If-None-Match": before });
  assertEquals(await statusOf(after), 200);
});

withProducts.test("a file above 256 KiB is streamed, without an ETag", async ({ key }) => {
  const items = Array.from({ length: 700 }, (_, n) => ({ sku: `L-${n}`, title: "x".repeat(500) }));
  await key.act("/api/public/v1/products/batch", { items });
  for (const coding of [GZIP, PLAIN]) {
    const answer = await key.get("/api/public/v1/products.csv", coding);
    assertEquals([answer.status, answer.headers.get("ETag")], [200, null]);
    assertEquals((await answer.text()).trimEnd().split("\n").length, 741);
  }
});

withProducts.test("the ETag of a compressed document is accepted by If-Match", async ({ app: { owner } }) => {
  const long = Array.from({ length: 30 }, (_, n) => [`a${n}`, "lang ".repeat(20)]);
  const attributes = Object.fromEntries(long);
  const { id } = await owner.create("/api/products", { sku: "LONG", title: "Lang", attributes });
  const path = `/api/products/${id}`;
  const read = await owner.get(path, GZIP);
  await read.body?.cancel();
  const etag = read.headers.get("ETag") ?? "";
  assertEquals([read.headers.get("Content-Encoding"), etag[0]], ["gzip", '"']);
  await owner.change(path, { title: "Länger" }, { "If-Match": etag });
  assertEquals(await statusOf(owner.patch(path, { title: "Spät" }, { "If-Match": etag })), 412);
});
