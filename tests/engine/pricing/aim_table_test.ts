import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Decision } from "../../../src/engine/pricing/decide.ts";
import { NO_HISTORY, type Offer } from "../../../src/engine/pricing/situation.ts";
import { extent } from "../../proof.ts";
import { type Grouped, testEach } from "../grouped.ts";
import {
  A,
  aimCase,
  aimCases,
  B,
  C,
  D,
  E,
  matchAt,
  of,
  ruleOf,
  situationOf,
  verdictOf,
} from "./aim_cases.ts";
import { anOffer, aRule, aSituation, decide } from "./market.ts";
import { type AimCase, type AimShop, bruteVerdict, counting, NO_SHOP } from "./price_oracle.ts";
import fc from "fast-check";

type Given = Parameters<typeof aimCase>[0];

const any = (...endings: string[]): AimCase["ranges"] => [[null, endings]];

/** For each case: the price and the guard that limited it, or the reason why there is no price. */
const WRITTEN: readonly (readonly [Partial<AimCase>, string])[] = [
  [{ offers: of(1955), adjustPct: -1 }, "1935"],
  [{ offers: of(1955), adjustPct: -1, ranges: any("99") }, "1899"],
  [{ offers: of(1949), ranges: any("99"), way: "nearest" }, "1899"],
  [{ offers: of(1900), adjustPct: -1, cost: 1500, floorPct: 8 }, "1941 margin_floor"],
  [{ isGross: false, offers: of(1400), cost: 1333, markupPct: 8 }, "1440 markup_floor"],
  [{ offers: of(1800), adjustPct: -1, maxMovePct: 3, ranges: any("49") }, "1949 max_move"],
  [{ offers: of(2600), aboveTargetPct: 0, ranges: any("99"), way: "nearest" }, "2499 above_target"],
  [{ ours: 2300, offers: of(1800), belowTargetPct: 20 }, "2000 below_target"],
  [{ offers: of(1955), cost: 1300, floorPct: 40, aboveTargetPct: 0 }, "bounds_conflict"],
  [{ offers: of(2001), adjustPct: -1, deadbandPct: 1 }, "1980"],
  [{ offers: of(2002), adjustPct: -1, deadbandPct: 1 }, "deadband"],
  [{ ours: 1050, offers: of(1040), ranges: any("949", "099"), way: "nearest" }, "ending_beyond"],
  [{ offers: of(1000), ranges: [[1000, ["9"]], [null, ["99"]]] }, "999"],
  [{ offers: of(2300), minCents: 2101, maxCents: 2150, ranges: any("99") }, "2150 ending_dropped"],
  [{ dayAgo: 1800, maxMovePerDayPct: 10, offers: of(1970) }, "1970"],
  [{ offers: of(1900), maxMovePct: 5 }, "1900"],
  [{ offers: of(2100), maxMovePct: 5 }, "2100"],
  [{ dayAgo: 2050, maxMovePerDayPct: 5, maxMovePct: 7, offers: of(1500) }, "1948 max_move"],
  [{ maxMovesPerDay: 1, movesOfDay: 1, offers: of(1955) }, "moves_per_day"],
  [{ maxMovesPerDay: 1, movesOfDay: 1, offers: of(2000) }, "no_change,moves_per_day"],
  [{ ours: 1300, kind: "median", offers: of(1100, 1201), way: "up" }, "1151"],
  [{ ours: 40, offers: of(30), maxMovePct: 2 }, "max_move"],
  [{ kind: "nth", nth: 2, adjustCents: -1, offers: of(1900, 1950, 1990) }, "1949"],
];

const SHOPS: Readonly<Record<string, AimShop>> = {
  [A]: { ...NO_SHOP, groups: ["Online", "Große"] },
  [B]: { ...NO_SHOP, groups: ["Baumärkte"] },
  // Shop D is a marketplace that also sells goods itself; shop E only hosts other sellers.
  [D]: { groups: ["Große"], isMarketplace: true, sellerNames: ["Riese", "Riese EU S.à r.l."] },
  [E]: { ...NO_SHOP, isMarketplace: true },
};

const SHIPPED = { withShipping: true };

const offer = (competitorId: string, cents: number, more: Partial<Offer> = {}) =>
  anOffer(cents, { competitorId, ...more });
