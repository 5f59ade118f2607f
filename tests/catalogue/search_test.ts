import fc from "fast-check";
import { searchQuery } from "../../src/base/text.ts";
import {
  codeBooks,
  matchingIds,
  partOf,
  productSearchOf,
} from "../../src/catalogue/lists/catalogue_cache.ts";
import { searchPart, searchText } from "../../src/catalogue/products/product.ts";
import { column, pagesOf } from "../api/answers.ts";
import { withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

/** Short texts with blanks, hyphens, and umlauts in all spellings. */
const letters = fc.constantFrom("a", "b", "ü", "ue", "u", "Ü", "1", "-", " ");
const written = fc.array(letters, { maxLength: 6 }).map((parts) => parts.join(""));
const productArbitrary = fc.record({
  sku: written.map((text) => `s${text}`),
  ean: fc.option(written.map((text) => `1${text}`)),
  mpn: fc.option(written.map((text) => `u${text}`)),
  title: written,
});
type Written = { sku: string; ean: string | null; mpn: string | null; title: string };

const spelled = (text: string) => text.toLowerCase().replaceAll("ü", "ue").replaceAll("-", "");

/** All texts from which `spelled` makes this text. */
function spellings(text: string): string[] {
  if (text === "") return [""];
  const head = text.startsWith("ue") ? "ue" : text.slice(0, 1);
  const ways = /^[au]/.test(head) ? [head.slice(0, 1), `${head.slice(0, 1)}e`] : [head];
  return spellings(text.slice(head.length)).flatMap((rest) => ways.map((way) => way + rest));
}

/**
 * A simple model of the search: 0 if a number of the product begins with the query, 1 if the
 * product contains all its words, null if it does not match.
 */
function rankOf({ sku, ean, mpn, title }: Written, asked: string): number | null {
  const words = [...new Set(spelled(asked).split(" ").filter((word) => word !== ""))];
  const numbers = [sku, ean, mpn].filter((text) => text !== null)
    .map((text) => spelled(text).replaceAll(" ", ""));
  const places = [...numbers, spelled(title)];
  const has = (word: string) =>
    spellings(word).some((way) => places.some((place) => place.includes(way)));
  if (!words.every(has)) return null;
  const starts = words.reduce<string[]>(
    (begun, word) => begun.flatMap((text) => spellings(word).map((way) => text + way)),
    [""],
  );
  return starts.some((way) => numbers.some((number) => number.startsWith(way))) ? 0 : 1;
}

const NO_FIELDS = { tests: [], sinceMs: -Infinity, held: null } as const;

const rowOf = ({ id, sku, ...texts }: Written & { readonly id: string }) => ({
  id,
  updatedAtMs: 0,
  values: [],
  text: searchPart(sku, searchText(texts)),
});

Deno.test("matchingIds() finds the same as looking into each product, after any id", () => {
  const products = fc.array(productArbitrary, { maxLength: 30 });
  const questions = written.filter((text) => searchQuery(text) !== null);
  const kinds = fc.constantFrom("all", "numbered", "other");
  fc.assert(
    fc.property(products, questions, fc.nat(45), kinds, (list, asked, at, kind) => {
      const named = list.map((product, n) => ({ ...product, id: idOf(n * 7 % 41) }));
      const sorted = named.toSorted((one, other) => one.id < other.id ? -1 : 1);
      const books = codeBooks();
      const parts = [0, 10, 20].map((from) =>
        partOf(sorted.slice(from, from + 10).map(rowOf), books)
      );
      const search = productSearchOf(searchQuery(asked) ?? "");
      const after = at < 5 ? null : idOf(at - 5);
      const ranks: readonly (number | null)[] = { all: [0, 1], numbered: [0], other: [1] }[kind];
      const expected = sorted.filter((product) => ranks.includes(rankOf(product, asked)))
        .map(({ id }) => id).filter((id) => after === null || id > after);
      assertEquals([...matchingIds(parts, { ...NO_FIELDS, search, kind }, after)], expected);
    }),
    { numRuns: extent(500, 60) },
  );
});

function idOf(n: number): string {
  return `id${String(n).padStart(2, "0")}`;
}

Deno.test("matchingIds() stops after the requested ids", () => {
  const books = codeBooks();
  const parts = Array.from(
    { length: 100 },
    (_, n) =>
      partOf(
        [rowOf({ id: idOf(n), sku: `S${n}`, ean: null, mpn: null, title: "Kühlschrank" })],
        books,
      ),
  );
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
  const key = await app.key([]);
  const { data } = await key.read("/api/public/v1/products?q=kt119");
  assertEquals(column(data, "sku"), ["X-1", "KT-1190", "X-2", "K.T-119", "X-5"]);
});
