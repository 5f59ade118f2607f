/**
 * Makes sentences about decisions from codes and facts. Sentences for people are German or English,
 * and sentences in API fields are English.
 */

import type { Reason } from "../pricing/decide.ts";
import type { RestFacts, Statement } from "../pricing/trigger.ts";
import { GUARD_ROWS, ZERO_COST } from "./guard_words.ts";
import { AIM_WORDS } from "./price_sentence.ts";
import {
  type AnyFacts,
  type Audience,
  type Sentences,
  type Table,
  textOf,
  wireMoney,
  wireOf,
} from "./show.ts";
import { TRIGGER_ROWS } from "./trigger_words.ts";

type RestWords = { readonly [Code in keyof RestFacts]: Sentences<RestFacts[Code]> };

function wireUnusable({ leftOut, lacksVat }: RestFacts["no_reference"], text: string): string {
  const reasons = leftOut.map(({ why, count }) => `${count} ${why}`).join(", ");
  return `${lacksVat ? "vat_unknown: " : ""}${text}${reasons === "" ? "" : ` (${reasons})`}`;
}

const REST_WORDS: RestWords = {
  out_of_scope: {
    text: {
      de: "Das Produkt gehört nicht zu dieser Regel.",
      en: "The product does not belong to this rule.",
    },
    wire({ field, value }) {
      if (field === "sku") return "out of scope: sku {value} is not listed";
      return `out of scope: {field} is ${value === null ? "not set" : "{value}"}`;
    },
  },
  unseen: {
    text: {
      de: "In den letzten {days} Tagen wurde kein Wettbewerberpreis gesehen.",
      en: "No competitor price was seen in the last {days} days.",
    },
    wire: "no competitor observation in the last {days} days",
  },
  no_own_price: {
    text: {
      de: "Das Produkt hat keinen eigenen Preis.",
      en: "The product has no price of its own.",
    },
    wire: "no_own_price: the product has no own price",
  },
  no_reference: {
    text: {
      de: "Kein Wettbewerberpreis ist brauchbar.",
      en: "No competitor price is usable.",
    },
    wire: (facts) => wireUnusable(facts, "no usable competitor price"),
  },
  too_few_references: {
    text: {
      de: "Zu wenige Wettbewerber haben einen brauchbaren Preis.",
      en: "Too few competitors have a usable price.",
    },
    wire: (facts) =>
      wireUnusable(facts, "fewer than {minCompetitors} competitors have a usable price"),
  },
  no_second: {
    text: {
      de: "Es gibt keinen zweiten Wettbewerberpreis.",
      en: "There is no second competitor price.",
    },
    wire: "there is no second competitor price",
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
    text: {
      de: "Ohne Umsatzsteuersatz lässt sich keine Marge berechnen.",
      en: "Without a VAT rate, the margin cannot be computed.",
    },
    wire: "vat_unknown: the margin cannot be computed",
  },
};

const RESTS: Table<Sentences<AnyFacts>> = REST_WORDS;

export function saidText(to: Audience, { code, facts }: Statement): string {
  const sentences = sentencesOf(code);
  return toldOf(facts) ?? (sentences && textOf(sentences.text, facts, to)) ?? code;
}

export function wireSaid({ code, facts }: Statement): string {
  return worded(code, facts, sentencesOf(code));
}

export function guardDetail(to: Audience, { code, facts }: Statement): string | null {
  const detail = GUARD_ROWS[code]?.detail;
  return toldOf(facts) ?? ((detail && textOf(detail, facts, to)) || null);
}

export function wireObjection({ code, facts }: Statement): string {
  return worded(code, facts, GUARD_ROWS[code]);
}

export function wireNote({ code, facts }: Statement): string {
  const words = GUARD_ROWS[code];
  return worded(code, facts, words && { wire: words.note ?? words.wire });
}

function worded(
  code: string,
  facts: AnyFacts,
  words: Pick<Sentences<AnyFacts>, "wire"> | undefined,
): string {
  return toldOf(facts) ?? (words ? wireOf(words.wire, facts) : code);
}

/** Decisions stored before version 1.0.0 have the sentence `told` instead of facts. */
function toldOf({ told }: AnyFacts): string | null {
  return typeof told === "string" ? told : null;
}

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
  return TRIGGER_ROWS[code]?.said ?? RESTS[code];
}
