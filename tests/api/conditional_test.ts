/** Versions of single documents (RFC 9110 §13), and fields that a PATCH keeps (docs/decisions/http.md). */
import { deepStrictEqual as assertEquals, match, notDeepStrictEqual } from "node:assert/strict";
import { startTestApp } from "../harness.ts";
import { testWith } from "../opened.ts";
import { column, etagOf, refusalOf, refusedField, statusOf } from "./answers.ts";

const SAMPLE = { sku: "A", title: "Kabel", ourPrice: 10, attributes: { farbe: "rot" } };

const TIMES = ["createdAt", "updatedAt", "deletedAt", "lastScrapedAt", "ourPriceUpdatedAt"];

const withProduct = testWith(async () => {
  const app = await startTestApp();
  const { id } = await app.owner.create("/api/products", SAMPLE);
  const [path, key] = [`/api/products/${id}`, await app.key([])];
  return { app, path, key, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
});

withProduct.test("If-None-Match answers 304 without a body for the current version, weak, in a list, or any", async ({ app, path, key }) => {
  const etag = await etagOf(app.owner.get(path));
  const outside = path.replace("/api/", "/api/public/v1/");
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, "*"]) {
    const headers = { "If-None-Match": known };
    for (const answer of [await app.owner.get(path, headers), await key.get(outside, headers)]) {
      assertEquals([answer.status, await answer.text()], [304, ""], known);
      assertEquals(answer.headers.get("ETag"), etag);
      match(answer.headers.get("X-Request-Id") ?? "", /^req_/);
    }
  }
  for (const other of ['"x"', etag.slice(1, -1), `${etag.slice(0, -1)}0"`, ""]) {
    assertEquals(await statusOf(app.owner.get(path, { "If-None-Match": other })), 200, other);
  }
  await app.owner.change(path, { title: "B" });
  assertEquals(await statusOf(app.owner.get(path, { "If-None-Match": etag })), 200);
});

withProduct.test("a PATCH without a difference changes nothing, and read-only fields are ignored, as when a read document is sent back", async ({ app, path }) => {
  const read = await app.owner.read(path);
  const { ourPrice: _our, costPrice: _cost, targetPrice: _target, ...rest } = read;
  const etag = await etagOf(app.owner.get(path));
  app.clock.advance(60_000);
  const same = { title: "Kabel", ourPrice: "10.00", attributes: { farbe: "rot" } };
  for (const body of [same, rest]) assertEquals(await etagOf(app.owner.patch(path, body)), etag);
  const times = Object.fromEntries(TIMES.map((name) => [name, "1970-01-01T00:00:00.000Z"]));
  const forged = {
    ...times,
    id: "0".repeat(24),
    competitorPrices: [{ price: 1 }],
    prices: [{ tier: "X" }],
  };
  await app.owner.change(path, forged);
  assertEquals(await app.owner.read(path), read);
  const made = await app.owner.create("/api/products", { ...forged, sku: "B", title: "t" });
  notDeepStrictEqual(made.id, forged.id);
  assertEquals([made.deletedAt, made.lastScrapedAt, made.prices], [null, null, []]);
  match(made.createdAt, /^2026-/);
});

withProduct.test("a read document sent back whole, with integer prices, is refused, not multiplied", async ({ app, path }) => {
  const read = await app.owner.read(path);
  assertEquals(await refusedField(app.owner.patch(path, read)), "ourPrice");
  assertEquals(await app.owner.read(path), read);
});

withProduct.test("unknown fields are refused, each by its name, and no field is changed", async ({ app, path }) => {
  const body = { title: "B", tittle: "C", brnad: "D", attributes: { a: 1 } };
  const creation = app.owner.post("/api/products", { sku: "B", ...body });
  for (const answer of [app.owner.patch(path, body), creation]) {
    const { code, details } = await refusalOf(answer);
    assertEquals([code, column(details.fields, "path").sort()], ["validation_failed", [
      "attributes.a",
      "brnad",
      "tittle",
    ]]);
  }
  assertEquals((await app.owner.read(path)).title, "Kabel");
});
