import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import * as fc from "fast-check";
import {
  hasWords,
  searchForm,
  searchNumber,
  searchQuery,
  wordSearchOf,
} from "../../src/base/search_words.ts";
import { leastCostMs } from "../processor_time.ts";
import { extent } from "../proof.ts";

const finds = (text: string, asked: string) => {
  const question = searchQuery(asked);
  return question === null || hasWords(wordSearchOf(question), searchForm(text));
};

Deno.test("hasWords() finds words whatever their case, accents, punctuation and order", () => {
  const table: [text: string, asked: string, isFound: boolean][] = [
    ["Kühl-Gefrierkombi 300 l", "kühl", true],
    ["Kühl-Gefrierkombi 300 l", "KUEHL", true],
    ["Kühl-Gefrierkombi 300 l", "kuhl", true],
    ["Kuehlschrank", "kühl", true],
    ["Kuehlschrank", "kuhl", true],
    ["Kuhlmann", "kühl", true],
    ["Ku\u0308hlschrank", "kühl", true],
    ["Kühl-Gefrierkombi 300 l", "kuehlgefrier", true],
    ["Kühl-Gefrierkombi 300 l", "300 gefrier kühl", true],
    ["Kühl-Gefrierkombi 300 l", "300 herd", false],
    ["Kühlschrank", "kihl", false],
    ["Außenleuchte groß", "gross AUSSEN", true],
    ["Aussenleuchte", "Außen", true],
    ["CAFÉ Crème Brûlée", "creme cafe", true],
    ["Træ Łódź Smørrebrød", "lodz smorrebrod trae", true],
    ["Trauer", "auer", true],
    ["Trauer", "er", true],
    ["Neue Säge", "neu sage", true],
    ["C++ für Dummies", "c++", true],
    ["Gerät 📦", "📦", true],
    ["Gerät", "📦", false],
    ["１２ Volt", "12 volt", true],
    ["A [B] (C) .*", "[b] .* (c", true],
    ["Abc", ".*", true],
    ["Abc", "a.c", false],
  ];
  for (const [text, asked, isFound] of table) {
    assertEquals(finds(text, asked), isFound, `${asked} in ${text}`);
  }
});

Deno.test("searchNumber() removes blanks and strokes", () => {
  assertEquals(["KT-11 915", " 400 638.1 ", "Ü/7"].map(searchNumber), [
    "kt11915",
    "4006381",
    "ue7",
  ]);
});

Deno.test("searchQuery() is null without words, and has each word once", () => {
  assertEquals([" ", "", " - ", "a b  A ä"].map(searchQuery), [null, null, null, "a b ae"]);
});

/** All spellings of a text, in which each `ü`, `ue` and `u` is `u` or `ue`. */
function spellings(text: string): string[] {
  const match = /ü|ue|u|./su.exec(text);
  if (!match) return [""];
  const ways = match[0].startsWith("u") || match[0] === "ü" ? ["u", "ue"] : [match[0]];
  const rest = spellings(text.slice(match[0].length));
  return ways.flatMap((way) => rest.map((end) => way + end));
}

Deno.test("hasWords() finds a word if any spelling of it is in the text", () => {
  const letters = fc.constantFrom("ü", "u", "e", "ue", "b", "-");
  const text = fc.array(fc.oneof(letters, fc.constant(" ")), { maxLength: 9 })
    .map((parts) => parts.join(""));
  const words = fc.array(
    fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(text, words, (text, words) => {
      const written = text.replaceAll("-", "").replaceAll("ü", "ue");
      const expected = words.every((word) =>
        spellings(word.replaceAll("-", "")).some((way) => written.includes(way))
      );
      assertEquals(finds(text, words.join("  ")), expected);
    }),
    { numRuns: extent(2_000, 700) },
  );
});

Deno.test("searchForm() also spells out letters under an accent", () => {
  assertEquals(searchForm("Ǣ ǿ"), "ae oe");
});

Deno.test("searchForm() is idempotent, and has neither punctuation nor control characters", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
    const form = searchForm(text);
    assertEquals(searchForm(form), form);
    ok(!/[\p{P}\p{Cc}]|^ | $| {2}/u.test(form), JSON.stringify(form));
  }));
});

Deno.test("search takes linear time for hostile texts and questions", () => {
  const stacked = `u${"\u0308".repeat(50_000)}`;
  const vowels = "ue".repeat(500);
  const ms = leastCostMs(() => {
    searchForm(stacked);
    const search = wordSearchOf(searchQuery(`${vowels} ${vowels}x aaaa uuuu`) ?? "");
    hasWords(search, vowels.repeat(20));
  });
  ok(ms < 500, `${ms} ms`);
});
