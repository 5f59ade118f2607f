import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import { extract, jsonLd, offerOf, paragraphs, readHtml, shown } from "./reading_pages.ts";
import { type Grouped, testEach, testTexts } from "../grouped.ts";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";

const H1 = "<h1>Gartenbank Eiche</h1>";
const BUY = "<button>In den Warenkorb</button>";

const TILES =
  "<section class=cross-selling><a href=/2>Kissen</a> <i class=product-price>59,90 €</i></section>";

const boxed = (box: string) => shown(readHtml(`${H1}<div>${box}</div>${BUY}`));
const priced = (result: string) => result.replace(/ \w+$/, "");

const OTHER_AMOUNTS = {
  "9900 EUR shown 0.8": `
    99,00 € | Versandkostenfrei ab 50,00 €; 99,00 € | Free standard delivery on orders over 50,00 €;
    99,00 € | Kostenlose Lieferung schon ab einem Wert von 50,00 €; 99,00 € | 宅配 8,00 €;
    99,00 € | Livraison offerte dès 50,00 €; 99,00 € | 滿 50,00 €(含)以上免運費;
    99,00 € versandkostenfrei; 99,00 € free delivery; 99,00 € 免運`,
  "7900 EUR shown 0.8": `
    79,00 € | inkl. MwSt., Versand innerhalb Deutschlands EUR 6,90; Bestpreisgarantie: 79,00 €;
    79,00 € | Lieferung nach Österreich 6,90 €; 79,00 € | Der Versand kostet 6,90 Euro;
    79,00 € | Livraison vers la France 6,90 €; 79,00 € | dont 0,50 € d'éco-participation;
    79,00 € | inkl. 0,50 € Gebühr; 79,00 € | + 3,99 € de livraison; Sony HT-S40R 79,00 €;
    79,00 € | Bis zu 15,00 € Eintauschbonus; 79,00 € | Bank + Auflage + Haube : 119,00 €;
    Versand gratis, Preis: 79,00 €; 205/55 R16 | 79,00 €; Gehörschutz Peltor 79,00 €;
    79,00 € | zzgl. 39,90 € Speditionslieferung; 79,00 € | Garantieverlängerung 5 Jahre: 14,90 €;
    79,00 € | TVA comprise, Recupel inclus (1,00 €); 79,00 € | 5 offres à partir de 54,00 €;
    79,00 € | with free cushions, worth 29 €, on us; 79,00 € | Muster bestellen (Schutzgebühr 3,00 €);
    79,00 € | inkl. 19 % MwSt., Versand als Wertpaket 18,50 EUR;
    79,00 € <small>inkl. 19 % MwSt. zzgl. Versandkosten</small>;
    <i class=x>99,00 €</i> <i class=y>79,00 €</i>; <i class=x>79,00 €</i><i class=y>99,00 €</i> <i>-20 %</i>;
    316,00 € | 4 × 79,00 € / Stück, inkl. MwSt.; 79,00 € | Zahlbar in 3 Raten, Ratenzahlung möglich;
    <i class=a>79,00 €</i> TTC <i class=b>soit 65,83 € HT</i>`,
  variant_open: "<i class=x>79,00 €</i> – <i class=y>99,00 €</i>",
  ambiguous_price: `
    <i class=x>79,00 €</i> <i>50 ml</i> <i class=y>99,00 €</i> <i>100 ml</i>;
    <i class=x>100,00 €</i> <i class=y>119,00 €</i>; <i class=x>79,00 €</i> + <i class=y>99,00 €</i>;
    <button class=x>79,00 €</button> <button class=y>99,00 €</button>;
    <i class=x>79,00 €</i> <i class=x>99,00 €</i>; <i class=x>9,00 €</i> <i class=y>99,00 €</i>`,
};

testTexts(
  "the price beside other amounts",
  OTHER_AMOUNTS,
  (text) => priced(boxed(paragraphs(text))),
);

