/** Further pages without price markup. */
import { type Template } from "./made_page.ts";

export const MORE_BARE: readonly Template[] = [
  {
    trait: "raised cents, label",
    tongues: ["de", "fr"],
    make(draw) {
      const whole = draw.cents(30, 190);
      const price = Math.floor(whole / 100) * 100 + 99;
      return {
        system: "next",
        amounts: { price },
        buy:
          `<div class="css-a71k" aria-label="[[Preis|Price|Prix]] {price}"><span aria-hidden="true">${
            Math.floor(price / 100)
          }<sup>99</sup> €</span></div>{tax}{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "both blocks, no sale",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        system: "shopify",
        amounts: { price },
        buy: `<div class="price"><div class="price__container"><div class="price__regular"><span
class="price-item price-item--regular">{price}</span></div><div class="price__sale"><s class="price-item
price-item--regular"></s><span class="price-item price-item--sale price-item--last">{price}</span></div></div></div>
{tax}{form}`,
        expected: { price: [price], wasPrice: null },
      };
    },
  },
  {
    trait: "retail and own",
    tongues: ["en", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "presta",
        amounts: { price, was },
        buy:
          `<table class="price-table"><tr class="retail-price"><td>[[UVP|RRP|Prix conseillé]]</td><td>{was}</td></tr>
<tr class="your-price"><td>[[Ihr Preis|Your price|Votre prix]]</td><td>{price}</td></tr></table>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "utility classes, sticky",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "nuxt",
        amounts: { price, was },
        buy:
          `<div class="flex items-baseline"><span class="text-xl">{price}</span><span class="ml-2 text-gray-400
line-through">{was}</span></div>{tax}{form}`,
        after:
          `<div class="fixed bottom-0 inset-x-0 flex"><span>${draw.title}</span><b>{price}</b><button>[[Kaufen|Buy
now]]</button></div>`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "odd writing",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.tongue === "de" ? draw.pick([4900, 12_900]) : draw.pick([4999, 12_999]);
      const written = draw.say(`${price / 100},- €`, "", `${Math.floor(price / 100)}€99`);
      return {
        system: "jtl",
        buy:
          `<div class="price_wrapper"><strong class="price">${written}</strong></div>{tax}{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "number, notice",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        system: "oxid",
        amounts: { price },
        buy:
          `<div class="detail-price"><span class="preis">{price:bare}</span></div><small>[[Alle Preise in EUR inkl.
MwSt.|All prices in EUR|Tous les prix en EUR TTC]]</small>{form}`,
        expected: { price: [price], currency: "EUR", confidenceMax: 0.8 },
      };
    },
  },
  {
    trait: "reviews with prices",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      return {
        system: "magento",
        amounts: { price, paid: draw.cents(120, 150), other: draw.cents(30, 50) },
        buy: `<div class="product-info-price"><span class="price">{price}</span></div>{tax}{form}`,
        after:
          `<div id="customer-reviews"><div class="review-item"><p>[[Habe damals {paid} bezahlt, für {other} gab es
nur das kleine.|I paid {paid} back then, and {other} bought the small one only.]]</p></div><div class="answer"><p>[[Der
Akku kostet einzeln {other}.|The battery alone costs {other}.]]</p></div></div>`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "delivery beside",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      return {
        system: "gambio",
        amounts: { price, ship: 495, total: price + 495 },
        buy:
          `<div class="offer-row"><span>{price}</span><span>[[Versand|Delivery]]: {ship}</span><span>[[Gesamt|Total]]:
{total}</span></div>{tax}{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "quantity table",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(10, 20);
      return {
        system: "shopware",
        amounts: { price, ten: price - 100, fifty: price - 200 },
        buy:
          `<table class="product-block-prices-grid"><tr><th>[[Bis|To|Jusqu’à]] 9</th><td>{price}*</td></tr><tr><th>[[Ab|From|Dès]]
10</th><td>{ten}*</td></tr><tr><th>[[Ab|From|Dès]] 50</th><td>{fifty}*</td></tr></table>{tax}{form}`,
        expected: { price: [price], mayRefuse: true },
      };
    },
  },
  {
    trait: "code before amount",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        system: "woo",
        amounts: { price },
        buy: `<p class="price"><span class="amount">[[EUR|GBP]] {price:bare}</span></p>{tax}{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "far from heading",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(60, 190);
      const point =
        "<li>[[Mit drei Stufen, leise im Betrieb und zwei Jahre Garantie auf alle Teile.|Quiet.|Trois vitesses, silencieux, garanti deux ans.]]</li>";
      return {
        system: "nuxt",
        amounts: { price, guard: 1999 },
        buy: `<ul>${
          point.repeat(12)
        }</ul><div class="rounded border p-4"><p>{price}</p>{tax}{form}</div>
<label><input type="checkbox"> [[Garantieverlängerung|Extended warranty|Extension de garantie]] +{guard}</label>`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "set offer below",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      return {
        system: "market",
        amounts: { price, set: price + draw.cents(20, 40) },
        buy:
          `<div id="price-block"><span class="big">{price}</span></div>{tax}{form}<div class="bundle"><h3>[[Im Set
günstiger|Buy together]]</h3><p>${draw.title} + Seklar 4</p><b>{set}</b><button>[[Beide kaufen|Add both]]</button></div>`,
        expected: { price: [price] },
      };
    },
  },
];
