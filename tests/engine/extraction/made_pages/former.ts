/** Former prices and the lowest price of 30 days, in words and in markup. */
import { plain } from "./draw.ts";
import { offer, productItem, productLd, type Template } from "./made_page.ts";

export const FORMER: readonly Template[] = [
  {
    trait: "recommended price words",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "jtl",
        amounts: { price, was },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div class="price h1">{price}</div><div class="suggested-price">[[UVP des Herstellers|RRP|Prix
conseillé]]: {was}</div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "del and ins",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "woo",
        amounts: { price, was },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="price"><del aria-hidden="true"><span class="amount"><bdi>{was}</bdi></span></del> <ins>
<span class="amount"><bdi>{price}</bdi></span></ins></p>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "30 days, words",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, low, was] = [draw.cents(60, 80), draw.cents(82, 95), draw.cents(100, 140)];
      return {
        system: "shopware",
        amounts: { price, low, was },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="product-detail-price with-list-price">{price} <span class="list-price-price">{was}</span></p>
<p class="regulation-price">[[Niedrigster Preis der letzten 30 Tage|Lowest price|Prix le plus bas des 30 derniers
jours]]: {low}</p>{tax}{form}`,
        expected: { price: [price], wasPrice: was, lowest30: low },
      };
    },
  },
  {
    trait: "priceType list",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      const { priceCurrency, availability } = offer(draw, price);
      const specification = { "@type": "UnitPriceSpecification", priceCurrency };
      const priceSpecification = [
        { ...specification, price: plain(was), priceType: "https://schema.org/ListPrice" },
        { ...specification, price: plain(price) },
      ];
      return {
        system: "next",
        amounts: { price },
        head: productLd(draw, { "@type": "Offer", availability, priceSpecification }),
        buy: `<span data-testid="price">{price}</span>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "was, 30 days bare",
    tongues: ["en", "de"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      const low = price + 300;
      return {
        system: "nuxt",
        amounts: { price, was, low },
        buy: `<div class="text-2xl">{price}</div><div class="text-sm">[[statt|Was]] {was}</div><div
class="text-xs">[[30-Tage-Bestpreis|Lowest price in the last 30 days]]: {low} (-4 %)</div>{tax}{form}`,
        expected: { price: [price], wasPrice: was, lowest30: low },
      };
    },
  },
  {
    trait: "saving is none",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(200, 240)];
      return {
        system: "presta",
        amounts: { price, was, saving: was - price },
        head: productLd(draw, offer(draw, price)),
        buy: `<div class="product-discount"><span class="regular-price">{was}</span></div><div
class="current-price"><span class="current-price-value">{price}</span> <span class="discount
discount-amount">[[Sie sparen|Save]] {saving}</span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "unit price, no former",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(10, 20);
      return {
        system: "gambio",
        amounts: { price, unit: price * 4 },
        buy: `${
          productItem(draw, price, "InStock")
        }<div class="current-price-container">{price}</div><div class="base-price">{unit} [[pro kg|per kg|/
kg]]</div>{tax}{form}`,
        expected: { price: [price], wasPrice: null, lowest30: null },
      };
    },
  },
  {
    trait: "struck, hashed class",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "next",
        amounts: { price, was },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div class="css-p81x"><span class="css-1k2">{price}</span> <s class="css-9z0">{was}</s></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
];
