import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { blankProduct } from "../../../src/catalogue/products/product.ts";
import {
  entryOf,
  type SoldValue,
  UNDO_KINDS,
  type UndoEntry,
  UndoPacker,
  unpackEntries,
} from "../../../src/imports/state/undo_entry.ts";

const id = fc.oneof(
  fc.nat(0xffffff).map((n) => `69a562ad619accbbbb${n.toString(16).padStart(6, "0")}`),
  fc.stringMatching(/^[0-9a-f]{24}$/),
);
const text = fc.option(fc.string());
const value = fc.option(fc.tuple(fc.nat(), fc.option(fc.string())));

const sold: fc.Arbitrary<SoldValue> = fc.oneof(
  fc.tuple(fc.integer()),
  fc.tuple(fc.integer(), fc.nat(), fc.string()),
);

const entry: fc.Arbitrary<UndoEntry> = fc.record({
  productId: id,
  kind: fc.constantFrom(...UNDO_KINDS),
  atMs: fc.integer({ min: 1, max: 4e12 }),
  currency: fc.constantFrom("EUR", "CHF"),
  fields: fc.array(fc.tuple(fc.string(), fc.oneof(text, fc.integer()), fc.boolean())),
  prices: fc.array(fc.tuple(text, fc.string(), fc.option(fc.nat()), value, value)),
  attributes: fc.array(fc.tuple(fc.string(), text, text)),
  added: fc.array(id),
  switched: fc.array(fc.tuple(id, fc.constantFrom<0 | 1>(0, 1))),
  sold: fc.array(fc.tuple(fc.string(), fc.option(sold), fc.option(sold))),
}, { noNullPrototype: true }).map((entry) =>
  entry.kind === "links" ? { ...entry, atMs: 0 } : entry
);

Deno.test("undo entries are decoded as they were encoded", () => {
  fc.assert(fc.property(fc.array(entry), (entries) => {
    const packer = new UndoPacker();
    assertEquals(unpackEntries(`[${entries.map((one) => packer.pack(one)).join()}]`), entries);
  }));
});

Deno.test("300 products with a price move take at most 20 bytes each", () => {
  const packer = new UndoPacker();
  const texts = Array.from({ length: 300 }, (_, n) => {
    const given = { sku: `S-${n}`, title: "Gerät", currency: "EUR" };
    const id = `69a562ad619accbbbb${(0x4711 + n).toString(16).padStart(6, "0")}`;
    const product = blankProduct({ ...given, id, createdAt: "2026-01-01T00:00:00.000Z" });
    const at = (cents: number, updatedAt: string) => ({
      ...product,
      ourPriceCents: cents,
      updatedAt,
      prices: [{ tier: null, amountCents: cents, currency: "EUR", minQty: 1, validFrom: null }],
    });
    const before = at(100 + (n * 7_919) % 90_000, product.updatedAt);
    const after = at(
      100 + (n * 6_007) % 90_000,
      new Date(1.8e12 + Math.floor(n / 9)).toISOString(),
    );
    return packer.pack(entryOf(before, after));
  });
  const bytes = deflateRawSync(new TextEncoder().encode(`[${texts.join()}]`)).length;
  ok(bytes <= 300 * 20, `${bytes / 300} bytes a product`);
});
