import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { LINE_TYPES } from "../../../src/app/workspace_files/workspace_line.ts";

Deno.test("docs/workspace_file.md has every type of line, in the order of a file", async () => {
  const document = await Deno.readTextFile("docs/workspace_file.md");
  const told = [...document.matchAll(/^\| `(\w+)` +\| (?!Is )/gm)].map(([, type]) => type);
  assertEquals(told, LINE_TYPES);
});
