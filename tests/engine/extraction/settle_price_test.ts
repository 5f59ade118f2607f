import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { extractPrice } from "../../../src/engine/extraction/extract_price.ts";
import { extract, jsonLd as jsonLdOf, readHtml, shown, URL_OF_PAGE } from "./reading_pages.ts";
import { type Grouped, testEach } from "../grouped.ts";
import fc from "fast-check";
import { type MarkedPrice, settlePrice } from "../../../src/engine/extraction/settle_price.ts";
import type {
  Feature,
  ScoredPrice,
  ShownReading,
} from "../../../src/engine/extraction/shown/scored_price.ts";

const jsonLd = (price: number, priceCurrency = "EUR") =>
  jsonLdOf({ "@type": "Product", offers: { price, priceCurrency } });
const microdata = (amount: number, currency = "EUR", stock = "") =>
  `<p itemscope itemtype=Product><b itemprop=offers itemscope itemtype=Offer>
    <meta itemprop=price content=${amount}><meta itemprop=priceCurrency content="${currency}">
    <meta itemprop=availability content="${stock}"></b></p>`;
const openGraph = (amount: number, currency = "EUR") =>
  `<meta property="og:price:amount" content="${amount}">
   <meta property="og:price:currency" content="${currency}">`;

const STRUCK = "<p><s>20,00 €</s> <b>15,00 €</b></p>";
const SHOWN = "<h1>Kaffee</h1><p class=price>12,99 €</p>";

const VOTES: Grouped<string> = {
  "1690 EUR microdata 1 unknown": {
    "markup and a shown currency":
      '<p itemscope itemtype=Product><b itemprop=price content="16.90">€ 16,90</b></p>',
  },
  "1500 EUR json_ld 1 unknown": { "a price next to a struck price": jsonLd(15) + STRUCK },
  "1299 EUR shown 0.8 unknown": { "a shown price alone": SHOWN },
  ambiguous_price: {
    "two shown prices": `${SHOWN}<p class=price>14,99 €</p>`,
    "markup without a currency": microdata(20, ""),
  },
  no_price: { "numbers without a price": "<h1>Kaffee</h1><p>Seit 1899, ab 2 Kilo</p>" },
  "2000 EUR json_ld 0.9 unknown": {
    "one method alone": jsonLd(20),
    "a price that is struck and shown": `${jsonLd(20)}${STRUCK}<b>20,00 €</b>`,
  },
  "2000 EUR json_ld 1 unknown": {
    "two that agree": jsonLd(20) + microdata(20),
  },
  "2000 EUR microdata 0.6 unknown": { "two that disagree": openGraph(25) + microdata(20) },
  "2000 EUR json_ld 0.5 unknown": { "one against two": jsonLd(20) + microdata(25) + openGraph(25) },
  "2000 EUR json_ld 0.7 unknown": {
    "a price that is only shown struck": jsonLd(20) + STRUCK,
    "one supported, one against": jsonLd(20) + microdata(25) + openGraph(20),
  },
  "2000 EUR json_ld 0.6 unknown": {
    "one amount in two currencies": jsonLd(20) + openGraph(20, "USD"),
  },
  "2000 EUR microdata 1 unknown": {
    "one amount without a currency": microdata(20, "") + openGraph(20),
  },
  "2000 EUR json_ld 1 in_stock": {
    "stock that another method knows": jsonLd(20) + microdata(20, "EUR", "InStock"),
  },
};

testEach("extractPrice() of several methods", VOTES, (html) => shown(readHtml(html)));

Deno.test("extractPrice() lists the prices of the other methods, in minor units", () => {
  const result = readHtml(jsonLd(20) + microdata(25) + openGraph(30, "JPY"));
  assertEquals(result.alternatives, [
    { method: "microdata", price: 2500, currency: "EUR" },
    { method: "opengraph", price: 30, currency: "JPY" },
  ]);
});

Deno.test("extractPrice() traces the finding of each method and why one won", () => {
  assertEquals(extract(jsonLd(20) + openGraph(25)).trace, [
    "json_ld: 20 EUR, the only product",
    "opengraph: 25 EUR, is the main entity",
    "json_ld decides: opengraph disagrees, nothing is shown",
  ]);
});

Deno.test("extractPrice() uses the hinted currency only where the page has none, and is less sure", () => {
  const options = { currencyHint: "EUR" };
  assertEquals(shown(readHtml(microdata(20, ""), options)), "2000 EUR microdata 0.7 unknown");
  assertEquals(shown(readHtml(microdata(20, "CHF"), options)), "2000 CHF microdata 0.9 unknown");
});

