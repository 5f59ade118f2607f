import { deepStrictEqual as assertEquals, match, ok as assert } from "node:assert/strict";
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

Deno.test("NewRule fills in all defaults", () => {
  const { when, ...rest } = NewRule.parse(UNDERCUT);
  assertEquals(rest, {
    name: "A rule",
    description: null,
    enabled: false,
    priority: 100,
    cooldownMinutes: 60,
    scope: { mode: "all" },
    marginFloor: null,
    bounds: null,
    brake: null,
    budgetPerDay: null,
    schedule: null,
    currency: null,
    actions: [{ type: "alert_inapp", severity: "medium" }],
  });
  assertEquals(when, {
    trigger: "competitor_undercut",
    competitorDeltaPct: 0,
    reference: "cheapest",
    competitorIds: [],
    excludeCompetitorIds: [],
    inStockOnly: true,
    maxAgeHours: null,
    minCompetitors: 1,
    groups: [],
    excludeGroups: [],
    marketplaces: "with",
    exactOnly: false,
    sameCondition: false,
    withShipping: false,
    withoutShipping: false,
    or: [],
  });
});

Deno.test("NewRule reads null as the default, so a document can be sent back as it was read", () => {
  const nulls = { description: null, enabled: null, priority: null, cooldownMinutes: null };
  const when = { trigger: "competitor_undercut", competitorDeltaPct: null, competitorIds: null };
  const rule = NewRule.parse({ ...UNDERCUT, ...nulls, marginFloor: null, when });
  assertEquals(rule, NewRule.parse(UNDERCUT));
  assertEquals(NewRule.parse(rule), rule);
});

Deno.test("NewRule accepts each bound and nothing beyond it", () => {
  const rows: [field: string, taken: unknown[], not: unknown[]][] = [
    ["priority", [0, 1_000], [-1, 1_001, 1.5, "1"]],
    ["cooldownMinutes", [0, 10_080], [-1, 10_081, 0.5]],
    ["marginFloor", [{ pct: 0 }, { pct: 100 }, { pct: 12.3456 }], [
      { pct: -0.1 },
      { pct: 100.1 },
      { pct: 12.34567 },
      { pct: 1e-7 },
      {},
      { pct: 1, x: 1 },
    ]],
    ["enabled", [true, false], ["true", 1]],
    ["name", ["ä".repeat(200)], ["", "   ", "ä".repeat(201), null, "a\u0000b"]],
    ["actions", [[PROPOSE]], [[], null, {}, [{}], [{ type: "alert_sms" }]]],
    ["scope", [{ mode: "all" }], [{ mode: "some" }, { mode: "sku" }, {}]],
  ];
  for (const [field, taken, not] of rows) {
    for (const value of taken) {
      assertEquals([field, value, refused({ [field]: value })], [field, value, []]);
    }
    for (const value of not) assert(refused({ [field]: value }).length > 0, `${field} ${value}`);
  }
});

Deno.test("when accepts the fields of its trigger within their bounds", () => {
  const rows: [when: Record<string, unknown>, isTaken: boolean][] = [
    [{ trigger: "competitor_undercut", competitorDeltaPct: 100 }, true],
    [{ trigger: "competitor_undercut", competitorDeltaPct: -1 }, false],
    [{ trigger: "competitor_undercut", competitorDeltaPct: 1.00001 }, false],
    [{ trigger: "competitor_overcut", competitorDeltaPct: 250 }, true],
    [{ trigger: "margin_below" }, false],
    [{ trigger: "margin_below", marginPct: 15.5 }, true],
    [{ trigger: "margin_above", marginPct: 100.1 }, false],
    [{ trigger: "position_change", direction: "worse", minPositions: 2 }, true],
    [{ trigger: "position_change", direction: "down" }, false],
    [{ trigger: "position_change", minPositions: 0 }, false],
    [{ trigger: "market_index" }, false],
    [{ trigger: "market_index", indexAbove: null }, false],
    [{ trigger: "market_index", indexBelow: 90 }, true],
    [{ trigger: "scrape_stale" }, true],
    [{ trigger: "scrape_stale", staleHours: 0 }, false],
    [{ trigger: "competitor_undercut", maxAgeHours: 720 }, true],
    [{ trigger: "competitor_undercut", maxAgeHours: 721 }, false],
    [{ trigger: "competitor_undercut", maxAgeHours: 0 }, false],
    [{ trigger: "competitor_undercut", minCompetitors: 0 }, false],
    [{ trigger: "competitor_undercut", reference: "median" }, false],
    [{ trigger: "competitor_undercut", competitorIds: ["x"] }, false],
    [{ trigger: "price_drop" }, false],
    [{}, false],
  ];
  for (const [when, isTaken] of rows) {
    assertEquals([when, refused({ when }).length === 0], [when, isTaken]);
  }
});

