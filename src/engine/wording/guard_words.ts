/**
 * What stands against a price, in both languages. The compiler asks for a row per guard; what a guard
 * saw beyond its name stands behind it, null when there is no more to say.
 */

import { changePct } from "../../base/percent.ts";
import type { ObjectionFacts } from "../pricing/guards.ts";
import {
  type AnyFacts,
  type InBoth,
  type Language,
  type Say,
  type Show,
  type Table,
  wireMoney,
} from "./show.ts";

export interface GuardWords<Facts = AnyFacts> {
  readonly name: InBoth;
  /** The details of its objection; absent for guards without details. */
  readonly detail?: Say<Facts, InBoth | null>;
  /** In the interfaces' fields `reason`, `why` and `message`: English. */
  wire(facts: Facts): string;
}

type GuardTable = { readonly [Code in keyof ObjectionFacts]: GuardWords<ObjectionFacts[Code]> };

/** Alike in both languages: names, times, percentages. */
function alike<Facts>(say: (facts: Facts, show: Show) => string | null): Say<Facts, InBoth | null> {
  return (facts, show) => {
    const text = say(facts, show);
    return text === null ? null : { de: text, en: text };
  };
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

export const ZERO_COST: InBoth = {
  de: "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge rechnen.",
  en: "0 counts as no cost; without the cost there is no margin.",
};

/** Names of what needs the cost, in the interfaces. */
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

/** Where the price would have gone. */
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
    name: { de: "auf den Mindestaufschlag angehoben", en: "lifted to the smallest mark-up" },
    detail: alike(({ markupPct }, show) => show.percent(markupPct)),
    wire: ({ markupPct }) => `it would be below the cost and ${markupPct} %`,
  },
  min_price: {
    name: { de: "auf den Mindestpreis angehoben", en: "lifted to the lowest price" },
    detail: amountDetail,
    wire: (facts) => `it would be below the lowest price ${wireAmount(facts)}`,
  },
  max_price: {
    name: { de: "auf den Höchstpreis gesenkt", en: "lowered to the highest price" },
    detail: amountDetail,
    wire: (facts) => `it would be above the highest price ${wireAmount(facts)}`,
  },
  below_target: {
    name: { de: "weit unter UVP, angehoben", en: "far below RRP, lifted" },
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
  stopped: {
    name: { de: "Automatik ist gestoppt", en: "automatic prices are stopped" },
    detail: alike(({ at, reason }, show) => `${show.dateTime(at)}: ${reason}`),
    wire: ({ reason }) => `automatic prices are stopped: ${reason}`,
  },
  auto_apply_off: {
    name: {
      de: "selbstständige Änderungen sind ausgeschaltet",
      en: "automatic changes are switched off",
    },
    wire: () => "automatic changes are off in the settings",
  },
  approval_needed: {
    name: { de: "mehrere Personen müssen zustimmen", en: "several people must approve" },
    detail: ({ beyondPct, people }, show) => ({
      de: `ab mehr als ${show.percent(beyondPct)}: ${people} Personen`,
      en: `beyond ${show.percent(beyondPct)}: ${people} people`,
    }),
    wire: ({ beyondPct, people }) =>
      `it moves by more than ${beyondPct} %, which ${people} different people must approve`,
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
    detail: (facts) => ({
      de: namesOf(facts) + (facts.isAhead ? ": Zeitpunkt liegt in der Zukunft" : ""),
      en: namesOf(facts) + (facts.isAhead ? ": dated ahead of the clock" : ""),
    }),
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
    detail(facts, show) {
      const names = namesOf(facts);
      if (facts.awayFrom === "previous") return { de: names, en: names };
      const isOwn = facts.awayFrom === "own";
      const ours = show.money(facts.ourPriceCents, facts.currency);
      return {
        de: `${names}: ${
          isOwn ? "kein früherer Preis zum Vergleich" : "seit dem früheren Preis neu verknüpft"
        }, mehr als 50 % neben unserem (${ours})`,
        en: `${names}: ${
          isOwn ? "no earlier price to compare with" : "linked anew since the earlier price"
        }, more than 50 % off our ${ours}`,
      };
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
    detail: (facts, show) => ({
      de: `${changeText(facts, show)} gegen ${
        show.money(facts.fromCents, facts.currency)
      } vor 24 Stunden`,
      en: `${changeText(facts, show)} against ${
        show.money(facts.fromCents, facts.currency)
      } 24 hours ago`,
    }),
    wire: ({ maxPct }) => `the change is more than ${maxPct} % of the price in force 24 h ago`,
  },
  budget: {
    name: { de: "Tagesbudget ausgeschöpft", en: "the day's budget is spent" },
    detail: ({ of, most }, show) => ({
      de: `${show.number(most)} am Tag ${of === "rule" ? "von der Regel" : "von allen Regeln"}`,
      en: `${show.number(most)} a day ${of === "rule" ? "by the rule" : "by all rules"}`,
    }),
    wire: ({ of, most }) =>
      `${
        of === "rule" ? "the rule" : "the workspace"
      } lets ${most} prices a day be set by themselves`,
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
