import fc from "fast-check";
import { appendFields, joinDocuments } from "../../src/base/bytes.ts";
import { CONDITIONS } from "../../src/base/codes.ts";
import {
  currencyInDocument,
  isDocumentOf,
  parseProduct,
  PRICE_FIELDS,
  type Product,
  ProductDocument,
  toWire,
} from "../../src/catalogue/products/product.ts";
import { productInMarket } from "../../src/catalogue/lists/find_product.ts";
import { offersKey } from "../../src/shops/offers/offer_store.ts";
import { madeProduct } from "./made_product.ts";
import { openMemoryStore } from "../memory_store.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const text = fc.string({ unit: "grapheme" }).filter((value) => value.isWellFormed());
const cents = fc.option(fc.nat());
const time = fc.constant("2026-08-01T09:00:00.000Z");
const product: fc.Arbitrary<Product> = fc.record({
  sku: text,
  title: text,
  brand: fc.option(text),
  tier: fc.option(text),
  ourPriceCents: cents,
  costPriceCents: cents,
  targetPriceCents: cents,
  minPriceCents: cents,
  maxPriceCents: cents,
  shippingPriceCents: cents,
  condition: fc.option(fc.constantFrom(...CONDITIONS)),
  stock: fc.option(fc.integer().map((count) => count / 1_000)),
  attributes: fc.dictionary(text, text, { noNullPrototype: true })
    .filter((pairs) => !Object.hasOwn(pairs, "__proto__")),
  lastScrapedAt: fc.option(time),
  deletedAt: fc.option(time),
}).map(madeProduct);

const json = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));

Deno.test("parseProduct() reverses toWire()", () => {
  fc.assert(fc.property(product, (given) => {
    assertEquals(parseProduct(toWire(given)), given);
    assertEquals(currencyInDocument(toWire(given)), given.currency);
  }));
});

Deno.test("toWire() writes every documented field, with equal major and minor units", () => {
  fc.assert(fc.property(product, (given) => {
    const document = json(toWire(given));
    assertEquals(Object.keys(document), Object.keys(ProductDocument.shape));
    ProductDocument.parse(document);
    for (const field of PRICE_FIELDS) {
      assertEquals(document[field], document[`${field}Cents`]);
    }
  }));
});

Deno.test("joinDocuments() and appendFields() write the same as JSON.stringify", () => {
  fc.assert(fc.property(fc.array(product, { maxLength: 4 }), fc.jsonValue(), (list, value) => {
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
  fc.assert(fc.property(product, sku, sku, (given, own, other) => {
    const bytes = toWire({ ...given, sku: own });
    assertEquals(isDocumentOf(bytes, given.id, own), true);
    assertEquals(isDocumentOf(bytes, given.id, other), own === other);
    assertEquals(isDocumentOf(bytes, "0".repeat(24), own), false);
  }));
});

Deno.test("the ETag of a product changes with its competitor prices", async () => {
  const [given] = fc.sample(product, { numRuns: 1, seed: 7 });
  const document = { id: given!.id, bytes: toWire(given!), etag: "0001" };
  const price = {
    competitor: "Acme",
    domain: "acme.example",
    url: "https://acme.example/1",
    price: 100,
    unitPrice: 100,
    packFactor: 1,
    currency: "EUR",
    inStock: true,
    lastCheckedAt: null,
  };
  const workspace = { store: await openMemoryStore(), workspaceId: "0".repeat(24) };
  using _kv = workspace.store.kv;
  const etags = await Array.fromAsync([[], [price], [{ ...price, price: 101 }]], async (prices) => {
    const source = { keyBeside: offersKey, of: () => Promise.resolve(prices) };
    const found = { document, beside: new Uint8Array() };
    const beside = { market: null, offers: null };
    return (await productInMarket(workspace, source, found, beside)).etag;
  });
  assertEquals(etags[0], "0001");
  assertEquals(new Set(etags).size, 3);
});
