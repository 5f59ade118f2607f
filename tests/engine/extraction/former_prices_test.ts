import { type Grouped, testEach } from "../grouped.ts";
import { jsonLd, offerOf, readHtml } from "./reading_pages.ts";

const JSON_LD = jsonLd({ "@type": "Product", name: "Bohrhammer", offers: offerOf("79.90") });
const CART = `<button class="add-to-cart">In den Warenkorb</button>`;

const PRICE = `<p class="price">79,90 €</p>`;
const ENGLISH_PRICE = `<p class="price">€79.90</p>`;

/**
 * Expected former price and lowest 30-day price → contents of the page below its heading. Contents
 * without the price 79.90 are shown below `PRICE`.
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
  const result = readHtml(`${JSON_LD}<h1>Bohrhammer</h1><div>${buy}</div>${CART}`);
  return "price" in result && `${result.listPrice} ${result.lowest30}`;
});
