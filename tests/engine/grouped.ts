import { deepStrictEqual as assertEquals } from "node:assert/strict";

/** Test inputs by expected result and name of the case. */
export type Grouped<Given> = Readonly<Record<string, Readonly<Record<string, Given>>>>;

export function rowsOf<Given>(
  table: Grouped<Given>,
): readonly (readonly [name: string, given: Given, expected: string])[] {
  return Object.entries(table).flatMap(([expected, cases]) =>
    Object.entries(cases).map(([name, given]) => [name, given, expected] as const)
  );
}

export function testEach<Given>(
  subject: string,
  table: Grouped<Given>,
  outcomeOf: (given: Given) => unknown,
): void {
  for (const [name, given, expected] of rowsOf(table)) {
    Deno.test(`${subject}: ${name} is ${expected}`, () => assertEquals(outcomeOf(given), expected));
  }
}

/** `texts` maps each expected result to its input texts, separated by semicolons. */
export function testTexts(
  subject: string,
  texts: Readonly<Record<string, string>>,
  outcomeOf: (text: string) => unknown,
): void {
  for (const [expected, list] of Object.entries(texts)) {
    Deno.test(`${subject} is ${expected}`, () => {
      for (const text of list.replaceAll(/\s+/g, " ").split(";").map((one) => one.trim())) {
        assertEquals([text, outcomeOf(text)], [text, expected]);
      }
    });
  }
}
