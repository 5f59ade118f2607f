import type { ImportProfileInput } from "../profile.ts";

/** The house format (decisions §7.1): any root, each value as a child or an attribute. */
export const erpDefault: ImportProfileInput = {
  id: "erp-default",
  name: "ERP item export",
  detect: { root: "*" },
  itemPath: "//ITEM|//ARTICLE|//ARTIKEL|//PRODUCT",
  fields: {
    sku: {
      path: "SKU|@SKU|ITEMNO|@ITEMNO|ITEMID|@ITEMID|ARTICLENO|@ARTICLENO|ARTIKELNR|@ARTIKELNR|" +
        "NUMBER|@NUMBER",
    },
    title: {
      path: "TITLE|@TITLE|NAME|@NAME|DESCRIPTION|@DESCRIPTION|BEZEICHNUNG|@BEZEICHNUNG",
    },
    brand: { path: "BRAND|@BRAND|MANUFACTURER|@MANUFACTURER|HERSTELLER|@HERSTELLER" },
    category: { path: "CATEGORY|@CATEGORY|GROUP|@GROUP|WARENGRUPPE|@WARENGRUPPE" },
    ean: { path: "EAN|@EAN" },
    mpn: { path: "MPN|@MPN" },
    currency: { path: "CURRENCY|@CURRENCY" },
    costPrice: { path: "COSTPRICE|@COSTPRICE|PURCHASEPRICE|@PURCHASEPRICE|EK|@EK" },
    targetPrice: { path: "TARGETPRICE|@TARGETPRICE" },
    tier: {
      path: "TIER|@TIER|PRICEGROUP|@PRICEGROUP|PRICELIST|@PRICELIST|PREISGRUPPE|@PREISGRUPPE",
    },
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
