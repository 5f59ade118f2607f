import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, everyItem } from "../api/answers.ts";
import { UNDERCUT } from "./evaluation/market.ts";
import { withApp } from "../harness.ts";
import { NewRule } from "../../src/engine/pricing/rule.ts";
import { currentRule, termsOf } from "../../src/rules/rule.ts";
import { pathsOf, randomRules, withoutPath } from "../engine/random_rule.ts";
import { extent } from "../proof.ts";
import fc from "fast-check";

withApp.test("n parallel toggles are n audited changes, each of the state that the previous one left", async (app) => {
  const { id } = await bodyOf(app.owner.post("/api/rules", { ...UNDERCUT, enabled: false }), 201);
  const toggles = 101;
  const answers = await Promise.all(
    Array.from({ length: toggles }, () => bodyOf(app.owner.post(`/api/rules/${id}/toggle`), 200)),
  );
  assertEquals(answers.filter(({ enabled }) => enabled).length, 51);
  const rule = await bodyOf(app.owner.get(`/api/rules/${id}`), 200);
  assertEquals([rule.enabled, rule.version], [true, toggles + 1]);
  const rows = await everyItem(app.owner, "/api/audit-logs?action=rule.toggle&limit=200");
  assertEquals(rows.length, toggles);
  const starts = rows.filter(({ before, after }) => !before.enabled && after.enabled).length;
  assertEquals(starts, 51);
  ok(rows.every(({ before, after }) => before.enabled !== after.enabled));
});

withApp.test("unknown SKUs of a list are kept and reported; 1,000 long ones survive every change", async (app) => {
  await bodyOf(app.owner.post("/api/products", { sku: "KNOWN", title: "K" }), 201);
  const scope = { mode: "sku", list: ["KNOWN", "NEW"] };
  const made = await bodyOf(app.owner.post("/api/rules", { ...UNDERCUT, scope }), 201);
  assertEquals(made.scope, scope);
  assertEquals(
    made.warnings.map(({ path, value }: Record<string, string>) => [path, value]),
    [["scope.list", "NEW"]],
  );
  const list = Array.from({ length: 1_000 }, (_, n) => `${n}`.padStart(128, "ü"));
  const path = `/api/rules/${made.id}`;
  const long = await bodyOf(app.owner.patch(path, { scope: { mode: "sku", list } }), 200);
  assertEquals(long.scope.list, list);
  assertEquals((await bodyOf(app.owner.get("/api/rules"), 200))[0].scope.list, list);
  const fewer = list.slice(0, 10);
  await bodyOf(app.owner.patch(path, { scope: { mode: "sku", list: fewer } }), 200);
  assertEquals((await bodyOf(app.owner.get(path), 200)).scope.list, fewer);
  assertEquals((await Array.fromAsync(app.store.kv.list({ prefix: ["rl"] }))).length, 0);
  await bodyOf(app.owner.patch(path, { scope: { mode: "sku", list } }), 200);
  await bodyOf(app.owner.delete(path), 200);
});

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
    { numRuns: extent(2_000, 40), endOnFailure: true },
  );
  for (const name of ["budgetPerDay", "when.exactOnly", "bounds.maxMovesPerDay"]) {
    ok(tried.has(name), `${name} was never left out`);
  }
});

Deno.test("a stored rule keeps a term with an unknown value, and has the defaults of missing terms", () => {
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
