import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";
import { type Grouped, testEach } from "../grouped.ts";
import { extract, jsonLd, offerOf } from "./reading_pages.ts";

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

const STOCKS: Grouped<string> = {
  in_stock: {
    "a text": `<p>Sofort lieferbar</p>${CART}`,
    "a label and its value": `<dl><dt>Verfügbarkeit</dt><dd>Auf Lager</dd></dl>${CART}`,
    "a count": `<p>Lagerbestand: 12 Stück auf Lager</p>${CART}`,
    "a delivery time": `<p>Lieferzeit: 1-3 Werktage</p>${CART}`,
    "a text in English": `<p>In stock, ships within 2 days</p>${CART}`,
    "a text in French": `<p>En stock - expédié sous 24 h</p>${CART}`,
    "a sufficient stock": `<p>Ausreichend auf Lager</p>${CART}`,
    "ready for dispatch": `<p>Sofort versandbereit</p>${CART}`,
    "a dispatch time in French": `<p>Expédié sous 48 heures</p>${CART}`,
    "a sentence in French": `<p>Ce produit est disponible immédiatement</p>${CART}`,
    "a sentence in English": `<p>This item is in stock</p>${CART}`,
    "the online stock next to that of branches":
      `<p>In Filialen: nicht verfügbar</p><p>Online auf Lager</p>${CART}`,
    "the end of a sale next to it": `<p>Nur noch 2 Tage: Sale</p><p>Auf Lager</p>${CART}`,
    "home delivery": `<p>Lieferung nach Hause: lieferbar in 2-3 Werktagen</p>${CART}`,
    "a badge that a style sheet hides":
      `<span class="badge badge-sold-out">Ausverkauft</span><p>Auf Lager</p>${CART}`,
    "another size next to it": `<p>Auf Lager</p><ul><li>Ausverkauft</li></ul>${CART}`,
  },
  limited: {
    "few left": `<p>Nur noch 3 Stück</p>${CART}`,
    "few left in English": `<p>Only 2 left - order soon</p>${CART}`,
    "few left in French": `<p>Il ne reste que 2 exemplaires</p>${CART}`,
    "almost sold out": `<p>Bald ausverkauft</p>${CART}`,
    "almost sold out in French": `<p>Bientôt épuisé</p>${CART}`,
    "a limited quantity": `<p>Begrenzte Stückzahl verfügbar</p>${CART}`,
    "almost gone in English": `<p>Almost gone</p>${CART}`,
  },
  out_of_stock: {
    "none": `<p>Derzeit nicht verfügbar</p>`,
    "sold out in a list": `<ul><li>Dieser Artikel ist ausverkauft</li></ul>`,
    "sold out on a button": `<button disabled>Ausverkauft</button>`,
    "a stock of zero": `<p>0 auf Lager</p>`,
    "out of stock in English": `<p>Temporarily out of stock.</p>`,
    "out of stock in French": `<p>Rupture de stock</p>`,
    "temporarily sold out": `<p>Zurzeit vergriffen</p><button disabled>In den Warenkorb</button>`,
    "sold out with a label": `<p>Leider schon ausverkauft</p>`,
    "temporarily unavailable in French": `<p>Momentanément indisponible</p>`,
    "out of stock in a sentence": `<p>Das Produkt ist vorübergehend nicht lieferbar</p>`,
    "out of stock in a French sentence": `<p>Cet article n’est plus disponible</p>`,
    "no stock in English": `<p>Currently no stock</p>`,
  },
  pre_order: {
    "a future date": `<p>Erscheint am 12.12.2026</p><button>Vorbestellen</button>`,
    "can be preordered": `<p>Vorbestellbar, Auslieferung ab Mai</p>${CART}`,
    "in English": `<p>Available for pre-order</p><button>Pre-order</button>`,
    "in French": `<p>Disponible en précommande</p><button>Précommander</button>`,
  },
  back_order: {
    "a future date": `<p>Voraussichtlich lieferbar ab 12.12.</p>${CART}`,
    "in English": `<p>Back in stock on 12 May</p>${CART}`,
    "in French": `<p>De retour en stock le 12 mai</p>${CART}`,
  },
  discontinued: {
    "no longer produced": `<p>Dieses Produkt wird nicht mehr produziert</p>`,
    "no longer produced in English": `<p>This product is no longer manufactured.</p>`,
    "no longer produced in French": `<p>Ce produit n’est plus fabriqué</p>`,
    "no longer produced, with spare parts left":
      `<p>Dieser Artikel wurde vom Hersteller eingestellt und ist bei uns nicht mehr erhältlich. Ersatzteile führen wir bis auf Weiteres.</p>`,
    "no longer sold": `<p>Der Artikel ist nicht mehr im Sortiment</p>`,
  },
  unknown: {
    "colours": `<p>Verfügbar in 3 Farben</p>${CART}`,
    "a branch": `<p>Abholung in Filiale Köln: verfügbar</p>${CART}`,
    "nothing": CART,
  },
};

