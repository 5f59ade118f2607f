/** Words for the guards that forbid automatic prices (`pricing/safety_guards.ts`). */
import { changePct } from "../../base/percent.ts";
import type { ObjectionFacts } from "../pricing/guards.ts";
import type { SAFETY_GUARDS } from "../pricing/safety_guards.ts";
import type { AnyFacts, InBoth, Say, Show } from "./show.ts";

export interface GuardWords<Facts = AnyFacts> {
  readonly name: InBoth;
  readonly detail?: Say<Facts, InBoth | null>;
  /** The English text for the fields `reason`, `why` and `message`. */
  wire(facts: Facts): string;
}

export type GuardTable<Code extends keyof ObjectionFacts = keyof ObjectionFacts> = {
  readonly [One in Code]: GuardWords<ObjectionFacts[One]>;
};

/** A detail that has the same text in both languages, such as a name or a percentage. */
export function alike<Facts>(
  say: (facts: Facts, show: Show) => string | null,
): Say<Facts, InBoth | null> {
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

export const SAFETY_WORDS: GuardTable<(typeof SAFETY_GUARDS)[number]["value"]> = {
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
      en: namesOf(facts) + (facts.isAhead ? ": dated in the future" : ""),
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
          isOwn ? "no earlier price to compare with" : "relinked since the earlier price"
        }, more than 50% off our ${ours}`,
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
};
