/** Stock, condition and seller in words, with markup that is silent, agrees or contradicts. */
import { ld, offer, productLd, type Template } from "./made_page.ts";
import { buyForm, shopPage, taxNote } from "./shop_frame.ts";

export const WORDS: readonly Template[] = [
  {
    trait: "deliverable, bare",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        html: shopPage(draw, "oxid", {
          buy: `<div class="detailPrice"><strong><span>${draw.money(price)}</span></strong></div>${
            taxNote(draw)
          }<p class="stockFlag onStock">${
            draw.say(
              "Sofort lieferbar, Lieferzeit 1-3 Werktage",
              "In stock, ships within 1-3 days",
              "En stock, livré en 2 jours",
            )
          }</p>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: { price: [price], availability: ["in_stock"] },
      };
    },
  },
  {
    trait: "few left, silent",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        html: shopPage(draw, "jtl", {
          head: productLd(draw, offer(draw, price, { availability: undefined })),
          buy: `<div class="price h1">${draw.money(price)}</div>${
            taxNote(draw)
          }<span class="status status-1">${
            draw.say("nur noch 3 auf Lager", "only 3 left", "plus que 3 en stock")
          }</span>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: { price: [price], availability: ["limited", "in_stock"] },
      };
    },
  },
  {
    trait: "unavailable, markup contradicts",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        html: shopPage(draw, "shopware", {
          head: productLd(draw, offer(draw, price)),
          buy: `<p class="product-detail-price">${draw.money(price)}</p>${
            taxNote(draw)
          }<p class="delivery-information delivery-not-available">${
            draw.say(
              "Derzeit nicht verfügbar",
              "Currently unavailable",
              "Actuellement indisponible",
            )
          }</p><form class="notify"><input type="email"><button>${
            draw.say("Benachrichtigen", "Notify me", "M’avertir")
          }</button></form>`,
        }),
        product: { title: draw.title },
        expected: { price: [price], mayRefuse: true, availability: ["out_of_stock"] },
      };
    },
  },
  {
    trait: "sold out, bare",
    tongues: ["en", "fr"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        html: shopPage(draw, "shopify", {
          buy: `<div class="price price--sold-out"><span class="price-item price-item--regular">${
            draw.money(price)
          }</span><span class="badge price__badge-sold-out">${
            draw.say("Ausverkauft", "Sold out", "Épuisé")
          }</span></div>${taxNote(draw)}<button disabled name="add">${
            draw.say("Ausverkauft", "Sold out", "Épuisé")
          }</button>`,
        }),
        product: { title: draw.title },
        expected: { price: [price], mayRefuse: true, availability: ["out_of_stock"] },
      };
    },
  },
  {
    trait: "refurbished heading",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(200, 400);
      const ean = draw.gtin();
      return {
        html: shopPage(draw, "woo", {
          heading: `${draw.title} ${draw.say("generalüberholt", "refurbished", "reconditionné")}`,
          head: productLd(draw, offer(draw, price), { gtin13: ean }),
          buy: `<p class="price">${draw.money(price)}</p>${
            taxNote(draw)
          }<p class="stock in-stock">${draw.say("Vorrätig", "In stock", "En stock")}</p>${
            buyForm(draw)
          }`,
        }),
        product: { title: draw.title, ean },
        expected: {
          price: [price],
          confidenceMax: 0.8,
          mayRefuse: true,
          condition: "refurbished",
          availability: ["in_stock"],
        },
        alone: { price: [price], condition: "refurbished", availability: ["in_stock"] },
      };
    },
  },
  {
    trait: "used offer cheaper",
    tongues: ["de", "fr"],
    make(draw) {
      const [used, price] = [draw.cents(60, 90), draw.cents(120, 190)];
      const condition = (name: string) => ({
        itemCondition: `https://schema.org/${name}Condition`,
      });
      return {
        html: shopPage(draw, "market", {
          head: productLd(draw, [
            offer(draw, used, condition("Used")),
            offer(draw, price, condition("New")),
          ]),
          buy: `<div id="buybox"><span class="a-price">${draw.money(price)}</span>${
            taxNote(draw)
          }<p>${draw.say("Neu", "New", "Neuf")}</p>${
            buyForm(draw)
          }</div><div id="olp"><a href="/used">${
            draw.say("Gebraucht ab", "Used from", "D’occasion dès")
          } ${draw.money(used)}</a></div>`,
        }),
        product: { title: draw.title },
        expected: { price: [price], condition: "new" },
      };
    },
  },
  {
    trait: "sold by other",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 190);
      const seller = draw.pick(["Nordlicht Handel", "Talwerk Trading", "Seeblick Store"]);
      return {
        html: shopPage(draw, "market", {
          head: productLd(draw, offer(draw, price)),
          buy: `<div id="buybox"><span class="a-price">${draw.money(price)}</span>${
            taxNote(draw)
          }<div id="merchant-info">${
            draw.say("Verkauf durch", "Sold by", "Vendu par")
          } <a href="/s/1">${seller}</a> ${
            draw.say("und Versand durch Haus", "and fulfilled by House", "et expédié par Maison")
          }</div>${buyForm(draw)}</div>`,
        }),
        product: { title: draw.title },
        expected: { price: [price], confidenceMax: 0.8, seller, isThirdParty: true },
      };
    },
  },
  {
    trait: "two sellers, own",
    tongues: ["de", "en"],
    make(draw) {
      const [price, other] = [draw.cents(80, 120), draw.cents(60, 79)];
      const by = (name: string) => ({ seller: { "@type": "Organization", name } });
      const own = `haus-${draw.tongue}.example`;
      return {
        html: shopPage(draw, "next", {
          head: ld({
            "@type": "Product",
            name: draw.title,
            offers: [offer(draw, other, by("Billig24 GmbH")), offer(draw, price, by(own))],
          }),
          buy: `<span data-testid="price">${draw.money(price)}</span>${taxNote(draw)}<p>${
            draw.say("Verkauf und Versand durch", "Sold and shipped by", "Vendu par")
          } ${own}</p>${buyForm(draw)}<ul class="other-sellers"><li>Billig24 GmbH <b>${
            draw.money(other)
          }</b></li></ul>`,
        }),
        product: { title: draw.title },
        expected: { price: [price], isThirdParty: false },
      };
    },
  },
];