Deno.test("unknown fields and fields of another trigger, scope or action are named in the refusal", () => {
  assertEquals(refused({ nmae: "typo" }), ["nmae: Unknown field"]);
  assertEquals(
    refused({
      when: { trigger: "margin_below", marginPct: 1, competitorDeltaPct: 1, staleHours: 2 },
    }),
    ["when.competitorDeltaPct: Unknown field", "when.staleHours: Unknown field"],
  );
  assertEquals(refused({ scope: { mode: "all", list: ["A"] } }), ["scope.list: Unknown field"]);
  assertEquals(refused({ scope: { mode: "sku", list: ["A"], matches: {} } }), [
    "scope.matches: Unknown field",
  ]);
  assertEquals(refused({ scope: { mode: "attribute", matches: { brnad: "Sony" } } }), [
    "scope.matches.brnad: Unknown field",
  ]);
  assertEquals(
    refused({
      actions: [{ type: "alert_inapp", formula: "match_cheapest" }, { ...PROPOSE, to: [] }],
    }),
    ["actions.0.formula: Unknown field", "actions.1.to: Unknown field"],
  );
});

Deno.test("actions accept the documented severities, and propose_price needs a formula", () => {
  for (const severity of ["info", "low", "medium", "high", "critical"]) {
    assertEquals(refused({ actions: [{ type: "alert_email", severity, to: ["a@b.de"] }] }), []);
  }
  match(
    refused({ actions: [{ type: "alert_inapp", severity: "urgent" }] })[0]!,
    /^actions\.0\.severity/,
  );
  match(refused({ actions: [{ type: "alert_email", to: ["nobody"] }] })[0]!, /^actions\.0\.to\.0/);
  assertEquals(refusedTogether({ actions: [{ type: "propose_price" }] }), ["actions.0.formula"]);
  match(
    refused({ actions: [{ type: "propose_price", formula: "cheapest" }] })[0]!,
    /^actions\.0\.formula/,
  );
});

Deno.test("scope.matches has one form, however it was written", () => {
  const scope = (matches: unknown) =>
    NewRule.parse({ ...UNDERCUT, scope: { mode: "attribute", matches } }).scope;
  const normal = {
    mode: "attribute",
    matches: { brand: ["Sony"], category: [{ contains: "Audio" }] },
  };
  assertEquals(scope({ brand: ["Sony"], category: { contains: "Audio" } }), normal);
  assertEquals(scope({ brand: "Sony", category: [{ contains: "Audio" }] }), normal);
  assertEquals(
    scope([
      { field: "brand", op: "eq", value: "Sony" },
      { field: "category", op: "contains", value: "Audio" },
    ]),
    normal,
  );
  for (const matches of [{}, [], { brand: [] }, { brand: "" }, { brand: null }, null, "Sony"]) {
    assert(refused({ scope: { mode: "attribute", matches } }).length > 0, JSON.stringify(matches));
  }
});

Deno.test("scope.list holds 1 to 1,000 distinct SKUs", () => {
  const list = (skus: unknown[]) => ({ mode: "sku", list: skus });
  assertEquals(
    NewRule.parse({ ...UNDERCUT, scope: list([" A ", "A", "b"]) }).scope,
    list(["A", "b"]),
  );
  assertEquals(refused({ scope: list(Array.from({ length: 1_000 }, (_, n) => `S${n}`)) }), []);
  for (const skus of [[], [""], [1], Array.from({ length: 1_001 }, (_, n) => `S${n}`)]) {
    assert(refused({ scope: list(skus) }).length > 0);
  }
});

