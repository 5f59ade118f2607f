/**
 * Objections to a price in both languages. The compiler requires a row for each guard. A sentence
 * consists of the guard's name and its `detail`.
 */

import { alike, type GuardTable, type GuardWords, SAFETY_WORDS } from "./safety_words.ts";
import type { Language } from "../../base/language.ts";
import { type InBoth, type Show, type Table, wireMoney } from "./show.ts";

export const ZERO_COST: InBoth = {
  de: "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge berechnen.",
  en: "0 does not count as a cost; without the cost, the margin cannot be computed.",
};

const COST_NEEDS = {
  floor: "margin floor",
  target: "target margin",
  markup: "mark-up",
  price: "price",
} as const;

interface GoalFacts {
  readonly goalCents: number;
  readonly currency: string;
}

const goalDetail = ({ goalCents, currency }: GoalFacts, show: Show) => ({
  de: `Ziel wäre ${show.money(goalCents, currency)}`,
  en: `The goal would be ${show.money(goalCents, currency)}`,
});

const wireGoal = ({ goalCents, currency }: GoalFacts) => wireMoney(goalCents, currency);

interface AmountFacts {
  readonly cents: number;
  readonly currency: string;
  readonly of: "rule" | "product";
}

const amountDetail = ({ cents, currency, of }: AmountFacts, show: Show) => ({
  de: `${of === "rule" ? "der Regel" : "des Produkts"}: ${show.money(cents, currency)}`,
  en: `of the ${of}: ${show.money(cents, currency)}`,
});

const wireAmount = ({ cents, currency, of }: AmountFacts) =>
  `of the ${of}, ${wireMoney(cents, currency)}`;

