/** Further words about stock, condition and seller. */
import { offer, productItem, productLd, type Template } from "./made_page.ts";

export const MORE_WORDS: readonly Template[] = [
  {
    trait: "two left, bare",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        system: "market",
        amounts: { price },
        buy:
          `<div id="buybox"><span class="a-price">{price}</span>{tax}<div id="availability">[[Nur noch 2 Stück
verfügbar – jetzt bestellen|Only 2 left in stock - order soon]].</div>{form}</div>`,
        expected: { price: [price], availability: ["limited", "in_stock"] },
      };
    },
  },
  {
    trait: "stale sold out",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        system: "gambio",
        amounts: { price },
        buy: `${
          productItem(draw, price, "OutOfStock")
        }<div class="current-price-container">{price}</div>{tax}<dl><dt>[[Lieferstatus|Status|Disponibilité]]</dt>
<dd class="availability">[[Auf Lager, Lieferung in 2 Tagen|In stock|En stock, expédié sous 24 h]]</dd></dl>{form}`,
        expected: { price: [price], availability: ["in_stock"] },
      };
    },
  },
  {
    trait: "preorder, bare",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        system: "woo",
        amounts: { price },
        buy:
          `<p class="price"><span class="amount">{price}</span></p>{tax}<p class="stock">[[Vorbestellbar, erscheint
am 12.03.2027|Available to pre-order, released 12 March 2027]]</p><button type="submit"
class="single_add_to_cart_button">[[Jetzt vorbestellen|Pre-order now]]</button>`,
        expected: { price: [price], availability: ["pre_order"] },
      };
    },
  },
  {
    trait: "out, silent markup",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        system: "presta",
        amounts: { price },
        head: productLd(draw, offer(draw, price, { availability: undefined })),
        buy:
          `<div class="current-price"><span>{price}</span></div>{tax}<span id="product-availability">[[Momentan
vergriffen|Out of stock|Rupture de stock]]</span><button class="add-to-cart" disabled>[[In den Warenkorb|Add|Ajouter
au panier]]</button>`,
        expected: { price: [price], mayRefuse: true, availability: ["out_of_stock"] },
      };
    },
  },
  {
    trait: "used, buy area",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 190);
      return {
        system: "nuxt",
        amounts: { price },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<p class="text-2xl">{price}</p><p>[[Zustand: gebraucht – sehr gut|Condition: Used – very good]]</p>{tax}
{form}`,
        expected: { price: [price], confidenceMax: 0.8, mayRefuse: true, condition: "used" },
        alone: { price: [price], condition: "used" },
      };
    },
  },
  {
    trait: "second choice heading",
    tongues: ["de", "de"],
    make(draw) {
      const price = draw.cents(60, 190);
      const ean = draw.gtin();
      return {
        system: "jtl",
        amounts: { price },
        heading: `B-Ware: ${draw.title}`,
        head: productLd(draw, offer(draw, price), { gtin13: ean, name: `B-Ware: ${draw.title}` }),
        buy:
          `<div class="price h1">{price}</div><p>Originalverpackung geöffnet, leichte Kratzer</p>{tax}<span
class="status">sofort verfügbar</span>{form}`,
        product: { ean },
        expected: { price: [price], confidenceMax: 0.8, mayRefuse: true, condition: "damaged" },
        alone: { price: [price], condition: "damaged" },
      };
    },
  },
  {
    trait: "seller in markup",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 190);
      const seller = draw.pick(["Nordkontor GmbH", "Elbwerk Handel", "Rheintal Versand"]);
      const by = { seller: { "@type": "Organization", name: seller } };
      return {
        system: "next",
        amounts: { price },
        head: productLd(draw, offer(draw, price, by)),
        buy:
          `<strong data-testid="price">{price}</strong>{tax}<p>[[Verkauf und Versand durch|Sold and shipped by]]
<a href="/shop/77">${seller}</a></p>{form}`,
        expected: { price: [price], confidenceMax: 0.8, seller, isThirdParty: true },
      };
    },
  },
  {
    trait: "shop sells itself",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(60, 190);
      return {
        system: "market",
        amounts: { price },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div id="buybox"><span class="a-price">{price}</span>{tax}<p>[[Verkauf durch|Sold by|Vendu et expédié
par]] haus-${draw.tongue}.example</p>{form}</div>`,
        expected: { price: [price], isThirdParty: false },
      };
    },
  },
  {
    trait: "words of others",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 190);
      return {
        system: "shopware",
        amounts: { price, other: 2490 },
        head: productLd(draw, offer(draw, price)),
        buy: `<p class="product-detail-price">{price}*</p>{tax}{form}`,
        after:
          `<section class="reviews-top"><p>[[Die alte Version war leider ausverkauft, gebraucht wollte ich sie
nicht.|The old one was sold out, and I did not want a used one.]]</p></section><aside class="product-box"><a
href="/p/7">Seklar 88</a> {other} <span class="badge">[[Ausverkauft|Sold out]]</span></aside>`,
        expected: { price: [price], availability: ["in_stock"] },
      };
    },
  },
  {
    trait: "renewed, grade",
    tongues: ["fr", "de"],
    make(draw) {
      const price = draw.cents(200, 400);
      const alone = { price: [price], condition: "refurbished" } as const;
      return {
        system: "presta",
        amounts: { price },
        heading: `${draw.title} – [[refurbished, Grade A|renewed|reconditionné, grade A]]`,
        head: productLd(draw, offer(draw, price)),
        buy: `<div class="current-price"><span>{price}</span></div>{tax}{form}`,
        expected: { ...alone, confidenceMax: 0.8, mayRefuse: true },
        alone,
      };
    },
  },
  {
    trait: "link names seller",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(60, 190);
      const seller = draw.pick(["Birkenhof", "Steinkontor"]);
      return {
        system: "market",
        amounts: { price },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div id="buybox"><span class="a-price">{price}</span>{tax}<p>[[Verkauf durch|Sold by]] <a
href="/seller/${seller.toLowerCase()}">${seller}</a></p>{form}</div>`,
        path: `/p/artikel?seller=${seller.toLowerCase()}`,
        expected: { price: [price], seller, isThirdParty: true },
      };
    },
  },
  {
    trait: "no longer made",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(60, 190);
      return {
        system: "jtl",
        amounts: { price },
        head: productLd(draw, offer(draw, price, { availability: undefined })),
        buy:
          `<div class="price h1">{price}</div>{tax}<p class="alert">[[Dieser Artikel wird nicht mehr hergestellt und
ist ausverkauft.|Discontinued.|Cet article n’est plus fabriqué, il est épuisé.]]</p>`,
        expected: {
          price: [price],
          mayRefuse: true,
          availability: ["discontinued", "out_of_stock"],
        },
      };
    },
  },
];