const ABC = [offer(A, 1_700), offer(B, 1_800), offer(C, 1_900)];
const AT_MARKETPLACE = [offer(E, 1_500, { seller: "Riese" })];
const BESIDE_IT = [offer(E, 1_500), offer(C, 1_900)];
const SENT = [offer(A, 1_500, { shippingCents: 490 }), offer(B, 1_900, { shippingCents: 0 })];
const FREE = { ownShipping: 0, workspaceShipping: 590 };
const SHOPS_ALONE = { marketplaces: "without" } as const;
const NONE = "no_reference";
/** Combinations of filters that the random cases of short test runs would miss. */
const WHO: readonly (readonly [what: string, filter: Given["filter"], Given, string])[] = [
  ["an excluded group in other case", { excludeGroups: ["oNLINE"] }, {}, "1800"],
  ["a shop in an excluded group", { groups: ["Große"], excludeGroups: ["Online"] }, {}, NONE],
  ["a seller at a shop without own names", SHOPS_ALONE, { offers: AT_MARKETPLACE }, NONE],
  ["a shop beside a marketplace", SHOPS_ALONE, { offers: BESIDE_IT }, "1900"],
  ["our free shipping, not the workspace's", SHIPPED, { offers: of(1_900), ...FREE }, "1900"],
  ["the second when ordered with shipping", SHIPPED, { offers: SENT, kind: "nth", nth: 2 }, "1990"],
  ["an offer below our shipping", SHIPPED, { offers: of(300), ownShipping: 495 }, "1"],
];

function summaryOf({ proposedCents, blocked, bindingGuard }: Decision): string {
  return proposedCents === null
    ? blocked.join() || "?"
    : [proposedCents, bindingGuard].filter((part) => part !== null).join(" ");
}

/** Returns the engine's decision as a text; fails unless `bruteVerdict` decides the same. */
function agreed(given: Given): string {
  const one = aimCase(given);
  const { cents, code } = verdictOf(one);
  const brute = bruteVerdict(one);
  assertEquals([cents, code], [brute.cents, brute.code]);
  return summaryOf(decide(ruleOf(one), situationOf(one)));
}

for (const [given, expected] of WRITTEN) {
  const { offers = [], ...terms } = given;
  const shown = { offers: offers.map(({ priceCents }) => priceCents), ...terms };
  Deno.test(`aim: ${JSON.stringify(shown)} gives ${expected}`, () => {
    assertEquals(agreed(given), expected);
  });
}

for (const [what, filter, given, expected] of WHO) {
  Deno.test(`who: ${what} gives ${expected}`, () => {
    const found = agreed({ shops: SHOPS, isGross: false, offers: ABC, filter, ...given });
    assertEquals(found, expected);
  });
}

const TABLE = { seed: 20_261_121, numRuns: extent(3_000, 300) };

Deno.test(`aim: ${TABLE.numRuns} random cases are decided as by trying every amount and checking each offer, and the trace names the offers that do not count`, () => {
  const outcomes = new Map<string, number>();
  const leftOut = new Set<string>();
  const property = fc.property(aimCases, (one) => {
    const expected = bruteVerdict(one);
    const outcome = expected.code ?? "price";
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    assertEquals([one, verdictOf(one)], [one, expected]);
    const trace = decide(ruleOf(one), situationOf(one)).trace();
    const counted = trace.references.map(({ matchId }) => matchId).toSorted();
    assertEquals([one, counted], [one, counting(one).map(matchAt).toSorted()]);
    assertEquals(trace.references.length + trace.leftOut.length, one.offers.length);
    for (const { why } of trace.leftOut) leftOut.add(why);
  });
  fc.assert(property, TABLE);
  const reasons = ["by_seller", "no_seller", "competitor_excluded", "other_condition", "not_exact"];
  assertEquals([...reasons, "stale"].filter((why) => !leftOut.has(why)), []);
  const seen = JSON.stringify([...outcomes]);
  ok(5 * (outcomes.get("price") ?? 0) >= TABLE.numRuns && outcomes.size >= 9, seen);
});

const RUNS = { numRuns: extent(100_000, 400), endOnFailure: true };

const after = (one: AimCase) => verdictOf(one).cents ?? one.ours;

