import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import type { Decision } from "../../../src/engine/pricing/decide.ts";
import {
  type History,
  type Mode,
  MODES,
  NO_HISTORY,
  type Offer,
  type PriceFacts,
} from "../../../src/engine/pricing/situation.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import { anOffer, aRule, aSituation, decide, HOUR_MS, NOW_MS, RULE_ID } from "./market.ts";

type About = NonNullable<Parameters<typeof aSituation>[1]>;

interface Given extends Omit<About, "offers" | "history"> {
  readonly offers?: (Offer | number)[];
  readonly rule?: Record<string, unknown>;
  readonly maxChangePct?: number;
  readonly facts?: Partial<PriceFacts> | null;
  readonly history?: Partial<History>;
}

/** Without `given`, our price is 299.00, the only offer is 280.00, and the rule applies it. */
function decided(given: Given = {}): Decision {
  const { offers = [28_000], rule, maxChangePct = null, facts, history, ...about } = given;
  const automatic = { type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct };
  const actions = [{ type: "alert_inapp" }, automatic];
  const unchanged = { dayAgoCents: null, movesOfDay: 0, setByPersonAtMs: null };
  const price = facts === null ? null : { ...unchanged, ...facts };
  return decide(
    aRule({ marginFloor: { pct: 15 }, actions, ...rule }),
    aSituation(offers, { ...about, history: { ...NO_HISTORY, price, ...history } }),
  );
}

/** A competitor's first price; ours is 299.00. Only the outlier guard can stop the rule. */
function firstSeen(priceCents: number, given: Partial<Offer> = {}, more: Given = {}): Decision {
  return decided({
    offers: [anOffer(priceCents, { previousPriceCents: null, ...given })],
    maxChangePct: 100,
    ...more,
    rule: { when: { trigger: "market_index", indexAbove: 0.0001 }, marginFloor: { pct: 0 } },
    product: { costPriceCents: 1, ...more.product },
  });
}

const firedAgo = (minutes: number) => ({
  rules: { [RULE_ID]: { lastFiredAtMs: NOW_MS - minutes * 60_000, rank: null } },
});

const offer = (given: Partial<Offer>) => ({ offers: [anOffer(28_000, given)] });

Deno.test("auto_apply_if_safe leaves a proposal that names each failed condition", () => {
  const rows: [code: string, decision: Decision][] = [
    ["stopped", decided({ settings: { stop: { at: "2026-08-01T08:00:00Z", reason: "War" } } })],
    ["auto_apply_off", decided({ settings: { autoApply: false } })],
    ["floor_missing", decided({ rule: { marginFloor: null } })],
    ["cooldown", decided({ history: firedAgo(59) })],
    ["history_unread", decided({ facts: null })],
    ["manual_price", decided({ facts: { setByPersonAtMs: NOW_MS - 2 * HOUR_MS } })],
    ["stale_reference", decided(offer({ observedAtMs: NOW_MS - 24 * HOUR_MS - 1 }))],
    ["stale_reference", decided(offer({ observedAtMs: NOW_MS + 5 * 60_000 + 1 }))],
    ["low_confidence", decided(offer({ confidence: 0.89 }))],
    ["low_confidence", decided(offer({ confidence: null }))],
    ["outlier", decided(offer({ previousPriceCents: 18_666 }))],
    ["outlier", decided(offer({ previousPriceCents: 56_001 }))],
    ["change_too_large", decided({ offers: [26_909] })],
    ["change_too_large", decided({ maxChangePct: 6 })],
    ["daily_change_too_large", decided({ facts: { dayAgoCents: 31_112 } })],
  ];
  for (const [code, { outcome, held, proposedCents, bindingGuard, reason }] of rows) {
    assertEquals([code, outcome, held, bindingGuard], [code, "propose", [code], code]);
    assertEquals(typeof proposedCents, "number");
    match(wireReason(reason), new RegExp(`not applied without a person: ${code}: `));
  }
});

Deno.test("auto_apply_if_safe applies up to and including each bound", () => {
  const rows: Given[] = [
    {},
    offer({ observedAtMs: NOW_MS - 24 * HOUR_MS }),
    offer({ observedAtMs: NOW_MS + 5 * 60_000 }),
    offer({ confidence: 0.9 }),
    offer({ previousPriceCents: 18_667 }),
    offer({ previousPriceCents: 56_000 }),
    offer({ previousPriceCents: null }),
    { offers: [26_910] },
    { facts: { dayAgoCents: 31_111 } },
    { history: firedAgo(60) },
  ];
  for (const given of rows) {
    const { outcome, held, alerts } = decided(given);
    const found = [outcome, held, alerts.map(({ type }) => type)];
    assertEquals(found, ["apply", [], ["alert_inapp"]], JSON.stringify(given));
  }
  assertEquals(decided().proposedCents, 28_000);
});