/** HTML between the heading and the cart button. */
const BUY_BOXES: Grouped<string> = {
  "7900 EUR shown 0.8": {
    "a price that is higher by the tax and struck by a style sheet":
      `<style>.box .b,.c:hover{text-decoration:line-through}</style><p class=box><i class=b>94,01 €</i> <i class=a>79,00 €</i></p>`,
    "an optional guarantee that is not chosen":
      `<p>79,00 €</p><label><input type=radio>5 Jahre Garantie <i>19,00 €</i></label>`,
    "sizes with prices in one line":
      `<p><a href=/2><i>2 kg</i><i>16,99 €</i></a><i>10 kg</i></p><b>79,00 €</b>`,
    "a class for prices with tax": `<p class="price-including-tax">79,00 €</p>`,
    "other editions after their links":
      `<ul><li><a href=/e>E-Book (EPUB)</a> <i>18,99 €</i></li></ul><p>79,00 €</p>`,
  },
  "7900 EUR shown 0.7": { "an old price alone": `<b class="price old-price">79,00 €</b>` },
  "23990 EUR shown 0.8": {
    "a price with the class of old prices":
      `<i class="old-price">279,90 €</i> <b class=price>239,90 €</b>`,
  },
  "23990 EUR shown 0.9": {
    "a price that is also in a script":
      `<b class=price>239,90 €</b><script>var p={"price":239.9}</script>`,
    "a price that is also an attribute": `<b class=price data-price-amount="239.90">239,90 €</b>`,
  },
  "2490 EUR shown 0.8": {
    "a price per kilogram": `<b class=price>24,90 €</b> <i>12,45 € / kg</i>`,
    "a subscription price next to it": `<p>Einmalkauf 24,90 € · Spar-Abo 22,41 €</p>`,
  },
  "9900 EUR shown 0.8": {
    "a price for members above it":
      `<div><p>Mit PlusCard</p><p class=price>89,<sup>10</sup> €</p></div><div><p>Preis ohne PlusCard</p><p class=price>99,00 €</p></div>`,
    "delivery in Chinese":
      `<b>99,00 €</b><p>滿 50,00 €以上免運費，未滿者自付運費 宅配 8,00 € ***</p>`,
    "delivery in Chinese from one shop":
      `<b>99,00 €</b><p>單店購物車滿 50,00 €(含)以上免運費，未滿者自付運費 宅配 8,00 € ***</p>`,
    "delivery costs after a plus sign": `<h2 class=price>99,00 €</h2><p>+ Versand ab 11,99 €</p>`,
    "a price with a coupon": `<b class=price>99,00 €</b><p>Mit Code BANK10: 89,10 €</p>`,
    "shipping costs next to it":
      `<b class=price>99,00 €</b><p><i>Versandkosten:</i> <i>4,95 €</i></p>`,
  },
  "11900 EUR shown 0.8": {
    "net in large letters, gross below":
      `<p class=price>100,00 € <i>netto</i></p><p>119,00 € inkl. 19 % MwSt.</p>`,
    "net and gross, said directly after the unit":
      `<p>119,00 €<i>/ Stück</i><i>inkl. MwSt.</i></p><p>100,00 €<i>/ Stück</i><i>zzgl. MwSt.</i></p>`,
  },
  "11900 EUR shown 0.6": {
    "a price without tax, said directly after the unit":
      `<p><b>100,00 €</b><i>/ Stück</i><i>zzgl. 19 % MwSt.</i></p>`,
    "a price without tax, in French":
      `<p><b>99,17 €</b> HT</p><p>Prix hors taxes, TVA 20 % en sus</p>`,
  },
  net_only: { "a price without tax and no tax rate": `<p><b>100,00 €</b> netto</p>` },
  "124999 EUR shown 0.8": { "raised cents": `<b class=price><i>1.249</i><sup>99</sup> €</b>` },
};

testEach("extractPrice() without markup", BUY_BOXES, (box) => priced(boxed(box)));

