import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { ExtractOptions } from "../../../../src/engine/extraction/extract_price.ts";
import { selectorError } from "../../../../src/engine/extraction/extractors.ts";
import {
  DIGEST_BYTES_MAX,
  type PageRecipe,
  placeText,
} from "../../../../src/engine/extraction/recipe/recipe.ts";
import { euro, extract, jsonLd, readHtml, shown } from "../reading_pages.ts";
import { type Grouped, testEach } from "../../grouped.ts";
import fc from "fast-check";

const PROVEN = { hits: 5, agreements: 5, contradictions: 0 };

function recipe(selector: string, more: Partial<PageRecipe> = {}): PageRecipe {
  const selectors = [{ selector, ...PROVEN }];
  return { source: "learned", selectors, confidenceMost: 0.9, isDoubted: false, ...more };
}

const BUY = "<button>In den Warenkorb</button>";
const TWO =
  `<h1>Kaffeemaschine</h1><div class="links">49,90 €</div><div class="rechts">39,90 €</div>${BUY}`;
const OFFER = { price: "39.90", priceCurrency: "EUR" };
const MARKED = jsonLd({ "@type": "Product", name: "Kaffeemaschine", offers: OFFER });
const ONE = `<h1>Kaffeemaschine</h1><div class="links">39,90 €</div>${BUY}`;
const AGAINST = `${MARKED}${ONE}<p class="fern">Zubehör 12,50 €</p>`;
const UNPROVEN = [{ selector: "div.rechts", hits: 2, agreements: 2, contradictions: 0 }];

const outcomeOf = ([body, recipe]: readonly [string, PageRecipe | null]) =>
  shown(readHtml(body, { recipe }));

const CASES: Grouped<readonly [string, PageRecipe | null]> = {
  "ambiguous_price": {
    "two prices without a recipe": [TWO, null],
    "a place that the page lacks": [TWO, recipe("div.mitte")],
    "the former price of a sale at the place": [
      `<h1>Kaffeemaschine</h1><s class="price">99,90 €</s> <b>79,90 €</b> <b>69,90 €</b>${BUY}`,
      recipe("s.price"),
    ],
    "the former price of a sale at the usual position of the price": [
      `<form><h1>Rad</h1><p style="text-decoration: line-through">99 €</p><p>79 €</p><p>69 €</p>${BUY}</form>`,
      recipe("form > p:nth-of-type(1)"),
    ],
  },
  "3990 EUR recipe 0.9 unknown": { "a proven place decides": [TWO, recipe("div.rechts")] },
  "3990 EUR taught 0.9 unknown": {
    "a taught place decides, too": [TWO, recipe("div.rechts", { source: "taught" })],
  },
  "3990 EUR recipe 0.7 unknown": {
    "a place that is not proven yet": [TWO, recipe("div.rechts", { selectors: UNPROVEN })],
    "unmeasured": [TWO, recipe("div.rechts", { confidenceMost: 0.7 })],
    "doubted": [TWO, recipe("div.rechts", { isDoubted: true })],
  },
  "3990 EUR shown 0.8 unknown": {
    "shown alone": [ONE, null],
    "agreed with, unmeasured": [ONE, recipe("div.links", { confidenceMost: 0.7 })],
  },
  "3990 EUR shown 0.9 unknown": { "shown, and agreed with": [ONE, recipe("div.links")] },
  "3990 EUR json_ld 1 unknown": {
    "marked up and shown": [MARKED + ONE, null],
    "doubted, against the page": [AGAINST, recipe("p.fern", { isDoubted: true })],
  },
  "3990 EUR json_ld 0.6 unknown": { "against the page, which stays": [AGAINST, recipe("p.fern")] },
  "no_price": {
    "a struck price at the place": [
      `<h1>Kaffeemaschine</h1><div class="links"><del class="p">99,90 €</del></div>`,
      recipe("del.p"),
    ],
  },
};

testEach("a recipe", CASES, outcomeOf);

/** A recipe with a place in script data. */
const held = (statePath: string) => recipe("", { selectors: [{ statePath, ...PROVEN }] });

const STATE = '<script>window.__STATE__ = {"item":{"price":3990,"currency":"EUR"}};</script>';
const UNSHOWN = "<h1>Kaffeemaschine</h1><div id=app></div>";
const CENTS = "__STATE__ $.item.price / 100";

const HELD: Grouped<readonly [string, PageRecipe | null]> = {
  "no_price": {
    "a value without a recipe is no price": [UNSHOWN + STATE, null],
    "a path that the page lacks": [UNSHOWN + STATE, held("__STATE__ $.price")],
    "a value that is only shown struck is not used": [
      `${UNSHOWN}<div><del class="p">39,90 €</del></div>${STATE}`,
      held(CENTS),
    ],
  },
  "3990 EUR recipe 0.7 unknown": {
    "a value that is not shown is never sure": [UNSHOWN + STATE, held(CENTS)],
  },
  "399000 EUR recipe 0.7 unknown": {
    "the path names its scale": [UNSHOWN + STATE, held("__STATE__ $.item.price")],
  },
  "3990 EUR recipe 0.9 unknown": {
    "a value that is shown in a good place decides": [TWO + STATE, held(CENTS)],
  },
  "4990 EUR recipe 0.9 unknown": {
    "the first place that has something decides": [
      TWO + STATE,
      recipe("", {
        selectors: [{ selector: "div.links", ...PROVEN }, { statePath: CENTS, ...PROVEN }],
      }),
    ],
  },
};

testEach("a value of the data in a recipe", HELD, outcomeOf);

