import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { blankProduct, type Product } from "../../../src/catalogue/products/product.ts";
import {
  entryOf,
  type LinkStep,
  packEntry,
  type Step,
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

/** The entries of one commit in the earlier stored form, which had several lists of parts. */
const FORMER = `[
  ["69a562ad619accbbbb004711",1767312000000,0,"EUR",[["title","Gerät","Herd"],
    ["ourPriceCents",100,200]],[["B","EUR",1,[2,null],[3,null]],["C","EUR",1,null,[4,null]],
    ["A","EUR",1,[1,null],null]],[["Größe",null,"L"],["Farbe","rot",null]],[],[],
    [["2026-01-01",null,[2]],["2026-01-02",[3,500,"EUR"],[4]]]],
  [1,0,0,"CHF",[["currency","EUR","CHF"],["ourPriceCents",100,100],["costPriceCents",50,60],
    ["targetPriceCents",null,null],["minPriceCents",null,null],["maxPriceCents",null,null],
    ["shippingPriceCents",null,null]]],
  [1,1,1,"EUR",[],[],[],["m1"]],
  [1,0,2,"EUR"],
  [1,0,0,"EUR",[["deletedAt","2026-01-01T00:00:00.000Z",null]]],
  [1,0,3,"",[],[],[],[],[["m2",1],["m3",0]]]]`;

Deno.test("undo entries of the former format are read as if they were stored today", () => {
  const product = (n: number, fields: Partial<Product>): Product => {
    const id = `69a562ad619accbbbb00471${n}`;
    const given = { id, sku: `S-${n}`, title: "Gerät", currency: "EUR", createdAt };
    return { ...blankProduct(given), ...fields };
  };
  const createdAt = "2026-01-01T00:00:00.000Z";
  const at = (ms: number) => new Date(1767312000000 + ms).toISOString();
  const price = (tier: string, amountCents: number) => {
    return { tier, amountCents, currency: "EUR", minQty: 1, validFrom: null };
  };
  const changed = entryOf(
    product(1, {
      ourPriceCents: 100,
      attributes: { Farbe: "rot" },
      prices: [price("A", 1), price("B", 2)],
    }),
    product(1, {
      title: "Herd",
      ourPriceCents: 200,
      attributes: { Größe: "L" },
      prices: [price("B", 3), price("C", 4)],
      updatedAt: at(0),
    }),
  );
  const days: Step[] = [
    ["units:2026-01-01", null, [2, null, null]],
    ["units:2026-01-02", [3, 500, "EUR"], [4, null, null]],
  ];
  const links: LinkStep[] = [["m2", false], ["m3", true]];
  const expected: UndoEntry[] = [
    { ...changed, steps: [...changed.steps, ...days] },
    entryOf(
      product(2, { ourPriceCents: 100, costPriceCents: 50 }),
      product(2, { currency: "CHF", ourPriceCents: 100, costPriceCents: 60, updatedAt: at(0) }),
    ),
    { ...entryOf(null, product(3, { updatedAt: at(1) })), links: [["m1", null]] },
    entryOf(product(4, {}), product(4, { updatedAt: at(1), deletedAt: at(1) })),
    entryOf(product(5, { deletedAt: createdAt }), product(5, { updatedAt: at(1) })),
    { productId: product(6, {}).id, atMs: null, currency: "", steps: [], links },
  ];
  const byPart = ({ steps, ...entry }: UndoEntry) => {
    return { ...entry, steps: new Map(steps.map(([part, ...both]) => [part, both])) };
  };
  assertEquals(unpackEntries(FORMER).map(byPart), expected.map(byPart));
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
