import fc from "fast-check";
import { CONDITIONS } from "../../src/base/codes.ts";
import { appendFields, joinDocuments } from "../../src/base/bytes.ts";
import {
  currencyInDocument,
  followPrice,
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
import { madeProduct } from "./catalogue_workspace.ts";
import { extent } from "../proof.ts";
import { anyCharacter } from "../any_text.ts";
import {
  type ProductPatch,
  refuseSuspicious,
  withPrices,
} from "../../src/catalogue/products/product_input.ts";
import { deepStrictEqual as assertEquals, match, ok, throws } from "node:assert/strict";

const ID = "69204a5e0102030405a0b0c0";
const NINE = "2026-08-01T09:00:00.000Z";
const text = fc.oneof(
  fc.string({ unit: anyCharacter }).filter((each) => each.isWellFormed()),
  fc.constantFrom("", '"', "\\", "\u0001\u0007", ',"brand":null', NINE, "é€🛠"),
);
const cents = fc.option(fc.oneof(fc.nat(), fc.maxSafeInteger()));
const instant = fc.oneof(
  fc.constantFrom(NINE, "2026-08-01T09:00:00.001Z", "1970-01-01T00:00:00.000Z"),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  // The service does not write times like these, so they are stored as plain text.
  fc.constantFrom("2026-08-01T09:00:00Z", "2026-02-30T09:00:00.000Z", "2026-08-01T24:00:00.000Z"),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const tierPrice = fc.record({
  tier: fc.option(text),
  amountCents: fc.maxSafeInteger(),
  currency: text,
  minQty: fc.option(number),
  validFrom: fc.option(instant),
});
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
  vatRatePct: fc.option(number),
  condition: fc.option(fc.constantFrom(...CONDITIONS)),
  stock: fc.option(fc.integer().map((count) => count / 1_000)),
  // No key has a backslash: JSON.parse can confuse such keys (tests/platform/engine_test.ts).
  attributes: fc.dictionary(text.filter((key) => !key.includes("\\")), text, {
    noNullPrototype: true,
  }).filter((pairs) => !Object.hasOwn(pairs, "__proto__")),
  prices: fc.array(tierPrice, { maxLength: 4 }),
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
      // Compares only after all documents are unpacked, to detect a reused buffer.
      for (const { row, document } of made) {
        sameBytes(document, row.wanted);
        sameBytes(unpackDocument(ID, row.value), row.wanted);
      }
    }),
    { numRuns: extent(400, 60) },
  );
});

