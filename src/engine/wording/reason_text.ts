/**
 * Makes sentences about decisions from codes and facts: in both languages for people, in English
 * for the interfaces.
 */

import type { NoteFacts } from "../pricing/bounds.ts";
import type { Reason } from "../pricing/decide.ts";
import type { Rest, Statement } from "../pricing/statement.ts";
import { guardWordsOf, ZERO_COST } from "./guard_words.ts";
import { AIM_WORDS } from "./price_sentence.ts";
import { type AnyFacts, type Audience, type Sentences, type Table, wireMoney } from "./show.ts";
import { TRIGGER_WORDS, type TriggerWords } from "./trigger_words.ts";

type RestWords = {
  readonly [One in Rest as One["code"]]: Sentences<One["facts"]>;
};

type Unusable = Extract<Rest, { code: "no_reference" }>["facts"];

/** For example "vat_unknown: no usable competitor price (1 stale, 2 out_of_stock)". */
function wireUnusable({ leftOut, lacksVat }: Unusable, text: string): string {
  const reasons = leftOut.map(({ why, count }) => `${count} ${why}`).join(", ");
  return `${lacksVat ? "vat_unknown: " : ""}${text}${reasons === "" ? "" : ` (${reasons})`}`;
}

const REST_WORDS: RestWords = {
  out_of_scope: {
    text: () => ({
      de: "Das Produkt gehört nicht zu dieser Regel.",
      en: "The product does not belong to this rule.",
    }),
    wire({ field, value }) {
      const shown = value ?? "not set";
      return field === "sku"
        ? `out of scope: sku ${shown} is not listed`
        : `out of scope: ${field} is ${shown}`;
    },
  },
  unseen: {
    text: ({ days }) => ({
      de: `In den letzten ${days} Tagen wurde kein Wettbewerberpreis gesehen.`,
      en: `No competitor price was seen in the last ${days} days.`,
    }),
    wire: ({ days }) => `no competitor observation in the last ${days} days`,
  },
  no_own_price: {
    text: () => ({
      de: "Das Produkt hat keinen eigenen Preis.",
      en: "The product has no price of its own.",
    }),
    wire: () => "no_own_price: the product has no own price",
  },
  no_reference: {
    text: () => ({
      de: "Kein Wettbewerberpreis ist brauchbar.",
      en: "No competitor price is usable.",
    }),
    wire: (facts) => wireUnusable(facts, "no usable competitor price"),
  },
  too_few_references: {
    text: () => ({
      de: "Zu wenige Wettbewerber haben einen brauchbaren Preis.",
      en: "Too few competitors have a usable price.",
    }),
    wire: (facts) =>
      wireUnusable(facts, `fewer than ${facts.minCompetitors} competitors have a usable price`),
  },
  no_second: {
    text: () => ({
      de: "Es gibt keinen zweiten Wettbewerberpreis.",
      en: "There is no second competitor price.",
    }),
    wire: () => "there is no second competitor price",
  },
  cost_unknown: {
    text: ({ isZero }) =>
      isZero ? ZERO_COST : {
        de: "Ohne Einkaufspreis lässt sich keine Marge berechnen.",
        en: "Without the cost, the margin cannot be computed.",
      },
    wire: ({ isZero }) =>
      `cost_unknown: ${isZero ? "a cost of 0 is none, " : ""}the margin cannot be computed`,
  },
  vat_unknown: {
    text: () => ({
      de: "Ohne Umsatzsteuersatz lässt sich keine Marge berechnen.",
      en: "Without a VAT rate, the margin cannot be computed.",
    }),
    wire: () => "vat_unknown: the margin cannot be computed",
  },
};

const OF = {
  rule: { de: "der Regel", en: "of the rule" },
  product: { de: "des Produkts", en: "of the product" },
};

