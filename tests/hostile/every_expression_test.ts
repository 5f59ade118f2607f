/**
 * Text from outside may cost only linear time. Tests every regular expression of `src/`, and every
 * function that takes one text. Both are found in the sources.
 */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { hostileTexts, textsAgainst } from "./hostile_texts.ts";
import { superlinearity } from "./superlinearity.ts";
import { type FoundExpression, foundExpressions, sourceFiles } from "./source_expressions.ts";
import { textFunctions } from "./text_functions.ts";

const files = sourceFiles();

Deno.test("every regular expression and every reader of src takes linear time for any text", async () => {
  const found = await foundExpressions(files);
  const keyOf = ({ source, flags, isSplit }: FoundExpression) => `${source}/${flags} ${isSplit}`;
  const expressions = new Map(found.map((one) => [keyOf(one), one])).values().toArray();
  const readers = await textFunctions(files);
  ok(expressions.length > 250 && readers.length > 50, "the sources are read");
  const slow = [
    ...expressions.flatMap((one) => {
      const trouble = tried(one);
      return trouble === null ? [] : [`${one.place} /${one.source}/${one.flags}: ${trouble}`];
    }),
    ...readers.flatMap(({ name, call }) => {
      const trouble = triedWith(hostileTexts(), call);
      return trouble === null ? [] : [`${name}: ${trouble}`];
    }),
  ];
  assertEquals(slow, []);
});

function tried({ source, flags, isSplit }: FoundExpression): string | null {
  const expression = new RegExp(source, flags);
  return triedWith(textsAgainst(source, flags), (text) => {
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, "");
    else expression.test(text);
    if (isSplit) text.split(expression);
  });
}

function triedWith(texts: ReturnType<typeof hostileTexts>, work: (text: string) => unknown) {
  for (const { name, of } of texts) {
    const trouble = superlinearity(of, work);
    if (trouble !== null) return `${name}: ${trouble}`;
  }
  return null;
}
