/**
 * Where large shops show their price, as far as it is known beforehand: data, and weaker than what is
 * learned or taught. An entry says what saved pages of the shop show, and nothing else.
 */

/** A shop's places, from exact to loose. */
export interface ShippedRecipe {
  /** Without `www`. */
  readonly domain: string;
  readonly selectors: readonly string[];
  /** Values in the data of scripts, behind the selectors. */
  readonly statePaths: readonly string[];
}

/**
 * Of shops of which at least two saved pages with different prices are at hand: each place is on all of
 * them and says the price of each. The pages are of 2020 and 2021, and a place that is gone since says
 * nothing: what the shop's pages of today show is learned meanwhile.
 */
export const SHIPPED_RECIPES: readonly ShippedRecipe[] = [
  {
    domain: "3suisses.fr",
    selectors: ['div[itemprop="offers"] span.dyn_prod_price', "span.dyn_prod_price"],
    statePaths: ["dataLayer $[0].ecommerce.detail.products.price"],
  },
  {
    domain: "agem.sk",
    selectors: ["div.price-wrap-detail > div.notax > span.price", "div.notax > span.price"],
    statePaths: [],
  },
  {
    domain: "argos.co.uk",
    selectors: ['[data-test="product-price-primary"] h2'],
    statePaths: [],
  },
  {
    domain: "bestbuy.ca",
    selectors: ['span[itemprop="offers"] span'],
    statePaths: ["__INITIAL_STATE__ $.product.product.priceWithoutEhf"],
  },
  {
    domain: "currys.ie",
    selectors: [],
    statePaths: ["#app.digitalData $.product[0].currentPrice"],
  },
  {
    domain: "ebay.ie",
    selectors: ['span[itemprop="price"]', "div.u-flL.vi-price > span.notranslate"],
    statePaths: [],
  },
  {
    domain: "elkor.lv",
    selectors: ["span.price-svg.current-price"],
    statePaths: [],
  },
  {
    domain: "jumbo.ch",
    selectors: [],
    statePaths: [
      "__PRELOADED_STATE__ $.page.server_data.product.product.variants[0].prices.price / 100",
    ],
  },
  {
    domain: "lafeltrinelli.it",
    selectors: ['div[itemprop="offers"] span.gtmActualPrice', "h3 > strong > span.gtmActualPrice"],
    statePaths: [],
  },
  {
    domain: "mediamarkt.pt",
    selectors: ['span[itemprop="price"] div', "span.bigprices.active > div > div"],
    statePaths: ["product $.price / 100"],
  },
  {
    domain: "shop.bestseller.com",
    selectors: ["div.nonsticky-price__container--visible > em.value__price"],
    statePaths: ["dataLayer $[0].ecommerce.detail.products[0].salesPrice"],
  },
  {
    domain: "strumentimusicali.net",
    selectors: ['td[itemprop="offers"] span.prodPrice', "div.discountPrice > span.prodPrice"],
    statePaths: [],
  },
  {
    domain: "tmon.co.kr",
    selectors: ["p.deal_price_sell > strong.number_unit"],
    statePaths: [],
  },
  {
    domain: "zara.com",
    selectors: ["#product span.main-price", "div.price > span.main-price"],
    statePaths: ["zara.dataLayer $.product.price / 100"],
  },
];