Deno.test("extractPrice() refuses what is neither HTML nor JSON", () => {
  const code = (contentType: string | null, text: string) => {
    const { result } = extractPrice({ url: URL_OF_PAGE, contentType, text });
    return "errorCode" in result ? result.errorCode : result.price;
  };
  assertEquals(code("application/pdf", "%PDF-1.7"), "unsupported_content");
  assertEquals(code("image/png", jsonLd(20)), "unsupported_content");
  assertEquals(code("text/html", "\0\0\0"), "unsupported_content");
  assertEquals(code("application/json", "{"), "unsupported_content");
  assertEquals(code(null, "Hallo"), "unsupported_content");
  assertEquals(code("text/html", " ".repeat(4 * 1024 * 1024 + 1)), "unsupported_content");
  assertEquals(code("text/html", ""), "no_price");
  assertEquals(code(null, `<!doctype html>${jsonLd(20)}`), 2000);
  assertEquals(code("application/xhtml+xml; charset=utf-8", jsonLd(20)), 2000);
  const offer = '{"@type":"Offer","price":20,"priceCurrency":"EUR"}';
  assertEquals(code("Application/LD+JSON", offer), 2000);
});

const ELEMENT = { name: "b", attribs: {}, children: [], parent: null };

function shownPrice(decimal: string, score: number, ...features: Feature[]): ScoredPrice {
  return {
    element: ELEMENT,
    whole: ELEMENT,
    at: 0,
    decimal,
    codes: ["EUR"],
    text: decimal,
    before: "",
    after: "",
    beside: "",
    isMarked: false,
    isAlone: true,
    score,
    features,
  };
}

const OWN: MarkedPrice = {
  decimal: "20",
  currency: "EUR",
  confidence: 0.9,
  isSure: true,
  isUndecided: false,
  isNet: false,
  isLowest: false,
};
const SAME = "20.";
const OTHER = "15.";

/** Outcomes that do not occur in tests with whole pages. */
const CASES: Grouped<readonly [MarkedPrice, ShownReading]> = {
  "none ambiguous_price": {
    "a choice that is not sure and not shown": [
      { ...OWN, confidence: 0.7, isSure: false },
      { isSure: false, prices: [shownPrice(OTHER, 3)] },
    ],
  },
  "marked 0.7": {
    "one of several offers, none shown": [
      { ...OWN, isUndecided: true },
      { isSure: false, prices: [shownPrice(OTHER, 2)] },
    ],
  },
  "marked 0.6": {
    "shown net markup": [{ ...OWN, isNet: true }, { isSure: true, prices: [shownPrice(SAME, 6)] }],
  },
};

testEach("settlePrice()", CASES, ([own, shown]) => {
  const settled = settlePrice(own, shown, new Set([SAME]));
  return `${settled.taken} ${settled.taken === "none" ? settled.reason : settled.confidence}`;
});

const FEATURES: readonly Feature[] = ["struck", "tile", "net", "script", "again", "region", "old"];
const anyPrice = fc.tuple(
  fc.constantFrom("20.", "15.", "9.99"),
  fc.double({ min: -8, max: 12, noNaN: true }),
  fc.uniqueArray(fc.constantFrom(...FEATURES), { maxLength: 3 }),
).map(([decimal, score, features]) => shownPrice(decimal, score, ...features));

Deno.test("settlePrice() is never surer of markup if another price is shown", () => {
  fc.assert(fc.property(
    fc.array(anyPrice, { maxLength: 6 }),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom(0.5, 0.6, 0.7, 0.9, 1),
    (prices, isClear, isUndecided, isSure, confidence) => {
      const ranked = prices.toSorted((a, b) => b.score - a.score);
      const own = { ...OWN, confidence, isUndecided, isSure };
      const settled = settlePrice(own, { prices: ranked, isSure: isClear }, new Set([SAME]));
      const best = ranked[0];
      if (settled.taken === "none") assert(!isSure);
      else if (settled.taken === "shown") {
        assert(settled.confidence <= 0.8 && settled.price === best && best?.decimal !== SAME);
      } else if (best && best.decimal !== SAME) {
        assert(settled.confidence <= confidence);
        if (isClear) assert(settled.confidence <= 0.6);
      }
    },
  ));
});