Deno.test("a product with unknown or missing fields is packed and unpacked like its wire form", () => {
  const unknown = { weightGrams: 12, note: null };
  const missing = { brand: undefined, prices: undefined, createdAt: undefined };
  for (const odd of [{ ...plain, ...unknown }, { ...plain, ...missing }]) {
    // Like `toWire`, `packDocument` omits unknown fields and writes the others in a fixed order.
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

const wired = product.map(({ sku, title, brand, ourPriceCents, minPriceCents, attributes }) =>
  madeProduct({ sku, title, brand, ourPriceCents, minPriceCents, attributes })
);

const json = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));

Deno.test("toWire() writes every documented field, with equal major and minor units, and parseProduct() reverses it", () => {
  fc.assert(fc.property(wired, (given) => {
    assertEquals(parseProduct(toWire(given)), given);
    assertEquals(currencyInDocument(toWire(given)), given.currency);
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

const priced = (currency: string, ourPriceCents: number | null) =>
  madeProduct({ currency, ourPriceCents });

Deno.test("withPrices() reads major units, minor units, and both when they agree, and explains both when a price is sent back as it was read", () => {
  const table: [string, ProductPatch, number | null | "refused"][] = [
    ["EUR", {}, 100],
    ["EUR", { ourPrice: 8.2 }, 820],
    ["EUR", { ourPrice: "8.20" }, 820],
    ["EUR", { ourPrice: "1,5" }, "refused"],
    ["EUR", { ourPrice: 1e21 }, "refused"],
    ["EUR", { ourPrice: 1e10 }, 1_000_000_000_000],
    ["EUR", { ourPrice: 10_000_000_000.01 }, "refused"],
    ["EUR", { ourPrice: null }, null],
    ["EUR", { ourPriceCents: 820 }, 820],
    ["EUR", { ourPrice: 8.2, ourPriceCents: 820 }, 820],
    ["EUR", { ourPrice: 820, ourPriceCents: 820 }, "refused"],
    ["EUR", { ourPrice: null, ourPriceCents: 820 }, "refused"],
    ["JPY", { ourPrice: 820, ourPriceCents: 820 }, 820],
    ["KWD", { ourPrice: 8.125 }, 8_125],
  ];
  for (const [currency, patch, expected] of table) {
    const read = withPrices(priced(currency, 100), currency, patch);
    const actual = "refused" in read ? "refused" : read.product.ourPriceCents;
    assertEquals(actual, expected, `${currency} ${JSON.stringify(patch)}`);
  }
  const sentBack = { ourPrice: 29_999, ourPriceCents: 29_999 };
  const read = withPrices(priced("EUR", 29_999), "EUR", sentBack);
  ok("refused" in read);
  match(read.refused[0]!.message, /major units.*29999 EUR.*minor units.*299\.99 EUR/s);
});

Deno.test("withPrices() refuses a minimum above the maximum, and a change of one bound that crosses", () => {
  const bounded = { ...priced("EUR", 100), minPriceCents: 500, maxPriceCents: 900 };
  const table: [ProductPatch, boolean][] = [
    [{ minPrice: 9 }, true],
    [{ minPrice: 9.01 }, false],
    [{ maxPrice: 4.99 }, false],
    [{ minPrice: 20, maxPrice: 21 }, true],
    [{ minPrice: 21, maxPriceCents: 2_000 }, false],
    [{ minPrice: 21, maxPrice: null }, true],
  ];
  for (const [patch, isTaken] of table) {
    assertEquals("product" in withPrices(bounded, "EUR", patch), isTaken, JSON.stringify(patch));
  }
  // If stored bounds contradict each other, other fields can still be changed.
  const crossed = { ...bounded, minPriceCents: 1_000 };
  assertEquals("product" in withPrices(crossed, "EUR", { ourPrice: 8 }), true);
});

Deno.test("withPrices() asks for every stored price again with a new currency, and only for those", () => {
  const before = { ...priced("EUR", 100), costPriceCents: 50 };
  const half = withPrices(before, "CHF", { ourPrice: 1 });
  ok("refused" in half);
  assertEquals(half.refused.map(({ path }) => path), ["costPrice"]);
  const whole = withPrices(before, "CHF", { ourPrice: 1, costPriceCents: null });
  ok("product" in whole);
  assertEquals([whole.product.currency, whole.product.costPriceCents], ["CHF", null]);
  ok("product" in withPrices(priced("EUR", null), "CHF", {}));
});

Deno.test("refuseSuspicious() refuses prices of exactly 10^exponent times the old one", () => {
  const table: [string, number | null, number | null, boolean][] = [
    ["EUR", 100, 10_000, true],
    ["EUR", 100, 10_001, false],
    ["EUR", 0, 0, false],
    ["EUR", null, 10_000, false],
    ["EUR", 10_000, 100, false],
    ["KWD", 5, 5_000, true],
    ["KWD", 5, 500, false],
    ["JPY", 5, 500, false],
    ["JPY", 5, 5, false],
  ];
  for (const [currency, was, is, isRefused] of table) {
    const change = () => refuseSuspicious(priced(currency, was), priced(currency, is));
    if (isRefused) throws(change, { code: "price_unit_suspicious" });
    else change();
  }
});

const TODAY = "2026-03-01T23:00:00.000Z";

Deno.test("followPrice() moves only the entry that the own price came from", () => {
  const row = { amountCents: 1, currency: "EUR", minQty: 1, validFrom: null };
  const prices = [
    { ...row, tier: "A" },
    { ...row, tier: "A", minQty: 10 },
    { ...row, tier: "A", currency: "CHF" },
    { ...row, tier: null, minQty: null },
  ];
  const followed = followPrice({ ...priced("EUR", 77), tier: "A", prices }, TODAY);
  assertEquals(followed.prices.map(({ amountCents }) => amountCents), [77, 1, 1, 1]);
  assertEquals(followed.prices.map(({ validFrom }) => validFrom), [TODAY, null, null, null]);
  const unnamed = followPrice({ ...priced("EUR", 77), tier: null, prices }, TODAY);
  assertEquals(unnamed.prices.map(({ amountCents }) => amountCents), [1, 1, 1, 77]);
});
