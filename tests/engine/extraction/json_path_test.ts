import { TooComplex } from "../../../src/base/failure.ts";
import { findByPath, jsonPathError } from "../../../src/engine/extraction/page/written_paths.ts";
import { HOSTILE_JSON_PATHS } from "./hostile_pages.ts";
import { deepStrictEqual as assertEquals, ok as assert, throws } from "node:assert/strict";

Deno.test("findByPath() finds the first twenty values, in the order of RFC 9535", () => {
  const json = { list: [{ k: "a", p: 1 }, { k: "b", p: 2.5 }, 7], b: { b: { b: false } } };
  const table: readonly (readonly [string, readonly unknown[]])[] = [
    ["$..b", [{ b: { b: false } }, { b: false }, false]],
    ["$.list[?@.p >= 1 && @.k != 'b'].p", [1]],
    ["$.list[::-1]", json.list.toReversed()],
    ["$.list[-1,0].p", [1]],
    ["$.list[", []],
  ];
  for (const [path, expected] of table) assertEquals(findByPath(json, path), expected, path);
  assertEquals(findByPath(Array.from({ length: 30 }, (_, n) => n), "$[*]").length, 20);
});

Deno.test("length() of a text counts characters of Unicode", () => {
  assertEquals(findByPath(["💶", "💶💶"], "$[?length(@) == 1]"), ["💶"]);
});

Deno.test("findByPath() gives up on an answer that is too deep", () => {
  const deep: unknown = JSON.parse("[".repeat(500) + "]".repeat(500));
  throws(() => findByPath(deep, "$..a"), TooComplex);
  assertEquals(findByPath({ deep, a: 1 }, "$.a"), [1]);
});

Deno.test("a stored path that exceeds a newer limit fails as too complex, not as an empty result", () => {
  const beyond = HOSTILE_JSON_PATHS.filter((text) => jsonPathError(text) !== null);
  assert(beyond.length >= 8);
  for (const text of beyond) throws(() => findByPath({ a: [[0]] }, text), TooComplex, text);
});

Deno.test("jsonPathError() names the exceeded limit", () => {
  const table: readonly (readonly [string, string])[] = [
    ["$" + "[0,0,0,0,0,0,0,0,0,0]".repeat(20), "Must not contain more than 50 selectors"],
    [
      "$" + "[0,1,2,3]".repeat(4),
      "Must not contain lists in brackets that combine to more than 64 ways",
    ],
    ["$" + ".a".repeat(31), "Must not contain more than 30 segments"],
    ["$..[?@..zz]", 'Must not contain ".." in a filter behind another ".."'],
    ["$..a..b..c", 'Must not contain ".." more than 2 times'],
    ["$[?@.a == $.b]", 'Must not contain a second "$"'],
    ["$[?@[?@[?@.a]]]", "Must not contain more than 2 filters in each other"],
    [
      "$[?" + "!(".repeat(21) + "@.a" + ")".repeat(21) + "]",
      "Must not contain a condition nested beyond 20",
    ],
    ["$." + "a".repeat(500), "Must have at most 500 characters"],
  ];
  for (const [text, reason] of table) assertEquals(jsonPathError(text), reason, text);
  const kept = ["$.offers[0,1].price", "$..offers[?@.sku == '4711'].price", "$.a[?@..price]"];
  for (const text of kept) assertEquals(jsonPathError(text), null, text);
});
