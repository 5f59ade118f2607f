import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { price, readHtml } from "./reading_pages.ts";

const money =
  '<meta property="priceCurrency" content="EUR"><span property="price" content="12.99">12,99 €</span>';
const SHAPES: readonly (readonly [string, string, string])[] = [
  [
    "a vocabulary",
    `<div vocab="https://schema.org/" typeof="Product"><p property="offers" typeof="Offer">${money}</p></div>`,
    "1299 EUR",
  ],
  [
    "a prefix",
    `<div prefix="schema: https://schema.org/" typeof="schema:Product"><p property="schema:offers" typeof="schema:Offer">${
      money.replaceAll('property="', 'property="schema:')
    }</p></div>`,
    "1299 EUR",
  ],
  [
    "full addresses",
    `<div typeof="https://schema.org/Product"><p property="https://schema.org/offers" typeof="https://schema.org/Offer">${money}</p></div>`,
    "1299 EUR",
  ],
  [
    "shown text",
    '<div vocab="https://schema.org/" typeof="Product"><p property="offers" typeof="Offer"><b property="price">1.299,00 €</b></p></div>',
    "129900 EUR",
  ],
  [
    "another vocabulary",
    '<div typeof="Product"><b property="http://example.com/price">12,99 €</b></div>',
    "no_price",
  ],
  [
    "OpenGraph inside a product",
    '<div typeof="Product"><meta property="x:price" content="5 €"></div>',
    "no_price",
  ],
  [
    "a product within a product",
    `<div typeof="Product"><p typeof="Product">${money}</p></div>`,
    "no_price",
  ],
  [
    "an event",
    `<div typeof="Event"><p property="offers" typeof="Offer">${money}</p></div>`,
    "no_price",
  ],
];

for (const [name, html, expected] of SHAPES) {
  Deno.test(`RDFa: ${name} gives ${expected}`, () => {
    assertEquals(price(readHtml(html)), expected);
  });
}
