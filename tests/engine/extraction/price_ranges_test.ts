import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";
import { type Grouped, testEach } from "../grouped.ts";
import { extract, jsonLd, offerOf } from "./reading_pages.ts";

const CART = "<button>In den Warenkorb</button>";

const LOWEST = offerOf("45.00");
const RANGE = "<p class=price>45,00 € – 65,00 €</p>";

/** Reads the page of a blanket. Its markup contains `offers`, unless `offers` is null. */
function read(buy: string, offers: unknown = LOWEST, options: ExtractOptions = {}) {
  const markup = offers && jsonLd({ "@type": "Product", name: "Plaid Heron", offers });
  const text = `<!doctype html><html lang="de"><head><title>Plaid Heron</title>${markup ?? ""}` +
    `</head><body><h1>Plaid Heron</h1><div>${buy}</div>${CART}</body></html>`;
  return extract(text, options);
}

function outcomeOf(buy: string, offers?: unknown, options?: ExtractOptions): string {
  const { result, facts: { pageStatus } } = read(buy, offers, options);
  if ("errorCode" in result) return result.errorCode;
  return `${result.price} ${result.confidence} ${pageStatus} ${result.listPrice}`;
}

const SHOWN: Grouped<string> = {
  "4500 0.7 variant_open null": {
    "a dash": RANGE,
    "a hyphen, one sign": "<p class=price>45,00 - 65,00 €</p>",
    "whole amounts": "<p class=price>45 € – 65 €</p>",
    "footnote marks": "<p class=price>45,00 €* – 65,00 €*</p>",
    "from and to": "<p class=price>ab 45 € bis 65 €</p>",
    "of and to": "<p class=price>von 45,00 € bis 65,00 €</p>",
    "between": "<p class=price>zwischen 45,00 € und 65,00 €</p>",
    "English": "<p class=price>€45.00 to €65.00</p>",
    "English words before it": "<p class=price>From €45.00 to €65.00</p>",
    "between in English": "<p class=price>between €45.00 and €65.00</p>",
    "for listeners": "<p class=price>Price range: €45.00 through €65.00</p>",
    "French": "<p class=price>de 45,00 € à 65,00 €</p>",
    "between in French": "<p class=price>entre 45,00 € et 65,00 €</p>",
    "elements in one block":
      "<p class=price><span><bdi>45,00 €</bdi></span> – <span><bdi>65,00 €</bdi></span></p>",
    "a block each": "<div><p>From <b>€45.00</b></p><p>To <b>€65.00</b></p></div>",
    "the dash in a block": "<div><div>45,00 €</div><div>–</div><div>65,00 €</div></div>",
    "an open range": "<p class=price>ab 45,00 €</p>",
    "an open range in English": "<p class=price><span>From</span> €45.00</p>",
    "as low as": "<p class=price><span>As low as</span> <b>€45.00</b></p>",
    "an open range in French": "<p class=price>À partir de 45,00 €</p>",
  },
  "4500 1 priced null": {
    "one price": "<p class=price>45,00 €</p>",
    "the savings behind a dash": "<p class=price>45,00 € – Sie sparen 65,00 €</p>",
    "a price by the litre behind a dash": "<p class=price>45,00 € – 90,00 €/l</p>",
    "a range of days": "<p class=price>45,00 €</p><p>Lieferung in 2 – 4 Tagen</p>",
    "where delivery is free from": "<p class=price>45,00 €</p><p>Versandkostenfrei ab 65 €</p>",
    "words that end like one": "<p>Endlich wieder da</p><p class=price>45,00 €</p>",
    "a quantity": "<p class=price>45,00 €</p><p>ab 10 Stück 41,00 €</p>",
  },
};

testEach("extractPrice() of a shown range", SHOWN, (buy) => outcomeOf(buy));

Deno.test("extractPrice() gives a shown range as a reason", () => {
  const { trace } = read(RANGE);
  assert(trace.at(-1)?.includes("one end of a range of prices"), trace.at(-1));
});

Deno.test("extractPrice() of a range without markup takes neither end for the price", () => {
  const { result, facts } = read(RANGE, null);
  assert("errorCode" in result);
  assertEquals(result.errorCode, "variant_open");
  assert(result.message.includes("a range of prices"), result.message);
  assertEquals(facts.pageStatus, "variant_open");
});

Deno.test("extractPrice() of an offer from a lowest to a highest price is less sure of the lowest", () => {
  const range = { "@type": "AggregateOffer", priceCurrency: "EUR", lowPrice: "45.00" };
  const one = "<p class=price>45,00 €</p>";
  assertEquals(outcomeOf(one, { ...range, highPrice: "65.00" }), "4500 0.7 variant_open null");
  assertEquals(outcomeOf(one, { ...range, highPrice: "45.00" }), "4500 1 priced null");
  assertEquals(outcomeOf(one, range), "4500 1 priced null");
});

Deno.test("extractPrice() of a range has full confidence if our number chooses the variant", () => {
  const offers = [["HR-4510", "45.00"], ["HR-6520", "65.00"]]
    .map(([sku, price]) => offerOf(price, { sku, name: `Plaid Heron ${sku}` }));
  const chosen = (shopSku: string) => outcomeOf(RANGE, offers, { product: { shopSku } });
  assertEquals(chosen("HR-6520"), "6500 0.9 priced null");
  assertEquals(chosen("HR-4510"), "4500 1 priced null");
  assertEquals(outcomeOf(RANGE, offers), "4500 0.7 variant_open null");
});
