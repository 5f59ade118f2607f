import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { shard } from "../../src/catalogue/products/product.ts";
import {
  Attributes,
  Ean,
  ShopUrl,
  Sku,
  textOf,
  Title,
} from "../../src/catalogue/products/product_fields.ts";

const table: [string, { safeParse(value: unknown): { data?: unknown } }, unknown, unknown][] = [
  ["sku", Sku, " A-1 ", "A-1"],
  ["sku", Sku, "\u200BABC\u200B", "ABC"],
  ["sku", Sku, "A\u0308-1", "Ä-1"],
  ["sku", Sku, "__proto__", "__proto__"],
  ["sku", Sku, "a/b?c=d#e%2F", "a/b?c=d#e%2F"],
  ["sku", Sku, "x".repeat(128), "x".repeat(128)],
  ["sku", Sku, "📦".repeat(128), "📦".repeat(128)],
  ["sku", Sku, "x".repeat(129), undefined],
  ["sku", Sku, "a\u0000b", undefined],
  ["sku", Sku, "a\tb", undefined],
  ["sku", Sku, "  ", undefined],
  ["sku", Sku, "lone \ud800", undefined],
  ["title", Title, "Kabel\r\nzwei\tdrei", "Kabel zwei drei"],
  ["title", Title, "   ", undefined],
  ["title", Title, "\u0000Kabel", undefined],
  ["title", Title, "x".repeat(500), "x".repeat(500)],
  ["title", Title, "x".repeat(501), undefined],
  ["title", Title, "👩‍👩‍👧".repeat(200), undefined],
  ["brand", textOf(200), "", null],
  ["brand", textOf(200), null, null],
  ["brand", textOf(200), "B".repeat(201), undefined],
  ["ean", Ean, "4006381333931", "4006381333931"],
  ["ean", Ean, " 40063812 ", "40063812"],
  ["ean", Ean, "4006381333932", undefined],
  ["ean", Ean, "", null],
  ["url", ShopUrl, "https://shop.example/p/1?a=b", "https://shop.example/p/1?a=b"],
  ["url", ShopUrl, "javascript:alert(1)", undefined],
  ["url", ShopUrl, "ftp://shop.example", undefined],
  ["url", ShopUrl, "shop.example", undefined],
  ["url", ShopUrl, `https://shop.example/${"x".repeat(2_048)}`, undefined],
  ["attributes", Attributes, { colour: "rot" }, { colour: "rot" }],
  ["attributes", Attributes, { "": "rot" }, undefined],
  ["attributes", Attributes, { a: 1 }, undefined],
  ["attributes", Attributes, { ["k".repeat(65)]: "v" }, undefined],
  ["attributes", Attributes, { k: "v".repeat(1_001) }, undefined],
  ["attributes", Attributes, [], undefined],
];

Deno.test("each field accepts the documented values, in one normal form", () => {
  for (const [field, schema, value, expected] of table) {
    assertEquals(schema.safeParse(value).data, expected, `${field} ${JSON.stringify(value)}`);
  }
});

Deno.test("attributes hold 50 pairs and 16 KiB of JSON", () => {
  const pairs = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v".repeat(length)]));
  assertEquals(Attributes.safeParse(pairs(50, 1)).success, true);
  assertEquals(Attributes.safeParse(pairs(51, 1)).success, false);
  assertEquals(Attributes.safeParse(pairs(16, 900)).success, true);
  assertEquals(Attributes.safeParse(pairs(20, 900)).success, false);
});

Deno.test("shard() is frozen: stored keys contain it", () => {
  const shards = ["", "A", "SKU-1", "4711-A", "Ä-1", "📦", "x".repeat(128)].map(shard);
  assertEquals(shards, [60, 27, 59, 23, 5, 23, 56]);
  const used = new Set(Array.from({ length: 2_000 }, (_, n) => shard(`SKU-${n}`)));
  assertEquals([used.size, Math.min(...used), Math.max(...used)], [64, 0, 63]);
});
