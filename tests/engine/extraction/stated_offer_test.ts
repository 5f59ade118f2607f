import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";
import { type Grouped, testEach, testTexts } from "../grouped.ts";
import { extract, jsonLd, offerOf, paragraphs } from "./reading_pages.ts";

const SHOP_URL = "https://www.werkhof.example/p/1";
const PRICE = `<p class="price">39,99 €</p>`;
const CART = `<button class="btn-buy">In den Warenkorb</button>`;
const RELATED =
  `<section class="related"><div class="product-box"><a href="/x">Z</a> 9,99 € Ausverkauft</div></section>`;

/** If `isMarked` is true, the page has markup that says "in stock". */
function read(buy: string, isMarked: boolean, options: ExtractOptions = {}, name = "Säge S1") {
  const offers = offerOf("39.99", { availability: "https://schema.org/InStock" });
  const head = isMarked ? jsonLd({ "@type": "Product", name, offers }) : "";
  const text = `<!doctype html><html lang="de"><head><title>${name} | Werk & Hof</title>${head}` +
    `</head><body><nav><a href="/b">B-Ware</a></nav><main><h1>${name}</h1>${buy}</main>` +
    `${RELATED}<footer>Verkauf nur an Gewerbe</footer></body></html>`;
  return extract(text, options, SHOP_URL);
}

const stockOf = (buy: string) => read(PRICE + buy, false).facts.availability;

const ON_SALE: Readonly<Record<string, string>> = {
  in_stock: `
    Sofort lieferbar; Lagerbestand: 12 Stück auf Lager; Lieferzeit: 1-3 Werktage;
    In stock, ships within 2 days; En stock - expédié sous 24 h; Ausreichend auf Lager;
    Sofort versandbereit; Expédié sous 48 heures; Ce produit est disponible immédiatement;
    This item is in stock; Lieferung nach Hause: lieferbar in 2-3 Werktagen`,
  limited: `
    Nur noch 3 Stück; Only 2 left - order soon; Il ne reste que 2 exemplaires; Bald ausverkauft;
    Bientôt épuisé; Begrenzte Stückzahl verfügbar; Almost gone`,
  pre_order: `
    Erscheint am 12.12.2026; Vorbestellbar, Auslieferung ab Mai; Available for pre-order;
    Disponible en précommande`,
  back_order: `
    Voraussichtlich lieferbar ab 12.12.; Back in stock on 12 May; De retour en stock le 12 mai`,
  unknown: "Verfügbar in 3 Farben; Abholung in Filiale Köln: verfügbar",
};
const NOT_ON_SALE: typeof ON_SALE = {
  out_of_stock: `
    Derzeit nicht verfügbar; 0 auf Lager; Temporarily out of stock.; Rupture de stock;
    Leider schon ausverkauft; Momentanément indisponible; Currently no stock;
    Das Produkt ist vorübergehend nicht lieferbar; Cet article n’est plus disponible`,
  discontinued: `
    Dieses Produkt wird nicht mehr produziert; This product is no longer manufactured.;
    Ce produit n’est plus fabriqué; Der Artikel ist nicht mehr im Sortiment;
    Dieser Artikel wurde vom Hersteller eingestellt und ist bei uns nicht mehr erhältlich.
    Ersatzteile führen wir bis auf Weiteres.`,
};

testTexts("the stock of an article on sale", ON_SALE, (text) => stockOf(`<p>${text}</p>${CART}`));
testTexts("the stock of other articles", NOT_ON_SALE, (text) => stockOf(`<p>${text}</p>`));

const STOCKS: Grouped<string> = {
  in_stock: {
    "a label and its value": `<dl><dt>Verfügbarkeit</dt><dd>Auf Lager</dd></dl>${CART}`,
    "the online stock next to that of branches":
      `<p>In Filialen: nicht verfügbar</p><p>Online auf Lager</p>${CART}`,
    "the end of a sale next to it": `<p>Nur noch 2 Tage: Sale</p><p>Auf Lager</p>${CART}`,
    "a badge that a style sheet hides":
      `<span class="badge badge-sold-out">Ausverkauft</span><p>Auf Lager</p>${CART}`,
    "another size next to it": `<p>Auf Lager</p><ul><li>Ausverkauft</li></ul>${CART}`,
  },
  out_of_stock: {
    "sold out in a list": `<ul><li>Dieser Artikel ist ausverkauft</li></ul>`,
    "sold out on a button": `<button disabled>Ausverkauft</button>`,
    "temporarily sold out": `<p>Zurzeit vergriffen</p><button disabled>In den Warenkorb</button>`,
  },
  unknown: { "nothing": CART },
};

