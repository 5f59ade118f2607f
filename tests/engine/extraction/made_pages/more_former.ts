/** Further former prices, and amounts that are none. */
import { plain } from "./draw.ts";
import { offer, productItem, productLd, type Template } from "./made_page.ts";

export const MORE_FORMER: readonly Template[] = [
  {
    trait: "priceType strikethrough",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      const priceSpecification = {
        "@type": "UnitPriceSpecification",
        priceType: "https://schema.org/StrikethroughPrice",
        price: Number(plain(was)),
        priceCurrency: "EUR",
      };
      return {
        system: "shopify",
        amounts: { price },
        head: productLd(draw, offer(draw, price, { priceSpecification })),
        buy:
          `<div class="price"><span class="price-item price-item--last">{price}</span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "struck, bare",
    tongues: ["en", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "shopify",
        amounts: { price, was },
        buy:
          `<div class="price price--on-sale"><span class="visually-hidden">[[Normaler Preis|Regular price|Prix
habituel]]</span><s class="price-item price-item--regular">{was}</s><span class="price-item
price-item--sale">{price}</span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "previous, words",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "nuxt",
        amounts: { price, was },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="text-3xl text-red-700">{price}</p><p class="text-sm">[[Vorher|Previously|Prix précédent :]]
{was}</p>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "30 days alone",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      const low = price + 500;
      return {
        system: "oxid",
        amounts: { price, low },
        buy: `${
          productItem(draw, price, "InStock")
        }<div class="detailPrice"><strong>{price}</strong></div><small>[[30-Tage-Tiefstpreis¹|Lowest price of the
past 30 days]]: {low}</small>{tax}{form}`,
        expected: { price: [price], lowest30: low },
      };
    },
  },
  {
    trait: "plugin, 30 days",
    tongues: ["fr", "de"],
    make(draw) {
      const [price, low, was] = [draw.cents(60, 80), draw.cents(82, 95), draw.cents(100, 140)];
      return {
        system: "woo",
        amounts: { price, low, was },
        head: productLd(draw, offer(draw, price)),
        buy: `<p class="price"><del><bdi>{was}</bdi></del> <ins><bdi>{price}</bdi></ins></p><div
class="iworks-omnibus" data-days="30">[[Niedrigster Preis in den letzten 30 Tagen|Lowest price in 30 days|Prix le plus
bas sur 30 jours]] : <bdi>{low}</bdi></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was, lowest30: low },
      };
    },
  },
  {
    trait: "old and special",
    tongues: ["en", "de"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "magento",
        amounts: { price, was },
        head: `<meta property="product:price:amount" content="${plain(price)}"><meta
property="product:price:currency" content="${draw.currency}">`,
        buy:
          `<div class="price-box"><span class="special-price"><span class="price-label">[[Sonderangebot|Special
Price]]</span><span class="price">{price}</span></span><span class="old-price"><span
class="price-label">[[Regulärer Preis|Regular Price]]</span><span class="price">{was}</span></span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "abbreviated recommendation",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "market",
        amounts: { price, was },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div id="corePrice"><span class="savings">-30 %</span> <span class="a-price">{price}</span></div><div
class="basisPrice">[[Unverb. Preisempf.|List Price]]: <span class="a-text-price">{was}</span></div>{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "coupon, no former",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(60, 90);
      return {
        system: "shopware",
        amounts: { price, coupon: Math.round(price * 0.9) },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="product-detail-price">{price}*</p><p class="coupon-hint">[[Mit Code SPAR10 nur|With code
SAVE10|Avec le code PROMO10 :]] {coupon}</p>{tax}{form}`,
        expected: { price: [price], wasPrice: null, lowest30: null },
      };
    },
  },
  {
    trait: "member price",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      return {
        system: "next",
        amounts: { price, member: price - 1000 },
        head: productLd(draw, offer(draw, price)),
        buy: `<div class="Price_root__aa1"><span data-testid="price">{price}</span></div><div
class="Club_root__p2">[[Clubpreis für Mitglieder|Members’ price]] {member}</div>{tax}{form}`,
        expected: { price: [price], wasPrice: null },
      };
    },
  },
  {
    trait: "percent to low",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(60, 80);
      const low = Math.round(price / 0.88);
      return {
        system: "jtl",
        amounts: { price, low },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div class="price h1">{price}</div><small>[[-12 % gegenüber dem niedrigsten Preis der letzten 30
Tage|-12%|-12 % par rapport au prix le plus bas des 30 derniers jours]] ({low})</small>{tax}{form}`,
        expected: { price: [price], lowest30: low },
      };
    },
  },
  {
    trait: "until now, brackets",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        system: "gambio",
        amounts: { price, was },
        buy:
          `<div class="current-price-container">[[Nur|Now]] {price} <span>([[bisher|previously]] {was})</span></div>
{tax}{form}`,
        expected: { price: [price], wasPrice: was },
      };
    },
  },
  {
    trait: "lower list price",
    tongues: ["de", "en"],
    make(draw) {
      const [price, list] = [draw.cents(60, 90), draw.cents(30, 50)];
      const { priceCurrency } = offer(draw, price);
      const priceSpecification = {
        "@type": "UnitPriceSpecification",
        priceType: "https://schema.org/ListPrice",
        price: plain(list),
        priceCurrency,
      };
      return {
        system: "shopware",
        amounts: { price },
        head: productLd(draw, offer(draw, price, { priceSpecification })),
        buy: `<p class="product-detail-price">{price}*</p>{tax}{form}`,
        expected: { price: [price], wasPrice: null },
      };
    },
  },
];
