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
import {
  type LearningPage,
  learnRecipe,
} from "../../../../src/engine/extraction/recipe/learn_recipe.ts";
import { jsonpath } from "json-p3";
import { leastCostMs } from "../../../processor_time.ts";
import { parseHtml } from "../../../../src/engine/extraction/page/html_page.ts";
import { statePrices } from "../../../../src/engine/extraction/script_data.ts";

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

/** A recipe that reads the price from script data. */
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

/** Selectors for the only price in `body`, the most exact first. */
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
    // Names with digits or a generated look are not used, because they may belong to one page only.
    ['<p id="preis-4711" class="css-1x9 kJxQzR sxtqplk sum">9,99 €</p>', ["body > p.sum", "p.sum"]],
    // Elements without useful names are found by the text before them, an ARIA label or position.
    ["<form><p>Maß</p><p>9,99 €</p></form>", ['p:contains("Maß") + p', "form > p:nth-of-type(2)"]],
    ['<dl id="kasse"><dt>Ihr Preis:</dt><dd><b class="c4711">9,99 €</b></dd></dl>', [
      "#kasse b",
      'dt:contains("Ihr Preis:") + dd > b',
      "#kasse > dd:nth-of-type(1) > b:nth-of-type(1)",
    ]],
    ['<form><b aria-label="Preis">9,99 €</b></form>', ['b[aria-label="Preis"]']],
    // An ARIA label with digits may contain the price, so no selector uses it.
    ['<b aria-label="9,99 €" class="sum">9,99 €</b>', ["body > b.sum", "b.sum"]],
  ];
  for (const [body, expected] of table) {
    const found = selectorsOf(body).filter((selector) => !selector.startsWith("html"));
    assertEquals([body, found], [body, expected]);
    assertEquals(found.map(selectorError), found.map(() => null), body);
  }
});

interface Sketch {
  /** For each selector, the first amount that it finds on the page. */
  readonly finds: Readonly<Record<string, string>>;
  readonly reference?: string | null;
  readonly isMarked?: boolean;
  readonly score?: number;
  readonly own?: number | null;
}

function page({ finds, reference, isMarked = true, score = 3, own = null }: Sketch): LearningPage {
  const decimals = [...new Set(Object.values(finds))];
  const meant = reference === undefined ? decimals[0] ?? null : reference;
  return {
    digest: {
      reference: meant === null ? null : { decimal: meant, codes: ["EUR"], isMarked },
      prices: decimals.map((decimal) => ({ decimal, codes: ["EUR"], score })),
      finds: Object.entries(finds).map(([selector, decimal]) => ({
        selector,
        at: decimals.indexOf(decimal),
        amounts: 1,
      })),
    },
    ownPrice: own,
  };
}

function learned(pages: readonly LearningPage[]): string[] {
  return learnRecipe(pages)?.selectors.map(placeText) ?? [];
}

Deno.test("learnRecipe() needs 85 % agreement and a mean score of 1", () => {
  const pages = (agreeing: number, against: number, score: number) =>
    Array.from({ length: agreeing + against }, (_, n) => {
      const decimal = `${n + 10}.`;
      return page({ finds: { ".a": decimal }, reference: n < agreeing ? decimal : "1.", score });
    });
  const cases = [pages(17, 3, 1), pages(16, 3, 1), pages(17, 3, 0.9)];
  assertEquals(cases.map(learned), [[".a"], [], []]);
});

Deno.test("learnRecipe() keeps selectors that cover further pages", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `.${name}`);
  const findsAt = (n: number) => Object.fromEntries(names.map((name) => [name, `${n + 10}.`]));
  const often = Array.from({ length: 6 }, (_, n) => page({ finds: findsAt(n) }));
  const seldom = Array.from({ length: 3 }, (_, n) => page({ finds: { ".other": `${n + 70}.` } }));
  const kept = learned([...often, ...seldom]);
  assertEquals([kept.length, kept.includes(".other")], [6, true]);
});

