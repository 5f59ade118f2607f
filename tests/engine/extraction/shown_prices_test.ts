import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import fc from "fast-check";
import { extract, jsonLd, offerOf, readHtml, shown } from "./reading_pages.ts";
import { type Grouped, testEach } from "../grouped.ts";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";

const H1 = "<h1>Gartenbank Eiche</h1>";
const BUY = "<button>In den Warenkorb</button>";
const TILES = '<section class="cross-selling"><h2>Kunden kauften auch</h2>' +
  [5990, 1990, 2590].map((cents) =>
    `<div class="product-box"><a href="/p/${cents}">Kissen</a>` +
    `<span class="product-price">${(cents / 100).toFixed(2).replace(".", ",")} €</span></div>`
  ).join("") + "</section>";

const DELIVERY = [
  "Versandkostenfrei ab 50,00 €",
  "Kostenlose Lieferung schon ab einem Wert von 50,00 €",
  "Free standard delivery on orders over 50,00 €",
  "Livraison offerte dès 50,00 €",
  "滿 50,00 €(含)以上免運費",
  "宅配 8,00 €",
  "滿 50,00 €以上免運費，未滿者自付運費 宅配 8,00 € ***",
  "單店購物車滿 50,00 €(含)以上免運費，未滿者自付運費 宅配 8,00 € ***",
];
const DELIVERED = ["99,00 € versandkostenfrei", "99,00 € free delivery", "99,00 € 免運"];

const SHEET = "<style>.a{color:red}.box .b,.c:hover{text-decoration:line-through}</style>";
/** Pairs of adjacent prices, neither of which is marked as a former price. */
const PAIRS = {
  sizes: "<i class=x>79,00 €</i> <i>50 ml</i> <i class=y>99,00 €</i> <i>100 ml</i>",
  "without tax and with it": "<i class=x>100,00 €</i> <i class=y>119,00 €</i>",
  "a deposit": "<i class=x>79,00 €</i> + <i class=y>99,00 €</i>",
  choices: "<button class=x>79,00 €</button> <button class=y>99,00 €</button>",
  "one look": "<i class=x>79,00 €</i> <i class=x>99,00 €</i>",
  "far apart": "<i class=x>9,00 €</i> <i class=y>99,00 €</i>",
};

