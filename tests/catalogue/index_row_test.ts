import fc from "fast-check";
import { idText } from "../../src/base/id.ts";
import {
  agreesWith,
  encodeIndexRow,
  IndexRow,
  type IndexRowMarks,
  marksOf,
  NO_MARKS,
} from "../../src/catalogue/products/index_row_store.ts";
import { type Product, searchText } from "../../src/catalogue/products/product.ts";
import { MADE_AT, madeProduct } from "./made_product.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map(idText);
const products: fc.Arbitrary<Product> = fc.record({
  id,
  title: fc.string({ unit: "grapheme", maxLength: 500 }),
  ean: fc.option(fc.constantFrom("4006381333931", "96385074")),
  deletedAt: fc.constantFrom(null, MADE_AT),
}).map(madeProduct);
const marks: fc.Arbitrary<IndexRowMarks> = fc.record({
  importHash: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 22 })),
  isFromImport: fc.boolean(),
  firstPriceJob: fc.option(id),
  importSource: fc.option(fc.constantFrom("erp-nightly", "q")),
}).map(marksOf);

Deno.test("an index row is decoded as it was encoded", () => {
  fc.assert(
    fc.property(products, marks, (product, marks) => {
      const indexRow = new IndexRow(encodeIndexRow({ product, marks }, searchText(product)));
      assertEquals(marksOf(indexRow), marks);
      assertEquals([indexRow.id, indexRow.isDeleted], [product.id, product.deletedAt !== null]);
      assertEquals(indexRow.text, searchText(product));
      ok(agreesWith(indexRow, product));
    }),
  );
});

Deno.test("an index row of an earlier version, which has prices, is decoded", () => {
  fc.assert(
    fc.property(products, marks, fc.nat(127), (product, marks, prices) => {
      const bytes = encodeIndexRow({ product, marks }, searchText(product));
      const pricesAt = 18 + (bytes[17] ?? 0);
      const count = prices.toString(2).replaceAll("0", "").length;
      const row = [...bytes].toSpliced(pricesAt, 0, ...Array<number>(8 * count).fill(64));
      const indexRow = new IndexRow(new Uint8Array(row).with(1, prices).with(14, 69));
      assertEquals([indexRow.id, marksOf(indexRow)], [product.id, marks]);
      ok(agreesWith(indexRow, product));
    }),
  );
});

Deno.test("a hash that is too long is left out, so that its record is compared in full", () => {
  const product = madeProduct();
  for (const importHash of ["x".repeat(256), "ü".repeat(128)]) {
    const marks = { ...NO_MARKS, importHash };
    const indexRow = new IndexRow(encodeIndexRow({ product, marks }, "text"));
    assertEquals([indexRow.importHash, indexRow.text], [null, "text"]);
  }
  // Encoding another row must not change the bytes of the first one.
  const long = encodeIndexRow({ product, marks: NO_MARKS }, "y".repeat(10_000));
  encodeIndexRow({ product, marks: NO_MARKS }, "z".repeat(10_000));
  assertEquals(new IndexRow(long).text, "y".repeat(10_000));
});

Deno.test("random bytes agree with no product", () => {
  fc.assert(
    fc.property(products, fc.uint8Array({ maxLength: 80 }), (product, bytes) => {
      ok(!agreesWith(new IndexRow(bytes), product));
    }),
  );
});
