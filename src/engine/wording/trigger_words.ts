/**
 * German and English words of the triggers of rules. A rule that another version of Kurant stored
 * may have a trigger without words.
 */
import type { TriggerFacts, TriggerFields } from "../pricing/triggers.ts";
import type { Language } from "../../base/codes.ts";
import {
  type AnyFacts,
  type Audience,
  type InBoth,
  type sayIn,
  type Sentences,
  shownMargin,
  type Table,
  wireMoney,
} from "./show.ts";
import { TERMS } from "./terms.ts";
import { changePct } from "../../base/fraction.ts";

type ReadField<Name extends string = string> = (name: Name | "reference") => string;

type FieldWords<Value = unknown> =
  & {
    readonly label: InBoth;
    readonly hint: { readonly de: string; readonly en: string | null };
  }
  & ([Value] extends [string]
    ? string extends Value ? Unchosen : { readonly values: Readonly<Record<Value, InBoth>> }
    : Unchosen);

interface Unchosen {
  readonly values?: Readonly<Record<string, InBoth>>;
}

interface TriggerWords<
  Facts = AnyFacts,
  Fields extends object = Readonly<Record<string, unknown>>,
> {
  /** Must fit into a sentence after "when" or "because". */
  readonly label: InBoth;
  readonly subject: "market" | "margin";
  readonly said: Sentences<Facts>;
  /** Returns the condition in words; empty if the condition is always true. */
  condition(field: ReadField<keyof Fields & string>, say: ReturnType<typeof sayIn>): string;
  readonly fields: { readonly [Name in keyof Fields]-?: FieldWords<Fields[Name]> };
}

type WordsOf<Code extends keyof TriggerFacts> = TriggerWords<
  TriggerFacts[Code],
  TriggerFields[Code]
>;

const plural = (count: string, one: string, many: string) => Number(count) === 1 ? one : many;

const WHO: Table<InBoth> = {
  cheapest: { de: "der günstigste Wettbewerber", en: "the cheapest competitor" },
  second: { de: "der zweitgünstigste Wettbewerber", en: "the second cheapest competitor" },
  average: { de: "der Durchschnitt der Wettbewerber", en: "the average of the competitors" },
  highest: { de: "der teuerste Wettbewerber", en: "the most expensive competitor" },
};

function whoIs(field: ReadField<never>, say: ReturnType<typeof sayIn>): string {
  const kind = field("reference") || "cheapest";
  const who = WHO[kind];
  return who ? say(who.de, who.en) : kind;
}

function comparison(
  wanted: "less" | "more",
  than: InBoth,
): Omit<WordsOf<"competitor_undercut">, "label"> {
  return {
    subject: "market",
    said: {
      text: (facts, show) => ({
        de: comparisonText(facts, { language: "de", show }, wanted),
        en: comparisonText(facts, { language: "en", show }, wanted),
      }),
      wire: (facts) => wireText(facts, wanted === "less" ? "below" : "above"),
    },
    condition(field, say) {
      const pct = field("competitorDeltaPct");
      const who = whoIs(field, say);
      const least = pct === "" || pct === "0"
        ? ""
        : say(`mindestens ${pct} % `, `at least ${pct}% `);
      return say(
        `${who} ${least}${than.de} ist als wir`,
        `${who} is ${least}${than.en} than we are`,
      );
    },
    fields: {
      competitorDeltaPct: {
        label: { de: "um mindestens … %", en: "by at least …%" },
        hint: { de: "Anteil an unserem Preis; 0 schlägt beim ersten Cent an", en: null },
      },
    },
  };
}

function marginWords(
  side: "below" | "above",
  text: WordsOf<"margin_below">["said"]["text"],
): Omit<WordsOf<"margin_below">, "label"> {
  return {
    subject: "margin",
    said: {
      text,
      wire: ({ marginPct, fires }) =>
        `the margin is ${marginPct === null ? "unknown" : "{marginPct}"}, ` +
        `${fires ? "" : "not "}${side} {boundPct}`,
    },
    condition(field, say) {
      const pct = field("marginPct");
      const bound = pct === "" ? "…" : say(`${pct} %`, `${pct}%`);
      return say(
        `unsere Marge ${side === "below" ? "unter" : "über"} ${bound} liegt`,
        `our margin is ${side} ${bound}`,
      );
    },
    fields: {
      marginPct: {
        label: { de: "Marge in %", en: "margin in %" },
        hint: { de: "(Nettopreis − Einkauf) ÷ Nettopreis", en: null },
      },
    },
  };
}

const DIRECTIONS = {
  worse: { de: "schlechter", en: "worse" },
  better: { de: "besser", en: "better" },
  any: { de: "egal", en: "any" },
};

const BECOMES: Table<InBoth> = {
  worse: { de: "verschlechtert", en: "worsens" },
  better: { de: "verbessert", en: "improves" },
  any: { de: "ändert", en: "changes" },
};

