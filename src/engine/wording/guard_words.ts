/** German and English words for the guards that object to a price or change it. */
import { mapValues } from "../../base/collections.ts";
import type { Language } from "../../base/codes.ts";
import { changePct } from "../../base/fraction.ts";
import type { NoteFacts } from "../pricing/bounds.ts";
import type { ObjectionFacts } from "../pricing/guards.ts";
import { AIM_WORDS } from "./price_sentence.ts";
import {
  alike,
  type AnyFacts,
  type InBoth,
  type Show,
  type Table,
  type Text,
  type Wire,
  wireMoney,
} from "./show.ts";

interface GuardWords<Facts = AnyFacts> {
  readonly name: InBoth;
  readonly detail?: Text<Facts>;
  /** The English text for the API's fields `reason`, `why` and `message`. */
  readonly wire: Wire<Facts>;
  /** The API's text for a guard that only changed the price; if absent, `wire` is used. */
  readonly note?: Wire<Facts>;
}

type FactsByCode = ObjectionFacts & NoteFacts;
type GuardTable = { readonly [Code in keyof FactsByCode]: GuardWords<FactsByCode[Code]> };

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

const GOAL: InBoth = { de: "Ziel wäre {goalCents}", en: "The goal would be {goalCents}" };

const amountOf = ({ of }: { readonly of: "rule" | "product" }): InBoth => ({
  de: `${of === "rule" ? "der Regel" : "des Produkts"}: {cents}`,
  en: "of the {of}: {cents}",
});

function changeText(
  { fromCents, toCents }: { readonly fromCents: number; readonly toCents: number },
  show: Show,
): string {
  return show.percentChange(changePct(fromCents, toCents));
}

