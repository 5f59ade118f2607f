import { showMoney } from "../../base/money.ts";
import { recordOf } from "../../base/record_of.ts";
import type { Language } from "./language.ts";
import type { Show } from "./show.ts";

/** A text that needs no facts. */
export type InBoth = Readonly<Record<Language, string>>;

/** What a language says of each code of a table. */
export function wordsIn<Code extends string>(
  language: Language,
  table: Readonly<Record<Code, InBoth>>,
): Record<Code, string> {
  const isCode = (code: string): code is Code => Object.hasOwn(table, code);
  return recordOf(Object.keys(table).filter(isCode), (code) => table[code][language]);
}

/**
 * How one code is said. The methods are only ever called with the facts of that code: tables of them
 * are exhaustive over the codes, and whoever makes facts puts their code before them.
 */
export interface Sentences<Facts> {
  de(facts: Facts, show: Show): string;
  en(facts: Facts, show: Show): string;
  /** In the interfaces' fields `reason` and `why`: English, amounts as "269.10 EUR". */
  wire(facts: Facts): string;
}

/** Facts of any code, as a trace has them. */
export type AnyFacts = Readonly<Record<string, unknown>>;

/** Tables as they are read by a code that may come from a trace. */
export type Table<Row> = Readonly<Record<string, Row | undefined>>;

/** "about 269.10 EUR" for an amount from which something was rounded off. */
export function wireMoney(cents: number, currency: string, isExact = true): string {
  return `${isExact ? "" : "about "}${showMoney(cents, currency)}`;
}