const PAGES: Grouped<string> = {
  "7900 EUR shown 0.8": {
    "two prices with raised cents and a currency sign":
      `${H1}<div><i>79</i><sup>€00</sup></div>${BUY}<aside><i>12</i><sup>€50</sup></aside>`,
    "a whole number, and other prices in euros": `${H1}<b class=price><i>79</i></b>${BUY}${TILES}`,
    "a credit for new customers": `${H1}<p>79,00 €</p>${BUY}<p>25,00 € Startguthaben</p>`,
    "quantities in a table, and cartons":
      `${H1}<p>79,00 €</p><table><tr><th>Quantité<th>Prix<tr><td>6<td class=price>75,00 €</table>` +
      `<p>Soit <b class=price>75,00 €</b> la pièce</p>${BUY}<button>Carton de 6 : 450,00 €</button>`,
    "an order value from which delivery is free":
      `${H1}<p>79,00 €</p><p>Versand 5,95 € · ab 120 € frei Haus</p>${BUY}`,
    "an order value from which delivery is free, in one box with the price":
      `${H1}<div><p>79,00 €</p><p>Versand 5,95 € · ab 120 € frei Haus</p></div>${BUY}`,
    "another article in a sentence":
      `${H1}<p>79,00 €</p>${BUY}<p>Auch schön: <a href=/x.html>Hocker Eiche</a>, 98,00 €</p>`,
    "a credit in a heading": `${H1}<p>79,00 €</p>${BUY}<h2>10 € für Ihre Anmeldung bei uns</h2>`,
  },
  "7900 EUR shown 0.7": {
    "a single price without markup or classes": `${H1}<b>79,00 €</b>`,
  },
  "23990 EUR data 0.7": {
    "data with the article's name and price":
      `${H1}<script>var p={"name":"Gartenbank Eiche","sku":"GE-1","price":{"value":239.9,"currency":"EUR"}}</script>`,
    "data with names by language and prices in hundredths":
      `${H1}<script>var s={"name":{"de":"Gartenbank Eiche"},"variants":[{"sku":"GE-1","price":{"centAmount":23990,"currencyCode":"EUR"}}]}</script>`,
  },
  "no_price": {
    "data with two prices of the article":
      `${H1}<script>var p=[{"name":"Gartenbank Eiche","sku":"1","price":"239,90 €"},{"name":"Gartenbank Eiche","sku":"2","price":"249,90 €"}]</script>`,
    "a price in a script only": `${H1}<script>var p={"price":239.9,"total":10}</script>`,
  },
  "49900 EUR shown 0.8": {
    "a number in the name and a price after it":
      `<h1>Werkbank 150</h1><b class=price>499,00 €</b>${BUY}`,
  },
};

testEach("extractPrice() without markup", PAGES, (html) => priced(shown(readHtml(html))));

const bench = (offers: unknown) => ({ "@type": "Product", name: "Gartenbank Eiche", offers });
const benchLd = (offers: unknown) => jsonLd(bench(offers));