export const GUARD_WORDS: GuardTable = {
  no_own_price: {
    name: { de: "kein eigener Preis", en: "no own price" },
    wire: "the product has no own price",
  },
  price_locked: {
    name: { de: "Preis gesperrt", en: "price locked" },
    wire: "the price is locked",
  },
  price_held: {
    name: { de: "Preis gehalten", en: "price held" },
    detail: { de: "bis {until}", en: "until {until}" },
    wire: "the price is held until {until}",
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
        ? "a competitor's price and ours differ in VAT, and no VAT rate is known"
        : "the net price needs a VAT rate",
  },
  amount_currency: {
    name: { de: "Beträge der Regel in anderer Währung", en: "rule's amounts in another currency" },
    detail: {
      de: "Regel in {amounts}, Produkt in {product}",
      en: "rule in {amounts}, product in {product}",
    },
    wire: "the amounts of the rule are in {amounts}, the product is priced in {product}",
  },
  target_unknown: {
    name: { de: "Zielpreis unbekannt", en: "target price unknown" },
    wire: "the product has no target price",
  },
  no_reference: {
    name: { de: "zu wenige Vergleichspreise", en: "too few references" },
    wire: "too few usable competitor prices for the price",
  },
  price_too_low: {
    name: { de: "Preis zu niedrig", en: "price too low" },
    wire: "the price is below one minor unit",
  },
  price_too_high: {
    name: { de: "Preis zu hoch", en: "price too high" },
    wire: "no price is that high",
  },
  bounds_conflict: {
    name: { de: "Schranken widersprechen sich", en: "bounds contradict each other" },
    detail: ({ low, high }) => ({
      de: `mindestens {lowCents} (${nameOf(low).de}), höchstens {highCents} (${nameOf(high).de})`,
      en: `at least {lowCents} (${nameOf(low).en}), at most {highCents} (${nameOf(high).en})`,
    }),
    wire: "no price is at least {lowCents} ({low}) and at most {highCents} ({high})",
  },
  ending_beyond: {
    name: {
      de: "die nächste Endung liegt jenseits des heutigen Preises",
      en: "the nearest ending is beyond today's price",
    },
    detail: GOAL,
    wire: "the nearest allowed price, {goalCents}, is beyond today's",
  },
  direction: {
    name: { de: "Regel bewegt Preise nicht in diese Richtung", en: "not the rule's direction" },
    detail: ({ isRaise }) => ({
      de: `${isRaise ? "Sie hebt nicht an" : "Sie senkt nicht"}. ${GOAL.de}`,
      en: `It does not ${isRaise ? "raise" : "lower"}. ${GOAL.en}`,
    }),
    wire: ({ isRaise }) =>
      `the rule does not ${isRaise ? "raise" : "lower"} prices, and {goalCents} would`,
  },
  deadband: {
    name: { de: "Änderung zu klein", en: "change too small" },
    detail: GOAL,
    wire: "the move to {goalCents} is smaller than the smallest move of the rule",
  },
  max_move: {
    name: { de: "größter Schritt", en: "largest move" },
    detail: ({ isOfDay }) => ({
      de: `höchstens {maxPct} ${isOfDay ? "am Tag" : "auf einmal"}; ${GOAL.de}`,
      en: `at most {maxPct} ${isOfDay ? "a day" : "at once"}; ${GOAL.en}`,
    }),
    wire: ({ isOfDay }) =>
      "no price on the way to {goalCents} is within {maxPct} of " +
      (isOfDay ? "that of 24 hours ago" : "today's"),
    note: ({ isOfDay }) =>
      `at most {maxPct} ${isOfDay ? "a day" : "at once"}, the goal is {goalCents}`,
  },
  day_unread: {
    name: { de: "Verlauf des Tages nicht gelesen", en: "the day's changes are not read" },
    wire: "the changes of the last 24 hours were not read",
  },
  moves_per_day: {
    name: { de: "oft genug geändert", en: "changed often enough" },
    detail: ({ until }) => ({
      de: `höchstens {most} × am Tag${until ? ", wieder ab {until}" : ""}`,
      en: `at most {most} × a day${until ? ", again from {until}" : ""}`,
    }),
    wire: ({ until }) =>
      "the price was changed {count} × within 24 hours, {most} are allowed" +
      (until ? ", again from {until}" : ""),
  },
  brake: {
    name: { de: "Preiskampf gebremst", en: "price war braked" },
    detail: ({ competitor }) => ({
      de: (competitor === null ? "" : "Preiskampf mit {competitor}: ") +
        "{count} Senkungen, keine weitere bis {until}",
      en: (competitor === null ? "" : "War with {competitor}: ") +
        "{count} cuts, no more until {until}",
    }),
    wire: ({ competitor }) =>
      (competitor === null ? "" : "a price war with {competitor}: ") +
      "the rule has cut the price {count} × and makes no cut until {until}",
  },
  ending_dropped: {
    name: { de: "ohne Endung", en: "without its ending" },
    wire: "bounds leave no room for the ending",
    note: "without its ending, for which the bounds leave no room",
  },
  markup_floor: {
    name: { de: "auf den Mindestaufschlag angehoben", en: "raised to the smallest mark-up" },
    detail: alike("{markupPct}"),
    wire: "it would be below the cost and {markupPct}",
    note: "lifted to the cost and {markupPct}",
  },
  min_price: {
    name: { de: "auf den Mindestpreis angehoben", en: "raised to the lowest price" },
    detail: amountOf,
    wire: "it would be below the lowest price of the {of}, {cents}",
    note: "lifted to the lowest price of the {of}, {cents}",
  },
  max_price: {
    name: { de: "auf den Höchstpreis gesenkt", en: "lowered to the highest price" },
    detail: amountOf,
    wire: "it would be above the highest price of the {of}, {cents}",
    note: "lowered to the highest price of the {of}, {cents}",
  },
  below_target: {
    name: { de: "weit unter UVP, angehoben", en: "far below RRP, raised" },
    detail: { de: "höchstens {pct} darunter", en: "at most {pct} below it" },
    wire: "it would be more than {pct} below the target price",
    note: "lifted to at most {pct} below the target price",
  },
  above_target: {
    name: { de: "über UVP, gesenkt", en: "above RRP, lowered" },
    detail: { de: "höchstens {pct} darüber", en: "at most {pct} above it" },
    wire: "it would be more than {pct} above the target price",
    note: "lowered to at most {pct} above the target price",
  },
  floor_above_current: {
    name: {
      de: "Mindestmarge liegt über dem heutigen Preis",
      en: "margin floor is above today's price",
    },
    detail: {
      de: "Niedrigster erlaubter Preis: {lowestCents}",
      en: "Lowest price allowed: {lowestCents}",
    },
    wire: "the lowest price allowed is {lowestCents}, not below today's",
  },
  no_change: {
    name: { de: "Preis bleibt gleich", en: "price stays the same" },
    wire: ({ isRounded }) =>
      isRounded ? "rounding would turn the raise into a cut" : "the price is today's already",
  },
  stopped: {
    name: { de: "Automatik ist gestoppt", en: "automatic prices are stopped" },
    detail: alike("{at}: {reason}"),
    wire: "automatic prices are stopped: {reason}",
  },
  auto_apply_off: {
    name: {
      de: "selbstständige Änderungen sind ausgeschaltet",
      en: "automatic changes are switched off",
    },
    wire: "automatic changes are off in the settings",
  },
  approval_needed: {
    name: { de: "mehrere Personen müssen zustimmen", en: "several people must approve" },
    detail: {
      de: "ab mehr als {beyondPct} in 24 Stunden: {people} Personen",
      en: "beyond {beyondPct} within 24 hours: {people} people",
    },
    wire:
      "it moves by more than {beyondPct} within 24 hours, which {people} different people must " +
      "approve",
  },
  floor_missing: {
    name: { de: "ohne Mindestmarge", en: "no margin floor" },
    wire: "the rule has no margin floor",
  },
  cooldown: {
    name: { de: "Ruhezeit nach der letzten Auslösung", en: "cooldown after the last fire" },
    detail: alike("{lastFiredAt}"),
    wire: "the rule fired a short time ago",
  },
  history_unread: {
    name: { de: "Preisverlauf nicht gelesen", en: "price history not read" },
    wire: "the price history was not looked at",
  },
  manual_price: {
    name: { de: "Preis von einer Person gesetzt", en: "price set by a person" },
    detail: alike("{setAt}"),
    wire: "a person set today's price, and no used reference has changed since",
  },
  stale_reference: {
    name: { de: "Vergleichspreis zu alt", en: "reference too old" },
    detail: ({ isAhead }) => ({
      de: `{competitors}${isAhead ? ": Zeitpunkt liegt in der Zukunft" : ""}`,
      en: `{competitors}${isAhead ? ": dated in the future" : ""}`,
    }),
    wire: ({ isAhead }) =>
      isAhead
        ? "the price of {competitors} is dated ahead of the clock"
        : "the price of {competitors} is older than {maxAgeHours} h",
  },
  low_confidence: {
    name: { de: "Vergleichspreis unsicher gelesen", en: "reference uncertain" },
    detail: alike("{competitors}"),
    wire: "the price of {competitors} was read with low confidence",
  },
  outlier: {
    name: { de: "Vergleichspreis ist ein Ausreißer", en: "reference is an outlier" },
    detail({ awayFrom }) {
      if (awayFrom === "previous") return alike("{competitors}");
      const why = awayFrom === "own"
        ? { de: "kein früherer Preis zum Vergleich", en: "no earlier price to compare with" }
        : { de: "seit dem früheren Preis neu verknüpft", en: "relinked since the earlier price" };
      return {
        de: `{competitors}: ${why.de}, mehr als 50 % neben unserem ({ourPriceCents})`,
        en: `{competitors}: ${why.en}, more than 50% off our {ourPriceCents}`,
      };
    },
    wire({ awayFrom }) {
      if (awayFrom === "previous") return "the price of {competitors} moved by more than 50 %";
      const far = "is more than 50 % away from ours";
      return awayFrom === "changed"
        ? `the match of {competitors} was changed since its price before, and its price ${far}`
        : `the price of {competitors} has no earlier price to compare with, and ${far}`;
    },
  },
  change_too_large: {
    name: { de: "Änderung zu groß", en: "change too large" },
    detail: (facts, show) => alike(changeText(facts, show)),
    wire: "the change is more than {maxPct} of today's price",
  },
  daily_change_too_large: {
    name: { de: "Änderung an einem Tag zu groß", en: "change within a day too large" },
    detail: (facts, show) => ({
      de: `${changeText(facts, show)} gegen {fromCents} vor 24 Stunden`,
      en: `${changeText(facts, show)} against {fromCents} 24 hours ago`,
    }),
    wire: "the change is more than {maxPct} of the price in force 24 h ago",
  },
  budget: {
    name: { de: "Tagesbudget ausgeschöpft", en: "the day's budget is spent" },
    detail: ({ of }) => ({
      de: `{most} am Tag ${of === "rule" ? "von der Regel" : "von allen Regeln"}`,
      en: `{most} a day ${of === "rule" ? "by the rule" : "by all rules"}`,
    }),
    wire: "the {of} lets {most} prices a day be set by themselves",
  },
  price_changed: {
    name: { de: "Preis hat sich geändert", en: "price has changed" },
    wire: ({ fromCents, fromCurrency, nowCents, nowCurrency }) => {
      const now = nowCents === null ? "none" : wireMoney(nowCents, nowCurrency);
      return `it was made from ${wireMoney(fromCents, fromCurrency)}, the price is ${now} now`;
    },
  },
  margin_floor: {
    name: { de: "auf die Mindestmarge angehoben", en: "raised to the margin floor" },
    detail: alike("{floorPct}"),
    wire: "its margin would be below the floor of {floorPct}",
    note: "lifted to the margin floor of {floorPct}",
  },
  fallback: {
    name: { de: "ohne Vergleichspreis", en: "without a reference" },
    detail: ({ kind }) => ({
      de: `daher nach ${AIM_WORDS[kind].de.label}`,
      en: `so by ${AIM_WORDS[kind].en.label}`,
    }),
    wire: ({ kind }) => `without a reference, so by ${AIM_WORDS[kind].wire}`,
  },
  below_cost: {
    name: { de: "unter dem Einkaufspreis", en: "below the cost" },
    detail: { de: "Einkauf netto: {costCents}", en: "Net cost: {costCents}" },
    wire: "it is below the net cost of {costCents}",
  },
  other_open: {
    name: { de: "ein anderer Vorschlag ist offen", en: "another proposal is open" },
    wire: "another proposal of its product is open",
  },
  outranked: {
    name: { de: "eine andere Regel geht vor", en: "another rule goes first" },
    wire: 'the rule "{ruleName}" sets the price',
  },
  not_stable: {
    name: {
      de: "eine Regel davor nähme den Preis zurück",
      en: "a rule with priority would reverse it",
    },
    detail: {
      de: "„{ruleName}“ setzte danach {wouldBeCents}",
      en: '"{ruleName}" would set {wouldBeCents} next',
    },
    wire: 'the rule "{ruleName}" would change it to {wouldBeCents}',
  },
  rule_deleted: {
    name: { de: "Regel gelöscht", en: "rule deleted" },
    wire: "its rule is deleted",
  },
  rule_off: {
    name: { de: "Regel ausgeschaltet", en: "rule switched off" },
    wire: "its rule is switched off",
  },
};

export const GUARD_ROWS: Table<GuardWords> = GUARD_WORDS;

function nameOf(code: string): InBoth {
  return GUARD_ROWS[code]?.name ?? alike(code);
}

export function guardNames(language: Language): Readonly<Record<string, string>> {
  return mapValues(GUARD_WORDS, ({ name }: GuardWords) => name[language]);
}
