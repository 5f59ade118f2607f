/**
 * Sentences of decisions, made of codes and facts: for people in their language, for interfaces in
 * English. The compiler asks for a row for each reason to rest and for each note.
 */
import type { Rest, Saying } from "../pricing/said.ts";
import { type AnyFacts, type Sentences, type Table, wireMoney } from "./sentences.ts";
import type { NoteFacts } from "../pricing/bounds.ts";
import { AIM_WORDS } from "./sentence_words.ts";
import type { Reason } from "../pricing/decide.ts";
import { guardWordsOf } from "./guard_words.ts";
import type { Listener } from "./language.ts";
import { TRIGGER_WORDS, type TriggerWords } from "./trigger_words.ts";

type RestWords = {
  readonly [One in Rest as One["code"]]: Sentences<One["facts"]>;
};

type Unusable = Extract<Rest, { code: "no_reference" }>["facts"];

/** "vat_unknown: no usable competitor price (1 stale, 2 out_of_stock)" */
function wireUnusable({ leftOut, lacksVat }: Unusable, text: string): string {
  const reasons = leftOut.map(({ why, count }) => `${count} ${why}`).join(", ");
  return `${lacksVat ? "vat_unknown: " : ""}${text}${reasons === "" ? "" : ` (${reasons})`}`;
}

export const REST_WORDS: RestWords = {
  out_of_scope: {
    de: () => "Das Produkt gehört nicht zu dieser Regel.",
    en: () => "The product does not belong to this rule.",
    wire({ field, value }) {
      const shown = value ?? "not set";
      return field === "sku"
        ? `out of scope: sku ${shown} is not listed`
        : `out of scope: ${field} is ${shown}`;
    },
  },
  unseen: {
    de: ({ days }) => `In den letzten ${days} Tagen wurde kein Wettbewerberpreis gesehen.`,
    en: ({ days }) => `No competitor price was seen in the last ${days} days.`,
    wire: ({ days }) => `no competitor observation in the last ${days} days`,
  },
  no_own_price: {
    de: () => "Das Produkt hat keinen eigenen Preis.",
    en: () => "The product has no price of its own.",
    wire: () => "no_own_price: the product has no own price",
  },
  no_reference: {
    de: () => "Kein Wettbewerberpreis ist brauchbar.",
    en: () => "No competitor price is usable.",
    wire: (facts) => wireUnusable(facts, "no usable competitor price"),
  },
  too_few_references: {
    de: () => "Zu wenige Wettbewerber haben einen brauchbaren Preis.",
    en: () => "Too few competitors have a usable price.",
    wire: (facts) =>
      wireUnusable(
        facts,
        `fewer than ${facts.minCompetitors} competitors have a usable price`,
      ),
  },
  no_second: {
    de: () => "Es gibt keinen zweiten Wettbewerberpreis.",
    en: () => "There is no second competitor price.",
    wire: () => "there is no second competitor price",
  },
  cost_unknown: {
    de: ({ isZero }) =>
      isZero
        ? "0 zählt nicht als Einkaufspreis; ohne ihn lässt sich keine Marge rechnen."
        : "Ohne Einkaufspreis lässt sich keine Marge rechnen.",
    en: ({ isZero }) =>
      isZero
        ? "0 counts as no cost; without the cost there is no margin."
        : "Without the cost there is no margin.",
    wire: ({ isZero }) =>
      `cost_unknown: ${isZero ? "a cost of 0 is none, " : ""}the margin cannot be computed`,
  },
  vat_unknown: {
    de: () => "Ohne Umsatzsteuersatz lässt sich keine Marge rechnen.",
    en: () => "Without a VAT rate there is no margin.",
    wire: () => "vat_unknown: the margin cannot be computed",
  },
};

type NoteTable = { readonly [Code in keyof NoteFacts]: Sentences<NoteFacts[Code]> };

const OF = {
  rule: { de: "der Regel", en: "of the rule" },
  product: { de: "des Produkts", en: "of the product" },
};

