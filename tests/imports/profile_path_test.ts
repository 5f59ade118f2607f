import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { parsePath } from "../../src/imports/profiles/xml_profile.ts";

const step = (name: string, attribute?: string, value?: string) => ({
  name,
  test: attribute === undefined ? null : { attribute, value },
});
const route = (rest: Record<string, unknown>) => ({
  from: "here",
  up: 0,
  steps: [],
  attribute: null,
  ...rest,
});

const READ: [string, unknown[]][] = [
  ["A", [route({ steps: [step("a")] })]],
  ["A/B", [route({ steps: [step("a"), step("b")] })]],
  ["A|B/C", [route({ steps: [step("a")] }), route({ steps: [step("b"), step("c")] })]],
  ["@x", [route({ attribute: "x" })]],
  ["A/@x", [route({ steps: [step("a")], attribute: "x" })]],
  ["A[@t='x']/B", [route({ steps: [step("a", "t", "x"), step("b")] })]],
  [`A[@t="X/Y|Z"]`, [route({ steps: [step("a", "t", "x/y|z")] })]],
  [".", [route({})]],
  ["../A", [route({ up: 1, steps: [step("a")] })]],
  ["../../@x", [route({ up: 2, attribute: "x" })]],
  ["/A/B", [route({ from: "root", steps: [step("a"), step("b")] })]],
  ["//A", [route({ from: "anywhere", steps: [step("a")] })]],
  ["g:Preis-1/ns:B[@xml:lang='de']", [
    route({ steps: [step("preis-1"), step("b", "lang", "de")] }),
  ]],
];

for (const [path, routes] of READ) {
  Deno.test(`parsePath() reads ${path}`, () => assertEquals(parsePath(path), { routes }));
}

const REFUSED = ["", "A B", ..."A/ / A//B A||B A[1] A[@t=x] @ @a/B A/. A/../B ..".split(" ")];
for (const path of REFUSED) {
  Deno.test(`parsePath() refuses "${path}"`, () => assertEquals("reason" in parsePath(path), true));
}
