import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import {
  codePoints,
  composed,
  fold,
  hasControlCharacters,
  hasWords,
  isLongerThan,
  normaliseSku,
  searchForm,
  searchNumber,
  searchQuery,
  utf8Bytes,
  wordSearchOf,
} from "../../src/base/text.ts";
import { anyCharacter } from "../any_text.ts";
import { leastCostMs } from "../processor_time.ts";
import { extent } from "../proof.ts";
import { parseBound } from "../../src/base/time.ts";
import * as fc from "fast-check";

Deno.test("fold() makes texts equal that differ only in case or composition", () => {
  assertEquals(fold("KÜHLSCHRANK"), "kühlschrank");
  assertEquals(fold("Ku\u0308hl"), "kühl");
  assertEquals(fold("Groß"), "groß");
});

Deno.test("hasControlCharacters() finds controls and lone surrogates", () => {
  const found = ["a\tb", "a\u0000", "a\u0085", "\ud83d"];
  const texts = ["Kühlschrank 📦", ...found, "\u00a0\u200b"];
  assertEquals(texts.filter(hasControlCharacters), found);
});

Deno.test("codePoints() and isLongerThan() count code points, utf8Bytes() counts bytes", () => {
  assertEquals(["", "ab", "ü", "📦", "👩‍👩"].map(codePoints), [0, 2, 1, 1, 3]);
  assertEquals([2, 1].map((most) => isLongerThan("📦📦", most)), [false, true]);
  assertEquals(isLongerThan("aaa", 1), true);
  assertEquals(["", "ab", "ü", "€", "📦"].map(utf8Bytes), [0, 2, 2, 3, 4]);
});

Deno.test("normaliseSku() composes, and trims blanks and invisible characters at both ends", () => {
  const table: [string, string][] = [
    ["", ""],
    [" \t\u00a0\u200b\ufeff", ""],
    ["\u200b A-1 \u{e0041}", "A-1"],
    ["A \u200b 1", "A \u200b 1"],
    ["A\udc41", "A\udc41"],
    ["Ku\u0308hl ", "Kühl"],
    // A text that is too long for a SKU is returned unchanged.
    [`${" ".repeat(5_000)}A`, `${" ".repeat(5_000)}A`],
  ];
  for (const [text, sku] of table) assertEquals(normaliseSku(text), sku);
});

Deno.test("normaliseSku() equals a regular expression that would be too slow for long texts", () => {
  const odd = [..." \t\u00a0\u200b\ufeffaA\u0301\u0316\u1100\u1161\u{e0041}", "\ud83d", "\udc41"];
  const unit = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: anyCharacter, maxLength: 1 }));
  fc.assert(fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
    const text = units.join("");
    const expected = text.normalize("NFC").replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
    assertEquals(normaliseSku(text), expected);
  }));
});

Deno.test("composed() composes stacked marks, but leaves texts with thousands of marks unchanged", () => {
  const heap = (marks: number) => `a${"\u0301\u0316".repeat(marks / 2)}`;
  assertEquals(composed("e\u0301"), "\u00e9");
  assertEquals(composed("ﬁ", "NFKC"), "fi");
  assertEquals(composed(heap(30)), heap(30).normalize("NFC"));
  assertEquals(composed(heap(1_000)), heap(1_000).normalize("NFC"));
  assertEquals(composed(heap(2_000)), heap(2_000));
});

const finds = (text: string, asked: string) => {
  const question = searchQuery(asked);
  return question === null || hasWords(wordSearchOf(question), searchForm(text));
};

Deno.test("hasWords() finds words whatever their case, accents, punctuation and order", () => {
  const found: [text: string, ...asked: string[]][] = [
    ["Kühl-Gefrierkombi 300 l", "kühl", "KUEHL", "kuhl", "kuehlgefrier", "300 gefrier kühl"],
    ["Ku\u0308hlschrank", "kühl"],
    ["Außenleuchte groß", "gross AUSSEN"],
    ["Aussenleuchte", "Außen"],
    ["CAFÉ Crème Brûlée", "creme cafe"],
    ["Ǣ ǿ", "ae oe"],
    ["Træ Łódź Smørrebrød", "lodz smorrebrod trae"],
    ["Neue Säge", "neu sage"],
    ["C++ für Dummies", "c++"],
    ["Gerät 📦", "📦"],
    ["１２ Volt", "12 volt"],
    ["A [B] (C) .*", "[b] .* (c"],
    ["Abc", ".*"],
  ];
  for (const [text, ...asked] of found) {
    assertEquals([text, ...asked.filter((words) => !finds(text, words))], [text]);
  }
  assertEquals(["300 herd", "kihl"].filter((words) => finds("Kühlschrank 300 l", words)), []);
  assertEquals(["📦", "a.c"].filter((words) => finds("Abc", words)), []);
});

Deno.test("searchNumber() removes blanks and strokes", () => {
  const numbers = ["KT-11 915", " 400 638.1 ", "Ü/7"];
  assertEquals(numbers.map(searchNumber), ["kt11915", "4006381", "ue7"]);
});

Deno.test("searchQuery() is null without words, and has each word once", () => {
  assertEquals([" ", "", " - ", "a b  A ä"].map(searchQuery), [null, null, null, "a b ae"]);
});

/** Returns all texts in which each `ü`, `ue` and `u` of `text` is replaced by `u` or `ue`. */
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
  const word = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const words = fc.array(word, { minLength: 1, maxLength: 3 });
  const property = fc.property(text, words, (text, words) => {
    const written = text.replaceAll("-", "").replaceAll("ü", "ue");
    const expected = words.every((word) =>
      spellings(word.replaceAll("-", "")).some((way) => written.includes(way))
    );
    assertEquals(finds(text, words.join("  ")), expected);
  });
  fc.assert(property, { numRuns: extent(2_000, 700) });
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

Deno.test("parseBound() takes a bare date as its whole day in UTC, an instant as itself, and no other text", () => {
  const at = Date.parse;
  assertEquals(parseBound("2026-03-04", "start"), at("2026-03-04T00:00:00.000Z"));
  assertEquals(parseBound("2026-03-04", "end"), at("2026-03-04T23:59:59.999Z"));
  assertEquals(parseBound("2026-03-04T09:00:00+01:00", "end"), at("2026-03-04T08:00:00Z"));
  assertEquals(parseBound("2024-02-29", "start"), at("2024-02-29T00:00:00Z"));
  const texts = ["", "2026-02-30", "2026-02-29T10:00:00Z", "2026-03-04T25:00:00Z", "04.03.2026"]
    .concat(["2026-03-04T09:00:00", "2026", "now", "2026-13-01", "1e9"]);
  // `2026-03-04T09:00:00` is refused, because its time zone is unknown.
  assertEquals(texts.filter((text) => parseBound(text, "start") !== null), []);
});
