/** Declares the built-in profiles of XML files, with the element paths of known export formats. */
import {
  IMPORTED_NAMES,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import { ImportProfile, type ImportProfileInput } from "./xml_profile.ts";
import type { AnyProfile } from "./table_profile.ts";
import { TABLE_TEMPLATES } from "./table_templates.ts";

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

const erpDefault: ImportProfileInput = {
  id: "erp-default",
  name: "ERP item export",
  detect: { root: "*" },
  itemPath: "//ITEM|//ARTICLE|//ARTIKEL|//PRODUCT",
  fields: {
    ...fieldPaths(),
    sku: { path: pathOf(PRODUCT_FIELDS.sku.import.house) },
    units: { path: pathOf(["UNITS", "ABSATZ"]) },
    unitsDate: { path: pathOf(["UNITSDATE", "ABSATZDATUM"]) },
  },
  prices: {
    path: "SALESPRICE|SALESPRICES/SALESPRICE|PREISE/SALESPRICE|" +
      "VKPREIS|SALESPRICES/VKPREIS|PREISE/VKPREIS|PREIS|SALESPRICES/PREIS|PREISE/PREIS",
    amount: "PRICE|@PRICE|AMOUNT|@AMOUNT|VK|@VK|BETRAG|@BETRAG|.",
    tier: "TIER|@TIER|PRICEGROUP|@PRICEGROUP|PRICELIST|@PRICELIST|PREISGRUPPE|@PREISGRUPPE",
    currency: "CURRENCY|@CURRENCY",
    minQty: "MINQTY|@MINQTY",
    validFrom: "VALIDFROM|@VALIDFROM|GUELTIGAB|@GUELTIGAB|GUELTIGVON|@GUELTIGVON",
    validUntil: "VALIDUNTIL|@VALIDUNTIL|GUELTIGBIS|@GUELTIGBIS",
  },
  competitors: {
    path: "COMPETITORS/COMPETITOR|COMPETITOR",
    name: "NAME|@NAME",
    domain: "DOMAIN|@DOMAIN",
    url: "URL|@URL",
    enabled: "ENABLED|@ENABLED",
  },
};

function pathOf(names: readonly string[]): string {
  return names.map((name) => `${name}|@${name}`).join("|");
}

function fieldPaths() {
  const fields = IMPORTED_NAMES.flatMap((name) => {
    const { house } = PRODUCT_FIELDS[name].import;
    return house.length === 0 ? [] : [[majorName(name), { path: pathOf(house) }] as const];
  });
  return Object.fromEntries(fields);
}

/** `erpDefault` accepts any root element, so profiles that require a root element come first. */
export const PROFILES: readonly ImportProfile[] = [bmecat, googleMerchant, erpDefault]
  .map((profile) => ImportProfile.parse(profile));

export const BUILT_IN: readonly AnyProfile[] = [...PROFILES, ...TABLE_TEMPLATES];