testEach("the stock from shown text", STOCKS, (buy) => read(PRICE + buy, false).facts.availability);

Deno.test("extractPrice() trusts text about the stock more than markup, and is less sure", () => {
  const { result, facts } = read(`${PRICE}<p>Derzeit nicht verfügbar</p>`, true);
  assertEquals(facts.availability, "out_of_stock");
  assertEquals("price" in result && [result.inStock, result.confidence], [false, 0.7]);
});

const CONDITIONS: Grouped<readonly [buy: string, name?: string]> = {
  "refurbished 0.7": {
    "a heading": ["", "Säge S1 generalüberholt"],
    "a heading in French": ["", "Scie S1 reconditionnée"],
    "a label": ["<dl><dt>Zustand</dt><dd>Generalüberholt</dd></dl>"],
    "a label and further words": [
      "<dl><dt>Zustand:</dt><dd>Generalüberholt, 12 Monate Gewährleistung</dd></dl>",
    ],
    "a label in French": ["<p>État : Reconditionné - Très bon état</p>"],
    "a single word": ["<span class='badge'>Refurbished</span>"],
  },
  "used 0.7": {
    "a label with a grade": ["<p>Zustand: Gebraucht - sehr gut</p>"],
    "a label, a grade and a sentence about the packaging": [
      "<p>Zustand: Gebraucht – Wie neu. Verpackung beschädigt, Artikel geprüft.</p>",
    ],
    "a used article, and a new one among other offers": [
      `<p>Zustand: Gebraucht</p>${CART}<div><h5>Andere Angebote</h5><p>44,99 €</p><p>Neu</p></div>`,
    ],
    "a display piece": ["<b>Ausstellungsstück</b>"],
    "a return": ["<p>Rückläufer</p>"],
  },
  "damaged 0.7": { "a heading with B-Ware": ["", "Säge S1 B-Ware"] },
  "new 1": { "a label": ["<p>Condition: New</p>"] },
  "null 1": {
    "another offer": ["<p>Auch gebraucht ab 19,99 €</p>"],
    "a link to others": ["<p><a href='/used'>Gebraucht</a></p>"],
    'the word "used" in another meaning': ["<p>Used by professionals</p>"],
    "two conditions to choose from": ["<p>Neu</p><p>Gebraucht</p>"],
  },
};

testEach("the condition and its confidence", CONDITIONS, ([buy, heading]) => {
  const product = { title: "Säge S1" };
  const { result, facts } = read(PRICE + buy + CART, true, { product }, heading);
  return "price" in result && `${facts.condition} ${result.confidence}`;
});

