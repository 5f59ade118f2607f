import { TooComplex } from "../../../base/too_complex.ts";
import { parseJson } from "../page/json_text.ts";
import type { WorkBudget } from "../work_budget.ts";

/**
 * Parses a JSON-LD block. One that is not JSON is read again without what shops commonly leave in:
 * comments and CDATA marks, commas before a closing bracket, semicolons, line breaks and wrong
 * escapes within strings, quotes written as entities, and objects in a row without the brackets of a
 * list. None of these can change a value. Undefined when it is still not JSON. Throws `TooComplex`
 * when the page has no work left for so many values.
 */
export function parseJsonLd(text: string, work: WorkBudget): unknown {
  const json = parsed(text, work);
  if (json !== undefined || text.length > REPAIRED_CHARACTERS_MAX) return json;
  const bare = repaired(text.includes('"') ? text : withoutEntities(text));
  if (bare === null) return undefined;
  return parsed(bare, work) ?? parsed(`[${bare}]`, work);
}

function parsed(text: string, work: WorkBudget): unknown {
  try {
    return parseJson(text, work);
  } catch (error) {
    if (error instanceof TooComplex) throw error;
    // A block that nobody can read: the page is read without it.
    return undefined;
  }
}

/** No honest block that is broken is longer. */
const REPAIRED_CHARACTERS_MAX = 1024 * 1024;

function withoutEntities(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

const MARKS = ["<!--", "-->", "<![CDATA[", "]]>"] as const;
const PLAIN = /[^"/<\-\],;]+/y;
const BLANKS = /\s*/y;
/** What scripts write for a number that they do not have. */
const NO_VALUE = /\b(?:NaN|Infinity|undefined)\b/g;

/** One pass over the text; null where a string or a comment has no end. */
function repaired(text: string): string | null {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = restAt(text, at);
    if (rest === null) return null;
    if (rest.keep) parts.push(rest.keep);
    at = rest.end;
  }
  return parts.join("");
}

/** What to keep of the token that begins at a place, and where the next one begins. */
function restAt(text: string, at: number): { keep: string | null; end: number } | null {
  const plainEnd = endOf(PLAIN, text, at);
  if (plainEnd > at) {
    return { keep: text.slice(at, plainEnd).replace(NO_VALUE, "null"), end: plainEnd };
  }
  const first = text.charAt(at);
  if (first === '"') {
    const end = stringEnd(text, at);
    return end === null ? null : { keep: repairedString(text.slice(at, end)), end };
  }
  const mark = MARKS.find((known) => text.startsWith(known, at));
  if (mark) return { keep: null, end: at + mark.length };
  if (text.startsWith("/*", at)) {
    const end = text.indexOf("*/", at + 2);
    return end === -1 ? null : { keep: null, end: end + 2 };
  }
  if (text.startsWith("//", at)) return { keep: null, end: lineCommentEnd(text, at + 2) };
  const next = text.charAt(endOf(BLANKS, text, at + 1));
  const isStray = first === ";" || (first === "," && (next === "]" || next === "}"));
  return { keep: isStray ? null : first, end: at + 1 };
}

/** A mark behind the slashes, as in `//<![CDATA[`, ends the comment: JSON may follow on the line. */
function lineCommentEnd(text: string, at: number): number {
  const begin = endOf(BLANKS, text, at);
  if (MARKS.some((mark) => text.startsWith(mark, begin))) return begin;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function stringEnd(text: string, at: number): number | null {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x5c) end += 1;
    else if (code === 0x22) return end + 1;
  }
  return null;
}

function repairedString(token: string): string {
  return token
    // deno-lint-ignore no-control-regex -- exactly those that JSON forbids
    .replace(/[\u0000-\u001f]/g, " ")
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|([^]))/g, (all, wrong) => wrong ?? all);
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
