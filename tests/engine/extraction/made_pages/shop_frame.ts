/** The page around a buy box: head, navigation, related products with other prices, reviews, footer. */
import type { Draw } from "./draw.ts";

/** What holds gallery and buy box, and classes of heading and list of tiles; of tile, name and price. */
interface Look {
  readonly generator: string;
  readonly body: string;
  readonly main: readonly [string, string];
  readonly places: string;
  readonly tile: string;
}

const LOOKS = {
  shopware: {
    generator: "Shopware",
    body: "is-ctl-product is-act-index",
    main: [`<div class="product-detail-content"><div class="row">`, "</div></div>"],
    places: "product-detail-name | product-slider-container cross-selling",
    tile: "card product-box box-standard | product-name | product-price",
  },
  shopify: {
    generator: "Shopify",
    body: "template-product gradient",
    main: [`<main id="MainContent"><section class="product__info-wrapper">`, "</section></main>"],
    places: "product__title h1 | product-recommendations related-products",
    tile: "card-wrapper product-card-wrapper | full-unstyled-link | price price--sm",
  },
  woo: {
    generator: "WooCommerce 9.8.1",
    body: "product-template-default single single-product woocommerce",
    main: [`<div id="product-411" class="product type-product">`, "</div>"],
    places: "product_title entry-title | related products",
    tile: "product type-product | woocommerce-loop-product__title | price",
  },
  magento: {
    generator: "Magento",
    body: "catalog-product-view page-layout-1column",
    main: [`<main class="page-main"><div class="product-info-main">`, "</div></main>"],
    places: "page-title | block upsell products-grid",
    tile: "item product product-item | product-item-link | price-box price-final_price",
  },
  oxid: {
    generator: "OXID eShop",
    body: "cl-details",
    main: [`<div id="details"><div class="detailsInfo clear">`, "</div></div>"],
    places: "h1 detail-title | boxwrapper crossselling",
    tile: "productBox | title | price",
  },
  jtl: {
    generator: "JTL-Shop",
    body: "page-artikel",
    main: [
      `<div id="product-offer" class="product-detail"><div class="product-info">`,
      "</div></div>",
    ],
    places: "product-title h2 | slick-slider-product recommendations",
    tile: "productbox productbox-column | productbox-title | price_wrapper",
  },
  presta: {
    generator: "PrestaShop",
    body: "page-product tax-display-enabled",
    main: [`<section id="main"><div class="row product-container">`, "</div></section>"],
    places: "h1 | featured-products category-products",
    tile: "product-miniature js-product-miniature | product-title | product-price-and-shipping",
  },
  gambio: {
    generator: "Gambio",
    body: "page-product-info",
    main: [`<div class="product-info row"><div class="product-info-content">`, "</div></div>"],
    places: "product-info-title-desktop | also-purchased swiper-container",
    tile: "product-container | product-url | price",
  },
  next: {
    generator: "Next.js",
    body: "antialiased",
    main: [`<div id="__next"><main class="Pdp_root__a81Kx">`, "</main></div>"],
    places: "Pdp_title__Yd3fk | Recommendations_list__4Hs",
    tile: "ProductTile_root__x02Lm | ProductTile_name__1kD | ProductTile_price__9sQ",
  },
  nuxt: {
    generator: "Nuxt",
    body: "",
    main: [`<div id="__nuxt"><div class="pdp grid md:grid-cols-2 gap-8">`, "</div></div>"],
    places: "text-2xl font-semibold | recommendations mt-12",
    tile: "product-card rounded-lg | line-clamp-2 | text-lg font-bold",
  },
  market: {
    generator: "Marketplace",
    body: "a-plain dp",
    main: [`<div id="dp-container"><div id="centerCol">`, "</div></div>"],
    places: "a-size-large product-title-word-break | a-carousel-container sims-fbt",
    tile: "a-carousel-card | a-link-normal | a-price",
  },
} as const satisfies Readonly<Record<string, Look>>;

export type System = keyof typeof LOOKS;

/** Parts of a page that a template writes; in all but `head` and `end`, amounts and words are filled. */
export interface Parts {
  readonly system: System;
  readonly amounts?: Readonly<Record<string, number>>;
  readonly head?: string;
  /** Below the heading; `{form}` is a form that buys, `{tax}` a legal note. */
  readonly buy: string;
  /** Behind the description. */
  readonly after?: string;
  /** The heading where it is not the title. */
  readonly heading?: string;
  /** At the end of the body, scripts mostly. */
  readonly end?: string;
  readonly footer?: string;
}

const FORM =
  `<form action="/cart/add" method="post"><input type="number" name="qty" value="1"><button type="submit"
class="btn-buy add-to-cart">[[In den Warenkorb|Add to basket|Ajouter au panier]]</button></form>`;
const TAX =
  `<p class="tax-note">[[inkl. MwSt. zzgl. Versandkosten|incl. VAT, plus delivery|TTC, hors livraison]]</p>`;
