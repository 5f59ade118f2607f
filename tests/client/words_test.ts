import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Competitor } from "../../src/shops/competitor_store.ts";
import { CompetitorProduct, CompetitorProductPatch } from "../../src/shops/matches/match.ts";
import { Workspace } from "../../src/accounts/workspace.ts";
import { NewImportSource } from "../../src/imports/state/import_source.ts";
import { RuleAnswer } from "../../src/engine/pricing/rule.ts";
import { View } from "../../src/accounts/views/view.ts";
import { Webhook } from "../../src/messages/webhook.ts";
import type { Language } from "../../src/base/codes.ts";
import { wordsOf } from "../../src/client/words/words.ts";
import { everyItem } from "../api/answers.ts";
import { fillWorkspace } from "../app/workspace_files/full_workspace.ts";
import { withApp } from "../harness.ts";

/** Tables in which English texts may be missing, because the service sends these texts itself. */
const OPTIONAL = [".terms", ".service"];

const wordsIn = (language: Language) => wordsOf(language, String);

/** Every text with its path. Functions are compared only by path, not by result. */
function textsOf(value: unknown, place = ""): [string, unknown][] {
  if (OPTIONAL.includes(place)) return [];
  if (typeof value !== "object" || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${place}.${name}`));
}

/** The text with a number in each placeholder. */
function filled(text: unknown): string {
  return String(typeof text === "function" ? text(...Array(6).fill("1")) : text);
}

Deno.test("both languages have the same texts, none of them empty or with an unfilled placeholder", () => {
  const [german, english] = [textsOf(wordsIn("de")), textsOf(wordsIn("en"))];
  assertEquals(english.map(([place]) => place).sort(), german.map(([place]) => place).sort());
  const wrong = [...german, ...english].filter(([, text]) => /^$|[{}]/.test(filled(text)));
  assertEquals(wrong, []);
});

Deno.test("no line break separates a number from its % or €", () => {
  const partingIn = (language: Language, parts: RegExp) =>
    textsOf(wordsIn(language)).filter(([, text]) => parts.test(filled(text))).map(([at]) => at);
  assertEquals(partingIn("de", /\d ?[%€]/), []);
  assertEquals(partingIn("en", /\d\s%/), []);
});

Deno.test("every field that people can change has a name in the log", () => {
  const unnamed = [
    Competitor.omit({ id: true }),
    CompetitorProduct.pick({ source: true }),
    CompetitorProductPatch.omit({ productId: true, competitorId: true, visit: true }),
    NewImportSource,
    RuleAnswer.omit({ stats: true }),
    View,
    Webhook,
    Workspace,
  ].flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !/^(id|createdAt|updatedAt)$/.test(name))
    .filter((name) => !(name in wordsIn("de").fields) || !(name in wordsIn("en").fields));
  assertEquals(unnamed, []);
});

/** Ids and times, which the log does not show, and attributes, which are named by their key. */
const NAMELESS = /^id$|Ids?$|^(?:createdAt|updatedAt)$|^attributes\./;

withApp.test("every field in the log of a full workspace has a name", async (app) => {
  await fillWorkspace(app);
  const names = new Set<string>();
  for (const { action, before, after } of await everyItem(app.owner, "/api/audit-logs?limit=200")) {
    // Fields of import profiles need no words: docs/import_profiles.md describes them by name.
    if (action.startsWith("import_profile.")) continue;
    for (const name of Object.keys({ ...before, ...after })) names.add(name);
  }
  const { fields } = wordsIn("de");
  assertEquals([...names].filter((name) => !NAMELESS.test(name) && !(name in fields)), []);
});
