/** Random rules with all fields that a rule may have. */
import fc from "fast-check";
import { AIM_KINDS, FORMULAS } from "../../src/engine/pricing/actions.ts";
import { NewRule, WEEKDAYS } from "../../src/engine/pricing/rule.ts";
import type { TriggerFields } from "../../src/engine/pricing/triggers.ts";

export const COMPETITORS = ["a".repeat(24), "b".repeat(24), "c".repeat(24)] as const;
const [, B] = COMPETITORS;

const pct = (min: number, max: number) => fc.integer({ min, max });
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 2 });
const ids = fc.uniqueArray(fc.constantFrom(...COMPETITORS), { maxLength: 2 });
const groups = fc.uniqueArray(fc.constantFrom("Online", "Baumärkte", "Filialen"), { maxLength: 2 });
const endings = fc.uniqueArray(fc.constantFrom("9", "99", "95", "990"), { maxLength: 2 });

const own = fc.oneof(
  fc.record({ trigger: fc.constant("competitor_overcut"), competitorDeltaPct: pct(1, 9) }),
  fc.record({ trigger: fc.constant("margin_below"), marginPct: pct(1, 50) }),
  fc.record({ trigger: fc.constant("market_index"), always: fc.constant(true) }),
  fc.record({ trigger: fc.constant("scrape_stale"), staleHours: pct(1, 90) }),
);
const common = {
  reference: fc.constantFrom("cheapest", "second", "average", "highest"),
  competitorIds: ids,
  excludeCompetitorIds: ids,
  inStockOnly: fc.boolean(),
  maxAgeHours: maybe(pct(1, 720)),
  minCompetitors: pct(1, 5),
  exactOnly: fc.boolean(),
  sameCondition: fc.boolean(),
  withShipping: fc.boolean(),
  withoutShipping: fc.boolean(),
  marketplaces: fc.constantFrom("with", "without", "only"),
  groups,
  excludeGroups: groups,
  or: fc.array(own, { maxLength: 2 }),
};
const OWN: Readonly<Record<keyof TriggerFields, Readonly<Record<string, fc.Arbitrary<unknown>>>>> =
  {
    competitor_undercut: { competitorDeltaPct: pct(0, 9) },
    competitor_overcut: { competitorDeltaPct: pct(0, 9) },
    margin_below: { marginPct: pct(1, 50) },
    margin_above: { marginPct: pct(1, 50) },
    position_change: {
      direction: fc.constantFrom("worse", "better", "any"),
      minPositions: pct(1, 4),
    },
    market_index: { indexAbove: pct(90, 120) },
    scrape_stale: { staleHours: maybe(pct(1, 90)) },
  };
const whens = fc.oneof(
  ...Object.entries(OWN).map(([trigger, fields]) =>
    fc.record({ trigger: fc.constant(trigger), ...fields, ...common })
  ),
  fc.record({ trigger: fc.constant("market_index"), always: fc.constant(true), ...common }),
);

const prices = fc.record({
  reference: fc.constantFrom(...AIM_KINDS).map((kind) => ({
    kind,
    nth: kind === "nth" ? 2 : null,
    competitorId: kind === "competitor" ? B : null,
  })),
  adjust: fc.oneof(
    fc.constant(null),
    // 0 % is left out, because it means no adjustment.
    pct(-20, -1).map((pct) => ({ pct })),
    pct(1, 500).map((cents) => ({ cents })),
  ),
  direction: fc.constantFrom("both", "lower", "raise"),
  rounding: fc.record({
    to: fc.constantFrom("down", "up", "nearest"),
    ranges: fc.oneof(
      fc.constant([]),
      endings.map((one) => [{ endings: one }]),
      fc.tuple(pct(1, 9_000), endings, endings).map(([belowCents, low, high]) => [
        { belowCents, endings: low },
        { endings: high },
      ]),
    ),
  }),
  deadbandPct: pct(0, 9),
  fallback: maybe(fc.record({ kind: fc.constantFrom("cost", "target"), pct: pct(1, 40) })),
});
const bounds = fc.record({
  markupPct: maybe(pct(0, 80)),
  minCents: maybe(pct(1, 900)),
  maxCents: maybe(pct(901, 9_000)),
  belowTargetPct: maybe(pct(0, 50)),
  aboveTargetPct: maybe(pct(0, 50)),
  maxMovePct: maybe(pct(0, 20)),
  maxMovePerDayPct: maybe(pct(0, 30)),
  maxMovesPerDay: maybe(pct(1, 4)),
  noTarget: fc.constantFrom("ignore", "stop"),
}).filter(({ noTarget: _, ...limits }) => Object.values(limits).some((limit) => limit !== null));
const brakes = fc.tuple(pct(1, 9), pct(1, 30), pct(0, 9))
  .map(([cuts, days, more]) => ({ cuts, days, restDays: days + more }));
