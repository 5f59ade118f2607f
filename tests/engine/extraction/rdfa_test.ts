import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { price, readHtml } from "./reading_pages.ts";
import { type Grouped, rowsOf } from "../grouped.ts";

const money =
  '<meta property="priceCurrency" content="EUR"><span property="price" content="12.99">12,99 €</span>';
const SHAPES: Grouped<string> = {
  "1299 EUR": {
    "a vocabulary":
      `<div vocab="https://schema.org/" typeof="Product"><p property="offers" typeof="Offer">${money}</p></div>`,
    "a prefix":
      `<div prefix="schema: https://schema.org/" typeof="schema:Product"><p property="schema:offers" typeof="schema:Offer">${
        money.replaceAll('property="', 'property="schema:')
      }</p></div>`,
    "full addresses":
      `<div typeof="https://schema.org/Product"><p property="https://schema.org/offers" typeof="https://schema.org/Offer">${money}</p></div>`,
  },
  "129900 EUR": {
    "shown text":
      '<div vocab="https://schema.org/" typeof="Product"><p property="offers" typeof="Offer"><b property="price">1.299,00 €</b></p></div>',
  },
  "no_price": {
    "another vocabulary":
      '<div typeof="Product"><b property="http://example.com/price">12,99 €</b></div>',
    "OpenGraph inside a product":
      '<div typeof="Product"><meta property="x:price" content="5 €"></div>',
    "a product within a product": `<div typeof="Product"><p typeof="Product">${money}</p></div>`,
    "an event": `<div typeof="Event"><p property="offers" typeof="Offer">${money}</p></div>`,
  },
};

for (const [name, html, expected] of rowsOf(SHAPES)) {
  Deno.test(`RDFa: ${name} gives ${expected}`, () => {
    assertEquals(price(readHtml(html)), expected);
  });
}
