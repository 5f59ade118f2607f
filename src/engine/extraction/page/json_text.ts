import type { WorkBudget } from "../work_budget.ts";

/** An object of JSON that nobody has looked into. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells objects from lists, and from all that is not made of parts. */
export function isJsonObject(json: unknown): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Parsing a part and walking over it, and a share of the memory that it takes. */
const UNITS_PER_PART = 20;

/**
 * Parses JSON; throws `SyntaxError` for what is none. Its parts are counted first and taken from the
 * budget of the page: those of two characters take fifty times as much memory when they are parsed.
 */
export function parseJson(text: string, work: WorkBudget): unknown {
  work.take(unitsOfJson(text));
  return JSON.parse(text);
}

/** What parsing takes from the budget of a page. */
export function unitsOfJson(text: string): number {
  return UNITS_PER_PART * partsIn(text);
}

/** Values and keys, or a few more: signs within texts are counted too. */
function partsIn(text: string): number {
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // , : [ {
    if (code === 0x2c || code === 0x3a || code === 0x5b || code === 0x7b) parts += 1;
  }
  return parts;
}
