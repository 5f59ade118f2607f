import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { blankProduct } from "../../../src/catalogue/products/product.ts";
import {
  entryOf,
  packEntry,
  type UndoEntry,
  unpackEntries,
} from "../../../src/imports/state/undo_store.ts";

const id = fc.stringMatching(/^[0-9a-f]{24}$/);
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

const entry: fc.Arbitrary<UndoEntry> = fc.record({
  productId: id,
  atMs: fc.option(fc.nat(4e12)),
  currency: fc.constantFrom("EUR", "CHF"),
  steps: fc.array(fc.tuple(fc.string(), json, json)),
  links: fc.array(fc.tuple(id, fc.constantFrom(true, false, null))),
}, { noNullPrototype: true });

Deno.test("undo entries are decoded as they were encoded", () => {
  fc.assert(fc.property(fc.array(entry), (entries) => {
    assertEquals(unpackEntries(`[${entries.map(packEntry).join()}]`), entries);
  }));
});

Deno.test("undo entries of earlier versions count as expired", () => {
  const former = '[["69a562ad619accbbbb004711",1767312000000,0,"EUR",[["title","Gerät","Herd"]]]]';
  assertEquals(unpackEntries(former), []);
});

Deno.test("300 products with a price move take at most 20 bytes each", () => {
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
    return packEntry(entryOf(before, after));
  });
  const bytes = deflateRawSync(new TextEncoder().encode(`[${texts.join()}]`)).length;
  ok(bytes <= 300 * 20, `${bytes / 300} bytes a product`);
});
