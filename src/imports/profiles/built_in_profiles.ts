/** Declares the built-in profiles of XML formats, shop systems, ERPs and price portals. */
import { fromKeys } from "../../base/collections.ts";
import {
  AMOUNT_NAMES,
  IMPORTED_NAMES,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import type { AmountUnit } from "../choices.ts";
import { type AnyProfile, TableProfile, type TableProfileInput } from "./table_profile.ts";
import { ImportProfile, type ImportProfileInput } from "./xml_profile.ts";

type Template = Omit<TableProfileInput, "format">;

const at = (...columns: string[]) => ({ columns });

const own = (...columns: string[]) => ({ from: at(...columns), role: "own" as const });
const gross = (...columns: string[]) => ({ ...own(...columns), side: "gross" as const });
const cost = (...columns: string[]) => ({ from: at(...columns), role: "cost" as const });
const target = (...columns: string[]) => ({ from: at(...columns), role: "target" as const });

const YES = ["active", "aktiv", "published"];

/** Kurant's exported tables have amounts in major units, its JSON documents in minor units. */
function ownTemplate(amounts: AmountUnit): Template {
  const columnOf = (name: string) =>
    amounts === "minor" && AMOUNT_NAMES.some((amount) => amount === `${name}Cents`)
      ? `${name}Cents`
      : name;
  const own = columnOf("ourPrice");
  return {
    id: amounts === "minor" ? "kurant-documents" : "kurant",
    name: amounts === "minor" ? "Kurant (JSON)" : "Kurant",
    detect: { columns: [...new Set(["id", "sku", "title", "currency", "ourPrice", own])] },
    fields: fromKeys(IMPORTED_NAMES.map(majorName), (name) => at(columnOf(name))),
    prices: [{ from: at(own), role: "own", tier: at("tier"), currency: at("currency") }],
    amounts,
    keepsTiers: true,
    zeroIsEmpty: false,
  };
}

const TEMPLATES: readonly Template[] = [
  ownTemplate("minor"),
  ownTemplate("major"),
  {
    id: "jtl-ameise",
    name: "JTL-Ameise",
    detect: { columns: ["Artikelnummer", "HAN", "EK netto", "VK brutto"] },
    fields: {
      sku: at("Artikelnummer"),
      title: at("Artikelname", "Bezeichnung"),
      brand: at("Hersteller"),
      category: at("Warengruppe", "Kategorie Ebene 1"),
      ean: at("GTIN", "EAN", "EAN/Barcode"),
      mpn: at("HAN"),
      vatRatePct: at("MwSt", "Steuersatz in %", "USt. in %"),
      stock: at("Lagerbestand", "Bestand", "Lagerbestand Gesamt"),
    },
    prices: [
      gross("VK brutto", "Std. VK Brutto"),
      cost("EK netto", "EK Netto (für GLD)"),
      target("UVP"),
    ],
    numberFormat: "de",
  },
  {
    id: "shopware-6",
    name: "Shopware 6",
    detect: { columns: ["id", "parent_id", "product_number", "active", "name", "tax_rate"] },
    fields: {
      sku: at("product_number"),
      title: at("name"),
      brand: at("manufacturer_name"),
      category: at("categories"),
      ean: at("ean"),
      mpn: at("manufacturer_number"),
      vatRatePct: at("tax_rate"),
      stock: at("stock"),
    },
    prices: [gross("price_gross"), cost("purchase_prices_net"), target("list_price_gross")],
    active: { from: at("active"), yes: YES },
    numberFormat: "en",
  },
  {
    id: "shopify-products",
    name: "Shopify",
    detect: { columns: ["Handle", "Title", "Variant SKU", "Variant Price"] },
    fields: {
      sku: at("Variant SKU"),
      title: at("Title"),
      brand: at("Vendor"),
      category: at("Type", "Product Category"),
      ean: at("Variant Barcode"),
      stock: at("Variant Inventory Qty"),
    },
    prices: [own("Variant Price"), cost("Cost per item"), target("Variant Compare At Price")],
    active: { from: at("Status"), yes: YES },
    inherit: { by: at("Handle"), fields: ["title", "brand", "category", "active"] },
    numberFormat: "en",
  },
  {
    id: "shopify-json",
    name: "Shopify (JSON)",
    detect: { columns: ["title", "vendor", "variants.sku", "variants.price"] },
    fields: {
      sku: at("variants.sku"),
      title: at("title"),
      brand: at("vendor"),
      category: at("product_type"),
      ean: at("variants.barcode"),
      stock: at("variants.inventory_quantity"),
    },
    prices: [
      own("variants.price"),
      target("variants.compare_at_price"),
      cost("variants.inventoryItem.unitCost"),
    ],
    active: { from: at("status"), yes: YES },
    numberFormat: "en",
  },
  {
    id: "plentymarkets",
    name: "plentymarkets",
    detect: { columns: ["Variation.number", "ItemText.name1"] },
    fields: {
      sku: at("Variation.number"),
      title: at("ItemText.name1"),
      brand: at("Item.producerName", "Producer.name"),
      category: at("VariationDefaultCategory.level1Name"),
      ean: at("VariationBarcode.code", "Barcode.code"),
      mpn: at("Variation.model"),
      stock: at("VariationStock.netStock", "VariationStock.stockNet"),
    },
    prices: [
      gross("VariationSalesPrice.price", "SalesPrice.price"),
      cost("Variation.purchasePrice"),
    ],
    active: { from: at("Variation.isActive"), yes: YES },
    numberFormat: "en",
  },
  {
    id: "google-merchant",
    name: "Google Merchant Center",
    detect: { columns: ["id", "title", "link", "price", "availability"] },
    fields: {
      sku: at("id"),
      title: at("title"),
      url: at("link"),
      brand: at("brand"),
      category: at("product_type", "product type", "google_product_category"),
      ean: at("gtin"),
      mpn: at("mpn"),
      condition: at("condition"),
    },
    prices: [
      own("price"),
      {
        from: at("sale_price", "sale price"),
        role: "sale",
        range: at("sale_price_effective_date", "sale price effective date"),
      },
      cost("cost_of_goods_sold", "cost of goods sold"),
    ],
    numberFormat: "en",
  },
  {
    id: "idealo",
    name: "idealo",
    detect: { columns: ["sku", "title", "price", "deliveryTime", "url"] },
    fields: {
      sku: at("sku"),
      title: at("title"),
      url: at("url"),
      brand: at("brand"),
      category: at("categoryPath"),
      ean: at("eans", "ean"),
      mpn: at("hans", "han"),
    },
    prices: [gross("price")],
    numberFormat: "en",
  },
  {
    id: "geizhals",
    name: "Geizhals",
    detect: {
      columns: ["Artikelnummer", "Herstellername", "Produktbezeichnung", "Preis", "Deeplink"],
    },
    fields: {
      sku: at("Artikelnummer"),
      title: at("Produktbezeichnung"),
      url: at("Deeplink"),
      brand: at("Herstellername"),
      category: at("Kategorie"),
      ean: at("EAN"),
      mpn: at("Herstellernummer"),
    },
    prices: [gross("Preis")],
  },
  {
    id: "sap-b1",
    name: "SAP Business One",
    detect: { columns: ["ItemCode", "ItemName", "CodeBars"] },
    fields: {
      sku: at("ItemCode"),
      title: at("ItemName"),
      brand: at("FirmName"),
      category: at("ItmsGrpNam"),
      ean: at("CodeBars"),
      mpn: at("SuppCatNum"),
      stock: at("OnHand"),
    },
    prices: [own("Price"), cost("LastPurPrc", "AvgPrice")],
    active: { from: at("validFor"), yes: YES },
  },
  {
    id: "dynamics",
    name: "Microsoft Dynamics 365 Business Central",
    detect: { columns: ["No.", "Description", "Unit Price", "Unit Cost"] },
    fields: {
      sku: at("No."),
      title: at("Description"),
      category: at("Item Category Code"),
      ean: at("GTIN"),
      mpn: at("Vendor Item No."),
      stock: at("Inventory"),
    },
    prices: [own("Unit Price"), cost("Unit Cost")],
  },
  {
    id: "odoo",
    name: "Odoo",
    detect: { columns: ["default_code", "name", "list_price"] },
    fields: {
      sku: at("default_code"),
      title: at("name"),
      category: at("categ_id", "categ_id/name"),
      ean: at("barcode"),
      stock: at("qty_available"),
    },
    prices: [own("list_price", "lst_price"), cost("standard_price")],
    active: { from: at("active"), yes: YES },
    numberFormat: "en",
  },
];

export const TABLE_TEMPLATES: readonly TableProfile[] = TEMPLATES.map((template) =>
  TableProfile.parse({ ...template, format: "table" })
);

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
    ...Object.fromEntries(IMPORTED_NAMES.flatMap((name) => {
      const { house } = PRODUCT_FIELDS[name].import;
      return house.length === 0 ? [] : [[majorName(name), { path: pathOf(house) }] as const];
    })),
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

/** `erpDefault` accepts any root element, so profiles that require a root element come first. */
export const PROFILES: readonly ImportProfile[] = [bmecat, googleMerchant, erpDefault]
  .map((profile) => ImportProfile.parse(profile));

export const BUILT_IN: readonly AnyProfile[] = [...PROFILES, ...TABLE_TEMPLATES];
