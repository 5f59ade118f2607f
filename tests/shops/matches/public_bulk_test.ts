import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { startTestApp } from "../../harness.ts";

const BULK = "/api/public/v1/competitor-products/bulk";

Deno.test("links by key are those of the app: each stands alone, and they want matches:write", async () => {
  await using app = await startTestApp();
  await bodyOf(app.owner.post("/api/products", { sku: "A", title: "A" }), 201);
  const links = [
    { sku: "A", url: "https://shop.example/a" },
    { sku: "nobody", url: "https://shop.example/b" },
    { sku: "A", url: "no address" },
  ];
  const key = await app.key(["matches:write"]);
  const { data, count } = await bodyOf(key.post(BULK, { links }), 200);
  assertEquals(count, 3);
  assertEquals(data.map(({ ok }: { ok: boolean }) => ok), [true, false, false]);
  const again = await bodyOf(
    app.owner.post("/api/competitor-products/bulk", { links: links.slice(0, 1) }),
    200,
  );
  assertEquals(again.results[0].status, "existing");
  assertEquals(again.results[0].competitorProductId, data[0].competitorProductId);
  const writing = await app.key(["products:write", "observations:write"]);
  await bodyOf(writing.post(BULK, { links }), 403);
});
