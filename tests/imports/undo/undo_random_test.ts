import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withCheckedApp } from "../../shops/shop.ts";
import { extent } from "../../proof.ts";
import type { Item } from "../import_calls.ts";
import { expectedAfterUndo, link, seen, send, undo } from "./undo_scene.ts";

const field = fc.record({
  title: fc.constantFrom("Apfel", "Birne", "Äpfel & Birnen"),
  price: fc.constantFrom(undefined, "1,00", "2,50", "19,99"),
  brand: fc.constantFrom("", "<BRAND/>", "<BRAND>Rot</BRAND>", "<BRAND>Blau</BRAND>"),
  cost: fc.constantFrom("", "<EK/>", "<EK>0,50</EK>", "<EK>0,75</EK>"),
  tiers: fc.constantFrom(
    "",
    "<SALESPRICE><TIER>B2B</TIER><PRICE>3,00</PRICE></SALESPRICE>",
    "<SALESPRICE><TIER>B2B</TIER></SALESPRICE>",
    "<SALESPRICE><TIER>AKTION</TIER><PRICE>4,00</PRICE><MINQTY>10</MINQTY></SALESPRICE>",
  ),
  link: fc.constantFrom("", "J", "N"),
});

const file = fc.uniqueArray(fc.tuple(fc.nat(7), field), {
  selector: ([n]) => n,
  minLength: 1,
  maxLength: 8,
}).map((records) =>
  records.map(([n, { title, price, brand, cost, tiers, link: enabled }]): Item => ({
    sku: `S-${n}`,
    title,
    ...(price === undefined ? {} : { price }),
    more: brand + cost + tiers +
      (enabled === "" ? "" : link(`https://shop.example/${n}`, enabled)),
  }))
);

/** The first file, the one whose import is undone, and often a later one. */
const files = fc.tuple(file, file, fc.option(file));

const patches = fc.array(
  fc.record({
    n: fc.nat(7),
    fields: fc.constantFrom<Record<string, unknown>>(
      { title: "Von Hand" },
      { ourPrice: 77 },
      { costPrice: 1 },
      { brand: null },
      { brand: "Eigen", mpn: "X" },
      { priceLocked: true },
    ),
  }),
  { maxLength: 3 },
);

withCheckedApp.test("after an undo of a random import, also of an older one, each field has its value before the import, or that of a later change", async (app) => {
  const drawn = fc.tuple(files, patches, fc.boolean());
  const property = fc.asyncProperty(drawn, async ([[one, two, later], changes, isFull]) => {
    const marker = `R${app.clock.now().getTime()}`;
    const renamed = (items: Item[]) =>
      items.map((item) => ({ ...item, sku: `${marker}-${item.sku}` }));
    await send(app, renamed(one));
    const before = await seen(app.owner);
    const imported = await send(app, renamed(two), isFull ? "?mode=replace" : "");
    const left = await seen(app.owner);
    for (const { n, fields } of changes) {
      const product = left.get(`${marker}-S-${n}`);
      if (product?.isDeleted !== false) continue;
      app.clock.advance(1_000);
      await app.owner.change(`/api/products/${product.fields["id"]}`, fields);
    }
    if (later) await send(app, renamed(later));
    const now = await seen(app.owner);
    if (imported.undoableUntil === null) return assertEquals(left, before);
    const { status } = await undo(app, imported.jobId);
    assertEquals(status, "succeeded");
    assertEquals(await seen(app.owner), expectedAfterUndo(before, left, now));
  });
  await fc.assert(property, { numRuns: extent(200, 25) });
});
