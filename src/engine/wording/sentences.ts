/**
 * Sentences with facts in braces, such as `bis {until}`. The name of a fact decides its format.
 * Names of amounts end in `Cents`, and of percentages in `Pct`. Times are called `at` or `until`,
 * or their name ends in `At`. A sentence whose words depend on its facts is a function.
 */
import type { Language } from "../../base/language.ts";
import { showMoney } from "../../base/money.ts";
import type { Audience, InBoth, Show } from "./show.ts";

export type AnyFacts = Readonly<Record<string, unknown>>;

/** `choose` is a method, because TypeScript compares parameters of methods less strictly. */
type Chosen<Facts, Text> = { choose(facts: Facts, show: Show): Text }["choose"];
type ChosenWire<Facts> = { choose(facts: Facts): string }["choose"];

export type Text<Facts> = InBoth | Chosen<Facts, InBoth | null>;

/** The English text for fields of the API, with amounts such as "269.10 EUR". */
export type Wire<Facts> = string | ChosenWire<Facts>;

export interface Sentences<Facts> {
  readonly text: Text<Facts>;
  readonly wire: Wire<Facts>;
}

/** Rows by code. A code from a stored decision may have no row. */
export type Table<Row> = Readonly<Record<string, Row | undefined>>;

export function textOf(
  text: Text<AnyFacts>,
  facts: AnyFacts,
  { language, show }: Audience,
): string | null {
  const chosen = typeof text === "function" ? text(facts, show) : text;
  if (chosen === null) return null;
  return filled(chosen[language], facts, {
    money: (cents) => show.money(cents, currencyOf(facts)),
    percent: show.percent,
    number: show.number,
    time: show.dateTime,
    list: (items) => items.join(", "),
  });
}

export function wireOf(wire: Wire<AnyFacts>, facts: AnyFacts): string {
  return filled(typeof wire === "function" ? wire(facts) : wire, facts, {
    money: (cents) => wireMoney(cents, currencyOf(facts)),
    percent: (pct) => `${pct} %`,
    number: String,
    time: String,
    list: ([first]) => String(first ?? "a competitor"),
  });
}

/** Returns "269.10 EUR", or "about 269.10 EUR" if the amount was rounded. */
export function wireMoney(cents: number, currency: string, isExact = true): string {
  return `${isExact ? "" : "about "}${showMoney(cents, currency)}`;
}

export function alike(text: string): Readonly<Record<Language, string>> {
  return { de: text, en: text };
}

interface Formats {
  money(cents: number): string;
  percent(pct: number): string;
  number(value: number): string;
  time(instant: string): string;
  list(items: readonly unknown[]): string;
}

/**
 * Leaves out facts that are null. Braces around an unknown name stay, because names of shops may
 * contain braces.
 */
function filled(sentence: string, facts: AnyFacts, formats: Formats): string {
  return sentence.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const value = facts[name];
    if (value === undefined) return braces;
    if (Array.isArray(value)) return formats.list(value);
    if (typeof value === "number") {
      if (/cents$/i.test(name)) return formats.money(value);
      return /pct$/i.test(name) ? formats.percent(value) : formats.number(value);
    }
    const text = value === null ? "" : String(value);
    return text !== "" && /^(?:at|until)$|At$/.test(name) ? formats.time(text) : text;
  });
}

function currencyOf({ currency }: AnyFacts): string {
  return typeof currency === "string" ? currency : "";
}
