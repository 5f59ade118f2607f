import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { FAILURE_STATUS } from "../../src/base/failure.ts";
import { de } from "../../src/client/words/de.ts";
import { en } from "../../src/client/words/en.ts";
import { FINDING_CODES } from "../../src/imports/finding.ts";

/** Tables of words that the service itself says in English: a language may do without them. */
const OPTIONAL = [".terms", ".service"];

/** Every text with its place; a function counts by its place alone. */
function textsOf(value: unknown, place = ""): [string, unknown][] {
  if (OPTIONAL.includes(place)) return [];
  if (typeof value !== "object" || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${place}.${name}`));
}

Deno.test("both languages have the same texts, none of them empty", () => {
  const [german, english] = [textsOf(de), textsOf(en)];
  assertEquals(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  assertEquals([...german, ...english].filter(([, text]) => text === ""), []);
});

Deno.test("every finding of an import has German words", () => {
  assertEquals(FINDING_CODES.filter((code) => !(code in de.service.findings)), []);
});

Deno.test("every refusal that a session can meet has words of its own", () => {
  const ofKeys = ["missing_credentials", "invalid_api_key", "insufficient_scope"];
  const rare = ["invalid_json", "invalid_cursor", "method_not_allowed", "idempotency_key_reused"];
  const wanted = Object.keys(FAILURE_STATUS).filter((code) => ![...ofKeys, ...rare].includes(code));
  assertEquals(wanted.filter((code) => !(code in de.errors && code in en.errors)), []);
});