Deno.test("aim: higher references and shipping of shops and lower shipping of ours never lower the price, which comes to rest in a stable market without changing direction", () => {
  const property = fc.property(aimCases, fc.nat({ max: 400 }), (one, more) => {
    const dearer = {
      ...one,
      offers: one.offers.map((offer) => ({ ...offer, priceCents: offer.priceCents! + more })),
      adjustCents: one.kind === "cost" || one.kind === "target"
        ? one.adjustPct === null ? (one.adjustCents ?? 0) + more : null
        : one.adjustCents,
    };
    ok(after(dearer) >= after(one), JSON.stringify([one, more]));
    staysOnItsWay(one);
    const sent = { ...one, filter: { ...one.filter, ...SHIPPED } };
    const offers = one.offers.map((offer) => ({
      ...offer,
      shippingCents: (offer.shippingCents ?? 0) + more,
    }));
    ok(after({ ...sent, offers }) >= after(sent), `shipping: ${JSON.stringify([one, more])}`);
    const own = one.ownShipping ?? 0;
    const [cheap, dear] = [own, own + more].map((ownShipping) => after({ ...sent, ownShipping }));
    ok(cheap! >= dear!, `our shipping: ${JSON.stringify([one, more])}`);
  });
  fc.assert(property, RUNS);
});

/** Applies the rule until the price stays the same; fails if the price changes direction. */
function staysOnItsWay(one: AimCase): void {
  let now = one;
  let way = 0;
  for (let moves = 0;; moves++) {
    const next = after(now);
    if (next === now.ours) return;
    const turn = Math.sign(next - now.ours);
    ok(way === 0 || turn === way, `turned at ${now.ours}: ${JSON.stringify(one)}`);
    ok(moves < 3_000, `no end: ${JSON.stringify(one)}`);
    way = turn;
    now = { ...now, ours: next };
  }
}

type About = Parameters<typeof aSituation>[1];

const ALWAYS = { trigger: "market_index", always: true };

/** The decision of a rule with the aim `price`; `rest` are the rule's other fields. */
function decided(
  price: Record<string, unknown>,
  offers: readonly (Offer | number)[],
  about: About = {},
  rest: Record<string, unknown> = {},
): Decision {
  const actions = [{ type: "propose_price", price }, { type: "alert_inapp" }];
  return decide(aRule({ when: ALWAYS, actions, ...rest }), aSituation(offers, about));
}

const GROSS = {
  product: { ourPriceCents: 1_100 },
  settings: { pricesIncludeVat: true, vatRatePct: 19 },
};
const YEN = { product: { ourPriceCents: 10_000, currency: "JPY" } };
const IN_YEN = anOffer(9_777, { currency: "JPY" });
const NET = anOffer(840, { pricesIncludeVat: false });
const PERCENT_LESS = { adjust: { pct: -1 } };
const CENTS_LESS = { adjust: { cents: -5 } };
const ENDING_80 = { rounding: { ranges: [{ endings: ["80"] }] } };
const ROUNDED_UP = { ...PERCENT_LESS, rounding: { to: "up" } };
const RANGES = { rounding: { ranges: [{ belowCents: 5_000, endings: ["9"] }, { endings: [] }] } };
const NAMED = { reference: { kind: "competitor", competitorId: B } };
const WITHOUT_B = { when: { ...ALWAYS, excludeCompetitorIds: [B] } };
const FROM_COST = { adjust: { cents: -100 }, fallback: { kind: "cost", pct: 35 } };
const FROM_TARGET = { fallback: { kind: "target", pct: -10 } };
const TARGET_OR_COST = { reference: { kind: "target" }, fallback: FROM_COST.fallback };
const COST_OR_TARGET = { reference: { kind: "cost" }, fallback: FROM_TARGET.fallback };
const NO_COST = { product: { costPriceCents: null, targetPriceCents: 32_000 } };
const UP_TO_TARGET = { aboveTargetPct: 0 };
const ONE_MOVE_A_DAY = { maxMovesPerDay: 1 };
const UNREAD = { history: NO_HISTORY };

