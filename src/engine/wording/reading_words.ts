/** Texts about the reliability and the variant of a price, and about objections to the price. */

import type { Language } from "../../base/codes.ts";
import type { ConfidenceBand } from "../extraction/page_status.ts";
import type { Feature } from "../extraction/shown/scored_price.ts";
import type { VariantFact } from "../extraction/variants/page_variants.ts";
import type { Audience, InBoth } from "./show.ts";

/**
 * Returns a text such as `0,8: 114 von 114 richtig`: of the 114 prices on the test pages with a
 * similar confidence, 114 are right.
 */
export function confidenceText(
  confidence: number,
  band: ConfidenceBand | null,
  { language, show }: Audience,
): string {
  const value = show.number(confidence);
  if (band === null) return value;
  const [right, of] = [show.number(band.right), show.number(band.of)];
  return `${value}: ${
    language === "de" ? `${right} von ${of} richtig` : `${right} of ${of} right`
  }`;
}

/** If several of these features apply to a price, only the first feature in this order is named. */
const OBJECTIONS: Readonly<Partial<Record<Feature, InBoth>>> = {
  monthly: { de: "Betrag pro Monat", en: "an amount per month" },
  rent: { de: "Miete oder Leihgebühr", en: "a rent or hire fee" },
  deposit: { de: "Anzahlung oder Kaution", en: "a deposit" },
  contract: { de: "nur mit Vertrag", en: "with a contract only" },
  bid: { de: "Gebot", en: "a bid" },
  rate: { de: "Rate", en: "an instalment" },
  subscription: { de: "Preis im Abo", en: "a subscription price" },
  member: { de: "Preis für Mitglieder", en: "a price for members" },
  shipping: { de: "Versandkosten", en: "shipping costs" },
  extra: { de: "Zusatz, Teil oder Paket", en: "an addition, a part or a bundle" },
  coupon: { de: "Gutschein oder Rabatt", en: "a voucher or discount" },
  used: { de: "Preis eines gebrauchten Artikels", en: "the price of a used article" },
  tier: { de: "Staffelpreis", en: "a price for larger quantities" },
  net: { de: "ohne Mehrwertsteuer", en: "without VAT" },
  old: { de: "früherer oder empfohlener Preis", en: "a former or recommended price" },
  struck: { de: "durchgestrichen", en: "crossed out" },
  called_old: { de: "als früherer Preis ausgezeichnet", en: "marked up as a former price" },
  called_regular: { de: "als Normalpreis ausgezeichnet", en: "marked up as the regular price" },
  option: { de: "Preis einer Auswahl", en: "the price of an option" },
  tile: { de: "gehört zu einem anderen Artikel", en: "belongs to another article" },
  link: { de: "steht in einem Link", en: "is in a link" },
  other_part: { de: "unter einer anderen Überschrift", en: "below another heading" },
  region: { de: "steht am Rand der Seite", en: "is at the edge of the page" },
  running_text: { de: "steht im Fließtext", en: "is in running text" },
  not_the_price: { de: "anders beschriftet", en: "labelled as something else" },
  named_other: { de: "als anderer Betrag ausgezeichnet", en: "marked up as another amount" },
  odd_currency: { de: "andere Währung", en: "another currency" },
  one_of_many: { de: "einer von vielen in einer Liste", en: "one of many in a list" },
  hidden: { de: "nicht sichtbar", en: "not visible" },
  lone_old: { de: "als früherer Preis ausgezeichnet", en: "marked up as a former price" },
  bare: { de: "ohne Währung", en: "without a currency" },
  far: { de: "weit weg vom Titel", en: "far from the title" },
};

export function objectionText(features: readonly string[], language: Language): string | null {
  const found = Object.entries(OBJECTIONS).find(([feature]) => features.includes(feature));
  return found?.[1][language] ?? null;
}

type VariantSummary = Omit<VariantFact, "attributes">;

const WAYS = {
  gtin: { de: "nach GTIN", en: "by GTIN" },
  mpn: { de: "nach Herstellernummer", en: "by the maker's number" },
  sku: { de: "nach Artikelnummer des Shops", en: "by the shop's number" },
  address: { de: "nach der Adresse des Links", en: "by the address of the link" },
  title: { de: "nach unserem Titel", en: "by our title" },
} as const;

export function variantText(variant: VariantSummary, language: Language): string {
  return variantWords(variant)[language];
}

function variantWords({ state, by, name, wanted, offered }: VariantSummary): InBoth {
  const there = offered.join(", ");
  if (state === "unknown") {
    return {
      de: `Keine Variante hat „${wanted ?? ""}“${there && `; die Seite hat ${there}`}`,
      en: `No variant has “${wanted ?? ""}”${there && `; the page has ${there}`}`,
    };
  }
  if (state === "open" || by === null) {
    const list = there && `: ${there}`;
    return {
      de: `Mehrere Varianten mit verschiedenen Preisen, keine gewählt${list}` +
        (name === null ? "" : `; der Preis gilt für ${name}`),
      en: `Several variants with different prices, none chosen${list}` +
        (name === null ? "" : `; the price is for ${name}`),
    };
  }
  const named = name === null ? "" : ` ${name}`;
  return {
    de: `Variante${named}, gewählt ${WAYS[by].de}`,
    en: `Variant${named}, chosen ${WAYS[by].en}`,
  };
}
