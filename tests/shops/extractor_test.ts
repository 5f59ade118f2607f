import {
  extractorErrors,
  jsonPathError,
  selectorError,
} from "../../src/engine/extraction/extractors.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

Deno.test("selectorError() accepts what the selector engine supports, and says why not", () => {
  const accepted = [
    "#price .value",
    "[itemprop=price]",
    "div:nth-child(2n+1) > b",
    "p:has(b), i:not(u)",
    "p:not(:has(> b)):is(.a, .b) ~ i",
    "li:nth-child(2 of .offer) .price",
  ];
  for (const selector of accepted) assertEquals(selectorError(selector), null, selector);
  for (const selector of ["div[", "a,,b", "div:unknown-thing", "p::before"]) {
    match(selectorError(selector) ?? "", /not a CSS selector/, selector);
  }
});

Deno.test("jsonPathError() accepts RFC 9535 without regular expressions", () => {
  for (const path of ["$.price", "$..offers[0].price", "$.a[?@.b > 1].c", "$['x y']"]) {
    assertEquals(jsonPathError(path), null, path);
  }
  const refused = ["price", "$.", "$..[?(@.a=~/(a+)+$/)]", "$[?match(@.a, '(a+)+$')]"];
  for (const path of [...refused, "$[?search(@.a, 'a')]"]) {
    match(jsonPathError(path) ?? "", /not a JSON path/, path);
  }
});

Deno.test("extractorErrors() names the part that is wrong", () => {
  const parts = extractorErrors({ priceSelector: "b[", stockSelector: "i", jsonPath: "price" });
  assertEquals(parts.map(({ part }) => part), ["priceSelector", "jsonPath"]);
});
