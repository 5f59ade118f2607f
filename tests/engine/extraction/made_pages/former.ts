/** Former prices and the lowest price of 30 days, in words and in markup. */
import { offer, plain, productLd, type Template } from "./made_page.ts";
import { buyForm, shopPage, taxNote } from "./shop_frame.ts";

export const FORMER: readonly Template[] = [
  {
    trait: "recommended price words",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      return {
        html: shopPage(draw, "jtl", {
          head: productLd(draw, offer(draw, price)),
          buy: `<div class="price h1">${draw.money(price)}</div><div class="suggested-price">${
            draw.say("UVP des Herstellers", "RRP", "Prix conseillé")
          }: ${draw.money(was)}</div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "woo", {
          head: productLd(draw, offer(draw, price)),
          buy: `<p class="price"><del aria-hidden="true"><span class="amount"><bdi>${
            draw.money(was)
          }</bdi></span></del> <ins><span class="amount"><bdi>${
            draw.money(price)
          }</bdi></span></ins></p>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "shopware", {
          head: productLd(draw, offer(draw, price)),
          buy: `<p class="product-detail-price with-list-price">${
            draw.money(price)
          } <span class="list-price-price">${
            draw.money(was)
          }</span></p><p class="regulation-price">${
            draw.say(
              "Niedrigster Preis der letzten 30 Tage",
              "",
              "Prix le plus bas des 30 derniers jours",
            )
          }: ${draw.money(low)}</p>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: { price: [price], wasPrice: was, lowest30: low },
      };
    },
  },
  {
    trait: "priceType list",
    tongues: ["de", "en"],
    make(draw) {
      const [price, was] = [draw.cents(60, 90), draw.cents(100, 140)];
      const priceSpecification = [
        {
          "@type": "UnitPriceSpecification",
          price: plain(was),
          priceCurrency: draw.currency,
          priceType: "https://schema.org/ListPrice",
        },
        { "@type": "UnitPriceSpecification", price: plain(price), priceCurrency: draw.currency },
      ];
      return {
        html: shopPage(draw, "next", {
          head: productLd(draw, {
            "@type": "Offer",
            availability: "https://schema.org/InStock",
            priceSpecification,
          }),
          buy: `<span data-testid="price">${draw.money(price)}</span>${taxNote(draw)}${
            buyForm(draw)
          }`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "nuxt", {
          buy: `<div class="text-2xl">${draw.money(price)}</div><div class="text-sm">${
            draw.say("statt", "Was", "au lieu de")
          } ${draw.money(was)}</div><div class="text-xs">${
            draw.say("30-Tage-Bestpreis", "Lowest price in the last 30 days", "")
          }: ${draw.money(low)} (-4 %)</div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "presta", {
          head: productLd(draw, offer(draw, price)),
          buy: `<div class="product-discount"><span class="regular-price">${
            draw.money(was)
          }</span></div><div class="current-price"><span class="current-price-value">${
            draw.money(price)
          }</span> <span class="discount discount-amount">${
            draw.say("Sie sparen", "Save", "Économisez")
          } ${draw.money(was - price)}</span></div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "gambio", {
          head: productLd(draw, offer(draw, price)),
          buy: `<div class="current-price-container">${
            draw.money(price)
          }</div><div class="base-price">${draw.money(price * 4)} ${
            draw.say("pro kg", "per kg", "/ kg")
          }</div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: { price: [price], wasPrice: null, lowest30: null },
      };
    },
  },
];
