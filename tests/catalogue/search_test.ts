import {
  codeBooks,
  matchingIds,
  partOf,
  productSearchOf,
} from "../../src/catalogue/lists/catalogue_cache.ts";
import { searchPart, searchText } from "../../src/catalogue/products/product.ts";
import { column, pagesOf } from "../api/answers.ts";
import { withApp } from "../harness.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const NO_FIELDS = { tests: [], sinceMs: -Infinity, held: null } as const;

const rowOf = (id: string, sku: string, title: string) => ({
  id,
  updatedAtMs: 0,
  values: [],
  text: searchPart(sku, searchText({ ean: null, mpn: null, title })),
});

const idOf = (n: number) => `id${String(n).padStart(2, "0")}`;

Deno.test("matchingIds() stops after the requested ids", () => {
  const books = codeBooks();
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  const parts = numbers.map((n) => partOf([rowOf(idOf(n), `S${n}`, "Kühlschrank")], books));
  let looks = 0;
  const watched = new Proxy(parts, { get: (target, name) => (looks++, Reflect.get(target, name)) });
  const search = productSearchOf("kuehl");
  const hits = matchingIds(watched, { ...NO_FIELDS, search, kind: "all" }, null);
  assertEquals(hits.take(3).toArray(), ["id00", "id01", "id02"]);
  ok(looks < 20, `${looks} looks`);
});

withApp.test("GET /api/products?q= lists products whose number starts with it first, through all pages", async (app) => {
  const products = [
    { sku: "X-1", title: "Zubehör für KT-119" },
    { sku: "KT-1190", title: "Kühlschrank" },
    { sku: "X-2", title: "Kabel", mpn: "kt 119/7" },
    { sku: "X-3", title: "119 Watt, KT" },
    { sku: "X-4", title: "KT alone" },
    { sku: "K.T-119", title: "Herd" },
    { sku: "X-5", title: "Herd", mpn: "A-KT119" },
    { sku: "X-6", title: "Kuehl-Gerät", ean: "4006381333931" },
  ];
  for (const product of products) await app.owner.create("/api/products", product);
  for (const q of ["KT-119", "kt119", " Kt  119 "]) {
    const path = `/api/products?q=${encodeURIComponent(q)}&limit=2`;
    const pages = await Array.fromAsync(pagesOf(app.owner, path));
    for (const { total } of pages) assertEquals(total, q === " Kt  119 " ? 6 : 5, q);
    const seen = pages.flatMap(({ items }) => items).map(({ sku }) => sku);
    const apart = q === " Kt  119 " ? ["X-3"] : [];
    assertEquals(seen, ["KT-1190", "X-2", "K.T-119", "X-1", ...apart, "X-5"], q);
  }
  for (const q of ["kühl ger", "GERAT KUHL", "kuehlge", "400 638", "638133"]) {
    const { items } = await app.owner.read(`/api/products?q=${encodeURIComponent(q)}`);
    assertEquals(column(items, "sku"), ["X-6"], q);
  }
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products?q=kt119");
  assertEquals(column(data, "sku"), ["X-1", "KT-1190", "X-2", "K.T-119", "X-5"]);
});