const FURTHER: Grouped<Parameters<typeof decided>> = {
  "989": { "a net price next to our gross price": [PERCENT_LESS, [NET], GROSS] },
  "9680": { "an ending of a currency without decimals": [ENDING_80, [IN_YEN], YEN] },
  "9772": {
    "an amount in the rule's own currency": [CENTS_LESS, [IN_YEN], YEN, { currency: "JPY" }],
  },
  amount_currency: {
    "an amount in another currency": [CENTS_LESS, [IN_YEN], YEN],
    "a bound in another currency": [{}, [IN_YEN], YEN, { bounds: { minCents: 9_800 } }],
    "a range of endings in another currency": [RANGES, [IN_YEN], YEN],
  },
  "28500": { "an excluded, named competitor": [NAMED, [27_000, offer(B, 28_500)], {}, WITHOUT_B] },
  no_reference: { "a named competitor without a price": [NAMED, [27_000], {}, WITHOUT_B] },
  "27000": {
    "a fallback to the cost": [FROM_COST, []],
    "a fallback in a simulation": [FROM_COST, [], { mode: "simulate" }],
    "a fallback from no target": [TARGET_OR_COST, [31_000]],
  },
  "28800": {
    "a fallback to the target": [FROM_TARGET, [], { product: { targetPriceCents: 32_000 } }],
    "a fallback from no cost": [COST_OR_TARGET, [31_000], NO_COST],
  },
  "32000": {
    "a target without offers": [TARGET_OR_COST, [], { product: { targetPriceCents: 32_000 } }],
  },
  cost_unknown: { "a fallback to no cost": [FROM_COST, [], { product: { costPriceCents: null } }] },
  no_change: {
    "our price, whose ending is not allowed": [ENDING_80, [29_900]],
    "a wish that is rounded to our price": [ROUNDED_UP, [30_202]],
  },
  target_unknown: {
    "a fallback to no target": [FROM_TARGET, []],
    "a bound that needs the target": [{}, [31_000], {}, {
      bounds: { ...UP_TO_TARGET, noTarget: "stop" },
    }],
  },
  "31000": { "a bound at no target": [{}, [31_000], {}, { bounds: UP_TO_TARGET }] },
  day_unread: {
    "a daily bound without the past": [{}, [28_000], UNREAD, { bounds: ONE_MOVE_A_DAY }],
  },
  "28000": {
    "a daily bound in a back-test": [{}, [28_000], { ...UNREAD, mode: "backtest" }, {
      bounds: ONE_MOVE_A_DAY,
    }],
    "no daily bound, and no past": [{}, [28_000], UNREAD],
  },
};

testEach("aim", FURTHER, (given) => summaryOf(decided(...given)));

Deno.test("aim: a rule whose fallback gives the price fires, and says so", () => {
  const alone = decided(FROM_COST, []);
  assertEquals([alone.fires, alone.notes], [true, ["fallback"]]);
  const undercut = { when: { trigger: "competitor_undercut" } };
  const rested = decided({ adjust: FROM_COST.adjust }, [], {}, undercut);
  assertEquals([rested.wouldFire, rested.reason.said.code], [false, "no_reference"]);
  const { wouldFire, fires, proposedCents, reason } = decided(FROM_COST, [], {}, undercut);
  const found = [wouldFire, fires, proposedCents, reason.said.code];
  assertEquals(found, [true, true, 27_000, "no_reference"]);
});

Deno.test("aim: a rule that need not change the price does not fire: no alert, no cooldown", () => {
  const beyond = { rounding: { to: "nearest", ranges: [{ endings: ["0000", "9950"] }] } };
  const rests: readonly [Record<string, unknown>, readonly number[], string][] = [
    [{}, [29_900], "no_change"],
    [{ direction: "raise" }, [28_000], "direction"],
    [{ deadbandPct: 5 }, [29_000], "deadband"],
    [beyond, [29_899], "ending_beyond"],
    [{}, [], "no_reference"],
  ];
  for (const [aim, offers, code] of rests) {
    const { wouldFire, fires, alerts, blocked, outcome } = decided(aim, offers);
    assertEquals([wouldFire, fires, alerts, outcome], [true, false, [], "rest"], code);
    assertEquals(blocked, [code]);
  }
  const fired = decided({}, [28_000]);
  assertEquals([fired.fires, fired.alerts.length, fired.outcome], [true, 1, "propose"]);
});

Deno.test("a rule fires when any of its triggers fires, and names it", () => {
  const overcut = { trigger: "competitor_overcut", competitorDeltaPct: 2 };
  const or = [overcut, { trigger: "margin_below", marginPct: 10 }];
  const when = { trigger: "competitor_undercut", competitorDeltaPct: 2, or };
  const at = (cents: number, about: About = {}) => {
    const { wouldFire, reason, trace } = decided({}, [cents], about, { when });
    return [wouldFire, reason.said.code, trace().trigger.value];
  };
  assertEquals(at(29_000), [true, "competitor_undercut", "competitor_undercut"]);
  assertEquals(at(31_000), [true, "competitor_overcut", "competitor_overcut"]);
  assertEquals(at(29_900), [false, "competitor_undercut", "competitor_undercut"]);
  const dear = { product: { costPriceCents: 29_000 } };
  assertEquals(at(29_900, dear), [true, "margin_below", "margin_below"]);
  // The rule's filter applies to all its triggers, so no trigger sees an excluded offer.
  const foreign = decided({}, [20_000], {}, { when: { ...when, competitorIds: [B] } });
  assertEquals([foreign.wouldFire, foreign.reason.said.code], [false, "no_reference"]);
});

