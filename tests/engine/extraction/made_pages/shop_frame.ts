/** The page around a buy box: head, navigation, related products with other prices, reviews, footer. */
import type { Draw } from "./made_page.ts";

export type System =
  | "shopware"
  | "shopify"
  | "woo"
  | "magento"
  | "oxid"
  | "jtl"
  | "presta"
  | "gambio"
  | "next"
  | "nuxt"
  | "market";

interface Look {
  readonly generator: string;
  readonly body: string;
  /** Opens and closes what holds gallery and buy box. */
  readonly main: readonly [string, string];
  readonly heading: string;
  /** A related product with its name and price. */
  readonly tile: (name: string, price: string) => string;
  readonly tiles: string;
}

const tileOf = (box: string, name: string, price: string) => (title: string, amount: string) =>
  `<div class="${box}"><a class="${name}" href="/p/${title.length}">${title}</a><div class="${price}">${amount}</div></div>`;

const LOOKS: Readonly<Record<System, Look>> = {
  shopware: {
    generator: "Shopware",
    body: "is-ctl-product is-act-index",
    main: [`<div class="product-detail-content"><div class="row">`, "</div></div>"],
    heading: "product-detail-name",
    tile: tileOf("card product-box box-standard", "product-name", "product-price"),
    tiles: "product-slider-container cross-selling",
  },
  shopify: {
    generator: "Shopify",
    body: "template-product gradient",
    main: [`<main id="MainContent"><section class="product__info-wrapper">`, "</section></main>"],
    heading: "product__title h1",
    tile: tileOf("card-wrapper product-card-wrapper", "full-unstyled-link", "price price--sm"),
    tiles: "product-recommendations related-products",
  },
  woo: {
    generator: "WooCommerce 9.8.1",
    body: "product-template-default single single-product woocommerce",
    main: [`<div id="product-411" class="product type-product">`, "</div>"],
    heading: "product_title entry-title",
    tile: tileOf("product type-product", "woocommerce-loop-product__title", "price"),
    tiles: "related products",
  },
  magento: {
    generator: "Magento",
    body: "catalog-product-view page-layout-1column",
    main: [`<main class="page-main"><div class="product-info-main">`, "</div></main>"],
    heading: "page-title",
    tile: tileOf("item product product-item", "product-item-link", "price-box price-final_price"),
    tiles: "block upsell products-grid",
  },
  oxid: {
    generator: "OXID eShop",
    body: "cl-details",
    main: [`<div id="details"><div class="detailsInfo clear">`, "</div></div>"],
    heading: "h1 detail-title",
    tile: tileOf("productBox", "title", "price"),
    tiles: "boxwrapper crossselling",
  },
  jtl: {
    generator: "JTL-Shop",
    body: "page-artikel",
    main: [
      `<div id="product-offer" class="product-detail"><div class="product-info">`,
      "</div></div>",
    ],
    heading: "product-title h2",
    tile: tileOf("productbox productbox-column", "productbox-title", "price_wrapper"),
    tiles: "slick-slider-product recommendations",
  },
  presta: {
    generator: "PrestaShop",
    body: "page-product tax-display-enabled",
    main: [`<section id="main"><div class="row product-container">`, "</div></section>"],
    heading: "h1",
    tile: tileOf(
      "product-miniature js-product-miniature",
      "product-title",
      "product-price-and-shipping",
    ),
    tiles: "featured-products category-products",
  },
  gambio: {
    generator: "Gambio",
    body: "page-product-info",
    main: [
      `<div class="product-info product-info-default row"><div class="product-info-content">`,
      "</div></div>",
    ],
    heading: "product-info-title-desktop",
    tile: tileOf("product-container", "product-url", "price"),
    tiles: "also-purchased swiper-container",
  },
  next: {
    generator: "Next.js",
    body: "antialiased",
    main: [`<div id="__next"><main class="Pdp_root__a81Kx">`, "</main></div>"],
    heading: "Pdp_title__Yd3fk",
    tile: tileOf("ProductTile_root__x02Lm", "ProductTile_name__1kD", "ProductTile_price__9sQ"),
    tiles: "Recommendations_list__4Hs",
  },
  nuxt: {
    generator: "Nuxt",
    body: "",
    main: [`<div id="__nuxt"><div class="pdp grid md:grid-cols-2 gap-8">`, "</div></div>"],
    heading: "text-2xl font-semibold",
    tile: tileOf("product-card rounded-lg", "line-clamp-2", "text-lg font-bold"),
    tiles: "recommendations mt-12",
  },
  market: {
    generator: "",
    body: "a-plain dp",
    main: [`<div id="dp-container"><div id="centerCol">`, "</div></div>"],
    heading: "a-size-large product-title-word-break",
    tile: tileOf("a-carousel-card", "a-link-normal", "a-price"),
    tiles: "a-carousel-container sims-fbt",
  },
};

