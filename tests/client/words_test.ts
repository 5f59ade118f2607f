import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { wordsOf } from "../../src/client/words/words.ts";

/** Tables of words that the service itself says in English: a language may do without them. */
const OPTIONAL = [".terms", ".service"];

/** Every text with its place; a function counts by its place alone. */
function textsOf(value: unknown, place = ""): [string, unknown][] {
  if (OPTIONAL.includes(place)) return [];
  if (typeof value !== "object" || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${place}.${name}`));
}

Deno.test("both languages have the same texts, none of them empty", () => {
  const [german, english] = [textsOf(wordsOf("de")), textsOf(wordsOf("en"))];
  assertEquals(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  assertEquals([...german, ...english].filter(([, text]) => text === ""), []);
});