const PAGES: Grouped<string> = {
  "7900 EUR shown 0.8": {
    "a higher price next to it in another style":
      `${H1}<div><i class=x>99,00 €</i> <i class=y>79,00 €</i></div>${BUY}`,
    "a higher price and the saving next to it":
      `${H1}<div><i class=x>79,00 €</i><i class=y>99,00 €</i> <i>-20 %</i></div>${BUY}`,
    "a higher price that a style sheet in the page strikes through":
      `${SHEET}${H1}<div class=box><i class=b>99,00 €</i> <i class=a>79,00 €</i></div>${BUY}`,
    "a price that is higher by the tax and struck by a style sheet":
      `${SHEET}${H1}<div class=box><i class=b>94,01 €</i> <i class=a>79,00 €</i></div>${BUY}`,
    "a regular price next to it": `${H1}<p><i class=regular-price>99,00 €</i> 79,00 €</p>${BUY}`,
    "a legal note": `${H1}<p>79,00 € <small>inkl. 19 % MwSt. zzgl. Versandkosten</small></p>${BUY}`,
    "a legal note before the button":
      `${H1}<div><b>79,00 €</b><small>inkl. MwSt., zzgl. Versand</small></div>${BUY}`,
    "a note about instalments":
      `${H1}<div><b>79,00 €</b><p>Zahlbar in 3 Raten, Ratenzahlung möglich</p></div>${BUY}`,
    "a whole number, and other prices in euros": `${H1}<b class=price><i>79</i></b>${BUY}${TILES}`,
    "raised cents": `${H1}<div><i>79</i><sup>00</sup> <b>€</b></div>${BUY}`,
    "two prices with raised cents and a currency sign":
      `${H1}<div><i>79</i><sup>€00</sup></div>${BUY}<aside><i>12</i><sup>€50</sup></aside>`,
    "a declarative shadow root":
      `<x-buy><template shadowrootmode=open>${H1}<p>79,00 €</p>${BUY}</template></x-buy>`,
    "delivery within a country":
      `${H1}<p>79,00 €</p><p>inkl. MwSt., Versand innerhalb Deutschlands EUR 6,90</p>${BUY}`,
    "delivery to a country": `${H1}<p>79,00 €</p><p>Lieferung nach Österreich 6,90 €</p>${BUY}`,
    "the cost of delivery in a sentence":
      `${H1}<p>79,00 €</p><p>Der Versand kostet 6,90 Euro</p>${BUY}`,
    "the cost of delivery in French":
      `${H1}<p>79,00 €</p><p>Livraison vers la France 6,90 €</p>${BUY}`,
    "an included fee in French": `${H1}<p>79,00 €</p><p>dont 0,50 € d'éco-participation</p>${BUY}`,
    "an included fee in German": `${H1}<p>79,00 €</p><p>inkl. 0,50 € Gebühr</p>${BUY}`,
    "an included contribution in brackets":
      `${H1}<p>79,00 €</p><p>TVA comprise, Recupel inclus (1,00 €)</p>${BUY}`,
    "delivery on top": `${H1}<p>79,00 €</p><p>+ 3,99 € de livraison</p>${BUY}`,
    "a carrier on top": `${H1}<p>79,00 €</p><p>zzgl. 39,90 € Speditionslieferung</p>${BUY}`,
    "a bonus for a trade-in": `${H1}<p>79,00 €</p><p>Bis zu 15,00 € Eintauschbonus</p>${BUY}`,
    "a bundle": `${H1}<p>79,00 €</p><p>Bank + Auflage + Haube : 119,00 €</p>${BUY}`,
    "offers of other sellers": `${H1}<p>79,00 €</p><p>5 offres à partir de 54,00 €</p>${BUY}`,
    "an optional guarantee that is not chosen":
      `${H1}<p>79,00 €</p><label><input type=radio>5 Jahre Garantie <i>19,00 €</i></label>${BUY}`,
    "sizes with prices in one line":
      `${H1}<p><a href=/2><i>2 kg</i><i>16,99 €</i></a><i>10 kg</i></p><b>79,00 €</b>${BUY}`,
    "a fee for small orders":
      `${H1}<b>79,00 €</b><p>Mindermengenzuschlag unter 50,00 € Warenwert: 8,50 €</p>${BUY}`,
    "delivery of small orders":
      `${H1}<b>79,00 €</b><p>Free UK delivery over 25 € (otherwise 2,99 €)</p>${BUY}`,
    "a longer guarantee": `${H1}<b>79,00 €</b><p>Garantieverlängerung 5 Jahre: 14,90 €</p>${BUY}`,
    "a free gift with its value":
      `${H1}<b>79,00 €</b><p>with free cushions, worth 29 €, on us</p>${BUY}`,
    "the price without tax next to it in French":
      `${H1}<p><i class=a>79,00 €</i> TTC <i class=b>soit 65,83 € HT</i></p>${BUY}`,
    "a name that is also a word for a service": `${H1}<p>Gehörschutz Peltor 79,00 €</p>${BUY}`,
    "a promise of the best price": `${H1}<p>Bestpreisgarantie: 79,00 €</p>${BUY}`,
    "free delivery before the price": `${H1}<p>Versand gratis, Preis: 79,00 €</p>${BUY}`,
    "a name with HT": `${H1}<p>Sony HT-S40R 79,00 €</p>${BUY}`,
    "a sample with a price":
      `${H1}<p>79,00 €</p>${BUY}<button>Muster für 3,00 € bestellen</button>`,
    "another article in a sentence":
      `${H1}<p>79,00 €</p>${BUY}<p>Auch schön: <a href=/x.html>Hocker Eiche</a>, 98,00 €</p>`,
    "a class for prices with tax": `${H1}<p class="price-including-tax">79,00 €</p>${BUY}`,
    "a credit for new customers": `${H1}<p>79,00 €</p>${BUY}<p>25,00 € Startguthaben</p>`,
    "delivery costs after the tax":
      `${H1}<p>79,00 €</p><p>inkl. 19 % MwSt., Versand als Wertpaket 18,50 EUR</p>${BUY}`,
    "a credit in a heading": `${H1}<p>79,00 €</p>${BUY}<h2>10 € für Ihre Anmeldung bei uns</h2>`,
    "the price together with a service":
      `${H1}<p>79,00 €</p><p>Komplett mit Montage beim Partner: 129,00 €</p>${BUY}`,
    "a total above the price per piece":
      `${H1}<p>316,00 €</p><p>4 × 79,00 € / Stück, inkl. MwSt.</p>${BUY}`,
    "a dimension such as R16": `${H1}<p>205/55 R16</p><p>79,00 €</p>${BUY}`,
    "other editions after their links":
      `${H1}<ul><li><a href=/e>E-Book (EPUB)</a> <i>18,99 €</i></li></ul><p>79,00 €</p>${BUY}`,
    "a reduced rate":
      `${H1}<table><tr><th>Plein tarif<td>79,00 €<tr><th>Tarif réduit <small>(moins de 26 ans, sur justificatif)</small><td>59,00 €</table>${BUY}`,
    "quantities in a table, and cartons":
      `${H1}<p>79,00 €</p><table><tr><th>Quantité<th>Prix<tr><td>6<td class=price>75,00 €</table>` +
      `<p>Soit <b class=price>75,00 €</b> la pièce</p>${BUY}<button>Carton de 6 : 450,00 €</button>`,
    "an order value from which delivery is free":
      `${H1}<p>79,00 €</p><p>Versand 5,95 € · ab 120 € frei Haus</p>${BUY}`,
  },
  "7900 EUR shown 0.9": {
    "a regular price alone":
      `${H1}<b class="price-item--regular" data-price="79">79,00 €</b>${BUY}`,
  },
  "7900 EUR shown 0.7": {
    "an old price alone": `${H1}<b class="price old-price">79,00 €</b>${BUY}`,
    "a single price without markup or classes": `${H1}<b>79,00 €</b>`,
  },
  "23990 EUR shown 0.8": {
    "a price with the class of old prices":
      `${H1}<i class="old-price">279,90 €</i> <b class=price>239,90 €</b>${BUY}`,
    "a monthly rate": `${H1}<b class=price>239,90 €</b> <i>oder 19,90 € pro Monat</i>${BUY}`,
  },
  "23990 EUR shown 0.9": {
    "a price that is also in a script":
      `${H1}<b class=price>239,90 €</b><script>var p={"price":239.9}</script>${BUY}`,
    "a price that is also an attribute":
      `${H1}<b class=price data-price-amount="239.90">239,90 €</b>${BUY}`,
  },
  "23990 EUR data 0.7": {
    "data with the article's name and price":
      `${H1}<script>var p={"name":"Gartenbank Eiche","sku":"GE-1","price":{"value":239.9,"currency":"EUR"}}</script>`,
    "data with names by language and prices in hundredths":
      `${H1}<script>var s={"name":{"de":"Gartenbank Eiche"},"variants":[{"sku":"GE-1","price":{"centAmount":23990,"currencyCode":"EUR"}}]}</script>`,
  },
  variant_open: {
    "a range in two styles":
      `${H1}<div><i class=x>79,00 €</i> – <i class=y>99,00 €</i></div>${BUY}`,
  },
  "no_price": {
    "data with two prices of the article":
      `${H1}<script>var p=[{"name":"Gartenbank Eiche","sku":"1","price":"239,90 €"},{"name":"Gartenbank Eiche","sku":"2","price":"249,90 €"}]</script>`,
    "a price in a script only": `${H1}<script>var p={"price":239.9,"total":10}</script>`,
  },
  "2490 EUR shown 0.8": {
    "a price per kilogram": `${H1}<b class=price>24,90 €</b> <i>12,45 € / kg</i>${BUY}`,
    "a subscription price next to it": `${H1}<p>Einmalkauf 24,90 € · Spar-Abo 22,41 €</p>${BUY}`,
  },
  "9900 EUR shown 0.8": {
    ...Object.fromEntries(DELIVERY.map((text) => [
      `delivery costs next to a price: ${text}`,
      `${H1}<b>99,00 €</b><p>${text}</p>${BUY}`,
    ])),
    ...Object.fromEntries(DELIVERED.map((text) => [
      `a price with a note about free delivery: ${text}`,
      `${H1}<p>${text}</p>${BUY}`,
    ])),
    "a price for members above it":
      `${H1}<div><p>Mit PlusCard</p><p class=price>89,<sup>10</sup> €</p></div><div><p>Preis ohne PlusCard</p><p class=price>99,00 €</p></div>${BUY}`,
    "a subscription that is preselected":
      `${H1}<label><input type=radio checked><i>Spar-Abo −10 %</i> <i class=amount>89,10 €</i> <i>4,12 € / kg</i> <i>Lieferung alle <select><option>4 Wochen</select>, jederzeit kündbar</i></label><label><input type=radio><i>Einmaliger Kauf</i> <i class=amount>99,00 €</i> <i>4,58 € / kg</i></label>${BUY}`,
    "delivery costs after a plus sign":
      `${H1}<h2 class=price>99,00 €</h2><p>+ Versand ab 11,99 €</p>${BUY}`,
    "a price with a coupon": `${H1}<b class=price>99,00 €</b><p>Mit Code BANK10: 89,10 €</p>${BUY}`,
    "shipping costs next to it":
      `${H1}<b class=price>99,00 €</b><p><i>Versandkosten:</i> <i>4,95 €</i></p>${BUY}`,
  },
  "11900 EUR shown 0.8": {
    "net and gross":
      `${H1}<p class=price>100,00 € zzgl. 19 % MwSt. (119,00 € inkl. MwSt.)</p>${BUY}`,
    "net in large letters, gross below":
      `${H1}<p class=price>100,00 € <i>netto</i></p><p>119,00 € inkl. 19 % MwSt.</p>${BUY}`,
    "net and gross, said directly after the unit":
      `${H1}<p>119,00 €<i>/ Stück</i><i>inkl. MwSt.</i></p><p>100,00 €<i>/ Stück</i><i>zzgl. MwSt.</i></p>${BUY}`,
  },
  "11900 EUR shown 0.6": {
    "a price without tax and the tax rate":
      `${H1}<p><b>100,00 €</b> <i>/ Stück netto, zzgl. 19 % MwSt.</i></p>${BUY}`,
    "a price without tax, said directly after the unit":
      `${H1}<p><b>100,00 €</b><i>/ Stück</i><i>zzgl. 19 % MwSt.</i></p>${BUY}`,
    "a price without tax, in French":
      `${H1}<p><b>99,17 €</b> HT</p><p>Prix hors taxes, TVA 20 % en sus</p>${BUY}`,
  },
  sold_out: {
    "a sold-out article and its successor in French":
      `${H1}<p>Rupture de stock</p><div><h3>Son remplaçant</h3><a href=/b>Banc B</a>` +
      `<b class=final-price data-price-amount=99>99,00 €</b></div>`,
  },
  net_only: { "a price without tax and no tax rate": `${H1}<p><b>100,00 €</b> netto</p>${BUY}` },
  "104995 EUR shown 0.7": {
    "a price after a refund above it":
      `${H1}<p><i>Soit après remboursement différé de 150 €</i><i>899<sup>€95</sup></i></p>` +
      `<p><i>1 049</i><i>€95</i></p>${BUY}`,
  },
  "124999 EUR shown 0.8": {
    "raised cents": `${H1}<b class=price><i>1.249</i><sup>99</sup> €</b>${BUY}`,
  },
  "49900 EUR shown 0.8": {
    "a number in the name and a price after it":
      `<h1>Werkbank 150</h1><b class=price>499,00 €</b>${BUY}`,
  },
  "ambiguous_price": {
    ...Object.fromEntries(
      Object.entries(PAIRS).map(([name, pair]) => [name, `${H1}<div>${pair}</div>${BUY}`]),
    ),
    "the successor of the article":
      `${H1}<div><h2>Das Nachfolgemodell</h2><b class=price>99,00 €</b>${BUY}</div>`,
  },
};