testEach("the stock from shown text", STOCKS, stockOf);

Deno.test("extractPrice() trusts text about the stock more than markup, and is less sure", () => {
  const { result, facts } = read(`${PRICE}<p>Derzeit nicht verfügbar</p>`, true);
  assertEquals(facts.availability, "out_of_stock");
  assertEquals("price" in result && [result.inStock, result.confidence], [false, 0.7]);
});

const CONDITIONS: typeof ON_SALE = {
  "refurbished 0.7": `
    <dl><dt>Zustand</dt><dd>Generalüberholt</dd></dl>; État : Reconditionné - Très bon état;
    <dl><dt>Zustand:</dt><dd>Generalüberholt, 12 Monate Gewährleistung</dd></dl>;
    <span class='badge'>Refurbished</span>`,
  "used 0.7": `
    Zustand: Gebraucht - sehr gut; <b>Ausstellungsstück</b>; Rückläufer;
    Zustand: Gebraucht – Wie neu. Verpackung beschädigt, Artikel geprüft.`,
  "new 1": "Condition: New",
  "null 1": `
    Auch gebraucht ab 19,99 €; <a href='/used'>Gebraucht</a>; Used by professionals;
    Neu | Gebraucht`,
};
const HEADINGS = {
  "refurbished 0.7": "Säge S1 generalüberholt; Scie S1 reconditionnée",
  "damaged 0.7": "Säge S1 B-Ware",
};

function conditionOf(buy: string, heading?: string): string | boolean {
  const product = { title: "Säge S1" };
  const { result, facts } = read(PRICE + buy + CART, true, { product }, heading);
  return "price" in result && `${facts.condition} ${result.confidence}`;
}

testTexts("the condition", CONDITIONS, (text) => conditionOf(paragraphs(text)));
Deno.test("the condition is not that of another offer", () => {
  const others = "<div><h5>Andere Angebote</h5><p>44,99 €</p><p>Neu</p></div>";
  assertEquals(conditionOf(`<p>Zustand: Gebraucht</p>${CART}${others}`), "used 0.7");
});

testTexts("the condition by a heading", HEADINGS, (heading) => conditionOf("", heading));

const SELLERS: typeof ON_SALE = {
  "Zangenprofi GmbH true 0.8": `
    Verkauf durch Zangenprofi GmbH und Versand durch Werk & Hof; Ein Angebot von Zangenprofi GmbH;
    Sold by Zangenprofi GmbH and fulfilled by us; Vendu et expédié par Zangenprofi GmbH;
    Sold & shipped by Zangenprofi GmbH; Verkauf & Versand durch Zangenprofi GmbH;
    <dl><dt>Verkauf durch</dt><dd>Zangenprofi GmbH</dd></dl>;
    Verkäufer: <a href='/s'>Zangenprofi GmbH</a> (98,7 %);
    Verkauf durch <a href='/s'>Zangenprofi GmbH</a> <span>98,6 % positiv</span>;
    <span>Verkäufer</span> <span>Zangenprofi GmbH</span>`,
  "Zangen Versand true 0.8": `
    Verkauf und Versand durch Zangen Versand; Verkauf durch Zangen Versand, Versand durch uns`,
  "Werk & Hof false 1": "Verkauf und Versand durch Werk & Hof",
  "null false 1": `
    Anbieter: <a href='/hersteller/zangenprofi'>Zangenprofi GmbH</a>;
    Verkauf und Versand durch uns; Verkauf nur solange Vorrat reicht`,
};

testTexts("the seller", SELLERS, (text) => {
  const { result, facts } = read(PRICE + paragraphs(text) + CART, true);
  const confidence = "price" in result && result.confidence;
  return `${facts.seller} ${facts.isThirdParty} ${confidence}`;
});

Deno.test("extractPrice() reads the stock next to the repeated price with the cart button", () => {
  const facts = "<p>Griff aus Holz</p>".repeat(20);
  const box = `<form>${PRICE}<p>Nur noch 7 auf Lager</p>${CART}</form>`;
  const page = read(`<p class="price final">39,99 €</p>${facts}${box}`, false);
  assertEquals(page.facts.availability, "limited");
});

