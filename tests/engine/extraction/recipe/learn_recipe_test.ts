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

Deno.test("learnRecipe() needs three pages, three agreements, and different amounts", () => {
  const three = ["10.", "20.", "30."].map((decimal) => page({ finds: { ".a": decimal } }));
  assertEquals(learned(three.slice(0, 1)), []);
  assertEquals(learned(three.slice(0, 2)), []);
  assertEquals(learned(three), [".a"]);
  // A fee that is the same on all pages is not a price, even if other sources agree.
  assertEquals(learned(Array.from({ length: 20 }, () => page({ finds: { ".a": "4.95" } }))), []);
  // Two amounts on many pages are not the prices of many articles.
  const two = Array.from({ length: 12 }, (_, n) => page({ finds: { ".a": `${n % 2 + 1}.` } }));
  assertEquals(learned(two), []);
  // Two pages agree, and a third one has no reference.
  assertEquals(
    learned([...three.slice(0, 2), page({ finds: { ".a": "9." }, reference: null })]),
    [],
  );
  assertEquals(learned(three.map(({ digest }) => ({ ownPrice: null, digest: low(digest) }))), []);
});

function low(digest: LearningPage["digest"]): LearningPage["digest"] {
  return { ...digest, prices: digest.prices.map((price) => ({ ...price, score: 0.9 })) };
}

Deno.test("learnRecipe() needs 85 % agreement, and keeps selectors that cover further pages", () => {
  const agreeing = Array.from({ length: 17 }, (_, n) => page({ finds: { ".a": `${n + 10}.` } }));
  const against = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => page({ finds: { ".a": `${n + 90}.` }, reference: "1." }),
    );
  assertEquals(learned([...agreeing, ...against(3)]), [".a"]);
  assertEquals(learned([...agreeing, ...against(4)]), []);
  const names = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `.${name}`);
  const often = Array.from(
    { length: 6 },
    (_, n) => page({ finds: Object.fromEntries(names.map((name) => [name, `${n + 10}.`])) }),
  );
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
  assertEquals(
    learnRecipe(["1.", "2.", "3."].map((at) => page({ finds: { ".a": at } })))
      ?.confidenceMost,
    0.9,
  );
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
  const amount = fc.constantFrom("1.", "2.", "3.", "4.", "5.", "6.");
  const pages = fc.array(
    fc.record({
      finds: fc.dictionary(fc.constantFrom(".a", ".b", ".c", ".d", ".e"), amount, { minKeys: 1 }),
      reference: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, {
        weight: 5,
        arbitrary: amount,
      }),
      score: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 14 },
  );
  fc.assert(fc.property(pages, (sketches) => {
    const made = sketches.map((sketch) => page({ ...sketch, reference: sketch.reference }));
    const expected = [".a", ".b", ".c", ".d", ".e"].filter((name) => mayBeLearned(name, made));
    assertEquals(learned(made).toSorted(), expected);
  }));
  ok(mayBeLearned(".a", ["1.", "2.", "3."].map((at) => page({ finds: { ".a": at } }))));
});
