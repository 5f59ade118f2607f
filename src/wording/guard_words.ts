/**
 * What stands against a price, in both languages. The compiler asks for a row per guard; what a guard
 * saw beyond its name stands behind it, null when there is no more to say.
 */
import { changePct } from "../base/percent.ts";
import type { ObjectionFacts } from "../pricing/guards.ts";
import type { Language } from "./language.ts";
import { type AnyFacts, type InBoth, type Table, wireMoney } from "./sentences.ts";
import type { Show } from "./show.ts";

export interface GuardWords<Facts = AnyFacts> {
  readonly name: InBoth;
  /** What it saw beyond its name; absent for guards that see no more. */
  readonly detail?: {
    de(facts: Facts, show: Show): string | null;
    en(facts: Facts, show: Show): string | null;
  };
  /** In the interfaces' fields `reason`, `why` and `message`: English. */
  wire(facts: Facts): string;
}

type GuardTable = { readonly [Code in keyof ObjectionFacts]: GuardWords<ObjectionFacts[Code]> };

/** Alike in both languages: names, times, percentages. */
function alike<Facts>(say: (facts: Facts, show: Show) => string | null) {
  return { de: say, en: say };
}

function changeText(
  { fromCents, toCents }: { readonly fromCents: number; readonly toCents: number },
  show: Show,
): string {
  return show.percentChange(changePct(fromCents, toCents));
}

const namesOf = ({ competitors }: { readonly competitors: readonly string[] }) =>
  competitors.join(", ");

const first = ({ competitors }: { readonly competitors: readonly string[] }) =>
  competitors[0] ?? "a competitor";

