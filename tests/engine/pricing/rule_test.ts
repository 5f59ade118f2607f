import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { NewRule, refuseRule, RulePatch } from "../../../src/engine/pricing/rule.ts";

const UNDERCUT = {
  name: "A rule",
  when: { trigger: "competitor_undercut" },
  scope: { mode: "all" },
  actions: [{ type: "alert_inapp" }],
};
const PROPOSE = { type: "propose_price", formula: "match_cheapest" };

/** Lists the refused fields as `path: message`. */
function refused(given: Record<string, unknown>): string[] {
  const { error } = NewRule.safeParse({ ...UNDERCUT, ...given });
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${[...issue.path, key].join(".")}: Unknown field`)
      : [`${issue.path.join(".")}: ${issue.message}`]
  );
}

function refusedTogether(given: Record<string, unknown>, currency = "EUR"): string[] {
  return refuseRule(NewRule.parse({ ...UNDERCUT, ...given }), { currency }).map(({ path }) => path);
}

Deno.test("NewRule reads null as the default, so a document can be sent back as it was read", () => {
  const nulls = { description: null, enabled: null, priority: null, cooldownMinutes: null };
  const when = { trigger: "competitor_undercut", competitorDeltaPct: null, competitorIds: null };
  const rule = NewRule.parse({ ...UNDERCUT, ...nulls, marginFloor: null, when });
  assertEquals(rule, NewRule.parse(UNDERCUT));
  assertEquals(NewRule.parse(rule), rule);
});

Deno.test("a name has at most 200 characters, and a percentage at most 4 decimals", () => {
  const taken = [{ marginFloor: { pct: 12.3456 } }, { name: "ä".repeat(200) }];
  assertEquals(taken.flatMap(refused), []);
  const pcts = [12.34567, 1e-7].map((pct) => ({ marginFloor: { pct } }));
  const names = ["   ", "ä".repeat(201), "a\u0000b"].map((name) => ({ name }));
  for (const given of [...pcts, ...names]) assert(refused(given).length > 0, JSON.stringify(given));
});

Deno.test("unknown fields and fields of another trigger, scope or action are named in the refusal", () => {
  const when = { trigger: "margin_below", marginPct: 1, competitorDeltaPct: 1, staleHours: 2 };
  const actions = [{ type: "alert_inapp", formula: "match_cheapest" }, { ...PROPOSE, to: [] }];
  const rows: [given: Record<string, unknown>, ...paths: string[]][] = [
    [{ nmae: "typo" }, "nmae"],
    [{ when }, "when.competitorDeltaPct", "when.staleHours"],
    [{ scope: { mode: "all", list: ["A"] } }, "scope.list"],
    [{ scope: { mode: "sku", list: ["A"], matches: {} } }, "scope.matches"],
    [{ scope: { mode: "attribute", matches: { brnad: "Sony" } } }, "scope.matches.brnad"],
    [{ actions }, "actions.0.formula", "actions.1.to"],
  ];
  for (const [given, ...paths] of rows) {
    assertEquals(refused(given), paths.map((path) => `${path}: Unknown field`));
  }
});

Deno.test("scope.matches has one form, however it was written", () => {
  const scope = (matches: unknown) =>
    NewRule.parse({ ...UNDERCUT, scope: { mode: "attribute", matches } }).scope;
  const normal = { brand: ["Sony"], category: [{ contains: "Audio" }] };
  const isSony = { field: "brand", op: "eq", value: "Sony" };
  const hasAudio = { field: "category", op: "contains", value: "Audio" };
  const forms = [
    { brand: ["Sony"], category: { contains: "Audio" } },
    { brand: "Sony", category: [{ contains: "Audio" }] },
    [isSony, hasAudio],
  ];
  for (const form of forms) assertEquals(scope(form), { mode: "attribute", matches: normal });
  for (const matches of [{}, [], { brand: [] }, { brand: "" }, { brand: null }, null, "Sony"]) {
    assert(refused({ scope: { mode: "attribute", matches } }).length > 0, JSON.stringify(matches));
  }
});

Deno.test("scope.list holds distinct SKUs, which are not empty", () => {
  const list = (skus: unknown[]) => ({ mode: "sku", list: skus });
  const { scope } = NewRule.parse({ ...UNDERCUT, scope: list([" A ", "A", "b"]) });
  assertEquals(scope, list(["A", "b"]));
  assert(refused({ scope: list([""]) }).length > 0);
});

Deno.test("refuseRule() names contradictions between fields", () => {
  const auto = { type: "auto_apply_if_safe" };
  const target = { ...PROPOSE, formula: "target_margin_pct" };
  const rounded = { ...PROPOSE, rounding: "x.99" };
  const inCurrency = (currency: unknown) => ({ mode: "attribute", matches: { currency } });
  const below = { trigger: "margin_below", marginPct: 1 };
  const rows: [given: Record<string, unknown>, currency: string, paths: string[]][] = [
    [{ actions: [PROPOSE] }, "EUR", []],
    [{ actions: [auto] }, "EUR", ["actions.0.formula"]],
    [{ actions: [{ type: "propose_price" }] }, "EUR", ["actions.0.formula"]],
    [{ actions: [auto, PROPOSE] }, "EUR", []],
    [{ actions: [target] }, "EUR", ["actions.0.targetMarginPct"]],
    [{ actions: [{ ...target, targetMarginPct: 20 }] }, "EUR", []],
    [{ actions: [target], marginFloor: { pct: 1 } }, "EUR", []],
    [{ actions: [target], when: below }, "EUR", []],
    [{ actions: [rounded] }, "EUR", []],
    [{ actions: [rounded] }, "JPY", ["actions.0.rounding"]],
    [{ actions: [rounded] }, "KWD", ["actions.0.rounding"]],
    [{ actions: [{ ...rounded, rounding: "none" }] }, "JPY", []],
    [{ actions: [rounded], scope: inCurrency("EUR") }, "JPY", []],
    [{ actions: [rounded], scope: inCurrency(["EUR", "jpy"]) }, "EUR", ["actions.0.rounding"]],
    [{ actions: [PROPOSE, PROPOSE] }, "EUR", ["actions.1.type"]],
  ];
  for (const [given, currency, paths] of rows) {
    assertEquals([given, refusedTogether(given, currency)], [given, paths]);
  }
});

Deno.test("RulePatch keeps fields that it does not name, and null resets them", () => {
  const rule = NewRule.parse({ ...UNDERCUT, priority: 7, enabled: true, marginFloor: { pct: 5 } });
  assertEquals(RulePatch.parse({}), {});
  assertEquals({ ...rule, ...RulePatch.parse({}) }, rule);
  const reset = RulePatch.parse({ priority: null, enabled: null, marginFloor: null });
  assertEquals({ ...rule, ...reset }, NewRule.parse(UNDERCUT));
  for (const patch of [{ name: null }, { when: null }, { actions: [] }, { x: 1 }]) {
    assertEquals(RulePatch.safeParse(patch).success, false);
  }
});

Deno.test("a price is stated once, and bounds are allowed only next to it", () => {
  const price = { reference: { kind: "median" } };
  const proposes = (given: Record<string, unknown>) => [{ type: "propose_price", ...given }];
  const competitorId = "a".repeat(24);
  const brake = { cuts: 3, days: 7, restDays: 7 };
  const rows: readonly [Record<string, unknown>, readonly string[]][] = [
    [{ actions: proposes({ price }) }, []],
    [{ actions: proposes({ price: {} }), bounds: { maxMovePct: 7 } }, []],
    [{ actions: proposes({ price, formula: "match_cheapest" }) }, ["actions.0.price"]],
    [{ actions: proposes({ price, targetMarginPct: 5 }) }, ["actions.0.targetMarginPct"]],
    [{ actions: proposes({ price, rounding: "x.99" }) }, ["actions.0.rounding"]],
    [{ actions: proposes({ formula: "match_cheapest" }), bounds: {} }, ["bounds"]],
    [{ bounds: { minCents: 1 } }, ["bounds"]],
    [{ actions: proposes({ price: {} }), brake }, []],
    [{ actions: proposes({ formula: "match_cheapest" }), brake }, ["brake"]],
    // Formulas ignore bounds, so bounds are refused if one of the actions uses a formula.
    [{
      actions: [...proposes({ formula: "match_cheapest" }), { type: "auto_apply_if_safe", price }],
      bounds: { minCents: 1 },
    }, ["bounds"]],
    [{
      when: { ...UNDERCUT.when, minCompetitors: 2 },
      actions: proposes({ price: { reference: { kind: "competitor", competitorId } } }),
    }, ["actions.0.price.reference.kind"]],
  ];
  for (const [given, paths] of rows) {
    assertEquals([given, refusedTogether(given)], [given, paths]);
  }
});

Deno.test("the fields of a price fit together, and a refusal names the field by its path", () => {
  const paths = (price: unknown, rest: Record<string, unknown> = {}) =>
    refused({ actions: [{ type: "propose_price", price }], ...rest })
      .map((text) => text.replace(/:.*/, "").replace("actions.0.price.", ""));
  const ranges = (...ranges: unknown[]) => ({ rounding: { ranges } });
  const [last, below] = [{ endings: [] }, { belowCents: 5, endings: [] }];
  const rows: readonly [unknown, readonly string[]][] = [
    [{}, []],
    [{ reference: null, adjust: null, direction: null, rounding: null, deadbandPct: null }, []],
    [{ reference: { kind: "nth" } }, ["reference.nth"]],
    [{ reference: { kind: "cheapest", nth: 2 } }, ["reference.nth"]],
    [{ reference: { kind: "competitor" } }, ["reference.competitorId"]],
    [{ adjust: { pct: -1, cents: 5 } }, ["adjust.cents"]],
    [ranges({ endings: ["99", "049"] }), []],
    [ranges(last), []],
    [ranges(below), ["rounding.ranges.0.belowCents"]],
    [ranges(last, last), ["rounding.ranges.0.belowCents"]],
    [ranges(below, below, last), ["rounding.ranges.1.belowCents"]],
    [{ brake: null }, ["brake"]],
  ];
  for (const [price, expected] of rows) {
    assertEquals([price, paths(price)], [price, expected]);
  }
  assertEquals(paths({}, { bounds: { minCents: 2, maxCents: 1 } }), ["bounds.maxCents"]);
  assertEquals(paths({}, { brake: { cuts: 3, days: 7, restDays: 6 } }), ["brake.restDays"]);
  assertEquals(paths({}, { currency: "EURO" }), ["currency"]);
});

Deno.test("market_index takes a bound or `always`, not both", () => {
  const paths = (given: Record<string, unknown>) =>
    refused({ when: { trigger: "market_index", ...given } }).map((text) => text.split(":")[0]);
  assertEquals(paths({ always: true }), []);
  assertEquals(paths({ always: false, indexAbove: 101 }), []);
  assertEquals(paths({}), ["when.indexAbove"]);
  assertEquals(paths({ always: true, indexAbove: 101 }), ["when.indexAbove"]);
  assertEquals(paths({ always: true, indexBelow: 99 }), ["when.indexBelow"]);
});
