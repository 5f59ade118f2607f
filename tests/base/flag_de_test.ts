import { readFlag } from "../../src/base/german_values.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

Deno.test("readFlag() reads German and English flags in any case", () => {
  const yes = ["J", "j", "JA", "Ja", "Y", "YES", "1", "TRUE", "true", "X", "x", " J \n"];
  const no = ["N", "n", "NEIN", "Nein", "NO", "0", "FALSE", "False", "", "  "];
  assertEquals(yes.map(readFlag), yes.map(() => true));
  assertEquals(no.map(readFlag), no.map(() => false));
});

Deno.test("readFlag() is null for any other text", () => {
  const others = ["JN", "2", "-", "on", "aktiv", "constructor", "J A"];
  assertEquals(others.map(readFlag), others.map(() => null));
});
