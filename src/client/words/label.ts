/**
 * Declares texts in both languages: `de("Regeln").en("Rules")`. A plain string is the same in both
 * languages. A text with placeholders becomes a function with one parameter per placeholder, in the
 * order of the German text. `{count rule|rules}` gives `1 rule` or `2 rules`, and `{count|is|are}`
 * gives `is` or `are`. `{name?of #|of none}` gives `of Anna`, or `of none` for an empty name.
 */
import { CODE_WORDS } from "../../engine/wording/code_words.ts";
import { COLUMN_WORDS } from "../../engine/wording/column_words.ts";
import type { Language } from "../../base/codes.ts";

type NumberText = (value: number) => string;

export class Translated<T> {
  /** For a missing English text, returns null; the client then shows the service's text. */
  readonly in: (language: Language, numberText: NumberText) => T | null;

  constructor(textIn: Translated<T>["in"]) {
    this.in = textIn;
  }
}

function translated<T>(de: T, en: T | null): Translated<T> {
  return new Translated((language) => ({ de, en })[language]);
}

type Before<Text, Mark extends string> = Text extends `${infer Head}${Mark}${string}` ? Head : Text;

type NameOf<Place extends string> = Before<Before<Before<Place, "|">, "?">, " ">;

/** One parameter for each name of a placeholder, even if the name occurs several times. */
type Values<Text extends string, Seen = never> = Text extends
  `${string}{${infer Place}}${infer Rest}` ? NameOf<Place> extends Seen ? Values<Rest, Seen>
  : [value: string | number, ...Values<Rest, Seen | NameOf<Place>>]
  : [];

type Filled<Text extends string> = Values<Text> extends [] ? string
  : (...values: Values<Text>) => string;

const PLACE = /\{(\w+)(?:([|? ])([^{|}]*)(?:\|([^{}]*))?)?\}/g;

interface German<T, English = T> {
  en(text: English | null): Translated<T>;
}

export function de<const Text extends string>(german: Text): German<Filled<Text>, string>;
export function de<Given extends readonly unknown[]>(
  german: (...given: Given) => string,
): German<(...given: Given) => string>;
export function de<T>(german: T): German<T>;
export function de(german: unknown): German<unknown> {
  return {
    en: (english) =>
      typeof german === "string" ? filledBoth(german, english) : translated(german, english),
  };
}

function filledBoth(german: string, english: unknown): Translated<unknown> {
  const names = [...new Set(german.matchAll(PLACE).map(([, name]) => name))];
  if (names.length === 0) return translated<unknown>(german, english);
  const texts = { de: german, en: String(english) };
  return new Translated((language, numberText) => (...values: (string | number)[]) => {
    const shown = values.map((value) => typeof value === "number" ? numberText(value) : value);
    return texts[language].replace(PLACE, (place, name, kind, first, second = "") => {
      const value = shown[names.indexOf(name)] ?? place;
      if (kind === undefined) return value;
      const isFirst = kind === "?" ? value !== "" : value === "1";
      const text = (isFirst ? first : second).replaceAll("#", value);
      return kind === " " ? `${value} ${text}` : text;
    });
  });
}

export type Labels<Code extends string> = Readonly<Record<Code, Translated<string> | string>>;

type Leaf = string | readonly unknown[] | ((...given: never[]) => unknown);

type InBoth<T> = T extends Leaf ? Translated<T> : { readonly [Name in keyof T]: InBoth<T[Name]> };

/** Joins the German and English texts by key; English texts may be missing. */
export function sayAll<T extends object>(german: T, english: Partial<NoInfer<T>>): InBoth<T>;
export function sayAll(german: object, english: Readonly<Record<string, unknown>>): unknown {
  return mapped(german, (text, name) => {
    const other = english[name] ?? null;
    return isTree(text) ? sayAll(text, isTree(other) ? other : {}) : translated(text, other);
  });
}

export const codes = sayAll(CODE_WORDS.de, CODE_WORDS.en);
export const columns = sayAll(COLUMN_WORDS.de, COLUMN_WORDS.en);

export type In<T> = T extends Translated<infer Text> ? Text
  : T extends Leaf ? T
  : { readonly [Name in keyof T]: In<T[Name]> };

export function textsIn<T extends object>(
  tree: T,
  language: Language,
  numberText: NumberText,
): In<T>;
export function textsIn(tree: object, language: Language, numberText: NumberText): unknown {
  return mapped(tree, (part) => {
    if (part instanceof Translated) return part.in(language, numberText);
    return isTree(part) ? textsIn(part, language, numberText) : part;
  });
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapped(tree: object, change: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(
    Object.entries(tree)
      .map(([name, value]) => [name, change(value, name)])
      .filter(([, value]) => value !== null),
  );
}

export function labelIn(labels: Readonly<Record<string, string>>, code: string): string {
  return labels[code] ?? code;
}
