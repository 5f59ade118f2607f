/** docs/reliability.md names tests that there are, and every row of its tables once. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ROWS = 35;
/** How tests are declared: their names follow. */
const DECLARED =
  /(?:\b(?:Deno\.)?test\w*\(|\bname:|\b\w+Test\(|\brow\()\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/g;
const CITED = /`([\w/]+\.ts)`: "([^"]+)"/g;

const lines = (await Deno.readTextFile("docs/reliability.md")).split("\n");
const rowsOf = (letter: string) =>
  lines.filter((line) => new RegExp(`^\\| ${letter}\\d+ `).test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
/** What breaks, and what somebody tries. */
const faults = rowsOf("F");
const attempts = rowsOf("W");
const ATTACKERS = ["a stranger", "a shop", "a viewer", "a key without scopes", "a manager"];

/** Names of the tests of a file, with "…" for what is put in. */
async function namesIn(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path).catch(() => null);
  ok(text !== null, `There is no file ${path}`);
  return [...text.matchAll(DECLARED)].map(([, , name]) => name!.replaceAll(/\$\{[^}]*\}/g, "…"));
}

Deno.test("docs/reliability.md has every row of the fault table once, in order", () => {
  const expected = Array.from({ length: ROWS }, (_, n) => `F${n + 1}`);
  assertEquals(faults.map(([row]) => row), expected);
});

Deno.test("docs/reliability.md says of everybody what he can do at worst", () => {
  assertEquals(attempts.map(([row]) => row), attempts.map((_, n) => `W${n + 1}`));
  const told = new Set(attempts.map(([, who]) => who));
  assertEquals(ATTACKERS.filter((who) => !told.has(who)), []);
});

Deno.test("docs/reliability.md names tests that there are", async () => {
  const missing: string[] = [];
  for (const cells of [...faults, ...attempts]) {
    const [row] = cells;
    const [promise = "", shownBy = ""] = cells.slice(-2);
    ok(promise.length > 3, `${row} promises nothing`);
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
