import {
  IMPORTED_NAMES,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import type { ImportProfileInput } from "./profile.ts";

/**
 * The house format (docs/decisions/imports.md): any root, each value as a child or an attribute.
 */
export const erpDefault: ImportProfileInput = {
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

/** An element of one of these names, or an attribute. */
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
