/**
 * A recipe says where a shop shows its price. A recipe is learned, taught by a person, or shipped
 * with the service.
 */

/** Either `selector` or `statePath` is set. */
export interface PricePlace {
  readonly selector?: string | undefined;
  /** Path of a value in the data of a script (`state_prices.ts`). */
  readonly statePath?: string | undefined;
}

export function placeText({ selector, statePath }: PricePlace): string {
  return selector ?? statePath ?? "";
}

export interface RecipeSelector extends PricePlace {
  readonly hits: number;
  readonly agreements: number;
  readonly contradictions: number;
}

/** Sources of recipes, in order of precedence. */
export const RECIPE_SOURCES = ["taught", "learned", "shipped"] as const;

export type RecipeSource = (typeof RECIPE_SOURCES)[number];

export interface PageRecipe {
  readonly source: RecipeSource;
  /** The first place that has a price on a page gives the recipe's price. */
  readonly selectors: readonly RecipeSelector[];
  /** Maximum confidence of the recipe's prices, such as 0.7 for unconfirmed prices. */
  readonly confidenceMost: number;
  /**
   * True while the recipe fails too often, probably because the shop has changed its pages. The
   * recipe's prices then do not lower the confidence of other prices.
   */
  readonly isDoubted: boolean;
}

export const RECIPE_SELECTORS_MAX = 6;

/** True for a generated word such as `kJxQzR` or `sxtqplk`: random case, or no vowel. */
export function isMadeWord(piece: string): boolean {
  if (piece.length < 5) return false;
  const parts = piece.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const short = parts.filter((part) => part.length <= 2).length;
  return (parts.length >= 3 && short * 2 > parts.length) || !/[aeiouy]/i.test(piece);
}

/** The most exact selector and the most exact path are the first in their lists. */
export interface ShippedRecipe {
  /** The shop's domain without `www`. */
  readonly domain: string;
  readonly selectors?: readonly string[];
  readonly statePaths?: readonly string[];
}

/** Recipes that were made from pages of 2020 and 2021. */
export const SHIPPED_RECIPES: readonly ShippedRecipe[] = [
  {
    domain: "3suisses.fr",
    selectors: ['div[itemprop="offers"] span.dyn_prod_price', "span.dyn_prod_price"],
    statePaths: ["dataLayer $[0].ecommerce.detail.products.price"],
  },
  {
    domain: "agem.sk",
    selectors: ["div.price-wrap-detail > div.notax > span.price", "div.notax > span.price"],
  },
  {
    domain: "argos.co.uk",
    selectors: ['[data-test="product-price-primary"] h2'],
  },
  {
    domain: "bestbuy.ca",
    selectors: ['span[itemprop="offers"] span'],
    statePaths: ["__INITIAL_STATE__ $.product.product.priceWithoutEhf"],
  },
  {
    domain: "currys.ie",
    statePaths: ["#app.digitalData $.product[0].currentPrice"],
  },
  {
    domain: "ebay.ie",
    selectors: ['span[itemprop="price"]', "div.u-flL.vi-price > span.notranslate"],
  },
  {
    domain: "elkor.lv",
    selectors: ["span.price-svg.current-price"],
  },
  {
    domain: "jumbo.ch",
    statePaths: [
      "__PRELOADED_STATE__ $.page.server_data.product.product.variants[0].prices.price / 100",
    ],
  },
  {
    domain: "lafeltrinelli.it",
    selectors: ['div[itemprop="offers"] span.gtmActualPrice', "h3 > strong > span.gtmActualPrice"],
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
  },
  {
    domain: "tmon.co.kr",
    selectors: ["p.deal_price_sell > strong.number_unit"],
  },
  {
    domain: "zara.com",
    selectors: ["#product span.main-price", "div.price > span.main-price"],
    statePaths: ["zara.dataLayer $.product.price / 100"],
  },
];

export function isOfRecipe(method: string): boolean {
  return method === "recipe" || method === "taught";
}
