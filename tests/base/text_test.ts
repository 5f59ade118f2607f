import { deepStrictEqual as assertEquals } from "node:assert/strict";
import * as fc from "fast-check";
import {
  codePoints,
  composed,
  fold,
  hasControlCharacters,
  isLongerThan,
  normaliseSku,
  utf8Bytes,
} from "../../src/base/text.ts";
import { anyCharacter } from "../any_text.ts";

Deno.test("fold() makes texts equal that differ only in case or composition", () => {
  assertEquals(fold("KÜHLSCHRANK"), "kühlschrank");
  assertEquals(fold("Ku\u0308hl"), "kühl");
  assertEquals(fold("Groß"), "groß");
});

Deno.test("hasControlCharacters() finds controls and lone surrogates", () => {
  const table: [string, boolean][] = [
    ["Kühlschrank 📦", false],
    ["a\tb", true],
    ["a\u0000", true],
    ["a\u0085", true],
    ["\u00a0\u200b", false],
    ["\ud83d", true],
  ];
  for (const [text, expected] of table) assertEquals(hasControlCharacters(text), expected);
});

Deno.test("codePoints() and utf8Bytes() count code points and bytes", () => {
  assertEquals(["", "ab", "ü", "📦", "👩‍👩"].map(codePoints), [0, 2, 1, 1, 3]);
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
  ];
  for (const [text, sku] of table) assertEquals(normaliseSku(text), sku);
});

Deno.test("normaliseSku() equals a regular expression that would be too slow for long texts", () => {
  const unit = fc.oneof(
    fc.constantFrom(
      ..." \t\u00a0\u200b\ufeffaA\u0301\u0316\u1100\u1161",
      "\u{e0041}",
      "\ud83d",
      "\udc41",
    ),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  );
  fc.assert(fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
    const text = units.join("");
    const expected = text.normalize("NFC").replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
    assertEquals(normaliseSku(text), expected);
  }));
});

Deno.test("normaliseSku() does not change a text that is too long for any SKU", () => {
  const text = `${" ".repeat(5_000)}A`;
  assertEquals(normaliseSku(text), text);
});

Deno.test("composed() composes stacked marks, but leaves texts with thousands of marks unchanged", () => {
  const heap = (marks: number) => `a${"\u0301\u0316".repeat(marks / 2)}`;
  assertEquals(composed("e\u0301"), "\u00e9");
  assertEquals(composed("ﬁ", "NFKC"), "fi");
  assertEquals(composed(heap(30)), heap(30).normalize("NFC"));
  assertEquals(composed(heap(1_000)), heap(1_000).normalize("NFC"));
  assertEquals(composed(heap(2_000)), heap(2_000));
});

Deno.test("isLongerThan() counts code points", () => {
  const isLonger = [isLongerThan("📦📦", 2), isLongerThan("📦📦", 1), isLongerThan("aaa", 1)];
  assertEquals(isLonger, [false, true, true]);
});