Deno.test("refuseRule() names contradictions between fields", () => {
  const rows: [given: Record<string, unknown>, currency: string, paths: string[]][] = [
    [{ actions: [PROPOSE] }, "EUR", []],
    [{ actions: [{ type: "auto_apply_if_safe" }] }, "EUR", ["actions.0.formula"]],
    [{ actions: [{ type: "auto_apply_if_safe" }, PROPOSE] }, "EUR", []],
    [{ actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest" }] }, "EUR", []],
    [{ actions: [{ ...PROPOSE, formula: "target_margin_pct" }] }, "EUR", [
      "actions.0.targetMarginPct",
    ]],
    [{ actions: [{ ...PROPOSE, formula: "target_margin_pct", targetMarginPct: 20 }] }, "EUR", []],
    [
      { actions: [{ ...PROPOSE, formula: "target_margin_pct" }], marginFloor: { pct: 1 } },
      "EUR",
      [],
    ],
    [
      {
        actions: [{ ...PROPOSE, formula: "target_margin_pct" }],
        when: { trigger: "margin_below", marginPct: 1 },
      },
      "EUR",
      [],
    ],
    [{ actions: [{ ...PROPOSE, rounding: "x.99" }] }, "EUR", []],
    [{ actions: [{ ...PROPOSE, rounding: "x.99" }] }, "JPY", ["actions.0.rounding"]],
    [{ actions: [{ ...PROPOSE, rounding: "x.99" }] }, "KWD", ["actions.0.rounding"]],
    [{ actions: [{ ...PROPOSE, rounding: "none" }] }, "JPY", []],
    [
      {
        actions: [{ ...PROPOSE, rounding: "x.99" }],
        scope: { mode: "attribute", matches: { currency: "EUR" } },
      },
      "JPY",
      [],
    ],
    [
      {
        actions: [{ ...PROPOSE, rounding: "x.99" }],
        scope: { mode: "attribute", matches: { currency: ["EUR", "jpy"] } },
      },
      "EUR",
      ["actions.0.rounding"],
    ],
    [{ actions: [PROPOSE, PROPOSE] }, "EUR", ["actions.1.type"]],
  ];
  for (const [given, currency, paths] of rows) {
    const rule = NewRule.parse({ ...UNDERCUT, ...given });
    assertEquals([given, refuseRule(rule, { currency }).map(({ path }) => path)], [given, paths]);
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

function refusedTogether(given: Record<string, unknown>): string[] {
  return refuseRule(NewRule.parse({ ...UNDERCUT, ...given }), { currency: "EUR" })
    .map(({ path }) => path);
}

Deno.test("a price is stated once, and bounds are allowed only next to it", () => {
  const price = { reference: { kind: "median" } };
  const proposes = (given: Record<string, unknown>) => [{ type: "propose_price", ...given }];
  const competitorId = "a".repeat(24);
  const rows: readonly [Record<string, unknown>, readonly string[]][] = [
    [{ actions: proposes({ price }) }, []],
    [{ actions: proposes({ price: {} }), bounds: { maxMovePct: 7 } }, []],
    [{ actions: [{ type: "auto_apply_if_safe", price }], bounds: {} }, []],
    [{ actions: proposes({ price, formula: "match_cheapest" }) }, ["actions.0.price"]],
    [{ actions: proposes({ price, targetMarginPct: 5 }) }, ["actions.0.targetMarginPct"]],
    [{ actions: proposes({ price, rounding: "x.99" }) }, ["actions.0.rounding"]],
    [{ actions: proposes({ formula: "match_cheapest" }), bounds: {} }, ["bounds"]],
    [{ bounds: { minCents: 1 } }, ["bounds"]],
    // The rule's price comes from the formula, which ignores bounds.
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

Deno.test("a price accepts each bound and nothing beyond it, and names every field by its path", () => {
  const id = "a".repeat(24);
  const paths = (price: unknown, rest: Record<string, unknown> = {}) =>
    refused({ actions: [{ type: "propose_price", price }], ...rest })
      .map((text) => text.replace(/:.*/, "").replace("actions.0.price.", ""));
  const rows: readonly [unknown, readonly string[]][] = [
    [{}, []],
    [{ reference: null, adjust: null, direction: null, rounding: null, deadbandPct: null }, []],
    [{ reference: { kind: "nth", nth: 1 } }, []],
    [{ reference: { kind: "nth" } }, ["reference.nth"]],
    [{ reference: { kind: "nth", nth: 201 } }, ["reference.nth"]],
    [{ reference: { kind: "cheapest", nth: 2 } }, ["reference.nth"]],
    [{ reference: { kind: "competitor", competitorId: id } }, []],
    [{ reference: { kind: "competitor" } }, ["reference.competitorId"]],
    [{ reference: { kind: "second" } }, ["reference.kind"]],
    [{ adjust: { pct: -1 } }, []],
    [{ adjust: { pct: -1, cents: 5 } }, ["adjust.cents"]],
    [{ adjust: { pct: -100.0001 } }, ["adjust.pct"]],
    [{ adjust: { cents: 10 ** 12 + 1 } }, ["adjust.cents"]],
    [{ rounding: { ranges: [{ endings: ["99", "049"] }] } }, []],
    [{ rounding: { ranges: [{ endings: [] }] } }, []],
    [{ rounding: { ranges: [{ endings: ["9a"] }] } }, ["rounding.ranges.0.endings.0"]],
    [{ rounding: { ranges: [{ endings: ["1234567"] }] } }, ["rounding.ranges.0.endings.0"]],
    [{ rounding: { ranges: [{ belowCents: 5, endings: [] }] } }, ["rounding.ranges.0.belowCents"]],
    [{ rounding: { ranges: [{ endings: [] }, { endings: [] }] } }, [
      "rounding.ranges.0.belowCents",
    ]],
    [
      {
        rounding: {
          ranges: [{ belowCents: 5, endings: [] }, { belowCents: 5, endings: [] }, { endings: [] }],
        },
      },
      ["rounding.ranges.1.belowCents"],
    ],
    [{ rounding: { to: "sideways" } }, ["rounding.to"]],
    [{ deadbandPct: 101 }, ["deadbandPct"]],
    [{ fallback: { kind: "cost", pct: 35 } }, []],
    [{ fallback: { kind: "cheapest" } }, ["fallback.kind"]],
    [{ brake: null }, ["brake"]],
  ];
  for (const [price, expected] of rows) {
    assertEquals([price, paths(price)], [price, expected]);
  }
  assertEquals(paths({}, { bounds: { minCents: 2, maxCents: 1 } }), ["bounds.maxCents"]);
  assertEquals(paths({}, { bounds: { markupPct: -1 } }), ["bounds.markupPct"]);
  assertEquals(paths({}, { bounds: { noTarget: "guess" } }), ["bounds.noTarget"]);
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
