/** Variants with different prices: one is chosen by what we know, by the address, or by nothing. */
import { attribute, type Draw, ld, offer, plain, productLd, type Template } from "./made_page.ts";
import { buyForm, shopPage, taxNote } from "./shop_frame.ts";

/** Rising prices of some variants. */
function rising(draw: Draw, count: number): number[] {
  return Array.from({ length: count }, (_, at) => draw.cents(20 + at * 30, 45 + at * 30));
}

/** No variant is chosen: any price of them, unsure, or none. */
const open = (price: readonly number[]) =>
  ({ price, confidenceMax: 0.7, mayRefuse: true, says: "variant_open" }) as const;

export const VARIANTS: readonly Template[] = [
  {
    trait: "range, our gtin",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = rising(draw, 3);
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
      const [low = 0, wanted = 0, high = 0] = prices;
      const aggregate = {
        "@type": "AggregateOffer",
        lowPrice: plain(low),
        highPrice: plain(high),
        offerCount: 3,
        priceCurrency: "EUR",
      };
      return {
        html: shopPage(draw, "woo", {
          head: productLd(draw, [aggregate]),
          buy: `<p class="price"><span class="woocommerce-Price-amount amount"><bdi>${
            draw.money(low)
          }</bdi></span> – <span class="woocommerce-Price-amount amount"><bdi>${
            draw.money(high)
          }</bdi></span></p>
<form class="variations_form cart" method="post" data-product_id="411" data-product_variations="${
            attribute(variations)
          }"><table class="variations"><tr><th>${
            draw.say("Größe", "Size", "Taille")
          }</th><td><select name="attribute_pa_groesse"><option value="">${
            draw.say("Wähle eine Option", "Choose an option", "Choisir une option")
          }</option><option value="s">S</option><option value="m">M</option><option value="l">L</option></select></td></tr></table><button type="submit" class="single_add_to_cart_button button alt disabled">${
            draw.say("In den Warenkorb", "Add to basket", "Ajouter au panier")
          }</button></form>`,
        }),
        product: { title: draw.title, ean: variations[1]?.global_unique_id },
        expected: { price: [wanted], currency: "EUR" },
        alone: open(prices),
      };
    },
  },
  {
    trait: "cents, shop sku",
    tongues: ["en", "de"],
    make(draw) {
      const [first = 0, wanted = 0] = rising(draw, 2);
      const variant = (id: number, title: string, cents: number) => ({
        id,
        title,
        option1: title,
        sku: `SH-${id}-${title.slice(0, 2).toUpperCase()}`,
        available: true,
        name: `${draw.title} - ${title}`,
        price: cents,
        compare_at_price: null,
        barcode: "",
      });
      const variants = [variant(48101, "Single", first), variant(48102, "Double", wanted)];
      const json = { id: 8801, title: draw.title, vendor: draw.brand, price: first, variants };
      return {
        path: "/products/artikel",
        html: shopPage(draw, "shopify", {
          head: productLd(draw, offer(draw, first)),
          buy: `<div class="price" role="status"><span class="price-item price-item--regular">${
            draw.money(first)
          }</span></div>${
            taxNote(draw)
          }<variant-radios><fieldset><input type="radio" name="Pack" value="Single" checked><label>Single</label><input type="radio" name="Pack" value="Double"><label>Double</label></fieldset></variant-radios>${
            buyForm(draw, `<input type="hidden" name="id" value="48101">`)
          }`,
          end: `<script type="application/json" id="ProductJson-template">${
            JSON.stringify(json)
          }</script>`,
        }),
        product: { title: draw.title, shopSku: "SH-48102-DO" },
        expected: { price: [wanted] },
        alone: { price: [first], confidenceMax: 0.7, mayRefuse: true, says: "variant_open" },
      };
    },
  },
  {
    trait: "address, default shown",
    tongues: ["de", "en"],
    make(draw) {
      const prices = rising(draw, 3);
      const url = (id: number) =>
        `https://www.haus-${draw.tongue}.example/products/a?variant=${id}`;
      const offers = prices.map((cents, at) =>
        offer(draw, cents, { sku: `A-${at}`, url: url(39200 + at) })
      );
      return {
        path: "/products/a?variant=39202",
        html: shopPage(draw, "shopify", {
          head: productLd(draw, offers),
          buy: `<div class="price"><span class="price-item price-item--regular">${
            draw.money(prices[0] ?? 0)
          }</span></div>${taxNote(draw)}<select name="id">${
            prices.map((_, at) => `<option value="${39200 + at}">${at + 1} kg</option>`).join("")
          }</select>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: { price: [prices[2] ?? 0] },
      };
    },
  },
  {
    trait: "configurable, title size",
    tongues: ["de", "en"],
    make(draw) {
      const [small = 0, wanted = 0, large = 0] = rising(draw, 3);
      const price = (cents: number) => ({
        finalPrice: { amount: cents / 100 },
        oldPrice: { amount: cents / 100 },
        basePrice: { amount: cents / 119 },
      });
      const config = {
        attributes: {
          "93": {
            id: "93",
            code: "diameter",
            options: [20, 28, 32].map((size, at) => ({
              id: `${50 + at}`,
              label: `${size} cm`,
              products: [`${900 + at}`],
            })),
          },
        },
        index: { "900": { "93": "50" }, "901": { "93": "51" }, "902": { "93": "52" } },
        optionPrices: { "900": price(small), "901": price(wanted), "902": price(large) },
        prices: price(small),
      };
      return {
        html: shopPage(draw, "magento", {
          head: `<meta property="product:price:amount" content="${
            plain(small)
          }"><meta property="product:price:currency" content="${draw.currency}">`,
          buy:
            `<div class="price-box price-final_price" data-role="priceBox" data-product-id="88"><span class="normal-price"><span class="price-label">${
              draw.say("Ab", "As low as", "À partir de")
            }</span> <span class="price-wrapper" data-price-amount="${
              plain(small)
            }" data-price-type="finalPrice"><span class="price">${
              draw.money(small)
            }</span></span></span></div><div class="swatch-opt"></div>${buyForm(draw)}`,
          end:
            `<script type="text/x-magento-init">{"#product_addtocart_form":{"configurable":{"spConfig":${
              JSON.stringify(config)
            }}}}</script>`,
        }),
        product: { title: `${draw.title}, 28 cm` },
        expected: { price: [wanted] },
        alone: open([small, wanted, large]),
      };
    },
  },
  {
    trait: "group, our gtin",
    tongues: ["en", "fr"],
    make(draw) {
      const prices = rising(draw, 3);
      const gtins = prices.map(() => draw.gtin());
      const colours = draw.say("Rot|Blau|Grün", "Red|Blue|Green", "Rouge|Bleu|Vert").split("|");
      const hasVariant = prices.map((cents, at) => ({
        "@type": "Product",
        name: `${draw.title} ${colours[at]}`,
        color: colours[at],
        gtin13: gtins[at],
        offers: offer(draw, cents),
      }));
      return {
        html: shopPage(draw, "next", {
          head: ld({
            "@type": "ProductGroup",
            name: draw.title,
            productGroupID: "G-77",
            variesBy: "https://schema.org/color",
            hasVariant,
          }),
          buy: `<div class="Price_root__k2Js"><span data-testid="product-price">${
            draw.money(prices[0] ?? 0)
          }</span></div>${taxNote(draw)}<div role="radiogroup">${
            colours.map((name) => `<button role="radio">${name}</button>`).join("")
          }</div>${buyForm(draw)}`,
        }),
        product: { title: draw.title, ean: gtins[2] },
        expected: { price: [prices[2] ?? 0] },
        alone: { price: [prices[0] ?? 0], confidenceMax: 0.7, mayRefuse: true },
      };
    },
  },
  {
    trait: "offers, title content",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = rising(draw, 3);
      const sizes = ["250 ml", "500 ml", "1000 ml"];
      const offers = prices.map((cents, at) =>
        offer(draw, cents, { name: `${draw.title} ${sizes[at]}`, sku: `N${draw.digits(5)}` })
      );
      return {
        html: shopPage(draw, "jtl", {
          head: productLd(draw, offers),
          buy: `<div class="price_wrapper"><div class="price h1"><span>${
            draw.money(prices[0] ?? 0)
          }</span></div>${taxNote(draw)}</div><div class="variations">${
            sizes.map((size) =>
              `<label class="variation btn"><input type="radio" name="v">${size}</label>`
            )
              .join("")
          }</div>${buyForm(draw)}`,
        }),
        product: { title: `${draw.title} 0,5 l` },
        expected: { price: [prices[1] ?? 0] },
        alone: { price: prices, confidenceMax: 0.7, mayRefuse: true },
      };
    },
  },
  {
    trait: "unknown size, group",
    tongues: ["de", "en"],
    make(draw) {
      const prices = rising(draw, 2);
      const hasVariant = prices.map((cents, at) => ({
        "@type": "Product",
        name: `${draw.title} ${at === 0 ? 20 : 24} cm`,
        size: `${at === 0 ? 20 : 24} cm`,
        sku: `SW-10${at}`,
        offers: offer(draw, cents),
      }));
      return {
        html: shopPage(draw, "shopware", {
          head: ld({ "@type": "ProductGroup", name: draw.title, hasVariant }),
          buy: `<div class="product-detail-price-container"><p class="product-detail-price">${
            draw.money(prices[0] ?? 0)
          }</p></div><p class="product-detail-tax">${
            taxNote(draw)
          }</p><div class="product-detail-configurator"><input type="radio" checked id="o1"><label for="o1">20 cm</label><input type="radio" id="o2"><label for="o2">24 cm</label></div>${
            buyForm(draw)
          }`,
        }),
        product: { title: `${draw.title} 32 cm` },
        expected: {
          price: [],
          tolerated: { price: prices, confidenceMax: 0.6 },
          says: "variant_unknown",
        },
        alone: { price: prices, confidenceMax: 0.7, mayRefuse: true },
      };
    },
  },
  {
    trait: "select, none chosen",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = rising(draw, 3);
      const low = prices[0] ?? 0;
      return {
        html: shopPage(draw, "gambio", {
          head: productLd(draw, offer(draw, low)),
          buy:
            `<div class="price-container"><div class="price"><div class="current-price-container">${
              draw.say("ab", "from", "dès")
            } ${draw.money(low)}</div>${
              taxNote(draw)
            }</div></div><select name="modifiers[property][1]"><option>${
              draw.say("Bitte wählen", "Please choose", "Veuillez choisir")
            }</option>${
              prices.map((cents, at) => `<option>${at + 1} m (${draw.money(cents)})</option>`).join(
                "",
              )
            }</select>${buyForm(draw)}`,
        }),
        product: { title: draw.title },
        expected: open(prices),
      };
    },
  },
];
