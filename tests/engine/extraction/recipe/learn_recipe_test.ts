import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  type LearningPage,
  learnRecipe,
} from "../../../../src/engine/extraction/recipe/learn_recipe.ts";
import { placeText } from "../../../../src/engine/extraction/recipe/recipe.ts";

interface Sketch {
  /** Selector → the amount that it finds first. */
  readonly finds: Readonly<Record<string, string>>;
  readonly reference?: string | null;
  readonly isMarked?: boolean;
  readonly score?: number;
  readonly own?: number | null;
}

function page({ finds, reference, isMarked = true, score = 3, own = null }: Sketch): LearningPage {
  const decimals = [...new Set(Object.values(finds))];
  const meant = reference === undefined ? decimals[0] ?? null : reference;
  return {
    digest: {
      reference: meant === null ? null : { decimal: meant, codes: ["EUR"], isMarked },
      prices: decimals.map((decimal) => ({ decimal, codes: ["EUR"], score })),
      finds: Object.entries(finds).map(([selector, decimal]) => ({
        selector,
        at: decimals.indexOf(decimal),
        amounts: 1,
      })),
    },
    ownPrice: own,
  };
}

function learned(pages: readonly LearningPage[]): string[] {
  return learnRecipe(pages)?.selectors.map(placeText) ?? [];
}

Deno.test("learnRecipe() needs 85 % agreement and a mean score of 1", () => {
  const pages = (agreeing: number, against: number, score: number) =>
    Array.from({ length: agreeing + against }, (_, n) => {
      const decimal = `${n + 10}.`;
      return page({ finds: { ".a": decimal }, reference: n < agreeing ? decimal : "1.", score });
    });
  const cases = [pages(17, 3, 1), pages(16, 3, 1), pages(17, 3, 0.9)];
  assertEquals(cases.map(learned), [[".a"], [], []]);
});

Deno.test("learnRecipe() keeps selectors that cover further pages", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `.${name}`);
  const findsAt = (n: number) => Object.fromEntries(names.map((name) => [name, `${n + 10}.`]));
  const often = Array.from({ length: 6 }, (_, n) => page({ finds: findsAt(n) }));
  const seldom = Array.from({ length: 3 }, (_, n) => page({ finds: { ".other": `${n + 70}.` } }));
  const kept = learned([...often, ...seldom]);
  assertEquals([kept.length, kept.includes(".other")], [6, true]);
});

Deno.test("learnRecipe() trusts recipes of shown prices more only if they move with ours", () => {
  const shown = (owns: readonly (number | null)[]) =>
    learnRecipe(
      owns.map((own, n) => page({ finds: { ".a": `${(n + 1) * 10}.` }, isMarked: false, own })),
    )?.confidenceMost;
  assertEquals(shown([11, 19, 33, 38]), 0.7, "four products");
  assertEquals(shown([11, 19, 33, 38, 55]), 0.9);
  assertEquals(shown([11, 190, 3, 38, 550]), 0.7, "they do not move together");
  assertEquals(shown([null, null, null, null, null, null]), 0.7);
  const marked = ["1.", "2.", "3."].map((at) => page({ finds: { ".a": at } }));
  assertEquals(learnRecipe(marked)?.confidenceMost, 0.9);
});

/** Restates the rules of learning in a simple form, page by page. */
function mayBeLearned(selector: string, pages: readonly LearningPage[]): boolean {
  let [hits, same, other, points] = [0, 0, 0, 0];
  const seen: string[] = [];
  for (const { digest: { finds, prices, reference } } of pages) {
    const found = finds.find((find) => find.selector === selector);
    if (!found) continue;
    const { decimal, score } = prices[found.at]!;
    hits++;
    points += score;
    if (!seen.includes(decimal)) seen.push(decimal);
    if (reference) reference.decimal === decimal ? same++ : other++;
  }
  return hits >= 3 && same >= 3 && same / (same + other) >= 0.85 && seen.length >= 2 &&
    3 * seen.length >= hits && points / hits >= 1;
}

Deno.test("learnRecipe() takes exactly the selectors that the rules allow, for random digests", () => {
  const names = [".a", ".b", ".c"];
  const drawn = fc.integer({ min: 1, max: 4 }).chain((amounts) => {
    const amount = fc.integer({ min: 1, max: amounts }).map((n) => `${n}.`);
    return fc.array(
      fc.record({
        finds: fc.dictionary(fc.constantFrom(...names), amount, { minKeys: 1 }),
        reference: fc.option(amount),
        score: fc.integer({ min: 0, max: 2 }),
      }),
      { maxLength: 24 },
    );
  });
  let some = 0;
  const property = fc.property(drawn, (sketches) => {
    const made = sketches.map(page);
    const expected = names.filter((name) => mayBeLearned(name, made));
    if (expected.length > 0) some++;
    assertEquals(learned(made).toSorted(), expected);
  });
  fc.assert(property, { numRuns: 2_000 });
  ok(some > 5, `${some} recipes`);
});