Deno.test("extractPrice() does not apply a text about the stock of the shown variant to our variant", () => {
  const availability = "https://schema.org/InStock";
  const offers = [["39.90", "4006381333931"], ["64.90", "4006381333948"]]
    .map(([price, gtin13]) => offerOf(price, { gtin13, availability }));
  const text = jsonLd({ "@type": "Product", name: "Pfanne P1", offers }) +
    `<h1>Pfanne P1</h1><p class="price">39,90 €</p><p>Derzeit nicht verfügbar</p>`;
  const { result, facts } = extract(text, { product: { ean: "4006381333948" } }, SHOP_URL);
  assertEquals(["price" in result && result.price, facts.availability], [6490, "in_stock"]);
});

Deno.test("extractPrice() treats the only offer as a third party's if the markup names another seller", () => {
  const seller = { "@type": "Organization", name: "Zangenprofi GmbH" };
  const offers = offerOf("39.99", { seller });
  const markup = jsonLd({ "@type": "Product", name: "Säge S1", offers });
  const outcomeOf = (url: string, footer: string) => {
    const text = `<h1>Säge S1</h1>${PRICE}${CART}<footer>${footer}</footer>${markup}`;
    const { result, facts } = extract(text, {}, url);
    return ["price" in result && result.confidence, facts.isThirdParty];
  };
  assertEquals(outcomeOf(SHOP_URL, ""), [0.8, true]);
  assertEquals(outcomeOf(`${SHOP_URL}?seller=zangenprofi-gmbh`, ""), [1, true]);
  assertEquals(outcomeOf(SHOP_URL, "© 2026 Zangenprofi GmbH"), [1, false]);
});

const FOOTER = `<footer>Kaution, Miete und Preis auf Anfrage: unsere AGB</footer>`;

/** The markup has the price `price`; `buy` is the HTML below the heading. */
function readBox(
  price: string,
  buy: string,
  options: ExtractOptions = {},
  name = "Bohrhammer BH 26",
) {
  const markup = jsonLd({ "@type": "Product", name, offers: offerOf(price) });
  const text = `<!doctype html><html lang="de"><head><title>${name} | Werk</title>${markup}` +
    `</head><body><h1>${name}</h1><div class="buy">${buy}</div>${FOOTER}</body></html>`;
  return extract(text, options);
}

function outcomeOf(amount: string, buy: string): string {
  const { result, facts } = readBox(amount, buy);
  if ("errorCode" in result) return result.errorCode;
  return `${result.price} ${result.confidence} ${facts.pageStatus}`;
}

const AMOUNT_TEXTS: typeof ON_SALE = {
  no_price: `
    39,99 € / Monat; 39,99 € mtl.; 39,99 € | pro Monat, 24 Monate lang; Monatliche Rate | 39,99 €;
    Ihre Rate: 39,99 €; €39.99 per month; €39.99/mo; 39,99 € par mois; Mensualité | 39,99 €;
    39,99 € pro Tag; 39,99 € | Leihgebühr | Kaution 150,00 €; Mietpreis | 39,99 € / Wochenende;
    €39.99 per day; Hire charge: €39.99; 39,99 € par jour; Tarif de location : 39,99 €;
    Kaution: 39,99 €; 39,99 € | Anzahlung; Deposit €39.99; Caution : 39,99 €; Acompte : 39,99 €;
    €39.99 with 24-month contract; 39,99 € avec forfait`,
  "3999 1 priced": `
    39,99 € | oder ab 12,50 €/Monat finanzieren; 39,99 € oder mtl. 3,50 €;
    39,99 € | Monatliche Rate | 3,50 €; 39,99 € | ou 3 mensualités de 13,33 €;
    39,99 € | Ratenzahlung möglich; 39,99 € | In 24 Raten zahlen;
    39,99 € | Payez en 3 fois sans frais; 39,99 € | 1 Kapsel pro Tag; 3 Tassen pro Tag | 39,99 €;
    39,99 € | zzgl. Versand; 39,99 € | zzgl. Pfand; 39,99 € | hors consigne;
    39,99 € zzgl. 0,25 € Pfand; 39,99 € | ohne Vertrag; €39.99 | no contract; 39,99 € | inkl. MwSt.;
    39,99 € | Nettogewicht; 39,99 € | Sonderfarben auf Anfrage; 39,99 € | Mengenpreise auf Anfrage`,
  "3999 0.6 net_only": "39,99 € | zzgl. MwSt.; 39,99 € netto; €39.99 | excl. VAT; 39,99 € HT",
  "4759 0.6 net_only": "39,99 € | zzgl. 19 % MwSt.",
  "3999 0.6 priced": "Aktuelles Gebot: 39,99 €; Current bid | €39.99; Mise à prix : 39,99 €",
};

