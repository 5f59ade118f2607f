import { UNDERCUT, withRules } from "./evaluation/market.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { NewRule } from "../../src/engine/pricing/rule.ts";
import { currentRule, termsOf } from "../../src/rules/rule.ts";
import { everyItem, valuesOf } from "../api/answers.ts";
import { pathsOf, randomRules, withoutPath } from "../engine/random_rule.ts";
import { extent } from "../proof.ts";
import fc from "fast-check";

withRules.test("n parallel toggles are n audited changes, each of the state that the previous one left", async (app) => {
  const { id } = await app.owner.create("/api/rules", { ...UNDERCUT, enabled: false });
  const toggles = 41;
  const answers = await Promise.all(
    Array.from({ length: toggles }, () => app.owner.act(`/api/rules/${id}/toggle`)),
  );
  assertEquals(answers.filter(({ enabled }) => enabled).length, 21);
  const rule = await app.owner.read(`/api/rules/${id}`);
  assertEquals([rule.enabled, rule.version], [true, toggles + 1]);
  const rows = await everyItem(app.owner, "/api/audit-logs?action=rule.toggle&limit=200");
  assertEquals(rows.length, toggles);
  const starts = rows.filter(({ before, after }) => !before.enabled && after.enabled).length;
  assertEquals(starts, 21);
  ok(rows.every(({ before, after }) => before.enabled !== after.enabled));
});

withRules.test("unknown SKUs of a list are kept and reported; 1,000 long ones survive every change", async (app) => {
  await app.owner.create("/api/products", { sku: "KNOWN", title: "K" });
  const scope = { mode: "sku", list: ["KNOWN", "NEW"] };
  const made = await app.owner.create("/api/rules", { ...UNDERCUT, scope });
  assertEquals(made.scope, scope);
  assertEquals(valuesOf(made.warnings, "path", "value"), [["scope.list", "NEW"]]);
  const list = Array.from({ length: 1_000 }, (_, n) => `${n}`.padStart(128, "ü"));
  const path = `/api/rules/${made.id}`;
  const long = await app.owner.change(path, { scope: { mode: "sku", list } });
  assertEquals(long.scope.list, list);
  assertEquals((await app.owner.read("/api/rules"))[0].scope.list, list);
  const fewer = list.slice(0, 10);
  await app.owner.change(path, { scope: { mode: "sku", list: fewer } });
  assertEquals((await app.owner.read(path)).scope.list, fewer);
  assertEquals((await Array.fromAsync(app.store.kv.list({ prefix: ["rl"] }))).length, 0);
  await app.owner.change(path, { scope: { mode: "sku", list } });
  await app.owner.remove(path);
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

/** One percent below the cheapest offer, ending in 99, but at least the cost plus 8 %. */
const BELOW = {
  name: "Below the cheapest",
  when: { trigger: "market_index", always: true },
  bounds: { markupPct: 8 },
  actions: [{
    type: "propose_price",
    price: { adjust: { pct: -1 }, rounding: { ranges: [{ endings: ["99"] }] } },
  }],
};

withRules.test("a rule with a price is stored completely, described in both languages, and proposes its price", async (app) => {
  const id = await app.addRule(BELOW);
  const rule = await app.viewer.read(`/api/rules/${id}`);
  assertEquals(rule.actions, [{
    type: "propose_price",
    formula: null,
    targetMarginPct: null,
    rounding: "none",
    price: {
      reference: { kind: "cheapest", nth: null, competitorId: null },
      adjust: { pct: -1, cents: null },
      direction: "both",
      rounding: { to: "down", ranges: [{ belowCents: null, endings: ["99"] }] },
      deadbandPct: 0,
      fallback: null,
    },
  }]);
  match(rule.sentence.de, /^Bei jeder Prüfung: schlage 1\s% unter dem Günstigsten vor/);
  match(rule.sentence.en, /^At every check: propose 1% below the cheapest/);

  await app.addProduct("A");
  await app.addProduct("FLOOR", { costPrice: 92 });
  await app.addProduct("LEAST", { minPrice: 95 });
  await app.addProduct("ALONE");
  await app.push([["A", "acme", 90], ["FLOOR", "acme", 90], ["LEAST", "acme", 90]]);
  const open = await app.proposals("status=open");
  const bySku = Object.fromEntries(open.map(({ sku, proposedCents }) => [sku, proposedCents]));
  assertEquals(bySku, { A: 8_899, FLOOR: 9_999, LEAST: 9_599 });
  const proposal = open.find(({ sku }) => sku === "A");
  ok(proposal);
  match(proposal.reason, /^at every evaluation; the cheapest gives 88\.99 EUR$/);
  const { trace } = await app.viewer.read(`/api/proposals/${proposal.id}`);
  assertEquals(trace.price.goalCents, 8_899);

  const { results } = await app.viewer.act(`/api/rules/${id}/simulate`, {});
  assertEquals(valuesOf(results, "sku", "goalCents", "notes"), [
    ["A", 8_899, []],
    ["FLOOR", 9_999, ["markup_floor"]],
    ["LEAST", 9_599, ["min_price"]],
    ["ALONE", null, []],
  ]);
  const { items } = await app.viewer.read(`/api/products/${proposal.productId}/decisions`);
  assertEquals(items[0].goalCents, 8_899);
});
