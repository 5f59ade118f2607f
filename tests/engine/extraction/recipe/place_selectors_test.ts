import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { extractPrice } from "../../../../src/engine/extraction/extract_price.ts";
import { placeText } from "../../../../src/engine/extraction/recipe/recipe.ts";

/** The selectors of the one price of a page, from exact to loose. */
function selectorsOf(body: string): readonly string[] {
  const text = `<!doctype html><html lang="de"><body><h1>Regal</h1>${body}</body></html>`;
  const answer = { url: "https://shop.example/p", contentType: "text/html", text };
  return extractPrice(answer, { wanted: "" }).digest?.finds.map(placeText) ?? [];
}

Deno.test("places are named from exact to loose, by words that other pages have, too", () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['<p id="preis">9,99 €</p>', ["#preis"]],
    ['<p data-testid="the-sum" class="x">9,99 €</p>', [
      '[data-testid="the-sum"]',
      "body > p.x",
      "p.x",
    ]],
    ['<section id="buy"><div><b class="sum big">9,99 €</b></div></section>', [
      "#buy b.sum.big",
      "section > div > b.sum.big",
      "div > b.sum.big",
      "b.sum.big",
    ]],
    // Names with digits, or that look generated, belong to a single page.
    ['<p id="preis-4711" class="css-1x9 kJxQzR sxtqplk sum">9,99 €</p>', ["body > p.sum", "p.sum"]],
    ['<p class="productPrice ABCDEF">9,99 €</p>', [
      "body > p.productPrice.ABCDEF",
      "p.productPrice.ABCDEF",
    ]],
    ["<p><b>9,99 €</b></p>", []],
  ];
  for (const [body, expected] of table) {
    const found = selectorsOf(body).filter((selector) => !selector.startsWith("html"));
    assertEquals([body, found], [body, expected]);
  }
});
