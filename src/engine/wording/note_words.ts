/** What has changed a price on its way, in both languages. The compiler asks for a row per note. */
import type { NoteFacts } from "../pricing/notes.ts";
import { AIM_WORDS } from "./aim_words.ts";
import { type Sentences, wireMoney } from "./sentences.ts";

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
