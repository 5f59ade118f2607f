import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Competitor } from "../../src/shops/competitor.ts";
import { CompetitorProduct } from "../../src/shops/matches/match.ts";
import { Workspace } from "../../src/accounts/workspace.ts";
import { NewImportSource } from "../../src/imports/state/import_source.ts";
import { RuleAnswer } from "../../src/engine/pricing/rule.ts";
import { View } from "../../src/accounts/views/view.ts";
import { Webhook } from "../../src/messages/webhooks/webhook.ts";
import type { Language } from "../../src/base/language.ts";
import { wordsOf } from "../../src/client/words/words.ts";

/** Tables of words that the service itself says in English: a language may do without them. */
const OPTIONAL = [".terms", ".service"];

/** Every text with its place; a function counts by its place alone. */
function textsOf(value: unknown, place = ""): [string, unknown][] {
  if (OPTIONAL.includes(place)) return [];
  if (typeof value !== "object" || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${place}.${name}`));
}

/** A text with a number in each of its places. */
function filled(text: unknown): string {
  return String(typeof text === "function" ? text(...Array(6).fill("1")) : text);
}

Deno.test("a text with places has all of them in both languages", () => {
  const [german, english] = [textsOf(wordsOf("de")), textsOf(wordsOf("en"))];
  const unfilled = [...german, ...english].filter(([, text]) => /[{}]/.test(filled(text)));
  assertEquals(unfilled, []);
});

Deno.test("both languages have the same texts, none of them empty", () => {
  const [german, english] = [textsOf(wordsOf("de")), textsOf(wordsOf("en"))];
  assertEquals(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  assertEquals([...german, ...english].filter(([, text]) => text === ""), []);
});

Deno.test("a number does not part from its % or € at the end of a line", () => {
  const partingIn = (language: Language, parts: RegExp) =>
    textsOf(wordsOf(language)).filter(([, text]) => parts.test(filled(text))).map(([at]) => at);
  assertEquals(partingIn("de", /\d ?[%€]/), []);
  assertEquals(partingIn("en", /\d\s%/), []);
});

Deno.test("every field that people can change has a name for the log", () => {
  const unnamed = [
    Competitor.omit({ id: true }),
    CompetitorProduct.pick({
      url: true,
      packFactor: true,
      matchType: true,
      enabled: true,
      noPrice: true,
      extractor: true,
      source: true,
    }),
    NewImportSource,
    RuleAnswer.omit({ stats: true }),
    View,
    Webhook,
    Workspace,
  ].flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !/^(id|createdAt|updatedAt)$/.test(name))
    .filter((name) => !(name in wordsOf("de").fields) || !(name in wordsOf("en").fields));
  assertEquals(unnamed, []);
});
