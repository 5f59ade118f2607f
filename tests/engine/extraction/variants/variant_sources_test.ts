import { match } from "node:assert/strict";
import { outcomeOf, SIZES, SOURCES } from "./variant_pages.ts";

const title = "Talheim Bratpfanne Pro";
const OPEN = /^1999 0\.[0-7] in_stock variant_open$/;

/** What is asked, our product, and the outcome. */
const ASKS = [
  ["our GTIN", { ean: "4006381333948" }, /^2999 (?:0\.9|1) out_of_stock 28.cm by gtin$/],
  ["the shop's number", { shopSku: "PF-32" }, /^3999 (?:0\.9|1) in_stock 32.cm by sku$/],
  ["our title", { title: `${title}, Ø 320 mm` }, /^3999 (?:0\.9|1) in_stock 32.cm by title$/],
  ["no hint", { title }, OPEN],
  ["no product", null, OPEN],
  ["another size", { title: `${title} 24 cm` }, /^1999 0\.[0-6] in_stock variant_unknown$/],
] as const;

for (const [name, page] of Object.entries(SOURCES)) {
  Deno.test(`extractPrice() chooses among variants from ${name}`, () => {
    for (const [asked, product, expected] of ASKS) {
      if (name === "var meta of Shopify" && asked === "the shop's number") continue;
      match(outcomeOf(page(SIZES), { product }), expected, asked);
    }
  });
}