testTexts(
  "the outcome of words about the amount",
  AMOUNT_TEXTS,
  (text) => outcomeOf("39.99", paragraphs(text, "39") + CART),
);

const BOXES: Grouped<string> = {
  no_price: { "a page for rentals": `${PRICE}<button>Jetzt mieten</button>` },
  "3999 1 priced": {
    "an article that can also be rented": `${PRICE}${CART}<button>Jetzt mieten</button>`,
    "a related article to rent":
      `${PRICE}${CART}<div class="related"><p>Mietpreis 9,99 € pro Tag</p></div>`,
  },
  "3999 0.6 net_only": {
    "all prices, at the end of the box":
      `${PRICE}${CART}<footer class="buy-notes">Alle Preise zzgl. MwSt.</footer>`,
  },
  "3999 0.6 priced": { "a page for bids": `${PRICE}<button>Jetzt bieten</button>` },
};

testEach("extractPrice() of a box", BOXES, (buy) => outcomeOf("39.99", buy));

const AMOUNTS: Grouped<readonly [amount: string, buy: string]> = {
  no_price: {
    "with a contract": ["1.00", `<p class="price">1,00 €</p><p>mit Vertrag</p>${CART}`],
    "one euro next to a monthly price": [
      "1.00",
      `<p class="price">39,99 € mtl.</p><p>Gerät einmalig 1,00 €</p><p>24 Monate Laufzeit</p>${CART}`,
    ],
  },
  "999999 0.6 priced": {
    "all nines that are shown": ["9999.99", `<p class="price">9.999,99 €</p>${CART}`],
  },
  on_request: {
    "all nines on request": ["999999", `<p>Preis auf Anfrage</p>`],
    "all nines on request in English": ["9999.99", `<p>Price on request</p>`],
    "a cent on request in French": ["0.01", `<p>Prix sur demande</p>`],
    "an amount that is not shown, with a price on request": ["450.00", `<p>Preis auf Anfrage</p>`],
  },
};

testEach("extractPrice() of an amount", AMOUNTS, (given) => outcomeOf(...given));

const NAMES = {
  no_price: `
    Bohrhammer BH 26 mieten; Mietgerät Bohrhammer BH 26; Kaution Bohrhammer BH 26;
    Location Perforateur BH 26`,
  "3999 1": `
    Bohrhammer BH 26; Ratgeber Miete und Kaution; Heart Rate Monitor H10;
    Gebotszeichen Augenschutz benutzen`,
};

testTexts("the outcome of words in the heading", NAMES, (heading) => {
  const { result } = readBox("39.99", `<b class="price">39,99 €</b>${CART}`, {}, heading);
  return "price" in result ? `${result.price} ${result.confidence}` : result.errorCode;
});

Deno.test("extractPrice() takes a rental price if our product is a rental", () => {
  const product = { title: "Mietgerät Bohrhammer BH 26" };
  const buy = `<b class="price">39,99 €</b>${CART}`;
  const { result } = readBox("39.99", buy, { product }, "Mietgerät Bohrhammer BH 26");
  assertEquals("price" in result && result.price, 3999);
});

Deno.test("extractPrice() takes the sale price if the markup names the instalment", () => {
  const buy = `<p>Miete 29,00 € pro Tag</p><p class="price">Kaufpreis: 399,00 €</p>${CART}`;
  const { result } = readBox("29.00", buy);
  assertEquals("price" in result && [result.price, result.confidence], [39900, 0.8]);
});

Deno.test("a page with an instalment and a former price lists the instalment first, and has no certain price", () => {
  const boxes = [
    `<p class="price">19,90 € pro Monat</p><p><s>899,00 €</s></p>`,
    `<div class="price"><del>29,90 €</del> <b>19,90 €</b> <small>pro Monat</small></div>`,
    `<p class="price">19,90 €/Monat</p><p>UVP 899,00 €</p>`,
    `<p class="price"><i>19,90 €</i><i>monatlich</i></p><p class="old-price">899,00 €</p>`,
    `<p style="text-decoration: line-through">899 €</p><p class="price">19,90 € per month</p>`,
  ];
  for (const box of boxes) {
    const text = `<h1>Mobiltelefon S24</h1>${box}<button>In den Warenkorb</button>`;
    const { result, facts } = extract(text);
    assertEquals(["price" in result, facts.candidates[0]?.amount], [false, 1_990], box);
  }
});
