import fc from "fast-check";
import { CONDITIONS } from "../../src/base/codes.ts";
import { appendFields, joinDocuments } from "../../src/base/bytes.ts";
import {
  currencyInDocument,
  isDocumentOf,
  parseProduct,
  PRICE_FIELDS,
  type Product,
  ProductDocument,
  toWire,
} from "../../src/catalogue/products/product.ts";
import {
  packDocument,
  unpackDocument,
  unpackDocuments,
} from "../../src/catalogue/products/product_pack.ts";
import { madeProduct } from "./made_product.ts";
import { extent } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok, throws } from "node:assert/strict";
import { anyCharacter } from "../any_text.ts";

const ID = "69204a5e0102030405a0b0c0";
const text = fc.oneof(
  fc.string({ unit: anyCharacter }).filter((each) => each.isWellFormed()),
  fc.constantFrom(
    "",
    '"',
    "\\",
    "\u0001\u0007",
    ',"brand":null',
    "2026-08-01T09:00:00.000Z",
    "é€🛠",
  ),
);
const cents = fc.option(fc.oneof(fc.nat(), fc.maxSafeInteger()));
const instant = fc.oneof(
  fc.constantFrom(
    "2026-08-01T09:00:00.000Z",
    "2026-08-01T09:00:00.001Z",
    "1970-01-01T00:00:00.000Z",
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  // Times that are not written as the service writes them are stored as plain text.
  fc.constantFrom("2026-08-01T09:00:00Z", "2026-02-30T09:00:00.000Z", "2026-08-01T24:00:00.000Z"),
);
const product: fc.Arbitrary<Product> = fc.record({
  sku: text,
  title: text,
  brand: fc.option(text),
  category: fc.option(text),
  tier: fc.option(text),
  ourPriceCents: cents,
  ourPriceUpdatedAt: fc.option(instant),
  costPriceCents: cents,
  targetPriceCents: cents,
  minPriceCents: cents,
  maxPriceCents: cents,
  shippingPriceCents: cents,
  currency: fc.constantFrom("EUR", "JPY"),
  ean: fc.option(text),
  mpn: fc.option(text),
  url: fc.option(text),
  vatRatePct: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  condition: fc.option(fc.constantFrom(...CONDITIONS)),
  stock: fc.option(fc.integer().map((count) => count / 1_000)),
  // JSON.parse can confuse keys with a backslash (tests/platform/engine_test.ts).
  attributes: fc.dictionary(text.filter((key) => !key.includes("\\")), text, {
    noNullPrototype: true,
  }).filter((pairs) => !Object.hasOwn(pairs, "__proto__")),
  prices: fc.array(
    fc.record({
      tier: fc.option(text),
      amountCents: fc.maxSafeInteger(),
      currency: text,
      minQty: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      validFrom: fc.option(instant),
    }),
    { maxLength: 4 },
  ),
  priceLocked: fc.boolean(),
  heldUntil: fc.option(instant),
  scrapeEnabled: fc.boolean(),
  scrapeIntervalHours: fc.integer(),
  lastScrapedAt: fc.option(instant),
  createdAt: instant,
  updatedAt: instant,
  deletedAt: fc.option(instant),
}).map((fields) => ({ id: ID, ...fields }));

const plain = madeProduct({ id: ID, ourPriceCents: 1999 });

/** Compares texts, because an assertion about long byte arrays is slow. */
const sameBytes = (one: Uint8Array, other: Uint8Array) =>
  assertEquals(one.toBase64(), other.toBase64());

Deno.test("unpackDocument() and unpackDocuments() restore every document byte for byte, whatever the other rows", () => {
  const row = fc.record({ given: product, isWhole: fc.boolean(), times: fc.constantFrom(1, 60) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const all = rows.flatMap(({ given, isWhole, times }) =>
        Array.from({ length: times }, () => ({
          part: ID,
          value: isWhole ? toWire(given) : packDocument(given),
          wanted: toWire(given),
        }))
      );
      const made = unpackDocuments(all, (row, document) => ({ row, document }));
      assertEquals(made.map(({ row }) => row), all);
      // The comparison follows after all documents are unpacked, so it notices an overwritten
      // buffer.
      for (const { row, document } of made) {
        sameBytes(document, row.wanted);
        sameBytes(unpackDocument(ID, row.value), row.wanted);
      }
    }),
    { numRuns: extent(400, 60) },
  );
});