Deno.test("a digest starts with the intended price of the data, and leaves room for shown prices", () => {
  const keys = Array.from({ length: 300 }, (_, n) => `w${"abcdefghij"[n % 10]}${"abc"[n % 3]}`);
  const many = keys.map((key, n) => `"${key}":{"price":${n}.25}`);
  const body = `${ONE}<script>s={${many.join(",")},"own":{"price":39.9}}</script>`;
  const digest = digestOf(body);
  const paths = digest?.finds.flatMap(({ statePath }) => statePath ?? []) ?? [];
  assertEquals(paths[0], "s $.own.price");
  ok(digest?.finds.some(({ selector }) => selector === "div.links"));
  ok(JSON.stringify(digest).length <= DIGEST_BYTES_MAX + 200);
});

Deno.test("a page of a removed article has no price, even with a recipe", () => {
  const gone = `<h1>Kaffeemaschine</h1><p>Dieser Artikel ist nicht mehr lieferbar.</p>
<div class="rechts">39,90 €</div><div class="links">49,90 €</div>`;
  const result = readHtml(gone, { recipe: recipe("div.rechts") });
  ok("errorCode" in result, shown(result));
});

Deno.test("no recipe changes a price from markup or a sure shown price", () => {
  const cents = fc.integer({ min: 100, max: 900_000 });
  const place = fc.constantFrom("div.links", "p.fern", "div.mitte", "b");
  const doubt = fc.boolean();
  const property = fc.property(cents, cents, place, doubt, (own, other, selector, isDoubted) => {
    const body = `<h1>Kaffeemaschine</h1><div class="links">${
      euro(own)
    }</div>${BUY}<nav><p class="fern">${euro(other)}</p></nav>`;
    const without = readHtml(body);
    const result = readHtml(body, { recipe: recipe(selector, { isDoubted }) });
    ok("price" in without && "price" in result);
    assertEquals([result.price, result.method], [without.price, without.method]);
    if (selector === "p.fern" && own !== other) ok(result.confidence <= without.confidence);
  });
  fc.assert(property, { numRuns: 60 });
});

function digestOf(body: string, options: ExtractOptions = {}) {
  const text = `<!doctype html><html lang="de"><body>${body}</body></html>`;
  return extract(text, { isLearning: true, ...options }).digest;
}

Deno.test("a digest has at most 4 KB and 40 prices, even of hostile pages, and only valid selectors", () => {
  const many = Array.from({ length: 2_000 }, (_, n) => {
    const classes = `${"sehr-langer-name-".repeat(3)} ${"abcdefghij"[n % 10]}wort`;
    return `<div class="${classes}" id="eigen${n}"><p class="x">${n},95 €</p></div>`;
  }).join("");
  const deep = `${"<section class='ebene'>".repeat(200)}<b>12,50 €</b>${"</section>".repeat(200)}`;
  const odd =
    `<p class='"]{}*/ --x a&quot;b \u{1F600} css-1x9 kJxQzR'>9,99 €</p><p data-testid='"] , *'>8,99 €</p>`;
  for (const body of [many, deep, odd, many + deep + odd]) {
    const digest = digestOf(`<h1>Regal</h1>${body}`, { wanted: "" });
    ok(digest);
    ok(JSON.stringify(digest).length <= DIGEST_BYTES_MAX + 200, `${JSON.stringify(digest).length}`);
    ok(digest.prices.length <= 40);
    for (const { selector = "", at } of digest.finds) {
      assertEquals(selectorError(selector), null, selector);
      ok(digest.prices[at], "what it finds is there");
      ok(!/\d/.test(selector.replace(/\bh[1-6]\b|:nth-of-type\(\d+\)/g, "")), selector);
    }
  }
  ok(!JSON.stringify(digestOf(odd, { wanted: "" })).includes("kJxQzR"));
});

Deno.test("a requested amount is in the digest however much else a page shows", () => {
  const many = Array.from({ length: 300 }, (_, n) => `<p class="a"><b class="c">${n},95 €</b></p>`);
  const body = `<h1>Regal</h1>${many.join("")}<footer><i class="unten">777,77 €</i></footer>`;
  const digest = digestOf(body, { wanted: "777.77" });
  ok(digest?.finds.some(({ selector }) => selector === "i.unten"), JSON.stringify(digest?.finds));
});

/** The selectors of the page's only price, from exact to loose. */
const selectorsOf = (body: string) =>
  digestOf(`<h1>Regal</h1>${body}`, { wanted: "" })?.finds.map(placeText) ?? [];

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
    // Places without useful names are found by the text before them, an ARIA label or position.
    ["<p><b>9,99 €</b></p>", ["body > p:nth-of-type(1) > b:nth-of-type(1)"]],
    ["<form><p>Maß</p><p>9,99 €</p></form>", ['p:contains("Maß") + p', "form > p:nth-of-type(2)"]],
    ['<dl id="kasse"><dt>Ihr Preis:</dt><dd><b class="c4711">9,99 €</b></dd></dl>', [
      "#kasse b",
      'dt:contains("Ihr Preis:") + dd > b',
      "#kasse > dd:nth-of-type(1) > b:nth-of-type(1)",
    ]],
    ['<form><b aria-label="Preis">9,99 €</b></form>', ['b[aria-label="Preis"]']],
    // An ARIA label with digits, such as the price itself, is not used.
    ['<b aria-label="9,99 €" class="sum">9,99 €</b>', ["body > b.sum", "b.sum"]],
  ];
  for (const [body, expected] of table) {
    const found = selectorsOf(body).filter((selector) => !selector.startsWith("html"));
    assertEquals([body, found], [body, expected]);
    assertEquals(found.map(selectorError), found.map(() => null), body);
  }
});
