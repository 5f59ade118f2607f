/** Stock, condition and seller in words, with markup that is silent, agrees or contradicts. */
import { offer, productItem, productLd, type Template } from "./made_page.ts";

export const WORDS: readonly Template[] = [
  {
    trait: "deliverable, bare",
    tongues: ["de", "en"],
    make(draw) {
      const price = draw.cents(30, 90);
      return {
        system: "oxid",
        amounts: { price },
        buy:
          `<div class="detailPrice"><strong><span>{price}</span></strong></div>{tax}<p class="stockFlag
onStock">[[Sofort lieferbar, Lieferzeit 1-3 Werktage|In stock, ships within 1-3 days]]</p>{form}`,
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
        system: "jtl",
        amounts: { price },
        buy: `${
          productItem(draw, price, null)
        }<div class="price h1">{price}</div>{tax}<span class="status status-1">[[nur noch 3 auf Lager|only 3
left|plus que 3 en stock]]</span>{form}`,
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
        system: "shopware",
        amounts: { price },
        head: productLd(draw, offer(draw, price)),
        buy: `<p class="product-detail-price">{price}</p>{tax}<p class="delivery-information
delivery-not-available">[[Derzeit nicht verfügbar|Currently unavailable]]</p><form class="notify"><input type="email">
<button>[[Benachrichtigen|Notify me]]</button></form>`,
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
        system: "shopify",
        amounts: { price },
        buy:
          `<div class="price price--sold-out"><span class="price-item price-item--regular">{price}</span>
<span class="badge price__badge-sold-out">[[Ausverkauft|Sold out|Épuisé]]</span></div>{tax}<button disabled
name="add">[[Ausverkauft|Sold out|Épuisé]]</button>`,
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
      const alone = {
        price: [price],
        condition: "refurbished",
        availability: ["in_stock"],
      } as const;
      return {
        system: "woo",
        amounts: { price },
        heading: `${draw.title} [[generalüberholt|refurbished]]`,
        head: productLd(draw, offer(draw, price), { gtin13: ean }),
        buy:
          `<p class="price">{price}</p>{tax}<p class="stock in-stock">[[Vorrätig|In stock]]</p>{form}`,
        product: { ean },
        expected: { ...alone, confidenceMax: 0.8, mayRefuse: true },
        alone,
      };
    },
  },
  {
    trait: "used offer cheaper",
    tongues: ["de", "fr"],
    make(draw) {
      const [used, price] = [draw.cents(60, 90), draw.cents(120, 190)];
      const offers = ([[used, "Used"], [price, "New"]] as const).map(([cents, name]) =>
        offer(draw, cents, { itemCondition: `https://schema.org/${name}Condition` })
      );
      return {
        system: "market",
        amounts: { used, price },
        head: productLd(draw, offers),
        buy:
          `<div id="buybox"><span class="a-price">{price}</span>{tax}<p>[[Neu|New|Neuf]]</p>{form}</div>
<div id="olp"><a href="/used">[[Gebraucht ab|Used from|D’occasion dès]] {used}</a></div>`,
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
        system: "market",
        amounts: { price },
        head: productLd(draw, offer(draw, price)),
        buy:
          `<div id="buybox"><span class="a-price">{price}</span>{tax}<div id="merchant-info">[[Verkauf
durch|Sold by]] <a href="/s/1">${seller}</a> [[und Versand durch Haus & Werk|and fulfilled by House & Work]]</div>
{form}</div>`,
        expected: { price: [price], confidenceMax: 0.8, seller, isThirdParty: true },
      };
    },
  },
  {
    trait: "two sellers, own",
    tongues: ["de", "en"],
    make(draw) {
      const [price, other] = [draw.cents(80, 120), draw.cents(60, 79)];
      const own = `haus-${draw.tongue}.example`;
      const offers = ([[other, "Billig24 GmbH"], [price, own]] as const).map(([cents, name]) =>
        offer(draw, cents, { seller: { "@type": "Organization", name } })
      );
      return {
        system: "next",
        amounts: { price, other },
        head: productLd(draw, offers),
        buy:
          `<span data-testid="price">{price}</span>{tax}<p>[[Verkauf und Versand durch|Sold and shipped by]]
${own}</p>{form}<ul class="other-sellers"><li>Billig24 GmbH <b>{other}</b></li></ul>`,
        expected: { price: [price], isThirdParty: false },
      };
    },
  },
  {
    trait: "two foreign sellers",
    tongues: ["de", "fr"],
    make(draw) {
      const [price, other] = [draw.cents(60, 80), draw.cents(81, 99)];
      const sellers = ["Waldkontor", "Marktplatz 7"] as const;
      const offers = [price, other].map((cents, at) =>
        offer(draw, cents, { seller: { "@type": "Organization", name: sellers[at] } })
      );
      return {
        system: "market",
        amounts: { price, other },
        head: productLd(draw, offers),
        buy:
          `<div id="buybox"><span class="a-price">{price}</span>{tax}<p>[[Verkauf durch|Sold by|Vendu par]]
${sellers[0]}</p>{form}</div><div id="aod">[[Andere Verkäufer|Other sellers|Autres vendeurs]]: ${
            sellers[1]
          } {other}</div>`,
        expected: { price: [price], confidenceMax: 0.8, seller: sellers[0], isThirdParty: true },
      };
    },
  },
];
