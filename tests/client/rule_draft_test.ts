import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import {
  bodyOf,
  cooldownBody,
  cooldownDraftOf,
  draftOf,
} from "../../src/client/pages/rules/rule_draft.ts";
import { listActions, listTriggers, NewRule } from "../../src/engine/pricing/rule.ts";
import { randomRules } from "../engine/random_rule.ts";

const REFERENCES = { triggers: listTriggers(), actions: listActions() };
const ID = "a".repeat(24);
const KEPT = {
  ...{ id: ID, version: 1, createdBy: { type: "user", id: ID, name: "Jana" } },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...{ deletedAt: null, stats: { fires30d: 0, lastFiredAt: null } },
} as const;

const ruleOf = (bounds: object, price: object) =>
  NewRule.parse({
    name: "A rule",
    when: { trigger: "market_index", always: true, groups: ["Baumärkte, online", "A"] },
    scope: { mode: "all" },
    currency: "KWD",
    bounds,
    actions: [{ type: "propose_price", price }],
  });

/** Fractions, large and negative amounts, which random rules lack. */
const FINE = [
  ruleOf({ markupPct: 8.25, minCents: 1_234_567 }, { adjust: { pct: -1.5 }, deadbandPct: 0.5 }),
  ruleOf({ maxCents: 2_000_000 }, {
    adjust: { cents: -12_345 },
    rounding: { ranges: [{ belowCents: 5_001, endings: ["99", "049"] }, { endings: ["00"] }] },
    fallback: { kind: "cost", pct: 35.5 },
  }),
];

/** The form keeps neither bounds without a value nor a single range of prices without endings. */
const shownRules = randomRules.filter(({ bounds, actions }) =>
  (bounds === null || Object.values(bounds).some((one) => one !== null && one !== "ignore")) &&
  !JSON.stringify(actions).includes('[{"belowCents":null,"endings":[]}]')
);

Deno.test("a rule survives its form unchanged, in every notation of numbers", () => {
  const locales = fc.constantFrom("de-DE", "en-GB", "de-CH");
  fc.assert(
    fc.property(shownRules, locales, ({ enabled: _, ...terms }, locale) => {
      const writing = { locale, currency: "EUR" };
      const draft = draftOf({ ...terms, enabled: false, ...KEPT }, writing);
      const { enabled: _enabled, ...said } = NewRule.parse(bodyOf(draft, REFERENCES, writing));
      assertEquals(said, terms);
    }),
    { examples: FINE.flatMap((rule) => [[rule, "de-DE"], [rule, "en-GB"], [rule, "de-CH"]]) },
  );
});

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
