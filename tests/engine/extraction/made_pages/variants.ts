/** Variants with different prices: one is chosen by what we know, by the address, or by nothing. */
import { plain } from "./draw.ts";
import { attribute, offer, openVariant, productLd, type Template } from "./made_page.ts";
import { dataScript, ld } from "./shop_frame.ts";

export const VARIANTS: readonly Template[] = [
  {
    trait: "range, our gtin",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const [low = 0, wanted = 0, high = 0] = prices;
      const variations = prices.map((cents, at) => ({
        attributes: { attribute_pa_groesse: ["s", "m", "l"][at] },
        variation_id: 7000 + at,
        sku: `W-${draw.digits(4)}`,
        global_unique_id: draw.gtin(),
        display_price: cents / 100,
        display_regular_price: cents / 100,
        is_in_stock: true,
        price_html: `<span class="price">${draw.money(cents)}</span>`,
      }));
      const range = { lowPrice: plain(low), highPrice: plain(high), offerCount: 3 };
      return {
        system: "woo",
        amounts: { low, high },
        head: productLd(draw, [{ "@type": "AggregateOffer", ...range, priceCurrency: "EUR" }]),
        buy: `<p class="price"><span class="amount"><bdi>{low}</bdi></span> – <span class="amount">
<bdi>{high}</bdi></span></p><form class="variations_form cart" method="post" data-product_id="411"
data-product_variations="${
          attribute(variations)
        }"><table class="variations"><tr><th>[[Größe|Size|Taille]]</th>
<td><select name="attribute_pa_groesse"><option value="">[[Wähle eine Option|Choose an option|Choisir une
option]]</option><option value="s">S</option><option value="m">M</option><option value="l">L</option></select></td>
</tr></table><button type="submit" class="single_add_to_cart_button button alt disabled">[[In den
Warenkorb|Add to basket|Ajouter au panier]]</button></form>`,
        product: { ean: variations[1]?.global_unique_id ?? "" },
        expected: { price: [wanted], currency: "EUR" },
        alone: openVariant(prices),
      };
    },
  },
  {
    trait: "cents, shop sku",
    tongues: ["en", "de"],
    make(draw) {
      const [first = 0, wanted = 0] = draw.rising(2);
      const variant = (id: number, title: string, price: number) => {
        const sku = `SH-${id}-${title.slice(0, 2).toUpperCase()}`;
        return { id, title, option1: title, sku, available: true, price, compare_at_price: null };
      };
      const variants = [variant(48101, "Single", first), variant(48102, "Double", wanted)];
      const json = { id: 8801, title: draw.title, vendor: draw.brand, price: first, variants };
      return {
        system: "shopify",
        amounts: { first },
        head: productLd(draw, offer(draw, first)),
        buy:
          `<div class="price" role="status"><span class="price-item price-item--regular">{first}</span></div>
{tax}<variant-radios><fieldset><input type="radio" name="Pack" value="Single" checked><label>Single</label>
<input type="radio" name="Pack" value="Double"><label>Double</label></fieldset></variant-radios>{form}`,
        end: dataScript(`type="application/json" id="ProductJson-template"`, json),
        path: "/products/artikel",
        product: { shopSku: "SH-48102-DO" },
        expected: { price: [wanted] },
        alone: { ...openVariant([first]) },
      };
    },
  },
  {
    trait: "address, default shown",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, , last = 0] = prices;
      const url = `https://www.haus-${draw.tongue}.example/products/a?variant=3920`;
      const offers = prices.map((cents, at) =>
        offer(draw, cents, { sku: `A-${at}`, url: url + at })
      );
      const options = prices.map((_, at) => `<option value="3920${at}">${at + 1} kg</option>`);
      return {
        system: "shopify",
        amounts: { first },
        head: productLd(draw, offers),
        buy:
          `<div class="price"><span class="price-item price-item--regular">{first}</span></div>{tax}
<select name="id">${options.join("")}</select>{form}`,
        path: "/products/a?variant=39202",
        expected: { price: [last] },
      };
    },
  },
  {
    trait: "configurable, title size",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [small = 0, wanted = 0] = prices;
      const options = [20, 28, 32].map((size, at) => ({
        id: `${50 + at}`,
        label: `${size} cm`,
        products: [`${900 + at}`],
      }));
      const priced = prices.map((cents, at) => [`${900 + at}`, {
        finalPrice: { amount: cents / 100 },
        oldPrice: { amount: cents / 100 },
        basePrice: { amount: cents / 119 },
      }]);
      const spConfig = {
        attributes: { "93": { id: "93", code: "diameter", options } },
        index: { "900": { "93": "50" }, "901": { "93": "51" }, "902": { "93": "52" } },
        optionPrices: Object.fromEntries(priced),
      };
      const price = `<meta property="product:price:amount" content="${plain(small)}">`;
      return {
        system: "magento",
        amounts: { small },
        head: `${price}<meta property="product:price:currency" content="${draw.currency}">`,
        buy: `<div class="price-box price-final_price" data-role="priceBox" data-product-id="88">
<span class="normal-price"><span class="price-label">[[Ab|As low as|À partir de]]</span> <span class="price-wrapper"
data-price-amount="{small:plain}" data-price-type="finalPrice"><span class="price">{small}</span></span></span></div>
<div class="swatch-opt"></div>{form}`,
        end: dataScript(`type="text/x-magento-init"`, {
          "#product_addtocart_form": { configurable: { spConfig } },
        }),
        product: { title: `${draw.title}, 28 cm` },
        expected: { price: [wanted] },
        alone: openVariant(prices),
      };
    },
  },
  {
    trait: "group, our gtin",
    tongues: ["en", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, , last = 0] = prices;
      const gtins = prices.map(() => draw.gtin());
      const colours = draw.say("Rot", "Red Blue Green", "Rouge Bleu Vert").split(" ");
      const hasVariant = prices.map((cents, at) => {
        const name = `${draw.title} ${colours[at]}`;
        const offers = offer(draw, cents);
        return { "@type": "Product", name, color: colours[at], gtin13: gtins[at], offers };
      });
      const group = { "@type": "ProductGroup", name: draw.title, productGroupID: "G-77" };
      return {
        system: "next",
        amounts: { first },
        head: ld({ ...group, variesBy: "https://schema.org/color", hasVariant }),
        buy:
          `<div class="Price_root__k2Js"><span data-testid="product-price">{first}</span></div>{tax}
<div role="radiogroup">${
            colours.map((name) => `<button role="radio">${name}</button>`).join("")
          }</div>{form}`,
        product: { ean: gtins[2] ?? "" },
        expected: { price: [last] },
        alone: { ...openVariant(prices), says: undefined },
      };
    },
  },
  {
    trait: "offers, title content",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, wanted = 0] = prices;
      const sizes = ["250 ml", "500 ml", "1000 ml"];
      const offers = prices.map((cents, at) =>
        offer(draw, cents, { name: `${draw.title} ${sizes[at]}`, sku: `N${draw.digits(5)}` })
      );
      const labels = sizes.map((size) =>
        `<label class="variation btn"><input type="radio" name="v">${size}</label>`
      );
      return {
        system: "jtl",
        amounts: { first },
        head: productLd(draw, offers),
        buy: `<div class="price_wrapper"><div class="price h1"><span>{first}</span></div>{tax}</div>
<div class="variations">${labels.join("")}</div>{form}`,
        product: { title: `${draw.title} 0,5 l` },
        expected: { price: [wanted] },
        alone: { ...openVariant(prices), says: undefined },
      };
    },
  },
  {
    trait: "unknown size, group",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(2);
      const hasVariant = prices.map((cents, at) => {
        const size = `${at === 0 ? 20 : 24} cm`;
        const sku = `SW-10${at}`;
        const offers = offer(draw, cents);
        return { "@type": "Product", name: `${draw.title} ${size}`, size, sku, offers };
      });
      return {
        system: "shopware",
        amounts: { first: prices[0] ?? 0 },
        head: ld({ "@type": "ProductGroup", name: draw.title, hasVariant }),
        buy:
          `<div class="product-detail-price-container"><p class="product-detail-price">{first}</p></div>{tax}
<div class="product-detail-configurator"><input type="radio" checked id="o1"><label for="o1">20 cm</label>
<input type="radio" id="o2"><label for="o2">24 cm</label></div>{form}`,
        product: { title: `${draw.title} 32 cm` },
        expected: {
          price: [],
          tolerated: { price: prices, confidenceMax: 0.6 },
          says: "variant_unknown",
        },
        alone: { ...openVariant(prices), says: undefined },
      };
    },
  },
  {
    trait: "select, none chosen",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const low = prices[0] ?? 0;
      const options = prices.map((cents, at) =>
        `<option>${at + 1} m (${draw.money(cents)})</option>`
      );
      return {
        system: "gambio",
        amounts: { low },
        head: productLd(draw, offer(draw, low)),
        buy:
          `<div class="price-container"><div class="price"><div class="current-price-container">[[ab|from|dès]]
{low}</div>{tax}</div></div><select name="modifiers[property][1]"><option>[[Bitte wählen|Please
choose|Veuillez choisir]]</option>${options.join("")}</select>{form}`,
        expected: openVariant(prices),
      };
    },
  },
  {
    trait: "state cents, our mpn",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, , wanted = 0] = prices;
      const variants = prices.map((centAmount, at) => ({
        id: at + 1,
        sku: `${draw.digits(6)}`,
        mpn: `MP${draw.digits(4)}-${at}`,
        price: { centAmount, currencyCode: draw.currency, fractionDigits: 2 },
      }));
      return {
        system: "next",
        amounts: { first },
        head: productLd(draw, offer(draw, first)),
        buy:
          `<p class="Price_value__7hN" data-testid="pdp-price">{first}</p>{tax}<div class="Sizes_list__0">
<button>1</button><button>2</button><button>3</button></div>{form}`,
        end: dataScript(`id="__NEXT_DATA__" type="application/json"`, {
          props: { pageProps: { masterData: { name: draw.title, variants } } },
        }),
        product: { mpn: variants[2]?.mpn ?? "" },
        expected: { price: [wanted] },
        alone: { ...openVariant([first]), says: undefined },
      };
    },
  },
];