const NOTE_WORDS: { readonly [Code in keyof NoteFacts]: Sentences<NoteFacts[Code]> } = {
  margin_floor: {
    text: ({ floorPct }, show) => ({
      de: `auf die Mindestmarge von ${show.percent(floorPct)} angehoben`,
      en: `raised to the margin floor of ${show.percent(floorPct)}`,
    }),
    wire: ({ floorPct }) => `lifted to the margin floor of ${floorPct} %`,
  },
  markup_floor: {
    text: ({ markupPct }, show) => ({
      de: `auf Einkauf + ${show.percent(markupPct)} angehoben`,
      en: `raised to cost + ${show.percent(markupPct)}`,
    }),
    wire: ({ markupPct }) => `lifted to the cost and ${markupPct} %`,
  },
  min_price: {
    text: ({ cents, currency, of }, show) => ({
      de: `auf den Mindestpreis ${OF[of].de} angehoben (${show.money(cents, currency)})`,
      en: `raised to the lowest price ${OF[of].en} (${show.money(cents, currency)})`,
    }),
    wire: ({ cents, currency, of }) =>
      `lifted to the lowest price ${OF[of].en}, ${wireMoney(cents, currency)}`,
  },
  max_price: {
    text: ({ cents, currency, of }, show) => ({
      de: `auf den Höchstpreis ${OF[of].de} gesenkt (${show.money(cents, currency)})`,
      en: `lowered to the highest price ${OF[of].en} (${show.money(cents, currency)})`,
    }),
    wire: ({ cents, currency, of }) =>
      `lowered to the highest price ${OF[of].en}, ${wireMoney(cents, currency)}`,
  },
  below_target: {
    text: ({ pct }, show) => ({
      de: `auf höchstens ${show.percent(pct)} unter UVP angehoben`,
      en: `raised to at most ${show.percent(pct)} below RRP`,
    }),
    wire: ({ pct }) => `lifted to at most ${pct} % below the target price`,
  },
  above_target: {
    text: ({ pct }, show) => ({
      de: `auf höchstens ${show.percent(pct)} über UVP gesenkt`,
      en: `lowered to at most ${show.percent(pct)} above RRP`,
    }),
    wire: ({ pct }) => `lowered to at most ${pct} % above the target price`,
  },
  max_move: {
    text: ({ maxPct, goalCents, currency, isOfDay }, show) => ({
      de: `höchstens ${show.percent(maxPct)} ${isOfDay ? "am Tag" : "auf einmal"}, Ziel ist ${
        show.money(goalCents, currency)
      }`,
      en: `at most ${show.percent(maxPct)} ${isOfDay ? "a day" : "at once"}, the goal is ${
        show.money(goalCents, currency)
      }`,
    }),
    wire: ({ maxPct, goalCents, currency, isOfDay }) =>
      `at most ${maxPct} % ${isOfDay ? "a day" : "at once"}, the goal is ${
        wireMoney(goalCents, currency)
      }`,
  },
  ending_dropped: {
    text: () => ({
      de: "ohne die gewünschte Endung, die die Schranken nicht zulassen",
      en: "without the wanted ending, which the bounds do not allow",
    }),
    wire: () => "without its ending, for which the bounds leave no room",
  },
  fallback: {
    text: ({ kind }) => ({
      de: `ohne Vergleichspreis, daher nach ${AIM_WORDS[kind].de.label}`,
      en: `without a reference, so by ${AIM_WORDS[kind].en.label}`,
    }),
    wire: ({ kind }) => `without a reference, so by ${AIM_WORDS[kind].wire}`,
  },
};

const TRIGGERS: Table<TriggerWords> = TRIGGER_WORDS;
const RESTS: Table<Sentences<AnyFacts>> = REST_WORDS;
const NOTES: Table<Sentences<AnyFacts>> = NOTE_WORDS;

/** A code without words is returned unchanged. */
export function saidText({ language, show }: Audience, { code, facts }: Statement): string {
  return toldOf(facts) ?? sentencesOf(code)?.text(facts, show)[language] ?? code;
}

export function wireSaid({ code, facts }: Statement): string {
  return toldOf(facts) ?? sentencesOf(code)?.wire(facts) ?? code;
}

export function guardDetail(
  { language, show }: Audience,
  { code, facts }: Statement,
): string | null {
  return toldOf(facts) ?? (guardWordsOf(code)?.detail?.(facts, show)?.[language] || null);
}

export function wireObjection({ code, facts }: Statement): string {
  return toldOf(facts) ?? guardWordsOf(code)?.wire(facts) ?? code;
}

/** Traces of versions before 1.0.0 contain a sentence, `told`, instead of facts. */
function toldOf({ told }: AnyFacts): string | null {
  return typeof told === "string" ? told : null;
}

export function wireNote({ code, facts }: Statement): string {
  return NOTES[code]?.wire(facts) ?? code;
}

/** A code without words is returned unchanged. */
export function noteText({ language, show }: Audience, { code, facts }: Statement): string {
  return NOTES[code]?.text(facts, show)[language] ?? code;
}

/** Writes the field `reason` in English. */
export function wireReason(reason: Reason): string {
  const { said, price, yields, objections, isCoolingDown } = reason;
  const parts = [wireSaid(said)];
  if (price !== null) {
    const { formula, from, cents, currency, notes } = price;
    const noted = notes.map((note) => `, ${wireNote(note)}`).join("");
    const source = formula ?? (from === null ? "price" : AIM_WORDS[from].wire);
    parts.push(`${source} gives ${wireMoney(cents, currency)}${noted}`);
  }
  if (yields !== null) parts.push(withCode(yields));
  if (objections.length > 0) {
    const so = price === null ? "no price" : "not applied without a person";
    parts.push(`${so}: ${objections.map(withCode).join(", ")}`);
  }
  if (isCoolingDown) parts.push(withCode({ code: "cooldown", facts: { lastFiredAt: null } }));
  return parts.join("; ");
}

function withCode(objection: Statement): string {
  return `${objection.code}: ${wireObjection(objection)}`;
}

function sentencesOf(code: string) {
  return TRIGGERS[code]?.said ?? RESTS[code];
}