Deno.test("a rule reports its rank even if position_change is not its first trigger", () => {
  const or = [{ trigger: "position_change" }];
  const when = { trigger: "competitor_undercut", competitorDeltaPct: 50, or };
  const decision = decided({}, [29_000], {}, { when });
  assertEquals([decision.wouldFire, decision.rank], [false, 2]);
});

Deno.test("aim: the trace contains reference, wish, bounds, goal, limit and what changed the price", () => {
  const { trace } = decided(
    { adjust: { pct: -1 }, rounding: { ranges: [{ endings: ["99"] }] } },
    [anOffer(80_000, { packFactor: 3 })],
    { product: { maxPriceCents: 40_000 } },
    { marginFloor: { pct: 8 }, bounds: { maxMovePct: 7 } },
  );
  const { price } = trace();
  assertEquals(price, {
    formula: null,
    reference: { kind: "cheapest", isFallback: false, cents: 26_666, exact: "80000/3" },
    wish: { cents: 26_400, exact: "26400" },
    goalCents: 26_399,
    limit: { lowCents: 27_807, highCents: 31_993 },
    low: { cents: 21_740, by: "margin_floor" },
    high: { cents: 40_000, by: "max_price" },
    notes: [{
      code: "max_move",
      facts: { maxPct: 7, goalCents: 26_399, currency: "EUR", isOfDay: false },
    }],
    targetMarginPct: null,
    wishedCents: 26_400,
    floor: { pct: 8, cents: 21_740, lifts: false },
    rounding: null,
    proposedCents: 27_899,
  });
});

Deno.test("aim: a mark-up is a floor for automatic prices, which keep their bounds", () => {
  const applied = (rest: Record<string, unknown>, cents = 28_000) => {
    const actions = [{ type: "auto_apply_if_safe", price: PERCENT_LESS }];
    const decision = decide(aRule({ when: ALWAYS, actions, ...rest }), aSituation([cents]));
    return [decision.outcome, summaryOf(decision), ...decision.held].join(", ");
  };
  assertEquals(applied({}), "propose, 27720 floor_missing, floor_missing");
  assertEquals(applied({ bounds: { markupPct: 8 } }), "apply, 27720");
  assertEquals(applied({ marginFloor: { pct: 8 } }), "apply, 27720");
  assertEquals(applied({ bounds: { markupPct: 45 } }), "apply, 29000 markup_floor");
  const far = applied({ bounds: { markupPct: 8 } }, 25_000);
  assertEquals(far, "propose, 24750 change_too_large, change_too_large");
});

Deno.test("who: the trace contains shipping and seller, and our shipping", () => {
  const one = aimCase({
    shops: SHOPS,
    isGross: false,
    filter: { withShipping: true, marketplaces: "without" },
    offers: [
      offer(C, 1_000, { shippingCents: 490 }),
      offer(D, 900, { seller: "Zwerg", shippingCents: 0 }),
    ],
    workspaceShipping: 395,
  });
  const { references: [used], leftOut, inputs } = decide(ruleOf(one), situationOf(one)).trace();
  const { shippingCents, seller, priceCents, unitCents } = used!;
  assertEquals([shippingCents, seller, priceCents, unitCents], [490, null, 1_000, 1_095]);
  assertEquals(leftOut.map(({ why, seller }) => [why, seller]), [["by_seller", "Zwerg"]]);
  assertEquals(inputs.ownShippingCents, 395);
});

Deno.test("who: the workspace's shipping applies only to products in its currency", () => {
  const one = aimCase({ filter: SHIPPED, offers: of(1_500), workspaceShipping: 300 });
  const situation = situationOf(one);
  const abroad = { ...situation, settings: { ...situation.settings, currency: "CHF" } };
  assertEquals(decide(ruleOf(one), situation).proposedCents, 1_200);
  assertEquals(decide(ruleOf(one), abroad).proposedCents, 1_500);
});
