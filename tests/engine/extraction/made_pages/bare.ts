/** Pages without price markup: what is shown has to be enough. */
import { type Template } from "./made_page.ts";
import { buyForm, shopPage, taxNote } from "./shop_frame.ts";

export const BARE: readonly Template[] = [
  {
    trait: "legal note beside",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 190);
      return {
        html: shopPage(draw, "oxid", {
          buy: `<div class="tobasketFunction"><label class="price">${draw.money(price)} <small>${
            draw.say(
              "inkl. 19 % MwSt. zzgl. Versandkosten",
              "incl. 20% VAT plus shipping",
              "TTC, hors frais de port",
            )
          }</small></label>${buyForm(draw)}</div>`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "nuxt", {
          head: "<style>.p-a{text-decoration:line-through;color:#888}</style>",
          buy: `<div class="flex gap-2"><span class="p-a">${
            draw.money(was)
          }</span><span class="p-b text-red-600">${draw.money(price)}</span></div>${taxNote(draw)}${
            buyForm(draw)
          }`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "next", {
          head: `<link rel="stylesheet" href="/_next/static/css/8f3a.css">`,
          buy: `<div class="css-1x8j2"><p class="css-9kd2a">${
            draw.money(price)
          }</p><p class="css-0qpl1">${draw.money(was)}</p><span class="css-77aa">-${
            Math.round(100 - price / was * 100)
          } %</span></div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "magento", {
          buy:
            `<div class="price-box"><span class="regular-price" id="product-price-88"><span class="price">${
              draw.money(price)
            }</span></span></div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "shopify", {
          buy:
            `<div class="price price--on-sale"><div class="price__sale"><span class="visually-hidden">${
              draw.say("Normaler Preis", "Regular price", "Prix habituel")
            }</span><span class="price-item price-item--regular">${
              draw.money(was)
            }</span><span class="visually-hidden">${
              draw.say("Verkaufspreis", "Sale price", "Prix promotionnel")
            }</span><span class="price-item price-item--sale price-item--last">${
              draw.money(price)
            }</span></div></div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
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
        html: shopPage(draw, "gambio", {
          buy:
            `<div class="current-price-container" id="attributes-calc-price"><span class="price">${
              draw.bare(price)
            }</span></div>${taxNote(draw)}${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: { price: [price], currency: "EUR", confidenceMax: 0.8 },
      };
    },
  },
  {
    trait: "running text",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 90);
      const [far, near] = [draw.cents(200, 300), draw.cents(20, 30)];
      return {
        html: shopPage(draw, "presta", {
          buy: `<p class="product-description-short">${
            draw.say(
              `Wer sonst ${draw.money(far)} zahlt, wird staunen. Ersatzbeutel kosten nur ${
                draw.money(near)
              }.`,
              `Others charge ${draw.money(far)}. Spare bags are only ${draw.money(near)}.`,
              "",
            )
          }</p><div class="current-price"><span>${draw.money(price)}</span></div>${taxNote(draw)}${
            buyForm(draw)
          }`,
          after: `<section class="faq"><h2>FAQ</h2><p>${
            draw.say(
              `Der Nachfolger kostet ${draw.money(far)}.`,
              `Its successor is ${draw.money(far)}.`,
              "",
            )
          }</p></section>`,
        }),
        product: { title: draw.title },
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "two tiles only",
    tongues: ["de", "en"],
    make(draw) {
      return {
        html: shopPage(draw, "shopware", {
          buy: `<p class="product-detail-short">${
            draw.say(
              "Dieses Modell erscheint im Frühjahr. Fragen Sie uns gern.",
              "This model arrives in spring. Do ask us about it.",
              "",
            )
          }</p><a class="btn" href="/kontakt">${draw.say("Kontakt", "Contact", "Contact")}</a>`,
        }),
        product: { title: draw.title },
        expected: { price: [] },
      };
    },
  },
];
