import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { blankProduct } from "../../../src/catalogue/products/product.ts";
import { entryOf, packEntry, unpackEntries } from "../../../src/imports/state/undo_store.ts";

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
    const updatedAt = new Date(1.8e12 + Math.floor(n / 9)).toISOString();
    const after = at(100 + (n * 6_007) % 90_000, updatedAt);
    return packEntry(entryOf(before, after));
  });
  const bytes = deflateRawSync(new TextEncoder().encode(`[${texts.join()}]`)).length;
  ok(bytes <= 300 * 20, `${bytes / 300} bytes a product`);
});