const TRIGGER_WORDS: { readonly [Code in keyof TriggerFacts]: WordsOf<Code> } = {
  competitor_undercut: {
    label: { de: "ein Wettbewerber günstiger ist", en: "a competitor is cheaper" },
    ...comparison("less", { de: "günstiger", en: "cheaper" }),
  },
  competitor_overcut: {
    label: { de: "die Wettbewerber teurer sind", en: "competitors are more expensive" },
    ...comparison("more", { de: "teurer", en: "more expensive" }),
  },
  margin_below: {
    label: { de: "unsere Marge zu klein ist", en: "our margin is too small" },
    ...marginWords("below", ({ marginPct, fires }, show) => ({
      de: fires
        ? `Unsere Marge ist nur ${shownMargin(marginPct, show)}.`
        : `Unsere Marge ist ${shownMargin(marginPct, show)}, das genügt.`,
      en: fires
        ? `Our margin is only ${shownMargin(marginPct, show)}.`
        : `Our margin is ${shownMargin(marginPct, show)}, which is enough.`,
    })),
  },
  margin_above: {
    label: { de: "unsere Marge größer als nötig ist", en: "our margin is larger than needed" },
    ...marginWords("above", ({ marginPct, fires }, show) => ({
      de: `Unsere Marge ist ${shownMargin(marginPct, show)}, ${
        fires ? "" : "nicht "
      }mehr als nötig.`,
      en: `Our margin is ${shownMargin(marginPct, show)}, ${fires ? "" : "not "}more than needed.`,
    })),
  },
  position_change: {
    label: { de: "sich unser Rang geändert hat", en: "our rank has changed" },
    subject: "market",
    said: {
      text: ({ before }) =>
        before === null
          ? {
            de:
              "Wir stehen auf Platz {rank} von {of}, ein früherer Platz ist noch nicht gespeichert.",
            en: "We are number {rank} of {of}, no earlier rank is recorded yet.",
          }
          : {
            de: "Wir stehen auf Platz {rank} von {of}, zuvor auf Platz {before}.",
            en: "We are number {rank} of {of}, number {before} before.",
          },
      wire: ({ before }) =>
        before === null
          ? "rank {rank}, none was recorded before"
          : "rank {rank} of {of}, was {before}",
    },
    condition(field, say) {
      const places = field("minPositions") || "1";
      const direction = field("direction") || "any";
      const { de, en } = BECOMES[direction] ?? { de: direction, en: direction };
      return say(
        `sich unser Rang um mindestens ${places} ${plural(places, "Platz", "Plätze")} ${de}`,
        `our rank ${en} by at least ${places} ${plural(places, "place", "places")}`,
      );
    },
    fields: {
      direction: {
        label: { de: "Richtung", en: "Direction" },
        hint: { de: "Schlechter heißt: eine höhere Platznummer", en: null },
        values: DIRECTIONS,
      },
      minPositions: {
        label: { de: "um mindestens … Plätze", en: "by at least … places" },
        hint: { de: "Kleinere Wechsel werden nur gespeichert", en: null },
      },
    },
  },
  market_index: {
    label: { de: "unser Preis vom Markt abweicht", en: "our price is away from the market" },
    subject: "market",
    said: {
      text({ index, fires, always }, show) {
        if (always) {
          return { de: "Die Regel gilt bei jeder Prüfung.", en: "The rule acts at every check." };
        }
        if (index === null) {
          return {
            de: "Die Wettbewerber verlangen nichts: unser Preis liegt weit über dem Markt.",
            en: "The competitors charge nothing: our price is far above the market.",
          };
        }
        const at = show.number(Math.round(index * 10) / 10);
        return {
          de: `Unser Preis liegt bei ${at} (Markt = 100), ${
            fires ? "zu weit vom Markt entfernt" : "im Rahmen"
          }.`,
          en: `Our price is at ${at} (market = 100), ${
            fires ? "too far from the market" : "within bounds"
          }.`,
        };
      },
      wire: ({ index, indexAbove, indexBelow, always }) =>
        always ? "at every evaluation" : `the market index is ${index ?? "without bound"}` +
          (indexAbove === null ? "" : ", above {indexAbove} fires") +
          (indexBelow === null ? "" : ", below {indexBelow} fires"),
    },
    condition(field, say) {
      if (field("always") === "true") return "";
      const [high, low] = [field("indexAbove"), field("indexBelow")];
      const above = high && say(`über ${high}`, `above ${high}`);
      const below = low && say(`unter ${low}`, `below ${low}`);
      const bounds = [above, below].filter(Boolean).join(say(" oder ", " or ")) ||
        say("unter …", "below …");
      return say(`wir ${bounds} liegen (Markt = 100)`, `we are ${bounds} (market = 100)`);
    },
    fields: {
      indexAbove: {
        label: { de: "über (Markt = 100)", en: "above (market = 100)" },
        hint: { de: "Unser Preis ÷ Durchschnitt der Wettbewerber × 100", en: null },
      },
      indexBelow: {
        label: { de: "unter (Markt = 100)", en: "below (market = 100)" },
        hint: { de: "Eines von beiden genügt", en: null },
      },
      always: {
        label: { de: "bei jeder Prüfung", en: "at every check" },
        hint: { de: "Wo auch immer wir liegen, auch ohne Wettbewerber", en: null },
      },
    },
  },
  scrape_stale: {
    label: { de: "Preise veraltet sind", en: "prices are out of date" },
    subject: "market",
    said: {
      text({ since, ageHours }) {
        if (since === null) {
          return {
            de: "Keine Seite eines Wettbewerbers ist verknüpft.",
            en: "No page of a competitor is linked.",
          };
        }
        if (since === "match") {
          return {
            de: "Noch nie wurde ein Wettbewerberpreis gesehen.",
            en: "No competitor price was ever seen.",
          };
        }
        return {
          de: `Der neueste Wettbewerberpreis ist {ageHours} ${
            ageHours === 1 ? "Stunde" : "Stunden"
          } alt.`,
          en: "The newest competitor price is {ageHours} h old.",
        };
      },
      wire({ since }) {
        if (since === null) return "the product has no enabled match";
        return since === "observation"
          ? "the newest observation is {ageHours} h old, {staleHours} h are allowed"
          : "nothing was observed in the {ageHours} h of the match, {staleHours} h are allowed";
      },
    },
    condition(field, say) {
      const hours = field("staleHours");
      const price = say("der neueste Wettbewerberpreis", "the newest competitor price");
      return hours === ""
        ? say(`${price} veraltet ist`, `${price} is out of date`)
        : say(`${price} älter als ${hours} Stunden ist`, `${price} is older than ${hours} hours`);
    },
    fields: {
      staleHours: {
        label: { de: "älter als … Stunden", en: "older than … hours" },
        hint: {
          de: "Leer: das Doppelte des Abrufabstands",
          en: "Empty: twice the scrape interval",
        },
      },
    },
  },
};

