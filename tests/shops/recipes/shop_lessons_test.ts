import { DAY_MS } from "../../../src/base/time.ts";
import {
  isDrifting,
  type LearningPage,
  withOutcome,
} from "../../../src/engine/extraction/recipe/learn_recipe.ts";
import {
  NO_LESSONS,
  pageRecipe,
  PAGES_KEPT,
  recipeStatus,
  type ShopLessons,
  wantsPage,
  withOutcomeOf,
  withPagesKept,
} from "../../../src/shops/recipes/recipe_store.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const ID = "0123456789abcdef01234567";

function page(selector: string, n: number): LearningPage {
  const decimal = `${n + 10}.`;
  return {
    digest: {
      reference: { decimal, codes: ["EUR"], isMarked: true },
      prices: [{ decimal, codes: ["EUR"], score: 3 }],
      finds: [{ selector, at: 0, amounts: 1 }],
    },
    ownPrice: null,
  };
}

function pages(selector: string, count: number): LearningPage[] {
  return Array.from({ length: count }, (_, n) => page(selector, n));
}

/** A shop whose recipe was learned from 20 pages and confirmed by 20 others. */
function grown(): ShopLessons {
  let lessons = withPagesKept({ ...NO_LESSONS, kept: 19 }, pages(".a", 20), 0, () => ID);
  for (let n = 0; n < 20; n++) {
    lessons = withOutcomeOf(lessons, { kind: "agrees", find: null }, n).lessons;
  }
  return lessons;
}

Deno.test("isDrifting() is true below 60 % of the usual hits, or with three contradictions in ten", () => {
  const table: readonly (readonly [string, number, boolean])[] = [
    ["", 1, false],
    ["mmmm", 1, false],
    ["aaaammmmmm", 1, true],
    ["aaaaaammmm", 1, false],
    ["aaaaammmmm", 1, true],
    ["aaaaammmmm", 0.7, false],
    ["aaaaaaaccc", 1, true],
    ["acacaaaaaa", 1, false],
    ["cccaaaaaaaaaa", 1, false],
    ["hhhhhhhhhh", 1, false],
    ["mmmmmmmmmmaaaaaammmm", 1, true],
  ];
  for (const [window, usual, expected] of table) {
    assertEquals([window, isDrifting(window, usual)], [window, expected]);
  }
  // A price that only the recipe finds is a hit.
  const kinds = ["agrees", "contradicts", "alone", "misses"] as const;
  assertEquals(kinds.reduce(withOutcome, ""), "achm");
});

Deno.test("a new layout on six of ten pages makes the recipe drift, is reported once, and lowers confidence", () => {
  let lessons = grown();
  const newAt: number[] = [];
  for (const [n, letter] of [..."mamamammam"].entries()) {
    const kind = letter === "m" ? "misses" : "agrees";
    const noted = withOutcomeOf(lessons, { kind, find: null }, n);
    lessons = noted.lessons;
    if (noted.isNew) newAt.push(n);
  }
  assertEquals([lessons.recipe?.status, newAt], ["drifting", [7]]);
  assertEquals(pageRecipe(lessons.recipe, 0)?.isDoubted, true);
  ok(wantsPage(lessons, 0), "every page is kept now");
  // If a recipe that was learned again drifts on the same day, people are not notified again.
  const newest = [...pages(".b", 6), ...pages(".a", 30)];
  lessons = withPagesKept(lessons, newest, 0, () => ID);
  assertEquals([lessons.recipe?.status, lessons.window], ["active", ""]);
  ok(lessons.recipe?.selectors.some(({ selector }) => selector === ".b"));
  const again = (fromMs: number) => {
    let now = lessons;
    const alerts: boolean[] = [];
    for (let n = 0; n < 10; n++) {
      const noted = withOutcomeOf(now, { kind: "misses", find: null }, fromMs + n);
      now = noted.lessons;
      alerts.push(noted.isNew);
    }
    return [now.recipe?.status, alerts.filter((one) => one).length];
  };
  assertEquals(again(1_000), ["drifting", 0]);
  assertEquals(again(2 * DAY_MS), ["drifting", 1]);
});

Deno.test("a recipe drifts until a learned one holds on the newest pages", () => {
  const drifting = { ...grown(), recipe: { ...grown().recipe!, status: "drifting" as const } };
  const old = pages(".a", 20);
  const odd: LearningPage = {
    ...page(".x", 3),
    digest: { ...page(".x", 3).digest, reference: null },
  };
  const still = withPagesKept(drifting, [odd, odd, odd, ...old], 0, () => ID);
  assertEquals(still.recipe?.status, "drifting");
  const learned = withPagesKept(drifting, [...pages(".b", 3), ...old], 0, () => ID);
  assertEquals(learned.recipe?.status, "active");
});

Deno.test("a taught recipe stays as long as pages confirm it, and its counts continue", () => {
  const taught = {
    ...grown().recipe!,
    source: "taught" as const,
    selectors: [{ selector: ".t", hits: 2, agreements: 2, contradictions: 0 }],
  };
  const lessons = { ...NO_LESSONS, recipe: taught };
  const both = pages(".t", 9).map(({ digest, ...rest }) => ({
    ...rest,
    digest: { ...digest, finds: [...digest.finds, { selector: ".a", at: 0, amounts: 1 }] },
  }));
  const { recipe } = withPagesKept(lessons, both, 0, () => ID);
  assertEquals([recipe?.source, recipe?.selectors], ["taught", [
    { selector: ".t", hits: 9, agreements: 9, contradictions: 0 },
  ]]);
});

Deno.test("a recipe without confirmation for 30 days is stale, and one page makes it active again", () => {
  const lessons = grown();
  const recipe = lessons.recipe!;
  assertEquals(recipeStatus(recipe, 30 * DAY_MS), "active");
  const later = 31 * DAY_MS;
  assertEquals(recipeStatus(recipe, later), "stale");
  assertEquals(pageRecipe(recipe, later)?.isDoubted, true);
  const { lessons: after } = withOutcomeOf(lessons, { kind: "agrees", find: null }, later);
  assertEquals(recipeStatus(after.recipe!, later), "active");
});

Deno.test("a page that agrees with the last twenty changes nothing, except for an hourly confirmation", () => {
  const lessons = grown();
  const agrees = { kind: "agrees", find: null } as const;
  assertEquals(withOutcomeOf(lessons, agrees, 3_000_000).lessons === lessons, true);
  const later = withOutcomeOf(lessons, agrees, 4_000_000).lessons;
  assertEquals(later.recipe?.lastConfirmedAt, new Date(4_000_000).toISOString());
  ok(withOutcomeOf(lessons, { kind: "misses", find: null }, 1).lessons !== lessons);
});

Deno.test("the first 50 pages of a shop are stored, then one per hour", () => {
  const full = { ...NO_LESSONS, kept: PAGES_KEPT, keptAtMs: 0 };
  assertEquals(wantsPage({ ...full, kept: PAGES_KEPT - 1 }, 1), true);
  assertEquals(wantsPage(full, 3_599_999), false);
  assertEquals(wantsPage(full, 3_600_000), true);
});