const SELLERS: Grouped<string> = {
  "Zangenprofi GmbH true 0.8": {
    "sold by another seller": "<p>Verkauf durch Zangenprofi GmbH und Versand durch Werk & Hof</p>",
    "a label and its value": "<dl><dt>Verkauf durch</dt><dd>Zangenprofi GmbH</dd></dl>",
    "a seller with a rating": "<p>Verkäufer: <a href='/s'>Zangenprofi GmbH</a> (98,7 %)</p>",
    "sold by another seller in English": "<p>Sold by Zangenprofi GmbH and fulfilled by us</p>",
    "sold by another seller in French": "<p>Vendu et expédié par Zangenprofi GmbH</p>",
    "sold and sent by another seller": "<p>Verkauf & Versand durch Zangenprofi GmbH</p>",
    "sold and sent by another seller in English": "<p>Sold & shipped by Zangenprofi GmbH</p>",
    "an offer of another seller": "<p>Ein Angebot von Zangenprofi GmbH</p>",
    "a seller with a rating and a comma":
      "<p>Verkauf durch <a href='/s'>Zangenprofi GmbH</a> <span>98,6 % positiv</span></p>",
    "a label in an element of its own":
      "<div><span>Verkäufer</span> <span>Zangenprofi GmbH</span></div>",
  },
  "Zangen Versand true 0.8": {
    "a name that ends with a word for delivery": "<p>Verkauf und Versand durch Zangen Versand</p>",
    "the same name before another clause": "<p>Verkauf durch Zangen Versand, Versand durch uns</p>",
  },
  "Werk & Hof false 1": { "sold by the shop": "<p>Verkauf und Versand durch Werk & Hof</p>" },
  "null false 1": {
    "sold by us": "<p>Verkauf und Versand durch uns</p>",
    "the manufacturer": "<p>Anbieter: <a href='/hersteller/zangenprofi'>Zangenprofi GmbH</a></p>",
    "no seller": "<p>Verkauf nur solange Vorrat reicht</p>",
  },
};

