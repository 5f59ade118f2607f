/** Reads the fields of a rule for its sentence, from a stored rule or an incomplete form. */
import type { Audience } from "./show.ts";
import type { SentenceWords } from "./sentence_words.ts";

/** Fields of a rule, as in a stored rule or a form. */
export type Fields = Readonly<Record<string, unknown>>;

export interface SentenceSpeaker extends Audience {
  nameOf(competitorId: string): string;
}

/** The context of every fragment: the words, and the formats of money and numbers. */
export interface TextContext {
  readonly words: SentenceWords;
  readonly speaker: SentenceSpeaker;
  readonly currency: string;
}

/**
 * A fragment of the sentence, and the path of the field that it describes, such as
 * `bounds.maxCents`.
 */
export interface Said {
  readonly path: string;
  readonly text: string;
}

/**
 * Describes a field; null if it has its default value. Each table below has one for each field.
 */
export type Say = (fields: Fields, context: TextContext) => string | null;

/** Fragments for the fields that differ from their defaults, in the order of the table. */
export function sayAll(
  table: Readonly<Record<string, Say>>,
  source: Fields,
  path: string | null,
  context: TextContext,
): Said[] {
  return Object.entries(table).flatMap(([name, say]) => {
    const text = say(source, context);
    return text === null ? [] : [{ path: path === null ? name : `${path}.${name}`, text }];
  });
}

/** A field in words; null if it is missing or has its default value. */
export function some(
  source: Fields,
  name: string,
  context: TextContext,
  fallback: number | null,
  say: (shown: string) => string,
): string | null {
  const value = source[name];
  if (value === fallback) return null;
  const shown = text(source, name, context);
  return shown === "" ? null : say(shown);
}

export function text(source: Fields, name: string, { speaker }: TextContext): string {
  const value = source[name];
  if (typeof value === "number") return speaker.show.number(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value).trim() : "";
}

export function money(cents: number, { speaker, currency }: TextContext): string {
  return speaker.show.money(cents, currency);
}

export function list(source: Fields, name: string): string[] {
  const value = source[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function fields(source: Fields, name: string): Fields {
  const value = source[name];
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