export interface Parts {
  readonly head?: string;
  /** Below the heading. */
  readonly buy: string;
  /** After the buy box, before the related products. */
  readonly after?: string;
  /** The heading where it is not the title. */
  readonly heading?: string;
  /** At the end of the body, scripts mostly. */
  readonly end?: string;
  readonly footer?: string;
}

export function shopPage(draw: Draw, system: System, parts: Parts): string {
  const { generator, body, main, heading, tiles } = LOOKS[system];
  const { head = "", buy, after = "", end = "", footer = draw.say(GERMAN, ENGLISH, FRENCH) } =
    parts;
  const title = parts.heading ?? draw.title;
  const cart = draw.say("Warenkorb", "Basket", "Panier");
  return `<!doctype html><html lang="${draw.tongue}"><head><meta charset="utf-8"><title>${title} | ${
    draw.say("Haus & Werk", "House & Work", "Maison & Atelier")
  }</title><meta name="viewport" content="width=device-width"><meta property="og:title" content="${title}">${
    generator && `<meta name="generator" content="${generator}">`
  }${head}</head><body class="${body}">
<div class="cookie-bar" role="dialog"><p>${
    draw.say(
      "Wir verwenden Cookies. Sie können jederzeit widerrufen.",
      "We use cookies. You can withdraw your consent at any time.",
      "Nous utilisons des cookies. Vous pouvez changer d’avis à tout moment.",
    )
  }</p><button>OK</button></div>
<header><a class="logo" href="/">Haus</a><form role="search"><input name="q"></form><a class="mini-cart" href="/cart">${cart} <span class="cart-total">${
    draw.money(0)
  }</span></a><p class="usp">${
    draw.say("Versandkostenfrei ab", "Free delivery from", "Livraison offerte dès")
  } ${draw.money(5000)}</p></header>
<nav><ul><li><a href="/neu">${
    draw.say("Neuheiten", "New in", "Nouveautés")
  }</a></li><li><a href="/sale">Sale</a></li></ul></nav>
<nav class="breadcrumb" aria-label="breadcrumb"><a href="/">Start</a> › <a href="/k">${draw.noun}</a> › <span>${title}</span></nav>
${
    main[0]
  }<div class="gallery"><img src="/m/1.webp" alt="${title}"></div><h1 class="${heading}">${title}</h1>
${buy}
${main[1]}
<section class="description"><h2>${draw.say("Beschreibung", "Description", "Description")}</h2><p>${
    draw.say(
      "Robust gebaut, leicht zu pflegen und für jeden Tag gemacht.",
      "Built to last, easy to care for and made for every day.",
      "Solide, facile à entretenir et fait pour tous les jours.",
    )
  }</p></section>${after}
${reviews(draw)}
<section class="${tiles}"><h2>${
    draw.say("Kunden kauften auch", "You may also like", "Vous aimerez aussi")
  }</h2>${related(draw, LOOKS[system])}</section>
<footer>${footer} <a href="/impressum">${
    draw.say("Impressum", "Imprint", "Mentions légales")
  }</a></footer>
${end}<script>window.dataLayer=window.dataLayer||[];</script></body></html>`;
}

const GERMAN = "* Alle Preise inkl. gesetzl. MwSt. zzgl. Versandkosten.";
const ENGLISH = "All prices include VAT. Delivery charges may apply.";
const FRENCH = "Prix TTC, hors frais de livraison.";

function reviews(draw: Draw): string {
  const texts = draw.say(
    "Gute Qualität, kam schnell an.|Macht, was es soll.",
    "Good quality, arrived quickly.|Does what it should.",
    "Bonne qualité, arrivé vite.|Fait ce qu’il faut.",
  ).split("|");
  return `<section class="reviews"><h2>${draw.say("Bewertungen", "Reviews", "Avis")}</h2>${
    texts.map((text) => `<article class="review"><b>★★★★☆</b><p>${text}</p></article>`).join("")
  }</section>`;
}

function related(draw: Draw, { tile }: Look): string {
  return [1, 2, 3].map((at) =>
    tile(
      `${draw.pick(["Alvero", "Munthe", "Seklar"])} ${at}${draw.digits(2)}`,
      draw.money(
        draw.cents(5, 90),
      ),
    )
  ).join("");
}

/** A form with a quantity and the button that buys. */
export function buyForm(draw: Draw, inside = ""): string {
  return `<form action="/cart/add" method="post">${inside}<input type="number" name="qty" value="1"><button type="submit" class="btn-buy add-to-cart">${
    draw.say("In den Warenkorb", "Add to basket", "Ajouter au panier")
  }</button></form>`;
}

export function taxNote(draw: Draw): string {
  return `<p class="tax-note">${
    draw.say("inkl. MwSt. zzgl. Versandkosten", "incl. VAT, plus delivery", "TTC, hors livraison")
  }</p>`;
}
