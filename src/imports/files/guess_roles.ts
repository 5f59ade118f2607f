/**
 * What a column may be that no name gives away: its name is short for one, or its values look like
 * those of a field. Such a guess is shown to people and never read by itself: an import at night must
 * not take a price from a column that only looks like one.
 */

import { foldedName } from "../../base/codes.ts";
import { isGtin } from "../../base/gtin.ts";
import {
  type ColumnField,
  type ColumnName,
  fieldsShortenedTo,
  readColumnName,
} from "./field_words.ts";
import { namesPrice, shareThatFits } from "./suggest_columns.ts";

/** What a column may be, and what its name says of its prices. */
export interface RoleGuess extends Role, Pick<ColumnName, "side" | "currency"> {}

interface Role {
  readonly field: ColumnField;
  /** Low enough that people look at it. */
  readonly confidence: number;
}

interface UnreadColumn {
  readonly at: number;
  readonly name: string;
  readonly samples: readonly string[];
}

const SHARE_MIN = 0.9;
const VALUE_CHARS_MAX = 40;
const SIGNED = /[€£$]|\b(?:eur|euro|chf|usd|gbp|pln|czk|dkk|sek)\b/i;
/** Two decimals, and nothing else. */
const AMOUNT = /^\d{1,3}(?:[.,'’ ]?\d{3})*[.,]\d{2}$/;
const TITLE_CHARS = { min: 12, max: 250 } as const;

/** By the place of the column. A field that is `read` already is no guess, and each is guessed once. */
export function guessRoles(
  columns: readonly UnreadColumn[],
  read: ReadonlySet<string | null>,
): Map<number, RoleGuess> {
  const guesses = columns.flatMap(({ at, name, samples }) =>
    samples.length === 0 ? [] : rolesOf(name, samples).map((role) => ({ at, name, role }))
  ).sort((one, other) => other.role.confidence - one.role.confidence || one.at - other.at);
  const found = new Map<number, RoleGuess>();
  const taken = new Set(read);
  for (const { at, name, role } of guesses) {
    if (found.has(at) || taken.has(role.field)) continue;
    const { side, currency } = readColumnName(name);
    found.set(at, { ...role, side, currency });
    taken.add(role.field);
  }
  return found;
}

function rolesOf(name: string, samples: readonly string[]): Role[] {
  const short = fieldsShortenedTo(name).filter((field) =>
    shareThatFits(field, samples) >= SHARE_MIN
  );
  const [field] = short;
  const byName = field !== undefined && short.length === 1 ? [{ field, confidence: 0.5 }] : [];
  return [...byName, ...rolesByValue(samples)];
}

function rolesByValue(samples: readonly string[]): Role[] {
  const are = (looks: (text: string) => boolean) => areMostly(samples, looks);
  if (are(isGtin)) return [{ field: "ean", confidence: 0.6 }];
  if (are((text) => /^\d{13}$/.test(text))) return [{ field: "ean", confidence: 0.4 }];
  if (are(isMoney)) return [{ field: "price", confidence: 0.5 }];
  if (are(isAmount)) return [{ field: "price", confidence: 0.3 }];
  const isLong = new Set(samples).size >= SHARE_MIN * samples.length && are(isSentence);
  return isLong ? [{ field: "title", confidence: 0.4 }] : [];
}

/** Whether amounts stand in an element that is named so, to tell of one that nobody reads. */
export function looksLikePrice(name: string, samples: readonly string[]): boolean {
  if (areMostly(samples, isMoney)) return true;
  if (namesPrice(name)) return shareThatFits("price", samples) >= SHARE_MIN;
  return /preis|price/.test(foldedName(name)) && areMostly(samples, isAmount);
}

function areMostly(samples: readonly string[], looks: (text: string) => boolean): boolean {
  return samples.filter(looks).length >= SHARE_MIN * samples.length;
}

function isAmount(text: string): boolean {
  return text.length <= VALUE_CHARS_MAX && AMOUNT.test(text);
}

/** An amount with a sign or a code of a currency. */
function isMoney(text: string): boolean {
  return text.length <= VALUE_CHARS_MAX && SIGNED.test(text) && shareThatFits("price", [text]) > 0;
}

function isSentence(text: string): boolean {
  const { min, max } = TITLE_CHARS;
  return text.length >= min && text.length <= max && /\p{L}{3}/u.test(text) && /\s/.test(text);
}