Deno.test("learnRecipe() trusts recipes of shown prices more only if they move with ours", () => {
  const shown = (owns: readonly (number | null)[]) =>
    learnRecipe(
      owns.map((own, n) => page({ finds: { ".a": `${(n + 1) * 10}.` }, isMarked: false, own })),
    )?.confidenceMost;
  assertEquals(shown([11, 19, 33, 38]), 0.7, "four products");
  assertEquals(shown([11, 19, 33, 38, 55]), 0.9);
  assertEquals(shown([11, 190, 3, 38, 550]), 0.7, "they do not move together");
  assertEquals(shown([null, null, null, null, null, null]), 0.7);
  const marked = ["1.", "2.", "3."].map((at) => page({ finds: { ".a": at } }));
  assertEquals(learnRecipe(marked)?.confidenceMost, 0.9);
});

/** A second, simpler implementation of the rules of `learnRecipe()`, for a single selector. */
function mayBeLearned(selector: string, pages: readonly LearningPage[]): boolean {
  let [hits, same, other, points] = [0, 0, 0, 0];
  const seen: string[] = [];
  for (const { digest: { finds, prices, reference } } of pages) {
    const found = finds.find((find) => find.selector === selector);
    if (!found) continue;
    const { decimal, score } = prices[found.at]!;
    hits++;
    points += score;
    if (!seen.includes(decimal)) seen.push(decimal);
    if (reference) reference.decimal === decimal ? same++ : other++;
  }
  return hits >= 3 && same >= 3 && same / (same + other) >= 0.85 && seen.length >= 2 &&
    3 * seen.length >= hits && points / hits >= 1;
}

Deno.test("learnRecipe() takes exactly the selectors that the rules allow, for random digests", () => {
  const names = [".a", ".b", ".c"];
  const drawn = fc.integer({ min: 1, max: 4 }).chain((amounts) => {
    const amount = fc.integer({ min: 1, max: amounts }).map((n) => `${n}.`);
    return fc.array(
      fc.record({
        finds: fc.dictionary(fc.constantFrom(...names), amount, { minKeys: 1 }),
        reference: fc.option(amount),
        score: fc.integer({ min: 0, max: 2 }),
      }),
      { maxLength: 24 },
    );
  });
  let some = 0;
  const property = fc.property(drawn, (sketches) => {
    const made = sketches.map(page);
    const expected = names.filter((name) => mayBeLearned(name, made));
    if (expected.length > 0) some++;
    assertEquals(learned(made).toSorted(), expected);
  });
  fc.assert(property, { numRuns: 2_000 });
  ok(some > 5, `${some} recipes`);
});

function read(html: string) {
  return statePrices(parseHtml(html).shown.scripts, { currency: null, locale: "de" });
}

/** The prices of a page, each as the text `place = amount codes`. */
function written(html: string): string[] {
  return read(html).map(({ statePath, decimal, codes }) =>
    `${statePath} = ${[decimal, ...codes].join(" ")}`
  );
}

