import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  bodyOf,
  cooldownBody,
  cooldownDraftOf,
  draftOf,
} from "../../src/client/pages/rules/rule_draft.ts";
import { listActions, listTriggers } from "../../src/engine/pricing/reference_list.ts";
import { NewRule } from "../../src/engine/pricing/rule.ts";

const REFERENCES = { triggers: listTriggers(), actions: listActions() };
const ID = "a".repeat(24);
const always = { trigger: "market_index", always: true };
const proposes = (price: Record<string, unknown>) => [{ type: "propose_price", price }];

const RULES: readonly Record<string, unknown>[] = [
  { when: { trigger: "competitor_undercut" }, actions: [{ type: "alert_inapp" }] },
  {
    when: {
      ...always,
      competitorIds: [ID],
      groups: ["Baumärkte, online", "A"],
      excludeGroups: ["B"],
      exactOnly: true,
      sameCondition: true,
      withShipping: true,
      marketplaces: "only",
    },
    brake: { cuts: 4, days: 10, restDays: 14 },
    budgetPerDay: 250,
    bounds: { markupPct: 8.25, maxMovePct: 7, aboveTargetPct: 0, belowTargetPct: 12.5 },
    actions: proposes({ adjust: { pct: -1.5 }, rounding: { ranges: [{ endings: ["99"] }] } }),
  },
  {
    when: always,
    actions: proposes({ reference: { kind: "nth", nth: 3 }, adjust: { cents: -1 } }),
  },
  {
    when: always,
    bounds: { minCents: 1_234_567, maxCents: 2_000_000, noTarget: "stop" },
    currency: "KWD",
    actions: proposes({
      reference: { kind: "competitor", competitorId: ID },
      adjust: { cents: 12_345 },
      direction: "raise",
      rounding: {
        to: "nearest",
        ranges: [{ belowCents: 5_001, endings: ["99", "049"] }, { endings: ["00"] }],
      },
      deadbandPct: 0.5,
      fallback: { kind: "cost", pct: 35.5 },
    }),
  },
  {
    when: { trigger: "competitor_overcut", reference: "average" },
    marginFloor: { pct: 12 },
    actions: [
      {
        type: "auto_apply_if_safe",
        price: { reference: { kind: "target" }, adjust: { pct: -10 } },
      },
      { type: "alert_email", to: ["a@shop.example"], severity: "high" },
    ],
  },
  {
    when: { trigger: "margin_below", marginPct: 5 },
    actions: [{ type: "propose_price", formula: "target_margin_pct", targetMarginPct: 9 }],
  },
];

for (const locale of ["de-DE", "en-GB", "de-CH"]) {
  Deno.test(`a rule survives its form in ${locale} unchanged`, () => {
    for (const given of RULES) {
      const terms = NewRule.parse({ name: "A rule", scope: { mode: "all" }, ...given });
      const rule = {
        ...terms,
        id: ID,
        version: 1,
        createdBy: { type: "user", id: ID, name: "Jana" },
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
        deletedAt: null,
        stats: { fires30d: 0, lastFiredAt: null },
      };
      const writing = { locale, currency: "EUR" };
      const { enabled: _, ...said } = NewRule.parse(
        bodyOf(draftOf(rule, writing), REFERENCES, writing),
      );
      const { enabled: _before, ...before } = terms;
      assertEquals(said, before);
    }
  });
}

Deno.test("a cooldown is shown in its largest whole unit and stored in minutes", () => {
  const shown = [
    [0, "0", "minutes"],
    [45, "45", "minutes"],
    [60, "1", "hours"],
    [90, "90", "minutes"],
    [1500, "25", "hours"],
    [1440, "1", "days"],
    [43_200, "30", "days"],
  ] as const;
  for (const [minutes, count, unit] of shown) {
    assertEquals(cooldownDraftOf(minutes, "de-DE"), { count, unit });
    assertEquals(cooldownBody({ count, unit }, "de-DE"), minutes);
  }
  assertEquals(cooldownBody({ count: "1,1", unit: "hours" }, "de-DE"), 66);
  assertEquals(cooldownBody({ count: "", unit: "days" }, "de-DE"), null);
  assertEquals(cooldownBody({ count: "zwei", unit: "days" }, "de-DE"), "zwei");
});
