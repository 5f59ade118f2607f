import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { outcomeOf, SIZES, SOURCES } from "./variant_pages.ts";

for (const [name, page] of Object.entries(SOURCES)) {
  const html = page(SIZES);

  Deno.test(`extractPrice() chooses by our GTIN among variants from ${name}`, () => {
    const found = outcomeOf(html, { product: { title: "Pfanne", ean: "4006381333948" } });
    match(found, /^2999 (?:0\.9|1) out_of_stock 28.cm by gtin$/);
  });

  Deno.test(`extractPrice() chooses by the shop's number among variants from ${name}`, () => {
    if (name === "var meta of Shopify") return;
    const found = outcomeOf(html, { product: { title: "Pfanne", shopSku: "PF-32" } });
    match(found, /^3999 (?:0\.9|1) in_stock 32.cm by sku$/);
  });

  Deno.test(`extractPrice() chooses by our title among variants from ${name}`, () => {
    const found = outcomeOf(html, { product: { title: "Talheim Bratpfanne Pro, Ø 320 mm" } });
    match(found, /^3999 (?:0\.9|1) in_stock 32.cm by title$/);
  });

  Deno.test(`extractPrice() leaves the variant open without a hint among variants from ${name}`, () => {
    for (const product of [{ title: "Talheim Bratpfanne Pro" }, null]) {
      match(outcomeOf(html, { product }), /^1999 0\.\d+ in_stock variant_open$/);
      const [, confidence] = outcomeOf(html, { product }).split(" ");
      assertEquals(Number(confidence) <= 0.7, true);
    }
  });

  Deno.test(`extractPrice() finds no variant of our size among variants from ${name}`, () => {
    const found = outcomeOf(html, { product: { title: "Talheim Bratpfanne Pro 24 cm" } });
    match(found, /^1999 0\.[0-6] in_stock variant_unknown$/);
  });
}