const FOOTER =
  `[[* Alle Preise inkl. gesetzl. MwSt. zzgl. Versandkosten.|All prices include VAT. Delivery charges may
apply.|Prix TTC, hors frais de livraison.]]`;
const REVIEWS = `<section class="reviews"><h2>[[Bewertungen|Reviews|Avis]]</h2>
<article class="review"><b>★★★★☆</b><p>[[Gute Qualität, kam schnell an.|Good quality, arrived quickly.|Bonne
qualité, arrivé vite.]]</p></article><article class="review"><b>★★★☆☆</b><p>[[Macht, was es soll.|Does what
it should.|Fait ce qu’il faut.]]</p></article></section>`;

export function shopPage(draw: Draw, parts: Parts): string {
  const { system, head = "", buy, after = "", end = "", footer = FOOTER } = parts;
  const { generator, body, main, ...look } = LOOKS[system];
  const [headingClass, tiles] = look.places.split(" | ");
  const [tile, name, price] = look.tile.split(" | ");
  const own = { ...parts.amounts, nothing: 0, free: 5000, voucher: 500 };
  const title = parts.heading ? draw.fill(parts.heading, own) : draw.title;
  const related = [1, 2, 3].map((at) => {
    const amount = draw.money(draw.cents(5, 90));
    const other = `${draw.pick(["Alvero", "Munthe", "Seklar"])} ${at}${draw.digits(2)}`;
    return `<div class="${tile}"><a class="${name}" href="/p/${at}">${other}</a><div class="${price}">${amount}</div></div>`;
  });
  const box = buy.replace("{form}", FORM).replace("{tax}", TAX);
  const shown = draw.fill(
    `<div class="cookie-bar" role="dialog"><p>[[Wir verwenden Cookies. Sie können jederzeit widerrufen.|We use
cookies. You can withdraw your consent at any time.|Nous utilisons des cookies.]]</p><button>OK</button></div>
<header><a class="logo" href="/">Haus</a><form role="search"><input name="q"></form><a class="mini-cart"
href="/cart">[[Warenkorb|Basket|Panier]] <span class="cart-total">{nothing}</span></a><p class="usp">[[Versandkostenfrei
ab|Free delivery from|Livraison offerte dès]] {free}</p></header>
<nav><ul><li><a href="/neu">[[Neuheiten|New in|Nouveautés]]</a></li><li><a href="/sale">Sale</a></li><li><a
href="/k/1">[[Küche & Haushalt|Kitchen|Cuisine]]</a></li><li><a href="/k/2">[[Werkstatt|Workshop|Atelier]]</a></li>
<li><a href="/k/3">[[Geräte unter 50 €|Under £50|Moins de 50 €]]</a></li></ul></nav>
<nav class="breadcrumb"><a href="/">Start</a> › <a href="/k">${draw.noun}</a> › <span>${title}</span></nav>
${
      main[0]
    }<div class="gallery"><img src="/m/1.webp" alt="${title}"></div><h1 class="${headingClass}">${title}</h1>
${box}
${main[1]}
<section class="description"><h2>[[Beschreibung|Description|Description]]</h2><p>[[Robust gebaut, leicht zu
pflegen und für jeden Tag gemacht.|Built to last, easy to care for and made for every day.|Solide, facile à
entretenir et fait pour tous les jours.]]</p></section>${after}
${REVIEWS}
<section class="${tiles}"><h2>[[Kunden kauften auch|You may also like|Vous aimerez aussi]]</h2>${
      related.join("")
    }</section>
<section class="newsletter"><h2>Newsletter</h2><p>[[Jetzt anmelden und|Sign up for|Inscrivez-vous :]] {voucher}
[[Gutschein sichern|a voucher|offerts]]</p><input type="email"></section>
<footer>${footer} <a href="/impressum">[[Impressum|Imprint|Mentions légales]]</a></footer>`,
    own,
  );
  const shop = draw.say("Haus & Werk", "House & Work", "Maison & Atelier");
  const site = {
    "@type": "Organization",
    name: shop,
    url: `https://www.haus-${draw.tongue}.example/`,
  };
  const trail = [draw.noun, title].map((name, at) => ({
    "@type": "ListItem",
    position: at + 1,
    name,
  }));
  return `<!doctype html><html lang="${draw.tongue}"><head><meta charset="utf-8"><title>${title} | ${shop}</title>
<meta property="og:title" content="${title}"><meta name="generator" content="${generator}">${
    ld(site)
  }${ld({ "@type": "BreadcrumbList", itemListElement: trail })}${head}</head>
<body class="${body}">${shown}
${end}<script>window.dataLayer=window.dataLayer||[];dataLayer.push(${
    JSON.stringify(trackedOf(draw, parts))
  });</script></body></html>`;
}

/** What a shop tells its trackers of a page; the price of pages with markup alone. */
function trackedOf(draw: Draw, { amounts, head }: Parts) {
  const price = head?.includes("ld+json") ? amounts?.price : undefined;
  const item = {
    item_name: draw.title,
    item_brand: draw.brand,
    ...(price && { price: price / 100 }),
  };
  return { event: "view_item", ecommerce: { currency: draw.currency, items: [item] } };
}

type Json = Readonly<Record<string, unknown>>;

export function ld(json: Json): string {
  return dataScript(`type="application/ld+json"`, { "@context": "https://schema.org", ...json });
}

export function dataScript(attributes: string, json: unknown): string {
  return `<script ${attributes}>${JSON.stringify(json)}</script>`;
}
