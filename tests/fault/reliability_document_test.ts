/** docs/reliability.md names tests that there are, and every row of the fault table once. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ROWS = 35;
/** How tests are declared: their names follow. */
const DECLARED =
  /(?:\b(?:Deno\.)?test\w*\(|\bname:|\b\w+Test\(|\brow\()\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/g;
const CITED = /`([\w/]+\.ts)`: "([^"]+)"/g;

const rows = (await Deno.readTextFile("docs/reliability.md")).split("\n")
  .filter((line) => /^\| F\d+ /.test(line))
  .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));

/** Names of the tests of a file, with "…" for what is put in. */
async function namesIn(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path).catch(() => null);
  ok(text !== null, `There is no file ${path}`);
  return [...text.matchAll(DECLARED)].map(([, , name]) => name!.replaceAll(/\$\{[^}]*\}/g, "…"));
}

Deno.test("docs/reliability.md has every row of the fault table once, in order", () => {
  const expected = Array.from({ length: ROWS }, (_, n) => `F${n + 1}`);
  assertEquals(rows.map(([row]) => row), expected);
});

Deno.test("docs/reliability.md names tests that there are", async () => {
  const missing: string[] = [];
  for (const [row, , promise = "", shownBy = ""] of rows) {
    ok(promise.length > 20, `${row} promises nothing`);
    const cited = [...shownBy.matchAll(CITED)];
    ok(cited.length > 0, `${row} names no test`);
    assertEquals(shownBy.split("<br>").length, cited.length, `${row} is cited wrongly`);
    for (const [, file, begin] of cited) {
      const names = await namesIn(`tests/${file}`);
      if (!names.some((name) => name.startsWith(begin!))) {
        missing.push(`${row}: no test of ${file} begins with "${begin}"`);
      }
    }
  }
  assertEquals(missing, []);
});
