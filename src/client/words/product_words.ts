import { recordOf } from "../../base/record_of.ts";
import {
  AMOUNT_NAMES,
  type AmountName,
  FIELD_NAMES,
  type FieldName,
  type MajorName,
  majorName,
} from "../../catalogue/products/product_field_table.ts";
import type { Language } from "../../wording/language.ts";

/** What each field of a product is called: in lists, forms, profiles and differences. */
const PRODUCT_WORDS: Readonly<Record<FieldName, Readonly<Record<Language, string>>>> = {
  id: { de: "ID", en: "ID" },
  sku: { de: "SKU", en: "SKU" },
  title: { de: "Titel", en: "Title" },
  brand: { de: "Marke", en: "Brand" },
  category: { de: "Kategorie", en: "Category" },
  tier: { de: "Preisgruppe", en: "Price tier" },
  ourPriceCents: { de: "Unser Preis", en: "Our price" },
  costPriceCents: { de: "Einkauf", en: "Cost" },
  targetPriceCents: { de: "Zielpreis", en: "Target" },
  currency: { de: "Währung", en: "Currency" },
  ean: { de: "EAN", en: "EAN" },
  mpn: { de: "Herstellernr.", en: "MPN" },
  url: { de: "Adresse", en: "Address" },
  vatRatePct: { de: "Umsatzsteuer in %", en: "VAT in %" },
  attributes: { de: "Merkmale", en: "Attributes" },
  priceLocked: { de: "Preis gesperrt", en: "Price locked" },
  scrapeEnabled: { de: "Abruf", en: "Fetching" },
  scrapeIntervalHours: { de: "Abruf alle … Stunden", en: "Fetch every … hours" },
  ourPriceUpdatedAt: { de: "Preis geändert am", en: "Price changed at" },
  lastScrapedAt: { de: "Abgerufen am", en: "Fetched at" },
  createdAt: { de: "Angelegt am", en: "Created at" },
  updatedAt: { de: "Geändert am", en: "Changed at" },
  deletedAt: { de: "Gelöscht am", en: "Deleted at" },
  prices: { de: "Preisgruppen", en: "Price tiers" },
};

/** The words of one language; an amount is called the same in major and in minor units. */
export function productWords(
  language: Language,
): Readonly<Record<FieldName | MajorName<AmountName>, string>> {
  const words = recordOf(FIELD_NAMES, (name) => PRODUCT_WORDS[name][language]);
  const amounts = AMOUNT_NAMES.map(majorName);
  return { ...words, ...recordOf(amounts, (name) => words[`${name}Cents` as const]) };
}
