import fc from "fast-check";
import { FORMULAS } from "../../../src/engine/pricing/actions.ts";
import type { NoteFacts } from "../../../src/engine/pricing/bounds.ts";
import type { ObjectionFacts } from "../../../src/engine/pricing/guards.ts";
import type { RestFacts, Statement } from "../../../src/engine/pricing/trigger.ts";
import { type TriggerFacts, TRIGGERS } from "../../../src/engine/pricing/triggers.ts";
import { GUARD_ROWS, GUARD_WORDS } from "../../../src/engine/wording/guard_words.ts";
import {
  guardDetail,
  saidText,
  wireNote,
  wireObjection,
  wireSaid,
} from "../../../src/engine/wording/reason_text.ts";
import { formulaLabels } from "../../../src/engine/wording/price_sentence.ts";
import type { Language } from "../../../src/base/codes.ts";
import { createShow } from "../../../src/engine/wording/show.ts";
import { TRIGGER_ROWS } from "../../../src/engine/wording/trigger_words.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const LANGUAGES: readonly Language[] = ["de", "en"];
const show = createShow({ locale: "de-DE", timeZone: "UTC", currency: "EUR" }, () => 0);

type Drawn<FactsByCode> = {
  readonly [Code in keyof FactsByCode]: {
    readonly [Name in keyof FactsByCode[Code]]-?: fc.Arbitrary<FactsByCode[Code][Name]>;
  };
};

const count = fc.integer({ min: 1, max: 40 });
const pct = fc.integer({ min: 1, max: 400 }).map((tenths) => tenths / 10);
const flag = fc.boolean();
const name = fc.constantFrom("Acme", "Beta", "Gamma");
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const currency = fc.constantFrom("EUR", "JPY", "KWD");
const time = fc.constantFrom("2026-03-01T10:00:00Z", "2026-04-02T11:30:00Z");
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 2 });
const oneOf = fc.constantFrom;
const cents = { cents: count, currency, of: oneOf("rule" as const, "product") };
const goal = { goalCents: count, currency };
const bound = oneOf("min_price" as const, "max_price");
const move = { ...goal, maxPct: pct, isOfDay: flag };
const why = oneOf("stale" as const, "out_of_stock", "own_offer");
const unusable = { leftOut: fc.array(fc.record({ why, count })), lacksVat: flag };
const compared = {
  kind: oneOf("cheapest" as const, "second", "average", "highest"),
  competitor: name,
  count,
  ...{ priceCents: count, isExact: flag, ourPriceCents: count, currency },
  ...{ deltaPct: pct, fires: flag },
};
const margin = { marginPct: maybe(pct), boundPct: pct, fires: flag };
const taker = { ruleName: name, wouldBeCents: count, currency };

const SAID: Drawn<TriggerFacts & RestFacts> = {
  competitor_undercut: compared,
  competitor_overcut: compared,
  margin_below: margin,
  margin_above: margin,
  position_change: { rank: count, of: count, before: maybe(count) },
  market_index: {
    ...{ index: maybe(pct), indexAbove: maybe(pct), indexBelow: maybe(pct) },
    ...{ always: flag, fires: flag },
  },
  scrape_stale: {
    since: maybe(oneOf("observation" as const, "match")),
    ...{ ageHours: count, staleHours: pct },
  },
  out_of_scope: { field: oneOf("brand" as const, "tier", "sku"), value: maybe(name) },
  unseen: { days: count },
  no_own_price: {},
  no_reference: unusable,
  too_few_references: { ...unusable, minCompetitors: count },
  no_second: {},
  cost_unknown: { isZero: flag },
  vat_unknown: {},
};

const NOTED: Drawn<NoteFacts> = {
  margin_floor: { floorPct: pct },
  markup_floor: { markupPct: pct },
  min_price: cents,
  max_price: cents,
  below_target: { pct },
  above_target: { pct },
  max_move: move,
  ending_dropped: {},
  fallback: { kind: oneOf("cost" as const, "target") },
};

/** The id of the rule that takes precedence is left out, because no sentence contains it. */
type Objections = Omit<ObjectionFacts, "outranked" | "not_stable"> & {
  readonly outranked: Pick<ObjectionFacts["outranked"], "ruleName">;
  readonly not_stable: Omit<ObjectionFacts["not_stable"], "ruleId">;
};

