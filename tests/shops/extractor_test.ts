import { jsonPathError, selectorError } from "../../src/engine/extraction/page/written_paths.ts";
import { Extractor } from "../../src/shops/extractor.ts";
import { extractorErrors } from "../../src/shops/extractor_errors.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const NONE = { priceSelector: null, stockSelector: null, jsonPath: null };

Deno.test("selectorError() accepts what the selector engine supports within its limits, and says why not", () => {
  const copied = "body > div#app > main:nth-child(2) > " + "div > ".repeat(30) + "span.price";
  const accepted = [
    "#price .value",
    "[itemprop=price]",
    "div:nth-child(2n+1) > b",
    "p:has(b), i:not(u)",
    copied,
    "p:not(:has(> b)):is(.a, .b) ~ i",
    "li:nth-child(2 of .offer) .price",
  ];
  for (const selector of accepted) assertEquals(selectorError(selector), null, selector);
  const alternatives = "Must not contain more than 20 alternatives";
  const depth = "Must not contain selectors nested deeper than 3 levels";
  const nested = "Must not contain :has() within :has()";
  const refused: readonly (readonly [string, string | RegExp])[] = [
    ["div[", /not a CSS selector/],
    ["a,,b", /not a CSS selector/],
    ["div:unknown-thing", /not a CSS selector/],
    ["p::before", /not a CSS selector/],
    ["div:has(:has(:has(*))) *:not(:not(*))", nested],
    ["div:has(p:not(:has(b)))", nested],
    ["p:has(b:nth-child(2 of :has(i)))", nested],
    ["b,".repeat(20) + "b", alternatives],
    ["p:is(" + "b,".repeat(20) + "b)", alternatives],
    ["b ".repeat(41) + "b", "Must not contain more than 40 combinators"],
    [".a".repeat(101), "Must not contain more than 100 parts"],
    [":not(:is(:not(:is(b))))", depth],
    [":nth-child(2 of :is(:not(:is(b))))", depth],
    ["#" + "a".repeat(500), "Must have at most 500 characters"],
  ];
  for (const [selector, reason] of refused) {
    const said = selectorError(selector) ?? "";
    if (typeof reason === "string") assertEquals(said, reason);
    else match(said, reason, selector);
  }
});

Deno.test("jsonPathError() accepts RFC 9535 without regular expressions", () => {
  for (const path of ["$.price", "$..offers[0].price", "$.a[?@.b > 1].c", "$['x y']"]) {
    assertEquals(jsonPathError(path), null, path);
  }
  const refused = ["price", "$.", "$..[?(@.a=~/(a+)+$/)]", "$[?match(@.a, '(a+)+$')]"];
  for (const path of [...refused, "$[?search(@.a, 'a')]"]) {
    match(jsonPathError(path) ?? "", /not a JSON path|second "\$"/, path);
  }
});

Deno.test("an extractor with a too expensive path is refused when it is saved", () => {
  const costly = ["$..a..b..c", "$.a[?@.b == $.c]", "$..[?count($..*) > 1]"];
  for (const jsonPath of costly) {
    match(jsonPathError(jsonPath) ?? "", /Must not contain/, jsonPath);
    assertEquals(extractorErrors({ ...NONE, jsonPath }).map(({ part }) => part), ["jsonPath"]);
  }
  assertEquals(extractorErrors({ ...NONE, jsonPath: "$['..a..b..c']['$$$']" }), []);
});

Deno.test("Extractor fills absent parts with null and refuses unknown ones", () => {
  assertEquals(Extractor.parse({ priceSelector: "#p" }), {
    priceSelector: "#p",
    stockSelector: null,
    jsonPath: null,
    currency: null,
    locale: null,
  });
  const refused = [
    { selector: "#p" },
    { currency: "eur" },
    { locale: "!" },
    { priceSelector: "" },
    {
      priceSelector: "a\u0000b",
    },
  ];
  for (const body of refused) assertEquals(Extractor.safeParse(body).success, false);
});

Deno.test("an extractor stored before a limit existed can be exported to another store", () => {
  const stored = {
    priceSelector: ":not(:is(:not(:is(b))))",
    stockSelector: "b,".repeat(20) + "b",
    jsonPath: "$..[?@..zz]",
    currency: "EUR",
    locale: "de-DE",
  };
  assertEquals(extractorErrors(stored).length, 3);
  assertEquals(Extractor.parse(stored), stored);
});
