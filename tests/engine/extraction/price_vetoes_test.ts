import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { ExtractOptions } from "../../../src/engine/extraction/extract_price.ts";
import { type Grouped, testEach } from "../grouped.ts";
import { extract, jsonLd, offerOf } from "./reading_pages.ts";

const CART = `<button class="add-to-cart">In den Warenkorb</button>`;
const FOOTER = `<footer>Kaution, Miete und Preis auf Anfrage: unsere AGB</footer>`;

/** Reads a page with `price` in its markup and the given contents below its heading. */
function read(price: string, buy: string, options: ExtractOptions = {}, name = "Bohrhammer BH 26") {
  const markup = jsonLd({ "@type": "Product", name, offers: offerOf(price) });
  const text = `<!doctype html><html lang="de"><head><title>${name} | Werk</title>${markup}` +
    `</head><body><h1>${name}</h1><div class="buy">${buy}</div>${FOOTER}</body></html>`;
  return extract(text, options);
}

function outcomeOf(amount: string, buy: string): string {
  const { result, facts } = read(amount, buy);
  if ("errorCode" in result) return result.errorCode;
  return `${result.price} ${result.confidence} ${facts.pageStatus}`;
}

/** Expected outcome → the amount of the markup (39.99 if absent) and the buy box. */
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
  const { result } = read("39.99", `<b class="price">39,99 €</b>${CART}`, {}, heading);
  return "price" in result ? `${result.price} ${result.confidence}` : result.errorCode;
});

Deno.test("extractPrice() takes a rental price if our product is a rental", () => {
  const product = { title: "Mietgerät Bohrhammer BH 26" };
  const buy = `<b class="price">39,99 €</b>${CART}`;
  const { result } = read("39.99", buy, { product }, "Mietgerät Bohrhammer BH 26");
  assertEquals("price" in result && result.price, 3999);
});

Deno.test("extractPrice() takes the sale price if the markup names the instalment", () => {
  const buy = `<p>Miete 29,00 € pro Tag</p><p class="price">Kaufpreis: 399,00 €</p>${CART}`;
  const { result } = read("29.00", buy);
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
