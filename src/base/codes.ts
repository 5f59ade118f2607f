/** Shared codes of stock, condition and severity, and the words that files use for conditions. */

/** Stock as a shop reports it, on a page or by push (docs/decisions/competitors.md). */
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

/** True if the product can be bought now; null if that is unknown. */
export function isInStock(availability: Availability | null): boolean | null {
  if (availability === null || availability === "unknown") return null;
  return availability === "in_stock" || availability === "limited";
}

/** From best to worst. */
export const CONDITIONS = ["new", "refurbished", "used", "damaged"] as const;

export type Condition = (typeof CONDITIONS)[number];

/**
 * Words of conditions in German, English and schema.org, in lower case and digits only, with umlauts
 * written out.
 */
const WORDS: Readonly<Record<Condition, string>> = {
  new: "new neu neuware newcondition brandnew originalverpackt n",
  refurbished: "refurbished refurbishedcondition generalueberholt wiederaufbereitet aufbereitet " +
    "renewed erneuert runderneuert",
  used: "used usedcondition gebraucht gebrauchtware secondhand",
  damaged: "damaged damagedcondition beschaedigt defekt bware",
};

const CONDITION_OF: ReadonlyMap<string, Condition> = new Map(
  CONDITIONS.flatMap((condition) =>
    WORDS[condition].split(" ").map((word): [string, Condition] => [word, condition])
  ),
);

/** Converts `Gebraucht`, `B-Ware` or `https://schema.org/NewCondition` to a code; null for other words. */
export function readCondition(text: string): Condition | null {
  const folded = text.trim().toLowerCase().replace(/^https?:\/\/schema\.org\//, "")
    .replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/[^a-z0-9]/g, "");
  return CONDITION_OF.get(folded) ?? null;
}

/** Severities of alerts, from a note to something urgent. */
export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * The lowest confidence with which a rule may use a price without a person. One structured method or
 * an explicit extractor is enough (docs/decisions/rules.md, docs/decisions/scraping.md).
 */
export const HIGH_CONFIDENCE = 0.9;

/** Folds a column name for comparison: only letters and digits, lower case, umlauts written out. */
export function foldedName(name: string): string {
  // No name is longer, so only this many characters of a text are compared.
  return name.slice(0, 200).normalize("NFC").toLowerCase()
    .replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/ß/g, "ss")
    .normalize("NFD").replace(/[^a-z0-9]/g, "");
}

/** Finds a column by its exact name, then by its folded name, then by its number; -1 if none matches. */
export function columnAt(name: string, names: readonly string[]): number {
  const number = /^#(\d{1,4})$/.exec(name)?.[1];
  if (number !== undefined) return Number(number) <= names.length ? Number(number) - 1 : -1;
  const exact = names.indexOf(name.trim());
  if (exact >= 0) return exact;
  const folded = foldedName(name);
  return folded === "" ? -1 : names.findIndex((other) => foldedName(other) === folded);
}
