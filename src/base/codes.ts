/**
 * Codes for the stock and the condition of an offer, and functions that find a condition or a
 * column by its name.
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

/** Returns the letters and digits of a name in lower case, with `ae` for `ä`. */
export function foldedName(name: string): string {
  return name.slice(0, 200).normalize("NFC").toLowerCase()
    .replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/ß/g, "ss")
    .normalize("NFD").replace(/[^a-z0-9]/g, "");
}

/** Returns the index of a column, or -1; the name `#3` means the third column. */
export function columnAt(name: string, names: readonly string[]): number {
  const number = /^#(\d{1,4})$/.exec(name)?.[1];
  if (number !== undefined) return Number(number) <= names.length ? Number(number) - 1 : -1;
  const exact = names.indexOf(name.trim());
  if (exact >= 0) return exact;
  const folded = foldedName(name);
  return folded === "" ? -1 : names.findIndex((other) => foldedName(other) === folded);
}
