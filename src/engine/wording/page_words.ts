/**
 * Texts about a page of a shop: whether it shows our product and why, and how reliable its price
 * is. The sentences have no full stop, so that callers can join them.
 */
import { type Condition, CONDITIONS, type Language } from "../../base/codes.ts";
import type { IdentityCode, IdentityEvidence, Verdict } from "../matching/identity_codes.ts";
import { type Audience, type InBoth, sayIn, wordsIn } from "./show.ts";
import type { ConfidenceBand } from "../extraction/page_status.ts";
import type { Feature } from "../extraction/shown/scored_price.ts";
import type { VariantFact } from "../extraction/variants/page_variants.ts";

export const CONDITION_WORDS: Readonly<Record<Language, Readonly<Record<Condition, string>>>> = {
  de: { new: "neu", refurbished: "generalüberholt", used: "gebraucht", damaged: "beschädigt" },
  en: { new: "new", refurbished: "refurbished", used: "used", damaged: "damaged" },
};

type Sentence = (ours: string, theirs: string) => string;

const VERDICTS: Readonly<Record<Verdict, InBoth>> = {
  same: { de: "Dasselbe Produkt", en: "The same product" },
  probably: { de: "Wahrscheinlich dasselbe Produkt", en: "Probably the same product" },
  different: { de: "Ein anderes Produkt", en: "Another product" },
  unknown: {
    de: "Unklar, ob es dasselbe Produkt ist",
    en: "Not clear whether it is the same product",
  },
};

type ReasonWords = Readonly<Record<Language, Sentence>>;

const UNKNOWN: InBoth = { de: "keine Angabe", en: "not said" };

const differs = (de: string, en: string, our = "unsere"): ReasonWords => ({
  de: (ours, theirs) => `${de}: ${our} ${ours}, dort ${theirs}`,
  en: (ours, theirs) => `${en}: ours ${ours}, theirs ${theirs}`,
});

const equals = (de: string, en: string): ReasonWords => ({
  de: (_, theirs) => `${de}: ${theirs}`,
  en: (_, theirs) => `${en}: ${theirs}`,
});

const titles = (de: string, en: string): ReasonWords => ({
  de: (ours, theirs) => `${de}: unser „${ours}“, dort „${theirs}“`,
  en: (ours, theirs) => `${en}: ours “${ours}”, theirs “${theirs}”`,
});

const REASONS: Readonly<Record<IdentityCode, ReasonWords>> = {
  gtin_same: equals("Die EAN ist dieselbe", "The EAN is the same"),
  gtin_other_pack: differs(
    "Die EAN gehört zu einer anderen Packung",
    "The EAN belongs to another pack",
  ),
  gtin_differs: differs("Die EAN ist eine andere", "The EAN is different"),
  mpn_same: equals("Die Herstellernummer ist dieselbe", "The MPN is the same"),
  mpn_differs: differs("Die Herstellernummer ist eine andere", "The MPN is different"),
  mpn_in_title: {
    de: (ours, theirs) => `Unsere Herstellernummer ${ours} steht dort: ${theirs}`,
    en: (ours, theirs) => `The shop names our MPN ${ours}: ${theirs}`,
  },
  brand_same: equals("Die Marke ist dieselbe", "The brand is the same"),
  brand_differs: differs("Die Marke ist eine andere", "The brand is different"),
  title: titles("Die Titel passen zusammen", "The titles match"),
  title_foreign: titles(
    "Die Titel haben fast nichts gemeinsam",
    "The titles have almost nothing in common",
  ),
  title_differs: titles(
    "Die Titel passen nur zum Teil zusammen",
    "The titles match only in part",
  ),
  page_silent: {
    de: () => "Die Seite sagt nicht, welches Produkt sie zeigt",
    en: () => "The page does not say which product it shows",
  },
  variant_unknown: {
    de: () => "Die Seite hat mehrere Varianten, und keine hat unsere Nummer",
    en: () => "The page has several variants, and none has our number",
  },
  condition: differs("Der Zustand ist ein anderer", "The condition is different", "unserer"),
  quantity: differs("Eine andere Menge oder Größe", "Another quantity or measure"),
  pack: differs("Eine andere Packung", "Another pack"),
  size: differs("Eine andere Konfektionsgröße", "Another size"),
  gender: differs("Für eine andere Zielgruppe", "For another target group", "unseres"),
  colour: differs("Eine andere Farbe", "Another colour"),
  edition: differs("Eine andere Ausgabe", "Another edition"),
  series: differs("Eine andere Serie", "Another series"),
  model: differs("Eine andere Modellnummer", "Another model number"),
  accessory: differs("Eines davon ist Zubehör", "One of them is an accessory", "unseres"),
};

export function verdictWords(language: Language): Readonly<Record<Verdict, string>> {
  return wordsIn(language, VERDICTS);
}

/** People write EANs without the leading zero that pads an EAN to 14 digits. */
const PADDED_EAN = /^0(?=\d{13}$)/;

export function identityReasonText(
  { code, ours, theirs }: Pick<IdentityEvidence, "code" | "ours" | "theirs">,
  language: Language,
): string {
  const shown = (text: string | null) => {
    if (text === null) return UNKNOWN[language];
    if (code.startsWith("gtin")) return text.replace(PADDED_EAN, "");
    const condition = code === "condition" ? CONDITIONS.find((one) => one === text) : undefined;
    return condition ? CONDITION_WORDS[language][condition] : text;
  };
  return REASONS[code][language](shown(ours), shown(theirs));
}

export function storedReasonText(
  { code, ours, theirs }: Pick<IdentityEvidence, "ours" | "theirs"> & { readonly code: string },
  language: Language,
): string | null {
  return isKnown(code) ? identityReasonText({ code, ours, theirs }, language) : null;
}

function isKnown(code: string): code is IdentityCode {
  return Object.hasOwn(REASONS, code);
}

/**
 * Returns a text such as `0,8: 114 von 114 richtig`: of 114 test prices with a similar confidence,
 * 114 were read correctly.
 */
export function confidenceText(
  confidence: number,
  band: ConfidenceBand | null,
  { language, show }: Audience,
): string {
  const value = show.number(confidence);
  if (band === null) return value;
  const [right, of] = [show.number(band.right), show.number(band.of)];
  return `${value}: ${sayIn(language)(`${right} von ${of} richtig`, `${right} of ${of} right`)}`;
}

/** Doubts about a price by feature; only the first entry that applies is shown. */
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

export function variantText(
  { state, by, name, wanted, offered }: VariantSummary,
  language: Language,
): string {
  const say = sayIn(language);
  const there = offered.join(", ");
  if (state === "unknown") {
    return say(`Keine Variante hat „${wanted ?? ""}“`, `No variant has “${wanted ?? ""}”`) +
      (there && say(`; die Seite hat ${there}`, `; the page has ${there}`));
  }
  if (state === "open" || by === null) {
    const several = say(
      "Mehrere Varianten mit verschiedenen Preisen, keine gewählt",
      "Several variants with different prices, none chosen",
    );
    const shown = name && say(`; der Preis gilt für ${name}`, `; the price is for ${name}`);
    return `${several}${there && `: ${there}`}${shown ?? ""}`;
  }
  const named = name === null ? "" : ` ${name}`;
  const { de, en } = WAYS[by];
  return say(`Variante${named}, gewählt ${de}`, `Variant${named}, chosen ${en}`);
}
