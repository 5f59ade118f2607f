/**
 * Finds prices in the script data of a page. A place such as `__NEXT_DATA__ $.product.price / 100`
 * consists of the data's name and a path (RFC 9535). `/ 100` means that the value is in hundredths,
 * such as cents. Keys that have digits or look generated become `*`, because such keys belong to
 * one page.
 */

import {
  currencyOf,
  plainDecimal,
  readAmount,
  type Writing,
  type WrittenAmount,
} from "../amount.ts";
import { parsedJson } from "../page/extraction_page.ts";
import { type HtmlElement, rawTextOf } from "../page/html_element.ts";
import { OTHER_KEY, SCRIPT_CHARACTERS_MAX } from "../shown/shown_prices.ts";
import { isMadeWord } from "./recipe.ts";

export interface StatePrice extends WrittenAmount {
  readonly statePath: string;
  readonly text: string;
}

const WORD_CHARACTERS_MAX = 40;

const OPENING =
  /(?:=|\((?:\s{0,8}["'][\w-]{1,40}["']\s{0,8},)?)\s{0,8}(?=(?:\{\s{0,40}["}]|\[\s{0,40}["{[\]\d-]))/g;
const NAME_BEFORE = /([\w$.]{1,60})(?:["']\])?\s{0,8}(=|\.push\()$/;
const GLOBAL = /^(?:window|self|globalThis)\./;
const NAME = /^[A-Za-z_$][A-Za-z_$.-]*$/;
const KEY = /^[A-Za-z_$][A-Za-z_$-]*$/;
const PLAIN_KEY = /^[A-Za-z_]+$/;
const PRICE_WORD = /price|preis|amount|betrag|prix|cost/i;
const CURRENCY_KEY = /^(?:price)?_?(?:currency|waehrung|währung)(?:_?(?:code|iso))?$/i;
const PLAIN_NUMBER = /^\d{1,12}(?:\.\d{1,4})?$/;

/**
 * Returns at most 200 prices in page order. A whole number of at least 100 is listed twice:
 * unchanged, and as hundredths.
 */
export function statePrices(
  scripts: readonly HtmlElement[],
  writing: Writing,
): readonly StatePrice[] {
  const reading = new StateReading(writing);
  for (const { name, text } of scriptBlocks(scripts)) {
    if (name !== null) reading.walk(name, parsedJson(text), ROOT);
  }
  return reading.prices;
}

interface ScriptBlock {
  readonly name: string | null;
  /** A text that begins like JSON, but may be code. */
  readonly text: string;
}

export function* scriptBlocks(scripts: readonly HtmlElement[]): Iterable<ScriptBlock> {
  let [characters, blocks] = [0, 0];
  for (const script of scripts) {
    const text = rawTextOf(script);
    characters += text.length;
    if (characters > SCRIPT_CHARACTERS_MAX) return;
    const begin = text.trimStart();
    if (/^[{[]/.test(begin)) {
      yield { name: nameOfScript(script), text: begin };
      continue;
    }
    let end = 0;
    for (const { index, 0: { length } } of text.matchAll(OPENING)) {
      if (index < end) continue;
      if (blocks >= 60) break;
      blocks += 1;
      const start = index + length;
      const size = lengthOfJson(text, start);
      if (size === 0) continue;
      end = start + size;
      yield { name: nameBefore(text, index), text: text.slice(start, end) };
    }
  }
}

export function lengthOfJson(text: string, start: number): number {
  let [depth, isText] = [0, false];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 0x5c) at += 1; // A backslash escapes the next character.
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1 - start;
    }
  }
  return 0;
}

function nameOfScript({ attribs: { id } }: HtmlElement): string {
  return id !== undefined && isName(id) ? `#${id}` : "json";
}

function isName(text: string): boolean {
  return text.length <= WORD_CHARACTERS_MAX && NAME.test(text) &&
    !text.split(/[_.-]+/).some(isMadeWord);
}

interface Trail {
  readonly path: string;
  /** The last three keys of `path`. */
  readonly keys: readonly string[];
  readonly currency: string | null;
  readonly depth: number;
}

const ROOT: Trail = { path: "$", keys: [], currency: null, depth: 0 };

class StateReading {
  readonly prices: StatePrice[] = [];
  readonly #writing: Writing;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  walk(name: string, value: unknown, trail: Trail): void {
    if (trail.depth > 24) return;
    if (this.prices.length >= 200) return;
    const depth = trail.depth + 1;
    if (Array.isArray(value)) {
      for (const [n, child] of value.slice(0, 10).entries()) {
        this.walk(name, child, { ...trail, depth, path: `${trail.path}[${n}]` });
      }
    } else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      const currency = currencyAmong(entries) ?? trail.currency;
      for (const [key, child] of entries) {
        const keys = [...trail.keys, key.slice(0, WORD_CHARACTERS_MAX)].slice(-3);
        this.walk(name, child, { path: trail.path + stepOf(key), keys, currency, depth });
      }
    } else if (isNamedPrice(trail.keys)) this.#note(name, value, trail);
  }

  #note(name: string, value: unknown, { path, keys, currency }: Trail): void {
    if (path.length + name.length > 240) return;
    const raw = typeof value === "number" ? String(value) : value;
    if (typeof raw !== "string" || raw.length > WORD_CHARACTERS_MAX || !/[1-9]/.test(raw)) return;
    if (typeof value === "number" && !PLAIN_NUMBER.test(raw)) return;
    const kind = typeof value === "number" ? "number" : "machine";
    const amount = readAmount({ text: raw, kind, shown: null }, this.#writing);
    if ("reason" in amount || !amount.isSure) return;
    const code = amount.currency ?? currency;
    const codes = code === null ? [] : [code];
    const statePath = `${name} ${path}`;
    const text = `${keys.at(-1) ?? ""}: ${raw}`.toWellFormed();
    this.prices.push({ statePath, decimal: plainDecimal(amount.decimal), codes, text });
    if (!/^\d{1,12}$/.test(raw) || Number(raw) < 100) return;
    const decimal = plainDecimal(`${raw.slice(0, -2)}.${raw.slice(-2)}`);
    this.prices.push({ statePath: `${statePath} / 100`, decimal, codes, text });
  }
}

/** Returns null for a generated name, because other pages lack such a name. */
function nameBefore(text: string, at: number): string | null {
  const [, name = "", sign] = NAME_BEFORE.exec(text.slice(Math.max(0, at - 80), at + 1)) ?? [];
  const bare = name.replace(GLOBAL, "");
  if (!isName(bare)) return null;
  return sign === "=" ? bare : `${bare}.push`;
}

function stepOf(key: string): string {
  if (key.length > WORD_CHARACTERS_MAX || !KEY.test(key)) return ".*";
  if (key.split(/[_-]+/).some(isMadeWord)) return ".*";
  return PLAIN_KEY.test(key) ? `.${key}` : `['${key}']`;
}

function isNamedPrice(keys: readonly string[]): boolean {
  return keys.some((key) => PRICE_WORD.test(key)) &&
    !keys.slice(-2).some((key) => OTHER_KEY.test(key));
}

function currencyAmong(entries: readonly (readonly [string, unknown])[]): string | null {
  for (const [key, value] of entries) {
    if (typeof value !== "string" || key.length > WORD_CHARACTERS_MAX) continue;
    if (!CURRENCY_KEY.test(key)) continue;
    const code = currencyOf(value);
    if (code !== null) return code;
  }
  return null;
}
