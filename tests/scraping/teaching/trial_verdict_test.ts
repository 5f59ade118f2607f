import type { RecipeOutcome } from "../../../src/engine/extraction/recipe/use_recipe.ts";
import type { TrialVerdict } from "../../../src/scraping/teaching/recipe_wire.ts";
import { verdictOnAll, verdictOnPage } from "../../../src/scraping/teaching/teach_recipe.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

Deno.test("verdictOnPage() uses the page's other facts, then the last known price", () => {
  const table: readonly [
    RecipeOutcome["kind"] | null,
    number | null,
    number | null,
    TrialVerdict,
  ][] = [
    ["agrees", 1_000, 9_000, "same"],
    ["contradicts", 1_000, 1_000, "differs"],
    ["misses", null, 1_000, "nothing"],
    [null, null, null, "nothing"],
    ["alone", 1_000, null, "plausible"],
    ["alone", 1_000, 1_000, "same"],
    ["alone", 1_000, 2_000, "plausible"],
    ["alone", 1_000, 2_001, "differs"],
    ["alone", 1_000, 499, "differs"],
  ];
  for (const [kind, price, was, expected] of table) {
    const outcome = kind && { kind, find: null };
    assertEquals([kind, price, was, verdictOnPage(outcome, price, was)], [
      kind,
      price,
      was,
      expected,
    ]);
  }
});

Deno.test("verdictOnAll() is good from 60 % on, and never with a different price or one amount everywhere", () => {
  const table: readonly [string, TrialVerdict][] = [
    ["same same same same same", "same"],
    ["same plausible", "plausible"],
    ["plausible plausible plausible nothing nothing", "plausible"],
    ["plausible plausible nothing nothing", "nothing"],
    ["same same same same differs", "differs"],
    ["nothing", "nothing"],
    // Pages that no longer exist are ignored.
    ["same gone gone gone", "same"],
    ["gone", "nothing"],
  ];
  for (const [verdicts, expected] of table) {
    const trials = verdicts.split(" ").map((word, n) => ({
      verdict: word === "gone" ? "nothing" as const : word as TrialVerdict,
      errorCode: word === "gone" ? "http_error" : null,
      price: word === "nothing" || word === "gone" ? null : 1_000 + n,
    }));
    assertEquals([verdicts, verdictOnAll(500, trials)], [verdicts, expected]);
  }
  const constant = { verdict: "plausible" as const, errorCode: null, price: 495 };
  assertEquals(verdictOnAll(495, [constant, constant]), "plausible");
  assertEquals(verdictOnAll(495, [constant, constant, constant]), "differs");
});
