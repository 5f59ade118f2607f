/** Further ways in which shops write variants with different prices. */
import { plain } from "./draw.ts";
import { offer, openVariant, productLd, type Template } from "./made_page.ts";
import { dataScript, ld } from "./shop_frame.ts";

export const MORE_VARIANTS: readonly Template[] = [
  {
    trait: "barcode, theme json",
    tongues: ["en", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, , wanted = 0] = prices;
      const variants = prices.map((price, at) => ({
        id: 511230 + at,
        title: ["250 g", "500 g", "1 kg"][at],
        sku: `K${draw.digits(4)}`,
        barcode: draw.gtin(),
        price,
        available: true,
      }));
      const path = `https://www.haus-${draw.tongue}.example/products/kaffee?variant=`;
      const offers = variants.map(({ id, sku, price }) =>
        offer(draw, price, { sku, url: `${path}${id}` })
      );
      return {
        system: "shopify",
        amounts: { first },
        head: productLd(draw, offers),
        buy:
          `<div id="price-template--1"><span class="price-item price-item--regular"> {first} </span></div>{tax}
<variant-selects><select name="options[Gewicht]"><option selected>250 g</option><option>500 g</option><option>1 kg
</option></select></variant-selects>{form}`,
        end: dataScript(`type="application/json" data-product-json`, { id: 9, variants }),
        path: "/products/kaffee",
        product: { ean: variants[2]?.barcode ?? "" },
        expected: { price: [wanted] },
        alone: openVariant(prices),
      };
    },
  },
  {
    trait: "configurable, our mpn",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [low = 0, wanted = 0] = prices;
      const ids = ["1201", "1202", "1203"];
      const skus = ids.map(() => `TX-${draw.digits(5)}`);
      const options = ["S", "M", "L"].map((label, at) => ({
        id: `${16 + at}`,
        label,
        products: [ids[at]],
      }));
      const of = (value: (cents: number, at: number) => unknown) =>
        Object.fromEntries(prices.map((cents, at) => [ids[at], value(cents, at)]));
      const jsonConfig = {
        attributes: { "144": { id: "144", code: "size", label: "Size", options } },
        index: of((_, at) => ({ "144": `${16 + at}` })),
        sku: of((_, at) => skus[at]),
        optionPrices: of((cents) => ({ finalPrice: { amount: cents / 100 } })),
      };
      const aggregate = { "@type": "AggregateOffer", lowPrice: plain(low), offerCount: 3 };
      return {
        system: "magento",
        amounts: { low },
        head: productLd(draw, { ...aggregate, priceCurrency: draw.currency }),
        buy:
          `<div class="price-box price-final_price"><span class="price-label">[[Ab|From]]</span> <span
class="price" data-price-amount="{low:plain}">{low}</span></div>{tax}<div class="swatch-opt" data-role="swatch-options">
</div>{form}`,
        end: dataScript(`type="text/x-magento-init"`, {
          "[data-role=swatch-options]": { "Magento_Swatches/js/swatch-renderer": { jsonConfig } },
        }),
        product: { mpn: skus[1] ?? "" },
        expected: { price: [wanted] },
        alone: openVariant(prices),
      };
    },
  },
  {
    trait: "state, title colour",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, wanted = 0] = prices;
      const colours = draw.say("Weiß Schwarz Silber", "White", "Blanc Noir Argent").split(" ");
      const variants = prices.map((cents, at) => ({
        id: `v${at}`,
        color: colours[at],
        price: { value: cents / 100, currency: "EUR" },
        inStock: true,
      }));
      const product = { name: draw.title, brand: draw.brand, variants, selected: "v0" };
      const buttons = colours.map((colour, at) =>
        `<button aria-pressed="${at === 0}" title="${colour}"></button>`
      );
      return {
        system: "next",
        amounts: { first },
        head: productLd(draw, offer(draw, first)),
        buy:
          `<div class="Pdp_price__77a"><span>{first}</span></div>{tax}<div class="Swatches_root__1a">
${buttons.join("")}</div>{form}`,
        end: dataScript(`id="__NEXT_DATA__" type="application/json"`, {
          props: { pageProps: { product } },
          page: "/p/[slug]",
        }),
        product: { title: `${draw.title} ${(colours[1] ?? "").toLowerCase()}` },
        expected: { price: [wanted] },
        alone: { ...openVariant([first]), says: undefined },
      };
    },
  },
  {
    trait: "variant address, shown",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [other = 0, wanted = 0] = prices;
      const hasVariant = prices.map((cents, at) => ({
        "@type": "Product",
        sku: `SW-101.${at}`,
        name: `${draw.title} ${at + 1} m`,
        url: `https://www.haus-${draw.tongue}.example/artikel/SW-101.${at}`,
        offers: offer(draw, cents),
      }));
      return {
        system: "shopware",
        amounts: { wanted, other },
        head: ld({ "@type": "ProductGroup", name: draw.title, hasVariant }),
        buy:
          `<p class="product-detail-price">{wanted}*</p>{tax}<div class="product-detail-configurator">
<a href="/artikel/SW-101.0">1 m</a> <span class="is-selected">2 m</span></div>{form}<dl><dt>[[Produktnummer|Product
number]]</dt><dd>SW-101.1</dd></dl>`,
        path: "/artikel/SW-101.1",
        expected: { price: [wanted] },
      };
    },
  },
  {
    trait: "surcharge, title length",
    tongues: ["de", "en"],
    make(draw) {
      const [base, more] = [draw.cents(20, 50), 1000];
      return {
        system: "jtl",
        amounts: { base, more, most: 2500 },
        head: productLd(draw, offer(draw, base)),
        buy:
          `<div class="price h1">{base}</div>{tax}<div class="variations"><select><option>1 m</option><option>2 m
(+{more})</option><option>5 m (+{most})</option></select></div>{form}`,
        product: { title: `${draw.title} 2 m` },
        expected: {
          price: [base + more],
          tolerated: { price: [base], confidenceMax: 0.7 },
          mayRefuse: true,
        },
        alone: { ...openVariant([base]), says: undefined },
      };
    },
  },
  {
    trait: "swatch prices, bare",
    tongues: ["de", "en"],
    make(draw) {
      const [first = 0, second = 0] = draw.rising(2);
      return {
        system: "market",
        amounts: { first, second },
        buy:
          `<div id="corePrice"><span class="a-price">{first}</span></div>{tax}<ul id="twister"><li
class="swatchSelect"><button>1 l <span class="twisterPrice">{first}</span></button></li><li
class="swatchAvailable"><button>2 l <span class="twisterPrice">{second}</span></button></li></ul>{form}`,
        product: { title: `${draw.title}, 2 l` },
        expected: {
          price: [second],
          tolerated: { price: [first], confidenceMax: 0.6 },
          mayRefuse: true,
        },
        alone: { ...openVariant([first]), says: undefined },
      };
    },
  },
  {
    trait: "payload, unknown size",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = draw.rising(2);
      const [first = 0, second = 0] = prices;
      const payload = [
        { data: 1 },
        { product: 2 },
        { name: 3, variants: 4 },
        draw.title,
        [5, 8],
        { storage: 6, price: 7 },
        "128 GB",
        first / 100,
        { storage: 9, price: 10 },
        "256 GB",
        second / 100,
      ];
      return {
        system: "nuxt",
        amounts: { first },
        head: productLd(draw, offer(draw, first)),
        buy: `<p class="text-3xl font-bold">{first}</p>{tax}<div class="flex gap-2"><button
class="ring-2">128 GB</button><button>256 GB</button></div>{form}`,
        end: dataScript(`type="application/json" id="__NUXT_DATA__" data-ssr="true"`, payload),
        product: { title: `${draw.title} 512 GB` },
        expected: {
          price: [],
          tolerated: { price: prices, confidenceMax: 0.6 },
          says: "variant_unknown",
        },
        alone: { ...openVariant([first]), says: undefined },
      };
    },
  },
  {
    trait: "offers, title pieces",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, wanted = 0] = prices;
      const packs = [10, 50, 100].map((count) => `${count} ${draw.say("Stück", "pieces")}`);
      const offers = prices.map((cents, at) => offer(draw, cents, { name: packs[at] }));
      return {
        system: "gambio",
        amounts: { first },
        head: productLd(draw, offers),
        buy: `<div class="current-price-container">{first}</div>{tax}<select>${
          packs.map((pack) => `<option>${pack}</option>`).join("")
        }</select>{form}`,
        product: { title: `${draw.title}, 50 ${draw.say("St.", "pcs")}` },
        expected: { price: [wanted] },
        alone: { ...openVariant(prices), says: undefined },
      };
    },
  },
  {
    trait: "one price, variants",
    tongues: ["de", "fr"],
    make(draw) {
      const price = draw.cents(20, 90);
      const hasVariant = ["S", "M", "L"].map((size) => ({
        "@type": "Product",
        name: `${draw.title} ${size}`,
        size,
        offers: offer(draw, price),
      }));
      return {
        system: "presta",
        amounts: { price },
        head: ld({ "@type": "ProductGroup", name: draw.title, hasVariant }),
        buy:
          `<div class="current-price"><span class="current-price-value">{price}</span></div>{tax}<select
name="group[1]"><option>S</option><option>M</option><option>L</option></select>{form}`,
        expected: { price: [price] },
      };
    },
  },
  {
    trait: "title, other unit",
    tongues: ["de", "fr"],
    make(draw) {
      const prices = draw.rising(3);
      const [first = 0, , wanted = 0] = prices;
      const lengths = ["50 cm", "60 cm", "75 cm"];
      const offers = prices.map((cents, at) =>
        offer(draw, cents, { name: `${draw.title} ${lengths[at]}` })
      );
      return {
        system: "oxid",
        amounts: { first },
        head: productLd(draw, offers),
        buy: `<div class="detailPrice"><strong>{first}</strong></div>{tax}<div class="variants">${
          lengths.map((length) => `<a href="#">${length}</a>`).join(" ")
        }</div>{form}`,
        product: { title: `${draw.title} 0,75 m` },
        expected: { price: [wanted] },
        alone: { ...openVariant(prices), says: undefined },
      };
    },
  },
  {
    trait: "priced list, bare",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [, wanted = 0] = prices;
      const rows = prices.map((cents, at) =>
        `<tr><td>${[20, 24, 28][at]} cm</td><td>${
          draw.money(cents)
        }</td><td><button class="add-to-cart">+</button></td></tr>`
      );
      return {
        system: "gambio",
        buy:
          `<table class="variant-table"><tr><th>[[Durchmesser|Diameter]]</th><th>[[Preis|Price]]</th><th></th></tr>
${rows.join("")}</table>{tax}`,
        product: { title: `${draw.title} 24 cm` },
        expected: { price: [wanted], mayRefuse: true },
        alone: { ...openVariant(prices), says: undefined },
      };
    },
  },
  {
    trait: "own markup, group",
    tongues: ["de", "en"],
    make(draw) {
      const prices = draw.rising(3);
      const [, own = 0] = prices;
      const sizes = prices.map((_, at) => `${draw.title} ${at + 38}`);
      const hasVariant = prices.map((cents, at) => ({
        "@type": "Product",
        name: sizes[at],
        offers: offer(draw, cents),
      }));
      return {
        system: "shopify",
        amounts: { own },
        heading: `${draw.title} 39`,
        head: productLd(draw, offer(draw, own), { name: sizes[1] }) +
          ld({ "@type": "ProductGroup", name: draw.title, hasVariant }),
        buy:
          `<div class="price"><span class="price-item">{own}</span></div>{tax}<a href="/p/38">38</a> <b>39</b>
<a href="/p/40">40</a>{form}`,
        product: { title: `${draw.title} 39` },
        expected: { price: [own] },
      };
    },
  },
];