const STATE_CASES: Readonly<Record<string, readonly [html: string, ...expected: string[]]>> = {
  "a script of data, by its id": [
    '<script id="__NEXT_DATA__" type="application/json">{"props":{"product":{"price":39.9}}}</script>',
    "#__NEXT_DATA__ $.props.product.price = 39.9",
  ],
  "a script without an id": ['<script>{"price":"39,90 €"}</script>', "json $.price = 39.9 EUR"],
  "an id that belongs to one page": [
    '<script id="p4711" type="application/json">{"price":39.9}</script>',
    "json $.price = 39.9",
  ],
  "whole numbers may count hundredths": [
    '<script>window.__STATE__ = {"item":{"price":{"value":3990,"currency":"EUR"}}};</script>',
    "__STATE__ $.item.price.value = 3990. EUR",
    "__STATE__ $.item.price.value / 100 = 39.9 EUR",
  ],
  "a pushed value, with the currency of the object around it": [
    '<script>dataLayer.push({"ecommerce":{"currencyCode":"EUR","items":[{"price":"39.90"}]}})</script>',
    "dataLayer.push $.ecommerce.items[0].price = 39.9 EUR",
  ],
  "several data in one script, with code between them": [
    '<script>var a={"price":1.5};if(x){f({y:1})}window["app"] = [{"price":2.5}];</script>',
    "a $.price = 1.5",
    "app $[0].price = 2.5",
  ],
  "keys that belong to one page become any key": [
    '<script>s={"Product:4711":{"price":1.5},"kJxQzRt":{"price":2.5},"a-b":{"price":3.5}}</script>',
    "s $.*.price = 1.5",
    "s $.*.price = 2.5",
    "s $['a-b'].price = 3.5",
  ],
  "former, unit and other amounts, and values not called a price, do not count": [
    '<script>s={"oldPrice":1,"unitPrice":2,"price":{"was":3,"list":4},"weight":5,"totalPrice":6}</script>',
  ],
  "texts without a price, and ambiguous texts, do not count": [
    '<script>s={"price":"siehe oben","priceText":"9.234","prices":true,"price_":0,"priceId":"1e9"}</script>',
  ],
  "code that only looks like data": [
    '<script>x={"price":1,}; y = {price: 2}; z={\'price\':3}; w==={"price":4}; g({"price":5})</script>',
  ],
  "data that are cut": ['<script>s={"price":1.5, "a":"</script>'],
  "brackets and quotes in texts": [
    '<script>s={"a":"}\\"]{","price":1.5}</script>',
    "s $.price = 1.5",
  ],
  "markup is not read a second time": ['<script type="application/ld+json">{"price":1}</script>'],
};

for (const [name, [html, ...expected]] of Object.entries(STATE_CASES)) {
  Deno.test(`statePrices(): ${name}`, () => assertEquals(written(html), expected));
}

Deno.test("statePrices() names places by RFC 9535 paths that find the same value", () => {
  const key = fc.constantFrom(..."price preis product data a-b Item:12 x9 current".split(" "));
  const cents = fc.integer({ min: 1, max: 99_999 });
  const leaf = fc.oneof(cents, cents.map((one) => one / 100), fc.constant("neu"));
  const tree = fc.letrec((tie) => ({
    node: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("node"), { maxLength: 3 }), tie("object")),
    object: fc.dictionary(key, tie("node"), { maxKeys: 4, noNullPrototype: true }),
  })).object;
  fc.assert(fc.property(tree, (data) => {
    const text = JSON.stringify(data);
    for (const { statePath, decimal, text: printed } of read(`<script>s = ${text};</script>`)) {
      const [, path = "", scale] = /^s (\$.*?)( \/ 100)?$/.exec(statePath) ?? [];
      const meant = scale ? Math.round(Number(decimal) * 100) : Number(decimal);
      const same = jsonpath.query(path, JSON.parse(text)).values().filter((one) => one === meant);
      ok(same.length > 0, `${statePath} ${decimal} in ${text}`);
      ok(printed.endsWith(String(same[0])), printed);
    }
  }));
});

Deno.test("statePrices() takes bounded time, whatever the scripts contain", () => {
  const pages = [
    `<script>s=${"[".repeat(200_000)}</script>`,
    `<script>${'s={"a":'.repeat(40_000)}</script>`,
    `<script>${'{"price":1}'.repeat(20_000)}</script>`,
    `<script>${'s={"price":1};'.repeat(20_000)}</script>`,
    `<script>s={"price":[${"1,".repeat(100_000)}1]}</script>`,
    `<script>s={${
      Array.from({ length: 20_000 }, (_, n) => `"p${n}":{"price":${n}}`).join(",")
    }}</script>`,
    `<script>${"={".repeat(100_000)}</script>`,
    `<script>${'={"'.repeat(100_000)}</script>`,
    '<script>s={"price":1}</script>'.repeat(400),
    `<script>s=${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}</script>`,
  ];
  for (const [n, html] of pages.entries()) {
    const { length } = read(html);
    ok(length <= 201, `${n}: ${length}`);
    const usedMs = leastCostMs(() => read(html));
    ok(usedMs < 200, `${n}: ${usedMs} ms`);
  }
});
