import { showMoney } from "../../base/money.ts";
import { recordOf } from "../../base/record_of.ts";
import type { Language } from "./language.ts";
import type { Show } from "./show.ts";

export type InBoth = Readonly<Record<Language, string>>;

/** The texts of a table in one language, by code. */
export function wordsIn<Code extends string>(
  language: Language,
  table: Readonly<Record<Code, InBoth>>,
): Record<Code, string> {
  const isCode = (code: string): code is Code => Object.hasOwn(table, code);
  return recordOf(Object.keys(table).filter(isCode), (code) => table[code][language]);
}

/**
 * Makes a text of the facts of one code, in both languages. It is the type of a method, so that a table
 * of all codes can be read by any code: facts always stand behind the code that they belong to.
 */
export type Say<Facts, Text = InBoth> = { say(facts: Facts, show: Show): Text }["say"];

export interface Sentences<Facts> {
  readonly text: Say<Facts>;
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
