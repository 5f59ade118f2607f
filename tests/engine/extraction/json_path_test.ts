import fc from "fast-check";
import { TooComplex } from "../../../src/base/failure.ts";
import { findByPath, jsonPathError } from "../../../src/engine/extraction/page/json_path.ts";
import { HOSTILE_JSON_PATHS } from "./hostile_pages.ts";
import { JSONPathEnvironment } from "json-p3";
import { deepStrictEqual as assertEquals, ok as assert, throws } from "node:assert/strict";

const DOCUMENT = {
  a: { b: 1, c: [1, 2, 3, { b: "x" }], "": null, "x y": "blank" },
  list: [{ k: "a", p: 1 }, { k: "b", p: 2.5, q: { r: [0] } }, { k: "c", p: null }, 7, "text", []],
  b: { b: { b: false } },
  same: { b: 1, c: [1, 2, 3, { b: "x" }], "": null, "x y": "blank" },
};

const PATHS = [
  "$",
  "$.a",
  "$['x y']",
  "$.a['x y']",
  "$.a['']",
  "$.list[0]",
  "$.list[-1]",
  "$.list[-9]",
  "$.list[9]",
  "$.list[0,0,-1,'k']",
  "$.list[1:3]",
  "$.list[::2]",
  "$.list[::-1]",
  "$.list[4:1:-2]",
  "$.list[-3:]",
  "$.list[:-4]",
  "$.list[9:-9:-1]",
  "$.list[-9:9]",
  "$.list[1:4:0]",
  "$.*",
  "$.list.*",
  "$.list[*].k",
  "$..b",
  "$..*",
  "$..[0]",
  "$..[0,'b']",
  "$..b..b",
  "$..['b','k']",
  "$.list[?@.k]",
  "$.list[?!@.k]",
  "$.list[?@.k == 'b'].p",
  "$.list[?@.k != 'b']",
  "$.list[?@.p > 1]",
  "$.list[?@.p >= 1 && @.p <= 2.5]",
  "$.list[?@.p < 2 || @.k == 'c']",
  "$.list[?(@.p > 1 || !@.p) && @.q]",
  "$.list[?@.p == null]",
  "$.list[?@.nothing == @.neither]",
  "$.list[?@.nothing <= @.neither]",
  "$.list[?@ == 7]",
  "$.list[?@ > 'a']",
  "$.list[?@.q.r[0] == 0]",
  "$.list[?@.q == @.q]",
  "$[?@.c[3] == @.c[-1]]",
  "$.list[?length(@.k) == 1]",
  "$.list[?length(@) == 2]",
  "$.list[?count(@.*) > 1]",
  "$.list[?value(@..r[0]) == 0]",
  "$..[?@.b == 1].c[?@ > 1]",
  "$.list[?@[?@ == 'a']]",
  "$.b[?@.b == false]",
  '$.list[?@.k == "\\u0061"]',
];

function found(json: unknown, path: string): readonly unknown[] {
  return findByPath(json, path);
}

function reference(json: Parameters<JSONPathEnvironment["query"]>[1], path: string) {
  return new JSONPathEnvironment({ strict: true }).query(path, json).values().slice(0, 20);
}

for (const path of PATHS) {
  Deno.test(`findByPath() finds what RFC 9535 says for ${path}`, () => {
    assertEquals(found(DOCUMENT, path), reference(DOCUMENT, path));
  });
}

Deno.test("length() of a text counts characters of Unicode", () => {
  assertEquals(found(["💶", "💶💶"], "$[?length(@) == 1]"), ["💶"]);
});

const name = fc.constantFrom("a", "b", "c");
const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, 2.5, "a", "b", ""),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const singular = fc.oneof(
  name.map((key) => `.${key}`),
  fc.integer({ min: -3, max: 3 }).map((index) => `[${index}]`),
);
const query = fc.oneof(
  singular,
  fc.tuple(name, name).map(([one, other]) => `['${one}','${other}']`),
);
const condition = fc.oneof(
  query.map((part) => `@${part}`),
  fc.tuple(singular, fc.constantFrom("==", "!=", "<", "<=", ">", ">="), singular)
    .map(([left, operator, right]) => `@${left} ${operator} @${right}`),
  fc.tuple(singular, fc.constantFrom("1", "'a'", "null", "true"))
    .map(([left, literal]) => `@${left} == ${literal}`),
  fc.constantFrom("count(@.*) > 1", "length(@) < 2", "!@.a", "@.a && (@.b || @.c)", "@.*"),
);
const path = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: query },
    { weight: 1, arbitrary: fc.constantFrom(".*", "[*]", "[0,*]", "..*", "..a", "..[0]") },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.integer({ min: -4, max: 4 }),
        fc.integer({ min: -4, max: 4 }),
        fc.constantFrom(-2, -1, 1, 2),
      ).map(([start, stop, step]) => `[${start}:${stop}:${step}]`),
    },
    { weight: 2, arbitrary: condition.map((text) => `[?${text}]`) },
  ),
  { maxLength: 4 },
).map((parts) => `$${parts.join("")}`)
  .filter((text) => text.split("..").length <= 3);

Deno.test("findByPath() finds what a second implementation of RFC 9535 finds, in its order", () => {
  fc.assert(
    fc.property(jsonValue, path, (json, text) => {
      const value = JSON.parse(JSON.stringify(json));
      assertEquals(found(value, text), reference(value, text), text);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("findByPath() gives up where the answer is too deep", () => {
  const deep: unknown = JSON.parse("[".repeat(500) + "]".repeat(500));
  throws(() => found(deep, "$..a"), TooComplex);
  assertEquals(found({ deep, a: 1 }, "$.a"), [1]);
});

Deno.test("a path that was stored before there was a limit is too complex, and not merely without a result", () => {
  const beyond = HOSTILE_JSON_PATHS.filter((text) => jsonPathError(text) !== null);
  assert(beyond.length >= 8);
  for (const text of beyond) throws(() => found({ a: [[0]] }, text), TooComplex, text);
});

Deno.test("misfitOfJsonPath() names the limit that a new path goes beyond", () => {
  const table: readonly (readonly [string, string])[] = [
    ["$" + "[0,0,0,0,0,0,0,0,0,0]".repeat(20), "Must not hold more than 50 selectors"],
    [
      "$" + "[0,1,2,3]".repeat(4),
      "Must not hold lists in brackets that combine to more than 64 ways",
    ],
    ["$" + ".a".repeat(31), "Must not hold more than 30 segments"],
    ["$..[?@..zz]", 'Must not hold ".." in a filter behind another ".."'],
    ["$..a..b..c", 'Must not hold ".." more than 2 times'],
    ["$[?@.a == $.b]", 'Must not hold a second "$"'],
    ["$[?@[?@[?@.a]]]", "Must not hold more than 2 filters in each other"],
    [
      "$[?" + "!(".repeat(21) + "@.a" + ")".repeat(21) + "]",
      "Must not hold a condition nested beyond 20",
    ],
    ["$." + "a".repeat(500), "Must not be longer than 500 characters"],
  ];
  for (const [text, reason] of table) assertEquals(jsonPathError(text), reason, text);
  const kept = ["$.offers[0,1].price", "$..offers[?@.sku == '4711'].price", "$.a[?@..price]"];
  for (const text of kept) assertEquals(jsonPathError(text), null, text);
});
