import fc from "fast-check";
import { NewRule } from "../../src/engine/pricing/rule.ts";
import { currentRule, termsOf } from "../../src/rules/rule.ts";
import { pathsOf, randomRules, withoutPath } from "../engine/random_rule.ts";
import { extent } from "../proof.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const OF_SERVICE = {
  id: "a".repeat(24),
  version: 1,
  createdBy: { type: "user", id: "b".repeat(24), name: "Anna" },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  deletedAt: null,
} as const;

Deno.test("a stored rule that is older than a field is read with the field's default", () => {
  const tried = new Set<string>();
  fc.assert(
    fc.property(randomRules, (rule) => {
      for (const path of pathsOf(rule)) {
        const row = withoutPath({ ...rule, ...OF_SERVICE }, path);
        const { data } = NewRule.safeParse(termsOf(row));
        if (data === undefined) continue;
        const name = path.filter((key) => typeof key === "string").join(".");
        assertEquals(currentRule(row), { ...data, ...OF_SERVICE }, name);
        tried.add(name);
      }
    }),
    { numRuns: extent(2_000, 100), endOnFailure: true },
  );
  for (const name of ["budgetPerDay", "when.exactOnly", "bounds.maxMovesPerDay"]) {
    ok(tried.has(name), `${name} was never left out`);
  }
});

Deno.test("a stored rule with an unknown term keeps it, and has the defaults of the others", () => {
  fc.assert(
    fc.property(randomRules, (rule) => {
      const when = Object({ ...rule.when, trigger: "of_another_version" });
      const row = withoutPath({ ...rule, ...OF_SERVICE, when }, ["budgetPerDay"]);
      assertEquals(currentRule(row), {
        ...currentRule({ ...rule, ...OF_SERVICE, budgetPerDay: null }),
        when,
      });
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