export const GUARD_WORDS: GuardTable = {
  no_own_price: {
    name: { de: "kein eigener Preis", en: "no own price" },
    wire: () => "the product has no own price",
  },
  price_locked: {
    name: { de: "Preis gesperrt", en: "price locked" },
    wire: () => "the price is locked",
  },
  floor_unreachable: {
    name: { de: "Marge unerreichbar", en: "margin unreachable" },
    wire: ({ of }) =>
      of === "floor" ? "no price has a margin of 100 %" : "no price has the target margin",
  },
  cost_unknown: {
    name: { de: "Einkaufspreis unbekannt", en: "cost unknown" },
    detail: {
      de: ({ isZero }) =>
        isZero ? "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge rechnen." : null,
      en: ({ isZero }) =>
        isZero ? "0 counts as no cost; without the cost there is no margin." : null,
    },
    wire: ({ neededBy, isZero }) =>
      `the ${neededBy === "floor" ? "margin floor" : "target margin"} needs the cost${
        isZero ? ", and 0 is none" : ""
      }`,
  },
  vat_unknown: {
    name: { de: "Umsatzsteuersatz unbekannt", en: "VAT rate unknown" },
    wire: ({ neededBy }) =>
      neededBy === "reference"
        ? "a competitor's price is on the other side of VAT and no rate is known"
        : "the net price needs a VAT rate",
  },
  no_reference: {
    name: { de: "zu wenige Vergleichspreise", en: "too few references" },
    wire: () => "too few usable competitor prices for the formula",
  },
  price_too_low: {
    name: { de: "Preis zu niedrig", en: "price too low" },
    wire: () => "the price is below one minor unit",
  },
  price_too_high: {
    name: { de: "Preis zu hoch", en: "price too high" },
    wire: () => "no price is that high",
  },
  floor_above_current: {
    name: {
      de: "Mindestmarge liegt über dem heutigen Preis",
      en: "margin floor is above today's price",
    },
    detail: {
      de: ({ lowestCents, currency }, show) =>
        `Niedrigster erlaubter Preis: ${show.money(lowestCents, currency)}`,
      en: ({ lowestCents, currency }, show) =>
        `Lowest price allowed: ${show.money(lowestCents, currency)}`,
    },
    wire: ({ lowestCents, currency }) =>
      `the lowest price allowed is ${wireMoney(lowestCents, currency)}, not below today's`,
  },
  no_change: {
    name: { de: "Preis bleibt gleich", en: "price stays the same" },
    wire: ({ isRounded }) =>
      isRounded ? "rounded, the raise would be a cut" : "the price is today's already",
  },
  auto_apply_off: {
    name: {
      de: "selbstständige Änderungen sind ausgeschaltet",
      en: "automatic changes are switched off",
    },
    wire: () => "automatic changes are off in the settings",
  },
  floor_missing: {
    name: { de: "ohne Mindestmarge", en: "no margin floor" },
    wire: () => "the rule has no margin floor",
  },
  cooldown: {
    name: { de: "Ruhezeit nach der letzten Auslösung", en: "cooldown after the last fire" },
    detail: alike(({ lastFiredAt }, show) => lastFiredAt && show.dateTime(lastFiredAt)),
    wire: () => "the rule fired a short time ago",
  },
  history_unread: {
    name: { de: "Preisverlauf nicht gelesen", en: "price history not read" },
    wire: () => "the price history was not looked at",
  },
  manual_price: {
    name: { de: "Preis von einer Person gesetzt", en: "price set by a person" },
    detail: alike(({ setAt }, show) => setAt && show.dateTime(setAt)),
    wire: () => "a person set today's price, and no used reference has changed since",
  },
  stale_reference: {
    name: { de: "Vergleichspreis zu alt", en: "reference too old" },
    detail: {
      de: (facts) => namesOf(facts) + (facts.isAhead ? ": Zeitpunkt liegt in der Zukunft" : ""),
      en: (facts) => namesOf(facts) + (facts.isAhead ? ": dated ahead of the clock" : ""),
    },
    wire: (facts) =>
      facts.isAhead
        ? `the price of ${first(facts)} is dated ahead of the clock`
        : `the price of ${first(facts)} is older than ${facts.maxAgeHours} h`,
  },
  low_confidence: {
    name: { de: "Vergleichspreis unsicher gelesen", en: "reference uncertain" },
    detail: alike(namesOf),
    wire: (facts) => `the price of ${first(facts)} was read with low confidence`,
  },
  outlier: {
    name: { de: "Vergleichspreis ist ein Ausreißer", en: "reference is an outlier" },
    detail: {
      de(facts, show) {
        if (facts.awayFrom === "previous") return namesOf(facts);
        const why = facts.awayFrom === "own"
          ? "kein früherer Preis zum Vergleich"
          : "seit dem früheren Preis neu verknüpft";
        const ours = show.money(facts.ourPriceCents, facts.currency);
        return `${namesOf(facts)}: ${why}, mehr als 50 % neben unserem (${ours})`;
      },
      en(facts, show) {
        if (facts.awayFrom === "previous") return namesOf(facts);
        const why = facts.awayFrom === "own"
          ? "no earlier price to compare with"
          : "linked anew since the earlier price";
        const ours = show.money(facts.ourPriceCents, facts.currency);
        return `${namesOf(facts)}: ${why}, more than 50 % off our ${ours}`;
      },
    },
    wire(facts) {
      switch (facts.awayFrom) {
        case "previous":
          return `the price of ${first(facts)} moved by more than 50 %`;
        case "changed":
          return `the match of ${first(facts)} was changed since its price before, and its price ` +
            "is more than 50 % away from ours";
        case "own":
          return `the price of ${first(facts)} has none before it to compare with, and is more ` +
            "than 50 % away from ours";
      }
    },
  },
  change_too_large: {
    name: { de: "Änderung zu groß", en: "change too large" },
    detail: alike(changeText),
    wire: ({ maxPct }) => `the change is more than ${maxPct} % of today's price`,
  },
  daily_change_too_large: {
    name: { de: "Änderung an einem Tag zu groß", en: "change within a day too large" },
    detail: {
      de: (facts, show) =>
        `${changeText(facts, show)} gegen ${
          show.money(facts.fromCents, facts.currency)
        } vor 24 Stunden`,
      en: (facts, show) =>
        `${changeText(facts, show)} against ${
          show.money(facts.fromCents, facts.currency)
        } 24 hours ago`,
    },
    wire: ({ maxPct }) => `the change is more than ${maxPct} % of the price in force 24 h ago`,
  },
  price_changed: {
    name: { de: "Preis hat sich geändert", en: "price has changed" },
    wire: ({ fromCents, fromCurrency, nowCents, nowCurrency }) => {
      const now = nowCents === null ? "none" : wireMoney(nowCents, nowCurrency);
      return `it was made from ${wireMoney(fromCents, fromCurrency)}, the price is ${now} now`;
    },
  },
  margin_floor: {
    name: { de: "auf die Mindestmarge angehoben", en: "lifted to the margin floor" },
    wire: ({ floorPct }) => `its margin would be below the floor of ${floorPct} %`,
  },
  outranked: {
    name: { de: "eine andere Regel geht vor", en: "another rule goes first" },
    wire: ({ ruleName }) => `the rule "${ruleName}" sets the price`,
  },
  rule_deleted: {
    name: { de: "Regel gelöscht", en: "rule deleted" },
    wire: () => "its rule is deleted",
  },
};

const ROWS: Table<GuardWords> = GUARD_WORDS;

/** The words of a guard by its code; undefined for a code that nobody knows. */
export function guardWordsOf(code: string): GuardWords | undefined {
  return ROWS[code];
}

/** What the screens call guards, by code. */
export function guardNames(language: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(GUARD_WORDS).map(([code, { name }]) => [code, name[language]]),
  );
}