testEach("the seller", SELLERS, (buy) => {
  const { result, facts } = read(PRICE + buy + CART, true);
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

Deno.test("extractPrice() takes the first new offer of a page that sells a used article first", () => {
  const used = `<p>Gebraucht kaufen</p>${PRICE}<p>Zustand: Gebraucht – Wie neu</p>${CART}`;
  const row = (condition: string, price: string, seller: string) =>
    `<div><i>${condition}</i> <b>${price}</b> <p>Verkäufer: ${seller}</p>${CART}</div>`;
  const others = `<h5>Andere Angebote</h5>${row("Gebraucht – Gut", "34,99 €", "Börse")}` +
    row("Neu", "49,99 €", "Zangenprofi GmbH") + row("Neu", "59,99 €", "Säge24");
  const outcomeOf = (title: string) => {
    const { result, facts } = read(used + others, true, { product: { title } });
    return "price" in result && [result.price, result.confidence, facts.condition];
  };
  assertEquals(outcomeOf("Säge S1"), [4999, 0.7, "new"]);
  assertEquals(outcomeOf("Säge S1 gebraucht"), [3999, 0.8, "used"]);
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

/** Amount in the markup (by default 39.99) and HTML of the buy box, by expected outcome. */
const AMOUNTS: Grouped<string | readonly [amount: string, buy: string]> = {
  no_price: {
    "a month after the amount": `<b class="price">39,99 €</b> / Monat ${CART}`,
    "a month, short": `<p><b class="price">39,99 €</b> <i>mtl.</i></p>${CART}`,
    "a month in a block below":
      `<p class="price">39,99 €</p><p>pro Monat, 24 Monate lang</p>${CART}`,
    "a monthly rate before the amount": `<p>Monatliche Rate</p><p>39,99 €</p>${CART}`,
    "a rate before the amount": `<p>Ihre Rate: <b class="price">39,99 €</b></p>${CART}`,
    "a month in English": `<b class="price">€39.99</b> per month ${CART}`,
    "a month in short English": `<b class="price">€39.99</b>/mo ${CART}`,
    "a month in French": `<b class="price">39,99 €</b> par mois ${CART}`,
    "monthly payments in French": `<p>Mensualité</p><p class="price">39,99 €</p>`,
    "a day": ["29.00", `<p class="price">29,00 € pro Tag</p>${CART}`],
    "a day with its deposit": [
      "29.00",
      `<p class="price">29,00 €</p><p>Leihgebühr</p><p>Kaution 150,00 €</p>${CART}`,
    ],
    "a weekend": ["29.00", `<p>Mietpreis</p><p class="price">29,00 € / Wochenende</p>${CART}`],
    "a day in English": ["29.00", `<p class="price">€29.00 per day</p>${CART}`],
    "a hire charge": ["29.00", `<p>Hire charge: <b>€29.00</b></p>${CART}`],
    "a day in French": ["29.00", `<p class="price">29,00 € par jour</p>${CART}`],
    "a rent in French": ["29.00", `<p>Tarif de location : <b>29,00 €</b></p>${CART}`],
    "a deposit": ["150.00", `<p>Kaution: <b class="price">150,00 €</b></p>${CART}`],
    "a down payment": ["150.00", `<p class="price">150,00 €</p><p>Anzahlung</p>${CART}`],
    "a deposit in English": ["150.00", `<p>Deposit <b class="price">€150.00</b></p>${CART}`],
    "a deposit in French": ["150.00", `<p>Caution : <b class="price">150,00 €</b></p>${CART}`],
    "a down payment in French": ["150.00", `<p>Acompte : <b>150,00 €</b></p>${CART}`],
    "with a contract": ["1.00", `<p class="price">1,00 €</p><p>mit Vertrag</p>${CART}`],
    "with a plan": ["99.00", `<p class="price">€99.00 with 24-month contract</p>${CART}`],
    "with a French plan": ["99.00", `<p class="price">99,00 € avec forfait</p>${CART}`],
    "one euro next to a monthly price": [
      "1.00",
      `<p class="price">39,99 € mtl.</p><p>Gerät einmalig 1,00 €</p><p>24 Monate Laufzeit</p>${CART}`,
    ],
    "a page for rentals": ["29.00", `<p class="price">29,00 €</p><button>Jetzt mieten</button>`],
  },
  "3999 1 priced": {
    "an instalment below":
      `<p class="price">39,99 €</p><p>oder ab 12,50 €/Monat finanzieren</p>${CART}`,
    "an instalment in the same block":
      `<p><b class="price">39,99 €</b> oder mtl. 3,50 €</p>${CART}`,
    "an instalment, label and amount apart":
      `<p class="price">39,99 €</p><p>Monatliche Rate</p><p>3,50 €</p>${CART}`,
    "an instalment in French":
      `<p class="price">39,99 €</p><p>ou 3 mensualités de 13,33 €</p>${CART}`,
    "a payment method": `<p class="price">39,99 €</p><p>Ratenzahlung möglich</p>${CART}`,
    "payment in instalments": `<p class="price">39,99 €</p><p>In 24 Raten zahlen</p>${CART}`,
    "payment in instalments in French":
      `<p class="price">39,99 €</p><p>Payez en 3 fois sans frais</p>${CART}`,
    "a dose": `<p class="price">39,99 €</p><p>1 Kapsel pro Tag</p>${CART}`,
    "a dose before the amount": `<p>3 Tassen pro Tag</p><p class="price">39,99 €</p>${CART}`,
    "delivery on top": `<p class="price">39,99 €</p><p>zzgl. Versand</p>${CART}`,
    "a deposit on top": `<p class="price">39,99 €</p><p>zzgl. Pfand</p>${CART}`,
    "a deposit on top in French": `<p class="price">39,99 €</p><p>hors consigne</p>${CART}`,
    "a deposit with its amount": `<p class="price">39,99 € zzgl. 0,25 € Pfand</p>${CART}`,
    "no contract": `<p class="price">39,99 €</p><p>ohne Vertrag</p>${CART}`,
    "no contract in English": `<p class="price">€39.99</p><p>no contract</p>${CART}`,
    "tax included": `<p class="price">39,99 €</p><p>inkl. MwSt.</p>${CART}`,
    "a net weight": `<p class="price">39,99 €</p><p>Nettogewicht</p>${CART}`,
    "other colours on request":
      `<p class="price">39,99 €</p><p>Sonderfarben auf Anfrage</p>${CART}`,
    "bulk prices on request": `<p class="price">39,99 €</p><p>Mengenpreise auf Anfrage</p>${CART}`,
    "an article that can also be rented":
      `<p class="price">39,99 €</p>${CART}<button>Jetzt mieten</button>`,
    "a related article to rent":
      `<p class="price">39,99 €</p>${CART}<div class="related"><p>Mietpreis 9,99 € pro Tag</p></div>`,
  },
  "3999 0.6 net_only": {
    "tax on top": `<p class="price">39,99 €</p><p>zzgl. MwSt.</p>${CART}`,
    "tax on top, in the same block": `<p class="price">39,99 € netto</p>${CART}`,
    "tax on top in English": `<p class="price">€39.99</p><p>excl. VAT</p>${CART}`,
    "tax on top in French": `<p class="price">39,99 € HT</p>${CART}`,
    "all prices, at the end of the box":
      `<p class="price">39,99 €</p>${CART}<footer class="buy-notes">Alle Preise zzgl. MwSt.</footer>`,
  },
  "4759 0.6 net_only": {
    "tax on top with its rate": `<p class="price">39,99 €</p><p>zzgl. 19 % MwSt.</p>${CART}`,
  },
  "3999 0.6 priced": {
    "a bid": `<p>Aktuelles Gebot: <b class="price">39,99 €</b></p>`,
    "a bid in English": `<p>Current bid</p><p class="price">€39.99</p>`,
    "a bid in French": `<p>Mise à prix : <b class="price">39,99 €</b></p>`,
    "a page for bids": `<p class="price">39,99 €</p><button>Jetzt bieten</button>`,
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

testEach("extractPrice() of words about the amount", AMOUNTS, (given) => {
  const [amount, buy] = typeof given === "string" ? ["39.99", given] as const : given;
  return outcomeOf(amount, buy);
});

const NAMES: Grouped<string> = {
  no_price: {
    "an article to rent": "Bohrhammer BH 26 mieten",
    "a rented article": "Mietgerät Bohrhammer BH 26",
    "a deposit": "Kaution Bohrhammer BH 26",
    "an article to rent in French": "Location Perforateur BH 26",
  },
  "3999 1": {
    "an article": "Bohrhammer BH 26",
    "a book about rents": "Ratgeber Miete und Kaution",
    "a heart rate monitor": "Heart Rate Monitor H10",
    "a sign": "Gebotszeichen Augenschutz benutzen",
  },
};

testEach("extractPrice() of a page whose heading names", NAMES, (heading) => {
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
    `<p><s>899,00 €</s></p><p class="price">19,90 € pro Monat</p>`,
    `<div class="price"><del>29,90 €</del> <b>19,90 €</b> <small>pro Monat</small></div>`,
    `<p class="price">19,90 €/Monat</p><p>UVP 899,00 €</p>`,
    `<p class="price">ab 19,90 € mtl.</p><p class="old-price">899,00 €</p>`,
    `<p class="price"><i>19,90 €</i><i>monatlich</i></p><p class="old-price">899,00 €</p>`,
    `<p style="text-decoration: line-through">899 €</p><p class="price">19,90 € per month</p>`,
  ];
  for (const box of boxes) {
    const text = `<h1>Mobiltelefon S24</h1>${box}<button>In den Warenkorb</button>`;
    const { result, facts } = extract(text);
    assertEquals(["price" in result, facts.candidates[0]?.amount], [false, 1_990], box);
  }
});