/** Offers in the markup, and HTML between the heading and the cart button. */
const MARKED: Grouped<readonly [offers: unknown, box: string]> = {
  "59500 EUR shown 0.8 unknown": {
    "markup without tax next to a price with tax": [
      offerOf(500, { priceSpecification: { ...offerOf(500), valueAddedTaxIncluded: false } }),
      `<p class=price>Netto 500,00 € <b>595,00 € inkl. MwSt.</b></p>`,
    ],
  },
  "42999 EUR shown 0.7 unknown": {
    "outdated markup next to a sale price": [
      offerOf(479.99),
      `<del>529,00 €</del> <b class=price-now>429,99 €</b><p>${"Gut und schön. ".repeat(26)}</p>`,
    ],
  },
  "6990 EUR shown 0.7 unknown": {
    "stale markup": [offerOf(89.9), `<s>89,90 €</s> <b class=sale-price>69,90 €</b>`],
  },
  "1995 EUR shown 0.7 unknown": {
    "the lowest price of a quantity table": [
      offerOf(14.9),
      `ab 14,90 €<table><tr><td>ab 1<td>19,95 €<tr><td>ab 10<td>17,50 €<tr><td>ab 50<td>14,90 €</table>`,
    ],
  },
  "5472 EUR shown 0.7 unknown": {
    "a price per square metre and the price of a pack": [
      offerOf(21.95),
      `<p class=price>21,95 €<i> / m²</i></p><p>1 Paket (2,493 m²) = <b>54,72 €</b></p>`,
    ],
  },
  "2195 EUR json_ld 0.6 unknown": {
    "a price per square metre and several other prices": [
      offerOf(21.95),
      `<p class=price>21,95 €<i> / m²</i></p><b>54,72 €</b> <b>49,90 €</b>`,
    ],
  },
  "9900 EUR json_ld 0.6 unknown": {
    "a price only for subscribers": [offerOf(99), `<p class=price>im Abo 99 €</p>`],
    "a price only for many pieces": [offerOf(99), `<p class=price>ab 10 Stück: 99,00 €</p>`],
    "a price only after a refund": [offerOf(99), `<p class=price>99,00 € nach Cashback</p>`],
  },
  "9900 EUR json_ld 1 unknown": {
    "an offer for subscribers beside the price": [
      offerOf(99),
      `<p class=price>99,00 €</p><p>Im Abo 10 % sparen</p>`,
    ],
    "a price without a subscription": [offerOf(99), `<p class=price>99,00 € ohne Abo</p>`],
  },
  "14990 EUR shown 0.8 unknown": {
    "markup that includes the deposit of a battery": [
      offerOf(157.4),
      `<b class=price>149,90 €</b><p>inkl. 19 % MwSt., zzgl. Versand</p>` +
      `<p><b>zzgl. 7,50 € Batteriepfand</b></p><p>Zahlbetrag inkl. Pfand: <b>157,40 €</b></p>`,
    ],
  },
  "1695 EUR json_ld 0.8 unknown": {
    "an unexplained amount of similar size near the name": [
      offerOf(16.95),
      `<p>Quibbelpreis <b>16,95 €</b></p><p>Wobbelpreis <b>19,95 €</b></p>`,
    ],
  },
  "2195 EUR json_ld 0.8 unknown": {
    "a price that is only shown as an addition": [
      offerOf(21.95),
      `<p>+ 21,95 €</p><p>Andere 49,90 €</p><p>Andere 59,90 €</p>`,
    ],
  },
  "1695 EUR json_ld 1 unknown": {
    "amounts of another size near the name": [
      offerOf(16.95),
      `<b class=price>16,95 €</b><p>Wobbel <b>2,99 €</b></p><p>Quibbel 99,00 €</p>`,
    ],
  },
  "129900 EUR shown 0.7 unknown": {
    "1.299 beside 1.299,00": [offerOf("1.299"), `<b class=price>1.299,00 €</b>`],
  },
};

testEach(
  "extractPrice() of markup and shown prices",
  MARKED,
  ([offers, box]) => shown(readHtml(`${benchLd(offers)}${H1}${box}${BUY}`)),
);

/** Whole pages without a cart button. */
const UNSOLD: Grouped<string> = {
  "3990 EUR json_ld 0.8 unknown": {
    "two JSON-LD blocks with the second price shown": benchLd(offerOf(33.53)) +
      `${benchLd(offerOf(39.9))}${H1}<p class=price>39,90 €</p>`,
  },
  "9900 EUR shown 0.8 out_of_stock": {
    "a shown price of a sold-out article":
      `${H1}<b class=price data-price-amount=99>99,00 €</b><p>Ausverkauft</p>`,
  },
  "4990 EUR shown 0.8 unknown": {
    "offers in two currencies, one of them shown":
      benchLd([offerOf(52, { priceCurrency: "CHF" }), offerOf(49.9)]) +
      `${H1}<p class=price>49,90 €</p>`,
  },
  "19900 EUR json_ld 0.9 unknown": {
    "another seller next to the shop": benchLd([
      offerOf(199, { seller: { name: "Shop" } }),
      offerOf(185, { seller: { name: "Fremdhandel24" } }),
    ]) + H1,
  },
  "49900 EUR json_ld 0.9 unknown": {
    "a product inside a BuyAction": jsonLd({ "@type": "BuyAction", object: bench(offerOf(499)) }),
  },
  "5990 EUR json_ld 0.9 unknown": {
    "an object in place of a price": benchLd({
      "@type": "AggregateOffer",
      lowPrice: { sales: { value: 59.9, currency: "EUR" }, list: null },
    }),
  },
  "2490 EUR json_ld 0.9 unknown": {
    "a subscription price in a specification": benchLd([
      offerOf(24.9, { name: "Einmalkauf" }),
      offerOf(22.41, { priceSpecification: { price: 22.41, billingIncrement: 1 } }),
    ]),
  },
};