testEach(
  "extractPrice() without markup",
  PAGES,
  (html) => shown(readHtml(html)).replace(/ \w+$/, ""),
);

const bench = (offers: unknown) => ({ "@type": "Product", name: "Gartenbank Eiche", offers });
const benchLd = (offers: unknown) => jsonLd(bench(offers));

const MARKED: Grouped<string> = {
  "3990 EUR json_ld 0.8 unknown": {
    "two JSON-LD blocks with the second price shown": benchLd(offerOf(33.53)) +
      benchLd(offerOf(39.9)) +
      `${H1}<p class=price>39,90 €</p>`,
  },
  "59500 EUR shown 0.8 unknown": {
    "markup without tax next to a price with tax": benchLd(offerOf(500, {
      priceSpecification: { price: 500, priceCurrency: "EUR", valueAddedTaxIncluded: false },
    })) + `${H1}<p class=price>Netto 500,00 € <b>595,00 € inkl. MwSt.</b></p>`,
  },
  "6990 EUR shown 0.7 unknown": {
    "stale markup": benchLd(offerOf(89.9)) +
      `${H1}<s>89,90 €</s> <b class=sale-price>69,90 €</b>${BUY}`,
  },
  "1995 EUR shown 0.7 unknown": {
    "the lowest price of a quantity table": benchLd(offerOf(14.9)) +
      `${H1}<p>ab 14,90 €</p><table><tr><td>ab 1<td>19,95 €<tr><td>ab 10<td>17,50 €` +
      `<tr><td>ab 50<td>14,90 €</table>${BUY}`,
    "a subscription that is preselected": benchLd(offerOf(16.95)) +
      `${H1}<p>16,95 €</p><label><input type=radio checked>Abonnement, livraison tous les mois ` +
      `<b>16,95 €</b></label><label><input type=radio>Achat unique <b>19,95 €</b></label>`,
    "a price after a refund": benchLd(offerOf(14.95)) +
      `${H1}<p><i class=price>14,95 €</i> <i>après remboursement de 5,00 €</i></p>` +
      `<p>Prix payé en caisse : <b>19,95 €</b></p>${BUY}`,
  },
  "5472 EUR shown 0.7 unknown": {
    "a price per square metre and the price of a pack": benchLd(offerOf(21.95)) +
      `${H1}<p class=price>21,95 €<i> / m²</i></p><p>1 Paket (2,493 m²) = <b>54,72 €</b></p>${BUY}` +
      `<button>Muster bestellen (Schutzgebühr 3,00 €)</button>`,
  },
  "2195 EUR json_ld 0.6 unknown": {
    "a price per square metre and several other prices": benchLd(offerOf(21.95)) +
      `${H1}<p class=price>21,95 €<i> / m²</i></p><b>54,72 €</b> <b>49,90 €</b>${BUY}`,
  },
  "9900 EUR json_ld 0.6 unknown": {
    "a price that is only shown for subscribers": benchLd(offerOf(99)) +
      `${H1}<p class=price>im Abo 99 €</p>${BUY}`,
    "a price that is only shown for many pieces": benchLd(offerOf(99)) +
      `${H1}<p class=price>ab 10 Stück: 99,00 €</p>${BUY}`,
    "a price that is only shown as the amount after a refund": benchLd(offerOf(99)) +
      `${H1}<p class=price>99,00 € nach Cashback</p>${BUY}`,
  },
  "9900 EUR json_ld 1 unknown": {
    "an offer for subscribers beside the price": benchLd(offerOf(99)) +
      `${H1}<p class=price>99,00 €</p><p>Im Abo 10 % sparen</p>${BUY}`,
    "a price without a subscription": benchLd(offerOf(99)) +
      `${H1}<p class=price>99,00 € ohne Abo</p>${BUY}`,
  },
  "14990 EUR shown 0.8 unknown": {
    "markup that includes the deposit of a battery": benchLd(offerOf(157.4)) +
      `${H1}<b class=price>149,90 €</b><p>inkl. 19 % MwSt., zzgl. Versand</p>` +
      `<p><b>zzgl. 7,50 € Batteriepfand</b></p><p>Zahlbetrag inkl. Pfand: <b>157,40 €</b></p>${BUY}`,
  },
  "42999 EUR shown 0.7 unknown": {
    "outdated markup next to a sale price": benchLd(offerOf(479.99)) +
      `${H1}<del>529,00 €</del> <b class=price-now>429,99 €</b><p>${
        "Gut und schön. ".repeat(26)
      }</p>${BUY}`,
  },
  "9900 EUR shown 0.8 out_of_stock": {
    "a shown price of a sold-out article":
      `${H1}<b class=price data-price-amount=99>99,00 €</b><p>Ausverkauft</p>`,
  },
  "1695 EUR json_ld 0.8 unknown": {
    "an unexplained amount of similar size near the name": benchLd(offerOf(16.95)) +
      `${H1}<p>Quibbelpreis <b>16,95 €</b></p><p>Wobbelpreis <b>19,95 €</b></p>${BUY}`,
  },
  "2195 EUR json_ld 0.8 unknown": {
    "a price that is only shown as an addition": benchLd(offerOf(21.95)) +
      `${H1}<p>+ 21,95 €</p><p>Andere 49,90 €</p><p>Andere 59,90 €</p>${BUY}`,
  },
  "1695 EUR json_ld 1 unknown": {
    "amounts of another size near the name": benchLd(offerOf(16.95)) +
      `${H1}<b class=price>16,95 €</b><p>Wobbel <b>2,99 €</b></p><p>Quibbel 99,00 €</p>${BUY}`,
  },
  "129900 EUR shown 0.7 unknown": {
    "1.299 beside 1.299,00": benchLd({ price: "1.299", priceCurrency: "EUR" }) +
      `${H1}<b class=price>1.299,00 €</b>${BUY}`,
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
  "5990 EUR json_ld 0.9 unknown": {
    "an object in place of a price": benchLd({
      "@type": "AggregateOffer",
      lowPrice: { sales: { value: 59.9, currency: "EUR" }, list: null },
    }),
  },
  "49900 EUR json_ld 0.9 unknown": {
    "a product inside a BuyAction": jsonLd({ "@type": "BuyAction", object: bench(offerOf(499)) }) +
      H1,
  },
  "4400 EUR json_ld 0.9 unknown": {
    "NaN and commas at the end": jsonLd(
      '{"@type":"Product","rating":NaN,"offers":{"price":"44.00","priceCurrency":"EUR",},}',
    ),
  },
  "2490 EUR json_ld 0.9 unknown": {
    "a subscription price in a specification": benchLd([
      offerOf(24.9, { name: "Einmalkauf" }),
      offerOf(22.41, { priceSpecification: { price: 22.41, billingIncrement: 1 } }),
    ]),
  },
};

testEach("extractPrice() of markup and shown prices", MARKED, (html) => shown(readHtml(html)));

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
const ENGLISH_PRICE = `<p class="price">€79.90</p>`;

/**
 * HTML below the heading, grouped by the expected former price and 30-day lowest price. `PRICE` is
 * put above HTML that lacks the price 79.90.
 */
const BOXES: Grouped<string> = {
  "9990 null": {
    "a struck price": `<p><del>99,90 €</del> <ins class="price">79,90 €</ins></p>`,
    "a struck class": `<p class="old-price">99,90 €</p>`,
    'a price after "statt"': `<p>statt 99,90 €</p>`,
    'a price after "statt" in its own element': `<i>statt</i> <i>99,90 €</i>`,
    "a recommended price": `<p>UVP 99,90 €</p>`,
    "a recommended price of the maker":
      `<div class="suggested-price">UVP des Herstellers: 99,90 €</div>`,
    "a former price in English": `${ENGLISH_PRICE}<p>Was €99.90</p>`,
    "a recommended price in English": `${ENGLISH_PRICE}<p>RRP: €99.90</p>`,
    'a price after "au lieu de"': `<p>au lieu de 99,90 €</p>`,
    "a recommended price in French": `<p>Prix conseillé : 99,90 €</p>`,
    "a former price in French": `<p>Ancien prix : 99,90 €</p>`,
    "an initial price in French": `<p>Prix initial <span>99,90 €</span></p>`,
    "an original price": `<p>Ursprünglich: 99,90 €</p>`,
    "a regular price in English": `${ENGLISH_PRICE}<p>Regular price €99.90</p>`,
    "a higher price after it": `<p><i class="c-1">79,90 €</i><i class="c-2">99,90 €</i></p>`,
    "a higher price deep beside it": `<p><b><b>99,90 €</b></b><i><i>79,90 €</i></i></p>`,
    "a former price before a recommended one": `<p>UVP 119,90 €</p><p>statt 99,90 €</p>`,
  },
  "null 7590": {
    "the lowest of 30 days": `<p>Niedrigster Preis der letzten 30 Tage: 75,90 €</p>`,
    "the best of 30 days": `<p>30-Tage-Bestpreis: 75,90 € (+5 %)</p>`,
    "the lowest in English": `${ENGLISH_PRICE}<p>Lowest price in the last 30 days: €75.90</p>`,
    "the lowest in French": `<p>Prix le plus bas des 30 derniers jours : 75,90 €</p>`,
  },
  "null 8490": {
    "the lowest in its own element":
      `<p>Tiefster Preis der vergangenen 30 Tage: <b>84,90 €</b></p>`,
    "the lowest in its own element, in French":
      `<p>Prix le plus bas pratiqué sur 30 jours : <b>84,90 €</b></p>`,
    "the lowest in its own element, in English":
      `${ENGLISH_PRICE}<p>Lowest price of the past 30 days <b>€84.90</b></p>`,
    "the lowest with a note": `<p>30-Tage-Tiefpreis²: 84,90 €</p>`,
    "a reduction from the lowest":
      `<p>−6 % zum niedrigsten Preis der letzten 30 Tage (84,90 €)</p>`,
    "the lowest after its amount": `<p>84,90 € (niedrigster Preis der letzten 30 Tage)</p>`,
  },
  "null 7990": {
    "the lowest, equal to the price":
      `${PRICE}<p>Niedrigster Preis der letzten 30 Tage: 79,90 €</p>`,
  },
  "9990 8490": {
    "both":
      `<p><b class="price">79,90 €</b> <del>99,90 €</del></p><p>30-Tage-Bestpreis: 84,90 €</p>`,
  },
  "null null": {
    "no other price": "",
    "a price per kilogram": `<p>159,80 € / kg</p>`,
    "amounts in the terms of returns and delivery": `<p>30 Tage Rückgabe, Versand ab 99,90 €</p>`,
    "a saving": `<p>Sie sparen 120,00 €</p>`,
    "an order value for free delivery": `<p>Versandkostenfrei ab 100,00 €</p>`,
    "a cheaper struck price": `<p><del>69,90 €</del></p>`,
    "a tile": `<div class="related"><a href="/x">X</a> <del>99,90 €</del></div>`,
  },
};

testEach("former and lowest price", BOXES, (box) => {
  const buy = /79[,.]90/.test(box) ? box : PRICE + box;
  const result = readHtml(`${JSON_LD}<h1>Bohrhammer</h1><div>${buy}</div>${BUY}`);
  return "price" in result && `${result.listPrice} ${result.lowest30}`;
});

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

/** `offers` are in the page's markup; null for a page without markup. */
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