export const TRIGGER_ROWS: Table<TriggerWords> = TRIGGER_WORDS;

export function triggerLabels(language: Language) {
  const rows = Object.entries(TRIGGER_WORDS);
  const fields: readonly (readonly [string, FieldWords])[] = rows
    .flatMap(([, words]) => Object.entries(words.fields));
  const hints = fields.flatMap(([name, { hint }]) => {
    const text = hint[language];
    return text === null ? [] : [[name, text] as const];
  });
  const values = fields.flatMap(([, { values = {} }]) => Object.entries(values))
    .map(([value, label]) => [value, label[language]] as const);
  return {
    triggers: Object.fromEntries(rows.map(([code, { label }]) => [code, label[language]])),
    fields: Object.fromEntries(fields.map(([name, { label }]) => [name, label[language]])),
    fieldHints: Object.fromEntries(hints),
    values: Object.fromEntries(values),
  };
}

type Comparison = TriggerFacts["competitor_undercut"];

export function comparisonText(
  facts: Omit<Comparison, "deltaPct" | "isExact">,
  { language, show }: Audience,
  wanted: "less" | "more" | null = null,
): string {
  const { compared: words } = TERMS[language];
  const { kind, competitor, count, priceCents, ourPriceCents, currency, fires } = facts;
  const ours = show.money(ourPriceCents, currency);
  const price = show.money(priceCents, currency);
  const asks = kind === "average"
    ? words.mean(show.number(count), price)
    : words.asks(competitor, price);
  if (priceCents === ourPriceCents) return `${asks}, ${words.same(ours)}.`;
  const direction = priceCents < ourPriceCents ? "less" : "more";
  const pct = Math.abs(changePct(ourPriceCents, priceCents));
  const cents = Math.abs(priceCents - ourPriceCents);
  const difference = pct === 0 ? show.money(cents, currency) : show.percent(pct);
  const isShort = !fires && direction === wanted;
  return `${asks}, ${words[direction](difference, ours)}${isShort ? `; ${words.tooLittle}` : ""}.`;
}

function wireText(facts: Comparison, side: "below" | "above"): string {
  const { kind, competitor, count, priceCents, isExact, ourPriceCents, currency } = facts;
  const price = wireMoney(priceCents, currency, isExact);
  const asks = kind === "average"
    ? `the average of ${count} prices is ${price}`
    : `${competitor} asks ${price}${kind === "cheapest" ? "" : ` (${kind})`}`;
  const wanted = facts.deltaPct ? ` by at least ${facts.deltaPct} %` : "";
  const is = facts.fires ? "which is" : "which is not";
  return `${asks}, ${is} ${side} our ${wireMoney(ourPriceCents, currency)}${wanted}`;
}