testEach("extractPrice() of markup", UNSOLD, (html) => shown(readHtml(html)));

Deno.test("extractPrice() prefers the product's currency", () => {
  const html = benchLd([offerOf(52, { priceCurrency: "CHF" }), offerOf(49.9)]) + H1;
  const read = (currency: string) => shown(readHtml(html, { product: { currency } }));
  assertEquals(read("EUR"), "4990 EUR json_ld 0.9 unknown");
  assertEquals(read("CHF"), "5200 CHF json_ld 0.9 unknown");
});

const piece = fc.constantFrom(
  ...[H1, BUY, TILES, "<b class=price>12,99 €</b>", "<s>14,99 €</s>", "<p>ab 9 €", "<div>"],
  ...["</div>", "<i data-price=9>9", "<sup>99</sup>", "<script>price=12.99</script>"],
  "<a href=/x>3,00 €</a>",
  ...["netto 5 €", " € ", "12", ",99", "<option>8,00 €", "<h1>"],
);

Deno.test("extractPrice() without markup gives a shown price with a confidence below 1, or none", () => {
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const text = `<!doctype html><title>Gartenbank Eiche</title>${pieces.join("")}`;
    const { result } = extract(text);
    if ("errorCode" in result) return;
    assert(result.method === "shown" && result.confidence <= 0.9 && result.price > 0);
    assertEquals(extract(text).result, result);
  }));
});

const JSON_LD = jsonLd({ "@type": "Product", name: "Bohrhammer", offers: offerOf("79.90") });
const PRICE = `<p class="price">79,90 €</p>`;

function oldPrices(box: string): string | boolean {
  const result = readHtml(`${JSON_LD}<h1>Bohrhammer</h1><div>${box}</div>${BUY}`);
  return "price" in result && `${result.listPrice} ${result.lowest30}`;
}

const OLD_TEXTS = {
  "9990 null": `
    statt 99,90 €; UVP 99,90 €; Was €99.90; RRP: €99.90; au lieu de 99,90 €; Ursprünglich: 99,90 €;
    Prix conseillé : 99,90 €; Ancien prix : 99,90 €; Prix initial <span>99,90 €</span>;
    Regular price €99.90; UVP 119,90 € | statt 99,90 €; <i>statt</i> <i>99,90 €</i>`,
  "null 8490": `
    Niedrigster Preis der letzten 30 Tage: 84,90 €; 30-Tage-Bestpreis: 84,90 € (+5 %);
    Lowest price in the last 30 days: €84.90; Prix le plus bas des 30 derniers jours : 84,90 €;
    Tiefster Preis der vergangenen 30 Tage: <b>84,90 €</b>; 30-Tage-Tiefpreis²: 84,90 €;
    Prix le plus bas pratiqué sur 30 jours : <b>84,90 €</b>;
    Lowest price of the past 30 days <b>€84.90</b>;
    −6 % zum niedrigsten Preis der letzten 30 Tage (84,90 €);
    84,90 € (niedrigster Preis der letzten 30 Tage)`,
  "null 7990": "Niedrigster Preis der letzten 30 Tage: 79,90 €",
  "null 7590": "Niedrigster Preis der letzten 30 Tage: 75,90 €",
  "null null": `
    159,80 € / kg; 30 Tage Rückgabe, Versand ab 99,90 €; Sie sparen 120,00 €;
    Versandkostenfrei ab 100,00 €; <del>69,90 €</del>; `,
};

testTexts("former and lowest price", OLD_TEXTS, (text) => oldPrices(PRICE + paragraphs(text)));

