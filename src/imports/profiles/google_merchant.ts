import type { ImportProfileInput } from "./profile.ts";

/**
 * The feed of Google's Merchant Center, as RSS 2.0 and as Atom (docs/decisions/imports.md). Names stand
 * in its namespace, in which an item's own title goes before the plain one.
 */
export const googleMerchant: ImportProfileInput = {
  id: "google-merchant",
  name: "Google Merchant Center",
  detect: { root: "rss|feed" },
  itemPath: "//ITEM|//ENTRY",
  fields: {
    sku: { path: "ID" },
    title: { path: "TITLE" },
    url: { path: "LINK" },
    brand: { path: "BRAND" },
    category: { path: "PRODUCT_TYPE|GOOGLE_PRODUCT_CATEGORY" },
    ean: { path: "GTIN" },
    mpn: { path: "MPN" },
    condition: { path: "CONDITION" },
  },
  prices: { path: "PRICE", amount: ".", current: "today" },
  sale: { amount: "SALE_PRICE", range: "SALE_PRICE_EFFECTIVE_DATE" },
  currencyInAmount: true,
  numberFormat: "en",
};
