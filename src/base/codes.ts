/**
 * Declares codes that many modules use: stock and condition of an offer, severities, languages,
 * GTINs. Also reads words such as `gebraucht` as a condition, and finds table columns by name.
 */

/** Codes for the stock of an offer (docs/decisions/competitors.md). */
export const AVAILABILITIES = [
  "in_stock",
  "limited",
  "out_of_stock",
  "pre_order",
  "back_order",
  "discontinued",
  "unknown",
] as const;

export type Availability = (typeof AVAILABILITIES)[number];

export function isInStock(availability: Availability | null): boolean | null {
  if (availability === null || availability === "unknown") return null;
  return availability === "in_stock" || availability === "limited";
}

/** Codes for the condition of an offered product, from best to worst. */
export const CONDITIONS = ["new", "refurbished", "used", "damaged"] as const;

export type Condition = (typeof CONDITIONS)[number];

const CONDITION_WORDS: Readonly<Record<Condition, string>> = {
  new: "new neu neuware newcondition brandnew originalverpackt n",
  refurbished: "refurbished refurbishedcondition generalueberholt wiederaufbereitet aufbereitet " +
    "renewed erneuert runderneuert",
  used: "used usedcondition gebraucht gebrauchtware secondhand",
  damaged: "damaged damagedcondition beschaedigt defekt bware",
};

const CONDITION_OF: ReadonlyMap<string, Condition> = new Map(
  CONDITIONS.flatMap((condition) =>
    CONDITION_WORDS[condition].split(" ").map((word): [string, Condition] => [word, condition])
  ),
);

export function readCondition(text: string): Condition | null {
  const name = text.trim().replace(/^https?:\/\/schema\.org\//i, "");
  return CONDITION_OF.get(foldedName(name)) ?? null;
}

export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const HIGH_CONFIDENCE = 0.9;

/** Returns the letters a to z and the digits of a name in lower case, with `ae` for `ä`. */
export function foldedName(name: string): string {
  return name.slice(0, 200).normalize("NFC").toLowerCase()
    .replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/ß/g, "ss")
    .normalize("NFD").replace(/[^a-z0-9]/g, "");
}

/** Returns the index of the column `name`, or -1; the name `#3` means the third column. */
export function columnAt(name: string, names: readonly string[]): number {
  const number = /^#(\d{1,4})$/.exec(name)?.[1];
  if (number !== undefined) return Number(number) <= names.length ? Number(number) - 1 : -1;
  const exact = names.indexOf(name.trim());
  if (exact >= 0) return exact;
  const folded = foldedName(name);
  return folded === "" ? -1 : names.findIndex((other) => foldedName(other) === folded);
}

export type Language = "de" | "en";

export function languageOf(locale: string): Language {
  return /^de\b/i.test(locale) ? "de" : "en";
}

export interface LocalisedText {
  readonly plain: string;
  textIn(language: Language): string;
}

export const YES_NO: Readonly<Record<Language, { readonly yes: string; readonly no: string }>> = {
  de: { yes: "ja", no: "nein" },
  en: { yes: "yes", no: "no" },
};

/** Requires 8, 12, 13 or 14 digits and a valid check digit (GS1 General Specifications). */
export function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  const sum = text.split("").reduce((total, digit, position) => {
    const weight = (text.length - position) % 2 === 0 ? 3 : 1;
    return total + weight * Number(digit);
  }, 0);
  return sum % 10 === 0;
}

const DIGITS = 14;

/** Returns the GTIN in 14 digits, with zeros in front; null for an invalid GTIN. */
export function gtin14(text: string): string | null {
  const digits = text.trim();
  // Files often lose leading zeros, so shorter numbers are accepted, down to 8 digits.
  if (digits.length < 8 || digits.length > DIGITS || !/^\d+$/.test(digits)) return null;
  const padded = digits.padStart(DIGITS, "0");
  // A number of only zeros has a valid check digit, but is not a GTIN.
  return isGtin(padded) && /[1-9]/.test(padded.slice(0, -1)) ? padded : null;
}

const RESTRICTED = /^(?:2|02|04|05|98[0-4]|99)/;
/** 8-digit GTINs that begin with 0 or 2 are unique only within one company. */
const RESTRICTED_SHORT = /^[02]/;
/** GTINs of periodicals begin with 977; all issues of a periodical have the same GTIN. */
const PERIODICAL = /^977/;

type Trust = "proof" | "hint" | "nothing";

/** `gtin` must be a result of `gtin14`. */
export function trustIn(gtin: string): Trust {
  const indicator = gtin.charAt(0);
  // 14-digit GTINs that begin with 9 are for goods whose weight varies.
  if (indicator === "9") return "nothing";
  if (gtin.startsWith("000000")) return RESTRICTED_SHORT.test(gtin.slice(6)) ? "nothing" : "proof";
  const number = gtin.slice(1);
  if (RESTRICTED.test(number)) return "nothing";
  return PERIODICAL.test(number) ? "hint" : "proof";
}

export function areOtherPacks(one: string, other: string): boolean {
  return one.charAt(0) !== other.charAt(0) && one.slice(1, -1) === other.slice(1, -1);
}
