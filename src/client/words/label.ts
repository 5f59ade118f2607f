/**
 * `say("Regeln", "Rules")` writes a text in both languages side by side; a plain string is the same in
 * both. A text with placeholders, `say("{count} Regeln", "{count} rules")`, becomes a function that takes
 * their values in the order of the German text; `{count|rule|rules}` is the word for "1", or the word for
 * all other values. Other sentences that depend on values are one function per language. `textsIn`
 * selects one language from a tree of such texts.
 */
import { codeWords } from "../../engine/wording/code_words.ts";
import { columnWords } from "../../engine/wording/column_words.ts";
import type { Language } from "../../base/language.ts";

export class Said<T> {
  readonly #texts: Readonly<Record<Language, T | null>>;

  /** Without English the service's own words are shown. */
  constructor(de: T, en: T | null) {
    this.#texts = { de, en };
  }

  in(language: Language): T | null {
    return this.#texts[language];
  }
}

type NameOf<Place extends string> = Place extends `${infer Name}|${string}` ? Name : Place;

/** The values of the places of a text, each once. */
type Values<Text extends string, Seen = never> = Text extends
  `${string}{${infer Place}}${infer Rest}` ? NameOf<Place> extends Seen ? Values<Rest, Seen>
  : [value: string, ...Values<Rest, Seen | NameOf<Place>>]
  : [];

type Filled<Text extends string> = Values<Text> extends [] ? string
  : (...values: Values<Text>) => string;

const PLACE = /\{(\w+)(?:\|([^{|}]*)\|([^{}]*))?\}/g;

export function say<const Text extends string>(de: Text, en: string | null): Said<Filled<Text>>;
export function say<T>(de: T, en: NoInfer<T> | null): Said<T>;
export function say(de: unknown, en: unknown): Said<unknown> {
  if (typeof de !== "string") return new Said(de, en);
  const names = [...new Set(de.matchAll(PLACE).map(([, name]) => name))];
  if (names.length === 0) return new Said(de, en);
  const fill = (text: string) => (...values: string[]) =>
    text.replace(PLACE, (place, name, one, many) => {
      const value = values[names.indexOf(name)] ?? place;
      return one === undefined ? value : value === "1" ? one : many;
    });
  return new Said(fill(de), fill(String(en)));
}

/** A text for each code of a list: one that is missing does not compile. */
export type Labels<Code extends string> = Readonly<Record<Code, Said<string> | string>>;

type Leaf = string | readonly unknown[] | ((...given: never[]) => unknown);

type InBoth<T> = T extends Leaf ? Said<T> : { readonly [Name in keyof T]: InBoth<T[Name]> };

/** Trees of texts that are kept by language elsewhere; English ones may be missing. */
export function sayAll<T extends object>(de: T, en: Partial<NoInfer<T>>): InBoth<T>;
export function sayAll(de: object, en: Readonly<Record<string, unknown>>): unknown {
  return mapped(de, (text, name) => {
    const other = en[name] ?? null;
    return isTree(text) ? sayAll(text, isTree(other) ? other : {}) : new Said(text, other);
  });
}

/** The names that the files of the service and its mails use, too. */
export const codes = sayAll(codeWords("de"), codeWords("en"));
export const columns = sayAll(columnWords("de"), columnWords("en"));

export type In<T> = T extends Said<infer Text> ? Text
  : T extends Leaf ? T
  : { readonly [Name in keyof T]: In<T[Name]> };

/** The texts of a tree in one language. */
export function textsIn<T extends object>(tree: T, language: Language): In<T>;
export function textsIn(tree: object, language: Language): unknown {
  return mapped(tree, (part) => {
    if (part instanceof Said) return part.in(language);
    return isTree(part) ? textsIn(part, language) : part;
  });
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object with each of its values as `change` makes it; without those that become `null`. */
function mapped(tree: object, change: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(
    Object.entries(tree)
      .map(([name, value]) => [name, change(value, name)])
      .filter(([, value]) => value !== null),
  );
}

/** The label of a code of the service; a code that this page does not know yet is shown as it is. */
export function labelIn(labels: Readonly<Record<string, string>>, code: string): string {
  return labels[code] ?? code;
}

/** The word for one, or the one for none and many: German and English need no more. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** The labels as the options of a choice. */
export function optionsOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
