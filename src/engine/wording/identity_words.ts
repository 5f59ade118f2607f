/**
 * Sentences about whether a page shows our product: one for each verdict, and one for each reason
 * with the two values that were compared. Verdicts and reasons are stored as codes, so people read
 * them in their language, and new wording applies to old reasons too. A code of another version has
 * no sentence. The sentences have no full stop, because some callers join them.
 */
import { type Condition, CONDITIONS } from "../../base/codes.ts";
import type { IdentityCode, IdentityEvidence, Verdict } from "../matching/identity_codes.ts";
import type { Language } from "../../base/language.ts";
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

interface IdentityWords {
  readonly reasons: Readonly<Record<IdentityCode, Sentence>>;
  readonly unknown: string;
}

const de: IdentityWords = {
  unknown: "keine Angabe",
  reasons: {
    gtin_same: (_, theirs) => `Die EAN ist dieselbe: ${theirs}`,
    gtin_other_pack: (ours, theirs) =>
      `Die EAN gehört zu einer anderen Packung: unsere ${ours}, dort ${theirs}`,
    gtin_differs: (ours, theirs) => `Die EAN ist eine andere: unsere ${ours}, dort ${theirs}`,
    mpn_same: (_, theirs) => `Die Herstellernummer ist dieselbe: ${theirs}`,
    mpn_differs: (ours, theirs) =>
      `Die Herstellernummer ist eine andere: unsere ${ours}, dort ${theirs}`,
    mpn_in_title: (ours, theirs) => `Unsere Herstellernummer ${ours} steht dort: ${theirs}`,
    brand_same: (_, theirs) => `Die Marke ist dieselbe: ${theirs}`,
    brand_differs: (ours, theirs) => `Die Marke ist eine andere: unsere ${ours}, dort ${theirs}`,
    title: (ours, theirs) => `Die Titel passen zusammen: unser „${ours}“, dort „${theirs}“`,
    title_foreign: (ours, theirs) =>
      `Die Titel haben fast nichts gemeinsam: unser „${ours}“, dort „${theirs}“`,
    title_differs: (ours, theirs) =>
      `Die Titel passen nur zum Teil zusammen: unser „${ours}“, dort „${theirs}“`,
    page_silent: () => "Die Seite sagt nicht, welches Produkt sie zeigt",
    variant_unknown: () => "Die Seite hat mehrere Varianten, und keine hat unsere Nummer",
    condition: (ours, theirs) => `Der Zustand ist ein anderer: unserer ${ours}, dort ${theirs}`,
    quantity: (ours, theirs) => `Eine andere Menge oder Größe: unsere ${ours}, dort ${theirs}`,
    pack: (ours, theirs) => `Eine andere Packung: unsere ${ours}, dort ${theirs}`,
    size: (ours, theirs) => `Eine andere Konfektionsgröße: unsere ${ours}, dort ${theirs}`,
    gender: (ours, theirs) => `Für eine andere Zielgruppe: unseres ${ours}, dort ${theirs}`,
    colour: (ours, theirs) => `Eine andere Farbe: unsere ${ours}, dort ${theirs}`,
    edition: (ours, theirs) => `Eine andere Ausgabe: unsere ${ours}, dort ${theirs}`,
    series: (ours, theirs) => `Eine andere Serie: unsere ${ours}, dort ${theirs}`,
    model: (ours, theirs) => `Eine andere Modellnummer: unsere ${ours}, dort ${theirs}`,
    accessory: (ours, theirs) => `Eines davon ist Zubehör: unseres ${ours}, dort ${theirs}`,
  },
};

const en: IdentityWords = {
  unknown: "not said",
  reasons: {
    gtin_same: (_, theirs) => `The EAN is the same: ${theirs}`,
    gtin_other_pack: (ours, theirs) =>
      `The EAN belongs to another pack: ours ${ours}, theirs ${theirs}`,
    gtin_differs: (ours, theirs) => `The EAN is different: ours ${ours}, theirs ${theirs}`,
    mpn_same: (_, theirs) => `The MPN is the same: ${theirs}`,
    mpn_differs: (ours, theirs) => `The MPN is different: ours ${ours}, theirs ${theirs}`,
    mpn_in_title: (ours, theirs) => `The shop names our MPN ${ours}: ${theirs}`,
    brand_same: (_, theirs) => `The brand is the same: ${theirs}`,
    brand_differs: (ours, theirs) => `The brand is different: ours ${ours}, theirs ${theirs}`,
    title: (ours, theirs) => `The titles match: ours “${ours}”, theirs “${theirs}”`,
    title_foreign: (ours, theirs) =>
      `The titles have almost nothing in common: ours “${ours}”, theirs “${theirs}”`,
    title_differs: (ours, theirs) =>
      `The titles match only in part: ours “${ours}”, theirs “${theirs}”`,
    page_silent: () => "The page does not say which product it shows",
    variant_unknown: () => "The page has several variants, and none has our number",
    condition: (ours, theirs) => `The condition is different: ours ${ours}, theirs ${theirs}`,
    quantity: (ours, theirs) => `Another quantity or measure: ours ${ours}, theirs ${theirs}`,
    pack: (ours, theirs) => `Another pack: ours ${ours}, theirs ${theirs}`,
    size: (ours, theirs) => `Another size: ours ${ours}, theirs ${theirs}`,
    gender: (ours, theirs) => `For another target group: ours ${ours}, theirs ${theirs}`,
    colour: (ours, theirs) => `Another colour: ours ${ours}, theirs ${theirs}`,
    edition: (ours, theirs) => `Another edition: ours ${ours}, theirs ${theirs}`,
    series: (ours, theirs) => `Another series: ours ${ours}, theirs ${theirs}`,
    model: (ours, theirs) => `Another model number: ours ${ours}, theirs ${theirs}`,
    accessory: (ours, theirs) => `One of them is an accessory: ours ${ours}, theirs ${theirs}`,
  },
};

const WORDS: Readonly<Record<Language, IdentityWords>> = { de, en };

export function verdictWords(language: Language): Readonly<Record<Verdict, string>> {
  return wordsIn(language, VERDICTS);
}

export function verdictText(verdict: Verdict, language: Language): string {
  return VERDICTS[verdict][language];
}

/** The leading zero of an EAN with 14 digits, which people do not write. */
const PADDED_EAN = /^0(?=\d{13}$)/;

export function identityReasonText(
  { code, ours, theirs }: Pick<IdentityEvidence, "code" | "ours" | "theirs">,
  language: Language,
): string {
  const { reasons, unknown } = WORDS[language];
  const shown = (text: string | null) => {
    if (text === null) return unknown;
    if (code.startsWith("gtin")) return text.replace(PADDED_EAN, "");
    const condition = code === "condition" ? CONDITIONS.find((one) => one === text) : undefined;
    return condition ? CONDITION_WORDS[language][condition] : text;
  };
  return reasons[code](shown(ours), shown(theirs));
}

/** Like `identityReasonText`, for a stored reason. Null if its code is unknown. */
export function storedReasonText(
  { code, ours, theirs }: Pick<IdentityEvidence, "ours" | "theirs"> & { readonly code: string },
  language: Language,
): string | null {
  return isKnown(code) ? identityReasonText({ code, ours, theirs }, language) : null;
}

function isKnown(code: string): code is IdentityCode {
  return Object.hasOwn(de.reasons, code);
}