export const NOTE_WORDS: NoteTable = {
  margin_floor: {
    de: ({ floorPct }, show) => `auf die Mindestmarge von ${show.percent(floorPct)} angehoben`,
    en: ({ floorPct }, show) => `lifted to the margin floor of ${show.percent(floorPct)}`,
    wire: ({ floorPct }) => `lifted to the margin floor of ${floorPct} %`,
  },
  markup_floor: {
    de: ({ markupPct }, show) => `auf Einkauf + ${show.percent(markupPct)} angehoben`,
    en: ({ markupPct }, show) => `lifted to cost + ${show.percent(markupPct)}`,
    wire: ({ markupPct }) => `lifted to the cost and ${markupPct} %`,
  },
  min_price: {
    de: ({ cents, currency, of }, show) =>
      `auf den Mindestpreis ${OF[of].de} angehoben (${show.money(cents, currency)})`,
    en: ({ cents, currency, of }, show) =>
      `lifted to the lowest price ${OF[of].en} (${show.money(cents, currency)})`,
    wire: ({ cents, currency, of }) =>
      `lifted to the lowest price ${OF[of].en}, ${wireMoney(cents, currency)}`,
  },
  max_price: {
    de: ({ cents, currency, of }, show) =>
      `auf den Höchstpreis ${OF[of].de} gesenkt (${show.money(cents, currency)})`,
    en: ({ cents, currency, of }, show) =>
      `lowered to the highest price ${OF[of].en} (${show.money(cents, currency)})`,
    wire: ({ cents, currency, of }) =>
      `lowered to the highest price ${OF[of].en}, ${wireMoney(cents, currency)}`,
  },
  below_target: {
    de: ({ pct }, show) => `auf höchstens ${show.percent(pct)} unter UVP angehoben`,
    en: ({ pct }, show) => `lifted to at most ${show.percent(pct)} below RRP`,
    wire: ({ pct }) => `lifted to at most ${pct} % below the target price`,
  },
  above_target: {
    de: ({ pct }, show) => `auf höchstens ${show.percent(pct)} über UVP gesenkt`,
    en: ({ pct }, show) => `lowered to at most ${show.percent(pct)} above RRP`,
    wire: ({ pct }) => `lowered to at most ${pct} % above the target price`,
  },
  max_move: {
    de: ({ maxPct, goalCents, currency, isOfDay }, show) =>
      `höchstens ${show.percent(maxPct)} ${isOfDay ? "am Tag" : "auf einmal"}, Ziel ist ${
        show.money(goalCents, currency)
      }`,
    en: ({ maxPct, goalCents, currency, isOfDay }, show) =>
      `at most ${show.percent(maxPct)} ${isOfDay ? "a day" : "at once"}, the goal is ${
        show.money(goalCents, currency)
      }`,
    wire: ({ maxPct, goalCents, currency, isOfDay }) =>
      `at most ${maxPct} % ${isOfDay ? "a day" : "at once"}, the goal is ${
        wireMoney(goalCents, currency)
      }`,
  },
  ending_dropped: {
    de: () => "ohne die gewünschte Endung, für die kein Platz ist",
    en: () => "without the wanted ending, for which there is no room",
    wire: () => "without its ending, for which the bounds leave no room",
  },
  fallback: {
    de: ({ kind }) => `ohne Vergleichspreis, daher nach ${AIM_WORDS[kind].de}`,
    en: ({ kind }) => `without a reference, so by ${AIM_WORDS[kind].en}`,
    wire: ({ kind }) => `without a reference, so by ${AIM_WORDS[kind].wire}`,
  },
};

const RESTS: Table<Sentences<AnyFacts>> = REST_WORDS;
const NOTES: Table<Sentences<AnyFacts>> = NOTE_WORDS;

/** Why a trigger fired or a rule rests; the code itself where nobody has words for it. */
export function saidText(
  { language, show }: Listener,
  { code, facts }: Saying,
  triggers: Table<TriggerWords> = TRIGGER_WORDS,
): string {
  return sentencesOf(code, triggers)?.[language](facts, show) ?? code;
}

/** The same in the interfaces. */
export function wireSaid(
  { code, facts }: Saying,
  triggers: Table<TriggerWords> = TRIGGER_WORDS,
): string {
  return sentencesOf(code, triggers)?.wire(facts) ?? code;
}

/** What a guard saw beyond its name; null when there is no more to say. */
export function guardDetail({ language, show }: Listener, { code, facts }: Saying): string | null {
  return guardWordsOf(code)?.detail?.[language](facts, show) || null;
}

/** What a guard has against a price, in the interfaces. */
export function wireObjection({ code, facts }: Saying): string {
  return guardWordsOf(code)?.wire(facts) ?? code;
}

/** What has changed a price on its way, in the interfaces. */
export function wireNote({ code, facts }: Saying): string {
  return NOTES[code]?.wire(facts) ?? code;
}

/** The same for people; the code itself where nobody has words for it. */
export function noteText({ language, show }: Listener, { code, facts }: Saying): string {
  return NOTES[code]?.[language](facts, show) ?? code;
}

/** The field `reason` of the interfaces: what was seen, the price, what stands against it. */
export function wireReason(reason: Reason): string {
  const { said, price, outrankedBy, objections, isCoolingDown } = reason;
  const parts = [wireSaid(said)];
  if (price !== null) {
    const { formula, from, cents, currency, notes } = price;
    const noted = notes.map((note) => `, ${wireNote(note)}`).join("");
    const source = formula ?? (from === null ? "price" : AIM_WORDS[from].wire);
    parts.push(`${source} gives ${wireMoney(cents, currency)}${noted}`);
  }
  if (outrankedBy !== null) {
    parts.push(withCode({ code: "outranked", facts: { ruleName: outrankedBy } }));
  }
  if (objections.length > 0) {
    const so = price === null ? "no price" : "not applied without a person";
    parts.push(`${so}: ${objections.map(withCode).join(", ")}`);
  }
  if (isCoolingDown) parts.push(withCode({ code: "cooldown", facts: { lastFiredAt: null } }));
  return parts.join("; ");
}

function withCode(objection: Saying): string {
  return `${objection.code}: ${wireObjection(objection)}`;
}

function sentencesOf(code: string, triggers: Table<TriggerWords>) {
  return triggers[code]?.said ?? RESTS[code];
}
