import { strictEqual as assertEquals } from "node:assert/strict";
import { nameOfFile } from "../../src/client/pages/imports/use_saved_mapping.ts";

const NAMES = [
  ["artikel.csv", "artikel"],
  ["Artikel_Liste-2026-08-01.csv.gz", "Artikel Liste"],
  ["preise 01.08.2026.xlsx", "preise"],
  ["20260801.csv", "20260801"],
  ["ohne", "ohne"],
  [".csv", ""],
] as const;

Deno.test("nameOfFile() drops dates and the file extension", () => {
  for (const [name, expected] of NAMES) {
    assertEquals(nameOfFile(new File([], name)), expected, name);
  }
  assertEquals(nameOfFile(null), "");
});
