/** The fields of a rule that its sentence needs, from a stored rule or an incomplete form. */
import type { Audience } from "./show.ts";
import type { SentenceWords } from "./sentence_words.ts";

/** Fields of a rule, as they are stored or as a form has them. */
export type Fields = Readonly<Record<string, unknown>>;

export interface SentenceSpeaker extends Audience {
  nameOf(competitorId: string): string;
}

/** The context of every piece: the words, and how money and numbers are shown. */
export interface TextContext {
  readonly words: SentenceWords;
  readonly speaker: SentenceSpeaker;
  readonly currency: string;
}

/** A piece of the sentence, and the field of the rule that it tells: a path such as `bounds.maxCents`. */
export interface Said {
  readonly path: string;
  readonly text: string;
}

/** How a field is said; null at its default. The tables below have one of it for each field. */
export type Say = (fields: Fields, context: TextContext) => string | null;

/** The fields that are not at their default, in the order of the table. */
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

/** A field in words; null at its default and where it is missing. */
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