Deno.test("a first price is an outlier exactly when it differs from ours by more than half", () => {
  const gross = { product: { vatRatePct: 19 }, settings: { pricesIncludeVat: true } };
  const net = { product: { vatRatePct: 19 } };
  // Converted to one piece and to our VAT, `low` is 149.50 and `high` is 448.50.
  const bounds: readonly [low: number, high: number, offer: Partial<Offer>, given?: Given][] = [
    [14_950, 44_850, {}],
    [89_700, 269_100, { packFactor: 6 }],
    [12_564, 37_689, { pricesIncludeVat: false }, gross],
    [17_791, 53_371, { pricesIncludeVat: true }, net],
  ];
  for (const [low, high, offer, given] of bounds) {
    for (const mode of MODES) {
      const held = [low - 1, low, high, high + 1].map((cents) =>
        firstSeen(cents, offer, { ...given, mode }).held.join()
      );
      assertEquals([mode, ...held], [mode, "outlier", "", "", "outlier"], JSON.stringify(offer));
    }
  }
});

Deno.test("of several cheapest offers, a single one without a previous price can hold", () => {
  const offers = (cents: number) => ({
    offers: [anOffer(28_000), anOffer(cents, { previousPriceCents: null })],
  });
  const far = { product: { ourPriceCents: 90_000 }, maxChangePct: 100 };
  assertEquals(decided({ ...offers(28_000), ...far }).held, ["outlier"]);
  assertEquals(decided({ ...offers(28_100), ...far }).held, []);
});

Deno.test("a price with a previous one in its currency is not compared with ours", () => {
  assertEquals(firstSeen(1_000, { previousPriceCents: 1_000 }).held, []);
  const changed = { previousPriceCents: 90_000, isChangedSince: true };
  assertEquals(firstSeen(89_700, { ...changed, packFactor: 6 }).held, []);
  assertEquals(firstSeen(89_700, { ...changed, packFactor: 7 }).held, ["outlier"]);
  assertEquals(firstSeen(30_000, changed).held, ["outlier"]);
});

Deno.test("auto_apply_if_safe checks only the references that the price was computed from", () => {
  const dearer = anOffer(29_000, { confidence: 0.1, observedAtMs: NOW_MS - 40 * HOUR_MS });
  assertEquals(decided({ offers: [28_000, dearer] }).outcome, "apply");
});

Deno.test("a price set by a person stands until a used reference changes after it", () => {
  const facts = { setByPersonAtMs: NOW_MS - 2 * HOUR_MS };
  const since = (hours: number) => [anOffer(28_000, { priceSinceMs: NOW_MS - hours * HOUR_MS })];
  assertEquals(decided({ facts, offers: since(1) }).outcome, "apply");
  assertEquals(decided({ facts, offers: since(2) }).held, ["manual_price"]);
  assertEquals(decided({ facts, offers: since(3) }).held, ["manual_price"]);
  // If nobody has set our price, the age of the reference price does not matter.
  assertEquals(decided({ offers: [anOffer(28_000, { priceSinceMs: null })] }).held, []);
});

Deno.test("auto_apply_if_safe names all failed conditions, and the first one binds", () => {
  const offers = [anOffer(20_000, { confidence: 0.5 })];
  const rule = { marginFloor: { pct: 0 } };
  const decision = decided({ settings: { autoApply: false }, offers, rule });
  assertEquals(decision.held, ["auto_apply_off", "low_confidence", "change_too_large"]);
  assertEquals(decision.bindingGuard, "auto_apply_off");
});

Deno.test("auto_apply_if_safe prefers the price of propose_price to its own", () => {
  const actions = [
    { type: "auto_apply_if_safe", formula: "match_cheapest" },
    { type: "propose_price", formula: "min_competitor_minus_1pct" },
  ];
  const decision = decided({ rule: { marginFloor: { pct: 15 }, actions } });
  assertEquals([decision.outcome, decision.proposedCents], ["apply", 27_720]);
});

Deno.test("a locked product gets alerts, but no proposal and no change", () => {
  const { outcome, proposedCents, blocked } = decided({ product: { priceLocked: true } });
  assertEquals([outcome, proposedCents, blocked], ["alert", null, ["price_locked"]]);
});

const PROPOSE = { actions: [{ type: "propose_price", formula: "match_cheapest" }] };

Deno.test("within the cooldown a rule is silent when live, and simulation only reports it", () => {
  const actions = [{ type: "alert_inapp" }, ...PROPOSE.actions];
  const shown = (minutes: number, mode: Mode) => {
    const decision = decided({ rule: { actions }, history: firedAgo(minutes), mode });
    const { outcome, fires, wouldFire, cooldownActive, alerts } = decision;
    return [outcome, fires, wouldFire, cooldownActive, alerts.length];
  };
  assertEquals(shown(60, "live"), ["propose", true, true, false, 1]);
  assertEquals(shown(59, "live"), ["rest", false, true, true, 0]);
  assertEquals(shown(59, "explain"), ["rest", false, true, true, 0]);
  assertEquals(shown(59, "simulate"), ["propose", true, true, true, 1]);
  const resting = decided({ rule: { actions }, history: firedAgo(59) });
  match(wireReason(resting.reason), /cooldown/);
  assertEquals(resting.proposedCents, 28_000);
});

Deno.test("within the cooldown an open proposal of the rule follows its price", () => {
  const outcomeFor = (ruleId: string) => {
    const history = { ...firedAgo(1), openProposal: { ruleId, proposedCents: 28_500 } };
    return decided({ rule: PROPOSE, history }).outcome;
  };
  assertEquals([RULE_ID, "b".repeat(24)].map(outcomeFor), ["propose", "rest"]);
});
