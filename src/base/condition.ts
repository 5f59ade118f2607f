/** What state an article is in, and what files and people call it. Constants, for the web client, too. */

/** From best to worst. */
export const CONDITIONS = ["new", "refurbished", "used", "damaged"] as const;

export type Condition = (typeof CONDITIONS)[number];

/** Small letters and digits alone, umlauts written out: German, English, schema.org. */
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

/** `Gebraucht`, `B-Ware` and `https://schema.org/NewCondition` as codes; null for other words. */
export function readCondition(text: string): Condition | null {
  const folded = text.trim().toLowerCase().replace(/^https?:\/\/schema\.org\//, "")
    .replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/[^a-z0-9]/g, "");
  return CONDITION_OF.get(folded) ?? null;
}
