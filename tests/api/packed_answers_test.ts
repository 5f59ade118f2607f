import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";

const GZIP = { "Accept-Encoding": "gzip" };
const PLAIN = { "Accept-Encoding": "identity" };

async function withProducts(work: (app: TestApp, key: Caller) => Promise<void>): Promise<void> {
  await using app = await startTestApp();
  const key = await app.key(["products:read", "products:write"]);
  const items = Array.from({ length: 40 }, (_, n) => ({ sku: `SKU-${n}`, title: "Kühlschrank" }));
  const made = await key.post("/api/public/v1/products/batch", { items });
  assertEquals(made.status, 200, await made.text());
  await work(app, key);
}

Deno.test("JSON, CSV and documents are compressed for callers that accept gzip", () =>
  withProducts(async ({ owner, anyone }, key) => {
    const asked: readonly [Caller, string][] = [
      [key, "/api/public/v1/products"],
      [key, "/api/public/v1/products.csv"],
      [key, "/api/public/v1/products.ndjson"],
      [owner, "/api/import-profiles"],
      [owner, "/api/products.csv"],
      [anyone, "/api/openapi.json"],
      [anyone, "/api/public/v1/openapi.json"],
    ];
    for (const [caller, path] of asked) {
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
  }));

Deno.test("small or already compressed answers are sent unchanged", () =>
  withProducts(async ({ owner }, key) => {
    for (
      const [caller, path] of [
        [key, "/api/public/v1/products?limit=1"],
        [key, "/api/public/v1/products.csv?sku=none"],
        [owner, "/api/products.xlsx"],
        [key, "/api/public/v1/none"],
      ] as const
    ) {
      const answer = await caller.get(path, GZIP);
      ok((await answer.bytes()).length > 0);
      assertEquals([path, answer.headers.get("Content-Encoding")], [path, null]);
    }
  }));

Deno.test("JSON and files that the caller already has are answered with 304, compressed or not", () =>
  withProducts(async ({ anyone, owner }, key) => {
    for (
      const [caller, path] of [
        [anyone, "/api/openapi.json"],
        [anyone, "/api/public/v1/openapi.json"],
        [key, "/api/public/v1/products"],
        [key, "/api/public/v1/products?limit=1"],
        [key, "/api/public/v1/products/SKU-1"],
        [key, "/api/public/v1/products.csv"],
        [key, "/api/public/v1/products.ndjson"],
        [owner, "/api/products.csv"],
        [owner, "/api/import-profiles"],
      ] as const
    ) {
      for (const coding of [GZIP, PLAIN]) {
        const first = await caller.get(path, coding);
        await first.body?.cancel();
        const etag = first.headers.get("ETag") ?? "";
        match(etag, /^(?:W\/)?"[0-9a-f-]{16,}"$/, path);
        const again = await caller.get(path, { ...coding, "If-None-Match": `"other", ${etag}` });
        assertEquals([path, again.status, await again.text()], [path, 304, ""]);
        ok(etag.endsWith(again.headers.get("ETag") ?? "none"));
        const other = await caller.get(path, { ...coding, "If-None-Match": '"other"' });
        await other.body?.cancel();
        assertEquals(other.status, 200);
      }
    }
    const before = (await key.get("/api/public/v1/products")).headers.get("ETag") ?? "";
    await (await owner.post("/api/products", { sku: "NEW", title: "Neu" })).body?.cancel();
    const after = await key.get("/api/public/v1/products", { "If-None-Match": before });
    await after.body?.cancel();
    assertEquals(after.status, 200);
  }));

Deno.test("a file above 256 KiB is streamed, without an ETag", () =>
  withProducts(async (_, key) => {
    const items = Array.from(
      { length: 700 },
      (_, n) => ({ sku: `L-${n}`, title: "x".repeat(500) }),
    );
    await (await key.post("/api/public/v1/products/batch", { items })).body?.cancel();
    for (const coding of [GZIP, PLAIN]) {
      const answer = await key.get("/api/public/v1/products.csv", coding);
      assertEquals([answer.status, answer.headers.get("ETag")], [200, null]);
      assertEquals((await answer.text()).trimEnd().split("\n").length, 741);
    }
  }));

Deno.test("the ETag of a compressed document is accepted by If-Match", () =>
  withProducts(async ({ owner }) => {
    const long = {
      sku: "LONG",
      title: "Lang",
      attributes: Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`a${n}`, "lang ".repeat(20)]),
      ),
    };
    const { id } = await (await owner.post("/api/products", long)).json();
    const path = `/api/products/${id}`;
    const read = await owner.get(path, GZIP);
    await read.body?.cancel();
    const etag = read.headers.get("ETag") ?? "";
    assertEquals([read.headers.get("Content-Encoding"), etag[0]], ["gzip", '"']);
    const changed = await owner.send("PATCH", path, { title: "Länger" }, { "If-Match": etag });
    await changed.body?.cancel();
    assertEquals(changed.status, 200);
    const late = await owner.send("PATCH", path, { title: "Spät" }, { "If-Match": etag });
    await late.body?.cancel();
    assertEquals(late.status, 412);
  }));
