/** Says how far a reading of a page can be trusted, and what speaks against a price of the page. */

import type { ConfidenceBand } from "../extraction/calibration.ts";
import type { Feature } from "../extraction/shown/scored_price.ts";
import type { Language } from "../../base/language.ts";
import type { Audience, InBoth } from "./show.ts";

/** Such as `0,9: 149 von 151 richtig`: how many prices of this confidence were right so far. */
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

/** What is never the price comes first, then what says the least. */
const OBJECTIONS: Readonly<Partial<Record<Feature, InBoth>>> = {
  monthly: { de: "Betrag pro Monat", en: "an amount per month" },
  rent: { de: "Miete oder Leihgebühr", en: "a rent or hire fee" },
  deposit: { de: "Anzahlung oder Kaution", en: "a deposit" },
  contract: { de: "nur mit Vertrag", en: "with a contract only" },
  bid: { de: "Gebot", en: "a bid" },
  rate: { de: "Rate", en: "an instalment" },
  subscription: { de: "Preis im Abo", en: "a subscription price" },
  shipping: { de: "Versandkosten", en: "shipping costs" },
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
  link: { de: "steht in einem Link", en: "stands in a link" },
  other_part: { de: "unter einer anderen Überschrift", en: "below another heading" },
  region: { de: "steht am Rand der Seite", en: "stands at the margin of the page" },
  running_text: { de: "steht im Fließtext", en: "stands in running text" },
  not_the_price: { de: "anders beschriftet", en: "labelled as something else" },
  named_other: { de: "als anderer Betrag ausgezeichnet", en: "marked up as another amount" },
  odd_currency: { de: "andere Währung", en: "another currency" },
  one_of_many: { de: "einer von vielen in einer Liste", en: "one of many in a list" },
  hidden: { de: "nicht sichtbar", en: "not visible" },
  lone_old: { de: "als früherer Preis ausgezeichnet", en: "marked up as a former price" },
  bare: { de: "ohne Währung", en: "without a currency" },
  far: { de: "weit weg vom Titel", en: "far from the title" },
};

/** The strongest one; null where nothing speaks against a price with these features. */
export function objectionText(features: readonly string[], language: Language): string | null {
  const found = Object.entries(OBJECTIONS).find(([feature]) => features.includes(feature));
  return found?.[1][language] ?? null;
}
