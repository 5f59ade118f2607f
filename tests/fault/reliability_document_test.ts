import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { wrongCitations } from "../cited_tests.ts";

const ROWS = 36;
const lines = (await Deno.readTextFile("docs/reliability.md")).split("\n");
const rowsOf = (letter: string) =>
  lines.filter((line) => new RegExp(`^\\| ${letter}\\d+ `).test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
/** Rows of faults (F1 and so on), and rows of attacks and mistakes (W1 and so on). */
const faults = rowsOf("F");
const attempts = rowsOf("W");
const ATTACKERS = ["a stranger", "a shop", "a viewer", "a key without scopes", "a manager"];

Deno.test("docs/reliability.md has every row of the fault table once, in order, and a worst case for each kind of caller", () => {
  const expected = Array.from({ length: ROWS }, (_, n) => `F${n + 1}`);
  assertEquals(faults.map(([row]) => row), expected);
  assertEquals(attempts.map(([row]) => row), attempts.map((_, n) => `W${n + 1}`));
  const told = new Set(attempts.map(([, who]) => who));
  assertEquals(ATTACKERS.filter((who) => !told.has(who)), []);
});

Deno.test("docs/reliability.md names only existing tests", async () => {
  const wrong: string[] = [];
  for (const cells of [...faults, ...attempts]) {
    const [row] = cells;
    const [promise = "", shownBy = ""] = cells.slice(-2);
    ok(promise.length > 3, `${row} promises nothing`);
    wrong.push(...await wrongCitations(row ?? "", shownBy));
  }
  assertEquals(wrong, []);
});