Deno.test("a product with unknown or missing fields of a later version is unpacked unchanged", () => {
  for (
    const odd of [
      { ...plain, weightGrams: 12, note: null },
      { ...plain, brand: undefined, prices: undefined, createdAt: undefined },
    ]
  ) {
    // Documents with other fields, or with fields in another order, are also restored unchanged.
    const given: Product = JSON.parse(JSON.stringify(odd));
    sameBytes(unpackDocument(ID, packDocument(given)), toWire(given));
  }
});

Deno.test("packDocument() shrinks a document with little text to a third, and takes long texts", () => {
  ok(packDocument(plain).length * 3 < toWire(plain).length * 1);
  const long = { ...plain, title: "ü".repeat(100_000), attributes: { a: "b".repeat(70_000) } };
  sameBytes(unpackDocument(ID, packDocument(long)), toWire(long));
});

Deno.test("unpackDocument() reports an unknown code, and never reads past the end", () => {
  throws(() => unpackDocument(ID, new Uint8Array([1, 31])), /unknown code 31/);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
    try {
      const made = unpackDocument(ID, new Uint8Array(bytes));
      ok(made.length <= 100 + 100 * bytes.length);
    } catch (cause) {
      ok(cause instanceof Error && cause.message.includes("unknown code"), String(cause));
    }
  }));
});

/** Products as the service makes them, with valid times and numbers. */
const wired = product.map(({ sku, title, brand, ourPriceCents, minPriceCents, attributes }) =>
  madeProduct({ sku, title, brand, ourPriceCents, minPriceCents, attributes })
);

const json = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));

Deno.test("parseProduct() reverses toWire()", () => {
  fc.assert(fc.property(wired, (given) => {
    assertEquals(parseProduct(toWire(given)), given);
    assertEquals(currencyInDocument(toWire(given)), given.currency);
  }));
});

Deno.test("toWire() writes every documented field, with equal major and minor units", () => {
  fc.assert(fc.property(wired, (given) => {
    const document = json(toWire(given));
    assertEquals(Object.keys(document), Object.keys(ProductDocument.shape));
    ProductDocument.parse(document);
    for (const field of PRICE_FIELDS) {
      assertEquals(document[field], document[`${field}Cents`]);
    }
  }));
});

Deno.test("joinDocuments() and appendFields() write the same as JSON.stringify", () => {
  fc.assert(fc.property(fc.array(wired, { maxLength: 4 }), fc.jsonValue(), (list, value) => {
    const joined = joinDocuments('{"items":[', list.map(toWire), '],"count":1}');
    assertEquals(json(joined), { items: list.map((item) => json(toWire(item))), count: 1 });
    for (const item of list) {
      const bytes = toWire(item);
      const parsed = JSON.parse(JSON.stringify(value));
      const longer = { ...json(bytes), more: parsed };
      assertEquals(json(appendFields(bytes, { more: value })), longer);
    }
  }));
});

Deno.test("isDocumentOf() is true only for the id and the SKU of the document", () => {
  const sku = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("A", 'A"', "A\\", "AB"));
  fc.assert(fc.property(wired, sku, sku, (given, own, other) => {
    const bytes = toWire({ ...given, sku: own });
    assertEquals(isDocumentOf(bytes, given.id, own), true);
    assertEquals(isDocumentOf(bytes, given.id, other), own === other);
    assertEquals(isDocumentOf(bytes, "0".repeat(24), own), false);
  }));
});