export const GUARD_WORDS: GuardTable = {
  no_own_price: {
    name: { de: "kein eigener Preis", en: "no own price" },
    wire: () => "the product has no own price",
  },
  price_locked: {
    name: { de: "Preis gesperrt", en: "price locked" },
    wire: () => "the price is locked",
  },
  price_held: {
    name: { de: "Preis gehalten", en: "price held" },
    detail: ({ until }, show) => ({
      de: `bis ${show.dateTime(until)}`,
      en: `until ${show.dateTime(until)}`,
    }),
    wire: ({ until }) => `the price is held until ${until}`,
  },
  floor_unreachable: {
    name: { de: "Marge unerreichbar", en: "margin unreachable" },
    wire: ({ of }) =>
      of === "floor" ? "no price has a margin of 100 %" : "no price has the target margin",
  },
  cost_unknown: {
    name: { de: "Einkaufspreis unbekannt", en: "cost unknown" },
    detail: ({ isZero }) => isZero ? ZERO_COST : null,
    wire: ({ neededBy, isZero }) =>
      `the ${COST_NEEDS[neededBy]} needs the cost${isZero ? ", and 0 is none" : ""}`,
  },
  vat_unknown: {
    name: { de: "Umsatzsteuersatz unbekannt", en: "VAT rate unknown" },
    wire: ({ neededBy }) =>
      neededBy === "reference"
        ? "a competitor's price is on the other side of VAT and no rate is known"
        : "the net price needs a VAT rate",
  },
  amount_currency: {
    name: { de: "Beträge der Regel in anderer Währung", en: "rule's amounts in another currency" },
    detail: ({ amounts, product }) => ({
      de: `Regel in ${amounts}, Produkt in ${product}`,
      en: `rule in ${amounts}, product in ${product}`,
    }),
    wire: ({ amounts, product }) =>
      `the amounts of the rule are in ${amounts}, the product is priced in ${product}`,
  },
  target_unknown: {
    name: { de: "Zielpreis unbekannt", en: "target price unknown" },
    wire: () => "the product has no target price",
  },
  no_reference: {
    name: { de: "zu wenige Vergleichspreise", en: "too few references" },
    wire: () => "too few usable competitor prices for the price",
  },
  price_too_low: {
    name: { de: "Preis zu niedrig", en: "price too low" },
    wire: () => "the price is below one minor unit",
  },
  price_too_high: {
    name: { de: "Preis zu hoch", en: "price too high" },
    wire: () => "no price is that high",
  },
  bounds_conflict: {
    name: { de: "Schranken widersprechen sich", en: "bounds contradict each other" },
    detail: ({ low, lowCents, high, highCents, currency }, show) => ({
      de: `mindestens ${show.money(lowCents, currency)} (${boundName(low).de}), höchstens ${
        show.money(highCents, currency)
      } (${boundName(high).de})`,
      en: `at least ${show.money(lowCents, currency)} (${boundName(low).en}), at most ${
        show.money(highCents, currency)
      } (${boundName(high).en})`,
    }),
    wire: ({ low, lowCents, high, highCents, currency }) =>
      `no price is at least ${wireMoney(lowCents, currency)} (${low}) and at most ${
        wireMoney(highCents, currency)
      } (${high})`,
  },
  ending_beyond: {
    name: {
      de: "die nächste Endung liegt jenseits des heutigen Preises",
      en: "the nearest ending is beyond today's price",
    },
    detail: goalDetail,
    wire: (facts) => `the nearest allowed price, ${wireGoal(facts)}, is beyond today's`,
  },
  direction: {
    name: { de: "Regel bewegt Preise nicht in diese Richtung", en: "not the rule's direction" },
    detail: ({ isRaise, ...goal }, show) => ({
      de: `${isRaise ? "Sie hebt nicht an" : "Sie senkt nicht"}. ${goalDetail(goal, show).de}`,
      en: `It does not ${isRaise ? "raise" : "lower"}. ${goalDetail(goal, show).en}`,
    }),
    wire: ({ isRaise, ...goal }) =>
      `the rule does not ${isRaise ? "raise" : "lower"} prices, and ${wireGoal(goal)} would`,
  },
  deadband: {
    name: { de: "Änderung zu klein", en: "change too small" },
    detail: goalDetail,
    wire: (facts) => `the move to ${wireGoal(facts)} is smaller than the rule makes`,
  },
  max_move: {
    name: { de: "größter Schritt", en: "largest move" },
    detail: ({ maxPct, isOfDay, ...goal }, show) => ({
      de: `höchstens ${show.percent(maxPct)} ${isOfDay ? "am Tag" : "auf einmal"}; ${
        goalDetail(goal, show).de
      }`,
      en: `at most ${show.percent(maxPct)} ${isOfDay ? "a day" : "at once"}; ${
        goalDetail(goal, show).en
      }`,
    }),
    wire: ({ maxPct, isOfDay, ...goal }) =>
      `no price on the way to ${wireGoal(goal)} is within ${maxPct} % of ${
        isOfDay ? "that of 24 hours ago" : "today's"
      }`,
  },
  day_unread: {
    name: { de: "Verlauf des Tages nicht gelesen", en: "the day's changes are not read" },
    wire: () => "the changes of the last 24 hours were not read",
  },
  moves_per_day: {
    name: { de: "oft genug geändert", en: "changed often enough" },
    detail: ({ most, until }, show) => ({
      de: `höchstens ${show.number(most)} × am Tag${
        until ? `, wieder ab ${show.dateTime(until)}` : ""
      }`,
      en: `at most ${show.number(most)} × a day${
        until ? `, again from ${show.dateTime(until)}` : ""
      }`,
    }),
    wire: ({ most, count, until }) =>
      `the price was changed ${count} × within 24 hours, ${most} are allowed` +
      (until ? `, again from ${until}` : ""),
  },
  brake: {
    name: { de: "Preiskampf gebremst", en: "price war braked" },
    detail: ({ competitor, count, until }, show) => ({
      de: `${competitor === null ? "" : `Preiskampf mit ${competitor}: `}${
        show.number(count)
      } Senkungen, keine weitere bis ${show.dateTime(until)}`,
      en: `${competitor === null ? "" : `War with ${competitor}: `}${
        show.number(count)
      } cuts, no more until ${show.dateTime(until)}`,
    }),
    wire: ({ competitor, count, until }) =>
      `${
        competitor === null ? "" : `a price war with ${competitor}: `
      }the rule has cut the price ${count} × and makes no cut until ${until}`,
  },
  ending_dropped: {
    name: { de: "ohne Endung", en: "without its ending" },
    wire: () => "bounds leave no room for the ending",
  },
  markup_floor: {
    name: { de: "auf den Mindestaufschlag angehoben", en: "raised to the smallest mark-up" },
    detail: alike(({ markupPct }, show) => show.percent(markupPct)),
    wire: ({ markupPct }) => `it would be below the cost and ${markupPct} %`,
  },
  min_price: {
    name: { de: "auf den Mindestpreis angehoben", en: "raised to the lowest price" },
    detail: amountDetail,
    wire: (facts) => `it would be below the lowest price ${wireAmount(facts)}`,
  },
  max_price: {
    name: { de: "auf den Höchstpreis gesenkt", en: "lowered to the highest price" },
    detail: amountDetail,
    wire: (facts) => `it would be above the highest price ${wireAmount(facts)}`,
  },
  below_target: {
    name: { de: "weit unter UVP, angehoben", en: "far below RRP, raised" },
    detail: ({ pct }, show) => ({
      de: `höchstens ${show.percent(pct)} darunter`,
      en: `at most ${show.percent(pct)} below it`,
    }),
    wire: ({ pct }) => `it would be more than ${pct} % below the target price`,
  },
  above_target: {
    name: { de: "über UVP, gesenkt", en: "above RRP, lowered" },
    detail: ({ pct }, show) => ({
      de: `höchstens ${show.percent(pct)} darüber`,
      en: `at most ${show.percent(pct)} above it`,
    }),
    wire: ({ pct }) => `it would be more than ${pct} % above the target price`,
  },
  floor_above_current: {
    name: {
      de: "Mindestmarge liegt über dem heutigen Preis",
      en: "margin floor is above today's price",
    },
    detail: ({ lowestCents, currency }, show) => ({
      de: `Niedrigster erlaubter Preis: ${show.money(lowestCents, currency)}`,
      en: `Lowest price allowed: ${show.money(lowestCents, currency)}`,
    }),
    wire: ({ lowestCents, currency }) =>
      `the lowest price allowed is ${wireMoney(lowestCents, currency)}, not below today's`,
  },
  no_change: {
    name: { de: "Preis bleibt gleich", en: "price stays the same" },
    wire: ({ isRounded }) =>
      isRounded ? "rounded, the raise would be a cut" : "the price is today's already",
  },
  ...SAFETY_WORDS,
  price_changed: {
    name: { de: "Preis hat sich geändert", en: "price has changed" },
    wire: ({ fromCents, fromCurrency, nowCents, nowCurrency }) => {
      const now = nowCents === null ? "none" : wireMoney(nowCents, nowCurrency);
      return `it was made from ${wireMoney(fromCents, fromCurrency)}, the price is ${now} now`;
    },
  },
  margin_floor: {
    name: { de: "auf die Mindestmarge angehoben", en: "raised to the margin floor" },
    wire: ({ floorPct }) => `its margin would be below the floor of ${floorPct} %`,
  },
  below_cost: {
    name: { de: "unter dem Einkaufspreis", en: "below the cost" },
    detail: ({ costCents, currency }, show) => ({
      de: `Einkauf netto: ${show.money(costCents, currency)}`,
      en: `Net cost: ${show.money(costCents, currency)}`,
    }),
    wire: ({ costCents, currency }) =>
      `it is below the net cost of ${wireMoney(costCents, currency)}`,
  },
  other_open: {
    name: { de: "ein anderer Vorschlag ist offen", en: "another proposal is open" },
    wire: () => "another proposal of its product is open",
  },
  outranked: {
    name: { de: "eine andere Regel geht vor", en: "another rule goes first" },
    wire: ({ ruleName }) => `the rule "${ruleName}" sets the price`,
  },
  not_stable: {
    name: {
      de: "eine Regel davor nähme den Preis zurück",
      en: "a rule with priority would reverse it",
    },
    detail: ({ ruleName, wouldBeCents, currency }, show) => ({
      de: `„${ruleName}“ setzte danach ${show.money(wouldBeCents, currency)}`,
      en: `"${ruleName}" would set ${show.money(wouldBeCents, currency)} next`,
    }),
    wire: ({ ruleName, wouldBeCents, currency }) =>
      `the rule "${ruleName}" would change it to ${wireMoney(wouldBeCents, currency)}`,
  },
  rule_deleted: {
    name: { de: "Regel gelöscht", en: "rule deleted" },
    wire: () => "its rule is deleted",
  },
  rule_off: {
    name: { de: "Regel ausgeschaltet", en: "rule switched off" },
    wire: () => "its rule is switched off",
  },
};

const ROWS: Table<GuardWords> = GUARD_WORDS;

export function guardWordsOf(code: string): GuardWords | undefined {
  return ROWS[code];
}

function boundName(code: string): InBoth {
  return ROWS[code]?.name ?? { de: code, en: code };
}

export function guardNames(language: Language): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(GUARD_WORDS).map(([code, { name }]) => [code, name[language]]),
  );
}
