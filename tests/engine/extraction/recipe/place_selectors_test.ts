import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { selectorError } from "../../../../src/engine/extraction/page/written_paths.ts";
import { placeText } from "../../../../src/engine/extraction/recipe/recipe.ts";
import { extract } from "../reading_pages.ts";

/** The selectors of the page's only price, from exact to loose. */
function selectorsOf(body: string): readonly string[] {
  const text = `<!doctype html><html lang="de"><body><h1>Regal</h1>${body}</body></html>`;
  return extract(text, { wanted: "" }).digest?.finds.map(placeText) ?? [];
}

Deno.test("selectors go from exact to loose, and use words that other pages have, too", () => {
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
    // Names with digits, and names that look generated, belong to a single page and are not used.
    ['<p id="preis-4711" class="css-1x9 kJxQzR sxtqplk sum">9,99 €</p>', ["body > p.sum", "p.sum"]],
    ['<p class="productPrice ABCDEF">9,99 €</p>', [
      "body > p.productPrice.ABCDEF",
      "p.productPrice.ABCDEF",
    ]],
    // Places without useful names are found by the text before them, an ARIA label or their
    // position.
    ["<p><b>9,99 €</b></p>", ["body > p:nth-of-type(1) > b:nth-of-type(1)"]],
    ["<form><p>Maß</p><p>9,99 €</p></form>", [
      'p:contains("Maß") + p',
      "form > p:nth-of-type(2)",
    ]],
    ['<dl id="kasse"><dt>Ihr Preis:</dt><dd><b class="c4711">9,99 €</b></dd></dl>', [
      "#kasse b",
      'dt:contains("Ihr Preis:") + dd > b',
      "#kasse > dd:nth-of-type(1) > b:nth-of-type(1)",
    ]],
    ['<form><b aria-label="Preis">9,99 €</b></form>', ['b[aria-label="Preis"]']],
    // A label that belongs to a single article is not used.
    ['<b aria-label="9,99 €" class="sum">9,99 €</b>', ["body > b.sum", "b.sum"]],
  ];
  for (const [body, expected] of table) {
    const found = selectorsOf(body).filter((selector) => !selector.startsWith("html"));
    assertEquals([body, found], [body, expected]);
    assertEquals(found.map(selectorError), found.map(() => null), body);
  }
});
