/**
 * Says in a sentence whether a page shows our product, and for which reasons. The sentences have no
 * full stop, so that callers can join them.
 */
import { type Condition, CONDITIONS, type Language } from "../../base/codes.ts";
import type { IdentityCode, IdentityEvidence, Verdict } from "../matching/identity_codes.ts";
import { type InBoth, wordsIn } from "./show.ts";

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

export function verdictText(verdict: Verdict, language: Language): string {
  return VERDICTS[verdict][language];
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