const formulas = fc.record({
  formula: fc.constantFrom(...FORMULAS.map(({ value }) => value)),
  targetMarginPct: maybe(pct(1, 50)),
  rounding: fc.constantFrom("none", "x.99", "x.95", "10ct"),
});
const severity = fc.constantFrom("info", "low", "medium", "high", "critical");
const scopes = fc.oneof(
  fc.constant({ mode: "all" }),
  fc.uniqueArray(fc.constantFrom("A-1", "B-2", "C-3"), { minLength: 1 })
    .map((list) => ({ mode: "sku", list })),
  fc.record({
    brand: fc.uniqueArray(fc.constantFrom("Sony", "Bosch", { contains: "Mie" }), { minLength: 1 }),
    category: fc.constant(["Audio"]),
  }).map((matches) => ({ mode: "attribute", matches })),
);
const days = fc.subarray([...WEEKDAYS], { minLength: 1 });
const schedules = fc.record({ at: fc.constantFrom("06:00", "23:45"), days, only: fc.boolean() });

/** `wording/rule_sentence_test.ts` checks that these rules together use every field. */
export const randomRules = fc.record({
  when: whens,
  scope: scopes,
  priority: pct(0, 200),
  cooldownMinutes: pct(0, 120),
  marginFloor: maybe(pct(0, 60).map((pct) => ({ pct }))),
  schedule: maybe(schedules),
  currency: maybe(fc.constantFrom("CHF", "JPY")),
  budgetPerDay: maybe(pct(1, 500)),
  priced: fc.oneof(
    fc.tuple(prices, maybe(bounds), maybe(brakes))
      .map(([price, bounds, brake]) => ({ price, bounds, brake })),
    formulas.map((formula) => ({ price: formula, bounds: null, brake: null })),
  ),
  isApplied: fc.boolean(),
  maxChangePct: pct(1, 30),
  alert: maybe(fc.record({ type: fc.constant("alert_inapp"), severity })),
  mail: maybe(fc.record({
    type: fc.constant("alert_email"),
    severity,
    to: fc.uniqueArray(fc.constantFrom("a@shop.example", "b@shop.example")),
  })),
}).map(({ priced, isApplied, maxChangePct, alert, mail, ...rest }) => {
  const own = "formula" in priced.price ? priced.price : { price: priced.price };
  const price = isApplied
    ? { type: "auto_apply_if_safe", maxChangePct, ...own }
    : { type: "propose_price", ...own };
  return NewRule.parse({
    name: "A rule",
    ...rest,
    bounds: priced.bounds,
    brake: priced.brake,
    actions: [price, alert, mail].filter((one) => one !== null),
  });
});

export type Path = readonly (string | number)[];

/** Returns the paths of all values and objects; a list of texts or numbers counts as one value. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  const isList = Array.isArray(value);
  if (isList && !value.some((one) => typeof one === "object")) return [path];
  if (typeof value !== "object" || value === null) return [path];
  const within = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, isList ? Number(key) : key])
  );
  return isList || path.length === 0 ? within : [path, ...within];
}

export function withoutPath<T>(value: T, path: Path): T {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), copy);
  Reflect.deleteProperty(Object(holder), path.at(-1) ?? "");
  return copy;
}