const OBJECTED: Drawn<Omit<Objections, keyof NoteFacts>> = {
  no_own_price: {},
  price_locked: {},
  price_held: { until: time },
  floor_unreachable: { of: oneOf("floor" as const, "target") },
  cost_unknown: { neededBy: oneOf("floor" as const, "target", "markup", "price"), isZero: flag },
  vat_unknown: { neededBy: oneOf("reference" as const, "margin") },
  amount_currency: { amounts: currency, product: currency },
  target_unknown: {},
  no_reference: {},
  price_too_low: {},
  price_too_high: {},
  bounds_conflict: { lowCents: count, low: bound, highCents: count, high: bound, currency },
  floor_above_current: { lowestCents: count, currency },
  no_change: { isRounded: flag },
  ending_beyond: goal,
  direction: { ...goal, isRaise: flag },
  deadband: goal,
  day_unread: {},
  moves_per_day: { most: count, count, until: maybe(time) },
  brake: { count, until: time, competitor: maybe(name) },
  stopped: { at: time, reason: name },
  auto_apply_off: {},
  approval_needed: { beyondPct: pct, people: count },
  floor_missing: {},
  cooldown: { lastFiredAt: maybe(time) },
  history_unread: {},
  manual_price: { setAt: maybe(time) },
  stale_reference: { competitors: names, maxAgeHours: pct, isAhead: flag },
  low_confidence: { competitors: names },
  outlier: {
    ...{ competitors: names, awayFrom: oneOf("previous" as const, "own", "changed") },
    ...{ ourPriceCents: count, currency },
  },
  change_too_large: { maxPct: pct, fromCents: count, toCents: count },
  daily_change_too_large: { maxPct: pct, fromCents: count, toCents: count, currency },
  budget: { of: oneOf("rule" as const, "workspace"), most: count },
  price_changed: {
    ...{ fromCents: count, fromCurrency: currency, nowCents: maybe(count), nowCurrency: currency },
  },
  below_cost: { costCents: count, currency },
  rule_deleted: {},
  rule_off: {},
  other_open: {},
  outranked: { ruleName: name },
  not_stable: taker,
};

const spoken = (said: Statement) => [
  ...LANGUAGES.map((language) => saidText({ language, show }, said)),
  wireSaid(said),
];
const objected = (said: Statement) => [
  ...LANGUAGES.map((language) =>
    [GUARD_ROWS[said.code]?.name[language], guardDetail({ language, show }, said)]
      .filter(Boolean).join(": ")
  ),
  wireObjection(said),
];

const noted = (said: Statement) => [...objected(said).slice(0, 2), wireNote(said)];

interface Said {
  readonly code: string;
  readonly facts: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** One sentence per language, and one for the API. */
  readonly all: (said: Statement) => readonly string[];
}

const codesIn = (table: Readonly<Record<string, Said["facts"]>>, all: Said["all"]): Said[] =>
  Object.entries(table).map(([code, facts]) => ({ code, facts, all }));

/** `NOTED` occurs twice, because its codes are both notes and codes of guards. */
const CODES = [
  ...codesIn(SAID, spoken),
  ...codesIn({ ...OBJECTED, ...NOTED }, objected),
  ...codesIn(NOTED, noted),
];

/** Matches sentences in which a value is missing. */
const BROKEN = /undefined|null|NaN|\[object|^\s*$/;

/** Many inputs are needed, because some facts affect a sentence only together with others. */
const DRAWS = { numRuns: 300, seed: 7 };

for (const { code, facts, all } of CODES) {
  Deno.test(`${code} has sentences in both languages and for the API, with all facts${all === noted ? ", as a note" : ""}`, () => {
    const drawn = fc.record(facts);
    const effective = new Set<string>();
    const property = fc.property(drawn, drawn, (some, others) => {
      const sentences = all({ code, facts: some });
      assertEquals(sentences.length, 3);
      for (const sentence of sentences) {
        ok(sentence !== code && !BROKEN.test(sentence), `${JSON.stringify(some)}: ${sentence}`);
      }
      for (const name of Object.keys(some)) {
        const changed = all({ code, facts: { ...some, [name]: others[name] } });
        if (changed.join() !== sentences.join()) effective.add(name);
      }
    });
    fc.assert(property, DRAWS);
    assertEquals([...effective].sort(), Object.keys(facts).sort());
  });
}

Deno.test("every code has different sentences in German and English", () => {
  const formulas = { de: formulaLabels("de"), en: formulaLabels("en") };
  const lists = [
    ...TRIGGERS.map(({ value }) => TRIGGER_ROWS[value]?.label),
    ...FORMULAS.map(({ value }) => ({ de: formulas.de[value], en: formulas.en[value] })),
    ...Object.values(GUARD_WORDS).map(({ name }) => name),
  ];
  assertEquals(lists.filter((words) => words === undefined || words.de === words.en), []);
});

Deno.test("trigger fields with the same name have the same words", () => {
  const byName = new Map<string, string>();
  for (const { value } of TRIGGERS) {
    for (const [name, words] of Object.entries(TRIGGER_ROWS[value]?.fields ?? {})) {
      const text = JSON.stringify(words);
      assertEquals([name, byName.get(name) ?? text], [name, text]);
      byName.set(name, text);
    }
  }
});
