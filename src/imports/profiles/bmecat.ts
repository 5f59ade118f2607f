import type { ImportProfileInput } from "./profile.ts";

/**
 * BMEcat 1.01, 1.2 and 2005 (docs/decisions/imports.md): new catalogues, product updates and price
 * updates, in the names of both generations (ARTICLE, PRODUCT).
 */
export const bmecat: ImportProfileInput = {
  id: "bmecat",
  name: "BMEcat 1.2 and 2005",
  detect: { root: "BMECAT" },
  itemPath: "BMECAT/T_NEW_CATALOG/ARTICLE|BMECAT/T_NEW_CATALOG/PRODUCT|" +
    "BMECAT/T_UPDATE_PRODUCTS/ARTICLE|BMECAT/T_UPDATE_PRODUCTS/PRODUCT|" +
    "BMECAT/T_UPDATE_PRICES/ARTICLE|BMECAT/T_UPDATE_PRICES/PRODUCT",
  fields: {
    sku: { path: "SUPPLIER_AID|SUPPLIER_PID" },
    title: { path: "ARTICLE_DETAILS/DESCRIPTION_SHORT|PRODUCT_DETAILS/DESCRIPTION_SHORT" },
    brand: { path: "ARTICLE_DETAILS/MANUFACTURER_NAME|PRODUCT_DETAILS/MANUFACTURER_NAME" },
    ean: {
      path: "ARTICLE_DETAILS/EAN|PRODUCT_DETAILS/EAN|" +
        "PRODUCT_DETAILS/INTERNATIONAL_PID[@type='gtin']|" +
        "PRODUCT_DETAILS/INTERNATIONAL_PID[@type='ean']|" +
        "PRODUCT_DETAILS/INTERNATIONAL_PID[@type='upc']|" +
        "ARTICLE_DETAILS/INTERNATIONAL_AID[@type='gtin']|" +
        "ARTICLE_DETAILS/INTERNATIONAL_AID[@type='ean']|" +
        "ARTICLE_DETAILS/INTERNATIONAL_AID[@type='upc']",
    },
    mpn: {
      path: "ARTICLE_DETAILS/MANUFACTURER_AID|PRODUCT_DETAILS/MANUFACTURER_PID|" +
        "ARTICLE_DETAILS/MANUFACTURER_PID|PRODUCT_DETAILS/MANUFACTURER_AID",
    },
  },
  fileCurrency: "/BMECAT/HEADER/CATALOG/CURRENCY",
  mode: "@mode",
  prices: {
    path: "ARTICLE_PRICE_DETAILS/ARTICLE_PRICE|PRODUCT_PRICE_DETAILS/PRODUCT_PRICE",
    tier: "@price_type",
    amount: "PRICE_AMOUNT",
    currency: "PRICE_CURRENCY",
    minQty: "LOWER_BOUND",
    validFrom: "../DATETIME[@type='valid_start_date']/DATE|../VALID_START_DATE",
    validUntil: "../DATETIME[@type='valid_end_date']/DATE|../VALID_END_DATE",
    quantity: "../../ARTICLE_ORDER_DETAILS/PRICE_QUANTITY|" +
      "../../PRODUCT_ORDER_DETAILS/PRICE_QUANTITY",
    current: "today",
    firstTierCounts: false,
    alsoCostPrice: ["net_customer"],
    alsoTargetPrice: ["nrp"],
  },
  groups: {
    path: "BMECAT/T_NEW_CATALOG/CATALOG_GROUP_SYSTEM/CATALOG_STRUCTURE|" +
      "BMECAT/T_UPDATE_PRODUCTS/CATALOG_GROUP_SYSTEM/CATALOG_STRUCTURE",
    id: "GROUP_ID",
    name: "GROUP_NAME",
    memberPath: "BMECAT/T_NEW_CATALOG/ARTICLE_TO_CATALOGGROUP_MAP|" +
      "BMECAT/T_NEW_CATALOG/PRODUCT_TO_CATALOGGROUP_MAP|" +
      "BMECAT/T_UPDATE_PRODUCTS/ARTICLE_TO_CATALOGGROUP_MAP|" +
      "BMECAT/T_UPDATE_PRODUCTS/PRODUCT_TO_CATALOGGROUP_MAP",
    memberSku: "ART_ID|PROD_ID|SUPPLIER_AID|SUPPLIER_PID",
    memberGroup: "CATALOG_GROUP_ID",
  },
  numberFormat: "en",
};
