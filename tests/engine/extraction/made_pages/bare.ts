/** Pages without price markup: what is shown has to be enough. */
import { type Template } from "./made_page.ts";

export const BARE: readonly Template[] = [
  {
    trait: "legal note beside",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        system: "oxid",
        amounts: { price },
        buy:
          `<div class="tobasketFunction"><label class="price">{price} <small>[[inkl. 19 % MwSt. zzgl.
Versandkosten|incl. 20% VAT plus shipping|TTC, hors frais de port]]</small></label>{form}</div>`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "struck by style",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "nuxt",
        amounts: { price, was },
        head: "<style>.p-a{text-decoration:line-through;color:#888}</style>",
        buy:
          `<div class="flex gap-2"><span class="p-a">{was}</span><span class="p-b text-red-600">{price}</span></div>
{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "adjacent, hashed classes",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "next",
        amounts: { price, was },
        head: `<link rel="stylesheet" href="/_next/static/css/8f3a.css">`,
        buy: `<div class="css-1x8j2"><p class="css-9kd2a">{price}</p><p class="css-0qpl1">{was}</p>
<span class="css-77aa">-${Math.round(100 - price / was * 100)} %</span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "regular-price, only price",
    tongues: ["en", "de"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        system: "magento",
        amounts: { price },
        buy: `<div class="price-box"><span class="regular-price" id="product-price-88"><span
class="price">{price}</span></span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: null },
      };
    },
  },
  {
    trait: "regular and sale",
    tongues: ["en", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "shopify",
        amounts: { price, was },
        buy:
          `<div class="price price--on-sale"><div class="price__sale"><span class="visually-hidden">[[Normaler
Preis|Regular price|Prix habituel]]</span><span class="price-item price-item--regular">{was}</span><span
class="visually-hidden">[[Verkaufspreis|Sale price|Prix promotionnel]]</span><span class="price-item price-item--sale
price-item--last">{price}</span></div></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "bare number",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        system: "gambio",
        amounts: { price },
        buy: `<div class="current-price-container" id="attributes-calc-price"><span
class="price">{price:bare}</span></div>{tax}{form}`,
        expected: { price: [price], currency: "EUR", confidenceMax: 0.8 },
      };
    },
  },
  {
    trait: "running text",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      return {
        system: "presta",
        amounts: { price, far: draw.cents(200, 300), near: draw.cents(20, 30) },
        buy:
          `<p class="product-description-short">[[Wer sonst {far} zahlt, wird staunen. Ersatzbeutel kosten nur
{near}.|Others charge {far}. Spare bags are only {near}.]]</p><div class="current-price"><span>{price}</span></div>
{tax}{form}`,
        after:
          `<section class="faq"><h2>FAQ</h2><p>[[Der Nachfolger kostet|Its successor is]] {far}.</p></section>`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "no price, tiles",
    tongues: ["de", "en"],
    make: () => ({
      system: "shopware",
      buy:
        `<p class="product-detail-short">[[Dieses Modell erscheint im Frühjahr.|This model arrives in
spring.]]</p><a class="btn" href="/kontakt">[[Kontakt|Contact]]</a>`,
      expected: { price: [] },
    }),
  },
  {
    trait: "split in spans",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 190);
      const [whole, rest] = [Math.floor(price / 100), String(price % 100).padStart(2, "0")];
      const parts = draw.say(`${whole}|,|${rest}|€`, `£|${whole}|.|${rest}`).split("|");
      return {
        system: "market",
        buy: `<div id="corePrice_desktop">${
          parts.map((part) => `<span>${part}</span>`).join("")
        }</div>{tax}{form}`,
        expected: { price: [price] },
      };
    },
  },
];