const OLD_PRICES: Grouped<string> = {
  "9990 null": {
    "a struck price": `<p><del>99,90 €</del> <ins class="price">79,90 €</ins></p>`,
    "a struck class": `${PRICE}<p class="old-price">99,90 €</p>`,
    "a recommended price of the maker":
      `${PRICE}<div class="suggested-price">UVP des Herstellers: 99,90 €</div>`,
    "a higher price after it": `<p><i class="c-1">79,90 €</i><i class="c-2">99,90 €</i></p>`,
    "a higher price deep beside it": `<p><b><b>99,90 €</b></b><i><i>79,90 €</i></i></p>`,
  },
  "9990 8490": {
    "both":
      `<p><b class="price">79,90 €</b> <del>99,90 €</del></p><p>30-Tage-Bestpreis: 84,90 €</p>`,
  },
  "null null": {
    "a tile": `${PRICE}<div class="related"><a href="/x">X</a> <del>99,90 €</del></div>`,
  },
};

testEach("former and lowest price", OLD_PRICES, oldPrices);

Deno.test("a list price of the markup that is not above the price hides no shown one", () => {
  for (const listed of ["79.90", "69.90", "109.90"]) {
    const priceSpecification = { price: listed, priceType: "ListPrice" };
    const offers = offerOf("79.90", { priceSpecification });
    const markup = jsonLd({ "@type": "Product", name: "Bohrhammer", offers });
    const result = readHtml(`${markup}<h1>Bohrhammer</h1>${PRICE}<p>UVP 99,90 €</p>${BUY}`);
    const expected = listed === "109.90" ? 10_990 : 9_990;
    assertEquals("price" in result && [result.price, result.listPrice], [7_990, expected], listed);
  }
});

const LOWEST = offerOf("45.00");
const RANGE = "<p class=price>45,00 € – 65,00 €</p>";

/** If `offers` is null, the page has no JSON-LD. */
function read(buy: string, offers: unknown = LOWEST, options: ExtractOptions = {}) {
  const markup = offers && jsonLd({ "@type": "Product", name: "Plaid Heron", offers });
  const text = `<!doctype html><html lang="de"><head><title>Plaid Heron</title>${markup ?? ""}` +
    `</head><body><h1>Plaid Heron</h1><div>${buy}</div>${BUY}</body></html>`;
  return extract(text, options);
}

function outcomeOf(buy: string, offers?: unknown, options?: ExtractOptions): string {
  const { result, facts: { pageStatus } } = read(buy, offers, options);
  if ("errorCode" in result) return result.errorCode;
  return `${result.price} ${result.confidence} ${pageStatus} ${result.listPrice}`;
}

const RANGES = {
  "4500 0.7 variant_open null": `
    45,00 € – 65,00 €; 45,00 - 65,00 €; 45 € – 65 €; 45,00 €* – 65,00 €*; ab 45 € bis 65 €;
    von 45,00 € bis 65,00 €; zwischen 45,00 € und 65,00 €; €45.00 to €65.00; ab 45,00 €;
    From €45.00 to €65.00; between €45.00 and €65.00; Price range: €45.00 through €65.00;
    de 45,00 € à 65,00 €; entre 45,00 € et 65,00 €; À partir de 45,00 €; <b>From</b> €45.00;
    <b>As low as</b> <b>€45.00</b>; From <b>€45.00</b> | To <b>€65.00</b>; 45,00 € | – | 65,00 €;
    <span><bdi>45,00 €</bdi></span> – <span><bdi>65,00 €</bdi></span>`,
  "4500 1 priced null": `
    45,00 €; 45,00 € – Sie sparen 65,00 €; 45,00 € – 90,00 €/l; 45,00 € | Lieferung in 2 – 4 Tagen;
    45,00 € | Versandkostenfrei ab 65 €; Endlich wieder da | 45,00 €; 45,00 € | ab 10 Stück 41,00 €`,
};

testTexts("the outcome of a shown range", RANGES, (text) => outcomeOf(paragraphs(text, "45")));

Deno.test("extractPrice() gives a shown range as a reason", () => {
  const { trace } = read(RANGE);
  assert(trace.at(-1)?.includes("one end of a range of prices"), trace.at(-1));
  const { result, facts } = read(RANGE, null);
  assert("errorCode" in result && result.message.includes("a range of prices"));
  assertEquals([result.errorCode, facts.pageStatus], ["variant_open", "variant_open"]);
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
