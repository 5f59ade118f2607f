/** Describes which variant of a page a price belongs to, and why. */

import type { VariantFact } from "../extraction/variants/page_variants.ts";
import type { Language } from "../../base/language.ts";

/** A fact without the names of attributes, which the sentence does not contain. */
type SaidOfVariant = Omit<VariantFact, "attributes">;

const WAYS = {
  de: {
    gtin: "nach GTIN",
    mpn: "nach Herstellernummer",
    sku: "nach Artikelnummer des Shops",
    address: "nach der Adresse des Links",
    title: "nach unserem Titel",
  },
  en: {
    gtin: "by GTIN",
    mpn: "by the maker's number",
    sku: "by the shop's number",
    address: "by the address of the link",
    title: "by our title",
  },
} as const;

/** A text such as `Variante 256 GB, gewählt nach GTIN`. */
export function variantText(variant: SaidOfVariant, language: Language): string {
  return language === "de" ? german(variant) : english(variant);
}

function german({ state, by, name, wanted, offered }: SaidOfVariant): string {
  const there = offered.join(", ");
  if (state === "unknown") {
    return `Keine Variante hat „${wanted ?? ""}“${there && `; die Seite hat ${there}`}`;
  }
  if (state === "open" || by === null) {
    const shown = name === null ? "" : `; der Preis gilt für ${name}`;
    return `Mehrere Varianten mit verschiedenen Preisen, keine gewählt${
      there && `: ${there}`
    }${shown}`;
  }
  return `Variante${name === null ? "" : ` ${name}`}, gewählt ${WAYS.de[by]}`;
}

function english({ state, by, name, wanted, offered }: SaidOfVariant): string {
  const there = offered.join(", ");
  if (state === "unknown") {
    return `No variant has “${wanted ?? ""}”${there && `; the page has ${there}`}`;
  }
  if (state === "open" || by === null) {
    const shown = name === null ? "" : `; the price is that of ${name}`;
    return `Several variants with different prices, none chosen${there && `: ${there}`}${shown}`;
  }
  return `Variant${name === null ? "" : ` ${name}`}, chosen ${WAYS.en[by]}`;
}
