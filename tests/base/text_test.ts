import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { codePoints, fold, hasControlCharacters, utf8Bytes } from "../../src/base/text.ts";

Deno.test("fold() makes spellings equal that differ in case or composition", () => {
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

Deno.test("codePoints() and utf8Bytes() count what their names say", () => {
  assertEquals(["", "ab", "ü", "📦", "👩‍👩"].map(codePoints), [0, 2, 1, 1, 3]);
  assertEquals(["", "ab", "ü", "€", "📦"].map(utf8Bytes), [0, 2, 2, 3, 4]);
});
