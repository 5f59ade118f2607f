import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import type { Offer, PricedProduct } from "../../../src/engine/pricing/situation.ts";
import { TRIGGERS } from "../../../src/engine/pricing/triggers.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import {
  anOffer,
  aRule,
  aSituation,
  aTrigger,
  decide,
  HOUR_MS,
  NOW_MS,
  RULE_ID,
} from "./market.ts";

type Row = [
  when: Record<string, unknown>,
  ours: number,
  offers: (Offer | number)[],
  fires: boolean,
];

type About = NonNullable<Parameters<typeof aSituation>[1]>;

function check(trigger: string, rows: readonly Row[], about: About = {}): void {
  for (const row of rows) {
    const [when, ourPriceCents, offers, fires] = row;
    const product = { ...about.product, ourPriceCents };
    const situation = aSituation(offers, { ...about, product });
    const { wouldFire, reason } = decide(aTrigger({ trigger, ...when }), situation);
    assertEquals(wouldFire, fires, `${JSON.stringify(row)}: ${wireReason(reason)}`);
  }
}

function reasonOf(
  when: Record<string, unknown>,
  offers: (Offer | number)[],
  product: Partial<PricedProduct> = {},
): string {
  return wireReason(decide(aTrigger(when), aSituation(offers, { product })).reason);
}

Deno.test("competitor_undercut fires when the reference is below our price by the percentage", () => {
  check("competitor_undercut", [
    [{}, 29_900, [29_899], true],
    [{}, 29_900, [29_900], false],
    [{ competitorDeltaPct: 1.1 }, 3_000, [2_967], true],
    [{ competitorDeltaPct: 1.1 }, 3_000, [2_968], false],
    [{ competitorDeltaPct: 0.0001 }, 999_999, [999_998], true],
    [{ competitorDeltaPct: 0.0001 }, 1_000_001, [1_000_000], false],
    [{ competitorDeltaPct: 100 }, 100, [1], false],
    [{ competitorDeltaPct: 100 }, 100, [0], true],
    [{ competitorDeltaPct: 1.1 }, 10 ** 12, [989_000_000_000], true],
    [{ competitorDeltaPct: 1.1 }, 10 ** 12, [989_000_000_001], false],
  ]);
});

Deno.test("competitor_overcut fires when the reference is above our price by the percentage", () => {
  check("competitor_overcut", [
    [{}, 29_900, [29_901], true],
    [{}, 29_900, [29_900], false],
    [{ competitorDeltaPct: 1.1 }, 3_000, [3_033], true],
    [{ competitorDeltaPct: 1.1 }, 3_000, [3_032], false],
    [{ competitorDeltaPct: 200 }, 1_000, [3_000], true],
    [{}, 29_900, [31_000, 29_000], false],
  ]);
});

Deno.test("margin_below and margin_above compare the net margin strictly", () => {
  const cost = { product: { costPriceCents: 8_000 } };
  check("margin_below", [
    [{ marginPct: 20 }, 10_000, [], false],
    [{ marginPct: 20 }, 9_999, [], true],
    [{ marginPct: 20.0001 }, 10_000, [], true],
    [{ marginPct: 0 }, 8_000, [], false],
    [{ marginPct: 0 }, 7_999, [], true],
    [{ marginPct: -10 }, 7_300, [], false],
    [{ marginPct: -10 }, 7_000, [], true],
  ], cost);
  check("margin_above", [
    [{ marginPct: 20 }, 10_000, [], false],
    [{ marginPct: 20 }, 10_001, [], true],
  ], cost);
});

Deno.test("margin triggers remove VAT from a gross price, and name missing inputs", () => {
  const rows: [string, Partial<PricedProduct>, vatPct: number | null, boolean, number | null][] = [
    ["margin_below", {}, 19, false, 20],
    ["margin_below", { ourPriceCents: 11_899 }, 19, true, 19.99],
    ["margin_below", { vatRatePct: 7 }, 19, false, 28.06],
    ["margin_below", {}, null, false, null],
    ["margin_below", { costPriceCents: null }, 19, false, null],
    ["margin_below", { costPriceCents: 0 }, 19, false, null],
    ["margin_above", { costPriceCents: 0 }, 19, false, null],
    ["margin_above", { costPriceCents: 1 }, 19, true, 99.99],
  ];
  const reasons = rows.map(([trigger, changed, vatRatePct, fires, marginPct]) => {
    const product = { ourPriceCents: 11_900, costPriceCents: 8_000, ...changed };
    const situation = aSituation([], { product, settings: { pricesIncludeVat: true, vatRatePct } });
    const decision = decide(aTrigger({ trigger, marginPct: 20 }), situation);
    const found = [decision.wouldFire, decision.marginPct];
    assertEquals(found, [fires, marginPct], JSON.stringify([trigger, changed]));
    return wireReason(decision.reason);
  });
  match(reasons[3]!, /vat_unknown/);
  match(reasons[4]!, /cost_unknown/);
  match(reasons[5]!, /cost_unknown: a cost of 0 is none/);
});

Deno.test("position_change fires when the rank differs from the stored one", () => {
  type When = Record<string, unknown>;
  const rows: [When, offers: number[], before: number | null, rank: number, fires: boolean][] = [
    [{}, [300, 400], null, 1, false],
    [{}, [300, 400], 1, 1, false],
    [{}, [250, 400], 1, 2, true],
    [{}, [299, 299], 1, 1, false],
    [{}, [298, 298], 1, 3, true],
    [{ direction: "better" }, [250, 400], 1, 2, false],
    [{ direction: "better" }, [300], 2, 1, true],
    [{ direction: "worse" }, [300], 2, 1, false],
    [{ direction: "worse" }, [250], 1, 2, true],
    [{ minPositions: 2 }, [250], 1, 2, false],
    [{ minPositions: 2 }, [250, 250], 1, 3, true],
  ];
  for (const [when, offers, before, rank, fires] of rows) {
    const rules = before === null ? {} : { [RULE_ID]: { lastFiredAtMs: null, rank: before } };
    const history = { rules, price: null, openProposal: null };
    const decision = decide(
      aTrigger({ trigger: "position_change", ...when }),
      aSituation(offers, { product: { ourPriceCents: 299 }, history }),
    );
    assertEquals([when, offers, decision.rank, decision.wouldFire], [when, offers, rank, fires]);
  }
});

Deno.test("position_change keeps the stored rank if there is no offer to compare with", () => {
  const rule = aTrigger({ trigger: "position_change" });
  const out = anOffer(250, { inStock: false });
  assertEquals(decide(rule, aSituation([out])).rank, null);
});

Deno.test("market_index compares our price with the mean of the references, strictly", () => {
  check("market_index", [
    [{ indexAbove: 110 }, 11_000, [10_000], false],
    [{ indexAbove: 110 }, 11_001, [10_000], true],
    [{ indexBelow: 90 }, 9_000, [10_000], false],
    [{ indexBelow: 90 }, 8_999, [10_000], true],
    [{ indexAbove: 100 }, 10_000, [9_999, 10_000, 10_000], true],
    [{ indexAbove: 100 }, 10_000, [10_000, 10_000, 10_001], false],
    [{ indexAbove: 110, indexBelow: 90 }, 10_000, [10_000], false],
    [{ indexAbove: 110, indexBelow: 90 }, 8_000, [10_000], true],
    [{ indexAbove: 110, indexBelow: 90 }, 12_000, [10_000], true],
    [{ indexAbove: 110 }, 10_000, [], false],
  ]);
});

Deno.test("scrape_stale compares the age of the newest observation, or of the match", () => {
  const seen = (hours: number) => anOffer(100, { observedAtMs: NOW_MS - hours * HOUR_MS });
  const made = (hours: number) => anOffer(null, { matchCreatedAtMs: NOW_MS - hours * HOUR_MS });
  check("scrape_stale", [
    [{}, 29_900, [seen(48)], false],
    [{}, 29_900, [seen(49)], true],
    [{ staleHours: 6 }, 29_900, [seen(7), seen(6)], false],
    [{ staleHours: 6 }, 29_900, [], false],
    [{ staleHours: 6 }, 29_900, [made(7)], true],
    [{ staleHours: 6 }, 29_900, [made(6)], false],
    [{ staleHours: 6 }, 29_900, [seen(5), made(700)], false],
    [{ staleHours: 6 }, 29_900, [seen(700), made(1)], true],
    [{ staleHours: 6 }, 0, [seen(7)], true],
  ]);
});

Deno.test("every trigger that needs our price rests without it", () => {
  const triggers = [
    { trigger: "competitor_undercut" },
    { trigger: "competitor_overcut" },
    { trigger: "margin_below", marginPct: 20 },
    { trigger: "margin_above", marginPct: 20 },
    { trigger: "position_change" },
    { trigger: "market_index", indexAbove: 1 },
  ];
  const needing = TRIGGERS.filter(({ needs }) => needs.ownPrice).map(({ value }) => value);
  assertEquals(triggers.map(({ trigger }) => trigger), needing);
  for (const when of triggers) {
    for (const ourPriceCents of [null, 0]) {
      match(reasonOf(when, [100], { ourPriceCents }), /^no_own_price/);
    }
  }
});

Deno.test("decide() names competitors and prices in the reason", () => {
  const undercut = { trigger: "competitor_undercut", competitorDeltaPct: 5 };
  const unusable = [anOffer(1, { inStock: false }), anOffer(1, { currency: "CHF" })];
  const reasons = [[26_910], [29_800], unusable].map((offers) => reasonOf(undercut, offers));
  assertEquals(reasons, [
    "Acme asks 269.10 EUR, which is below our 299.00 EUR by at least 5 %",
    "Acme asks 298.00 EUR, which is not below our 299.00 EUR by at least 5 %",
    "no usable competitor price (1 other_currency, 1 out_of_stock)",
  ]);
});

function reasonFor(scope: unknown, product: Partial<PricedProduct> = {}): string | null {
  const { wouldFire, reason } = decide(aRule({ scope }), aSituation([1], { product }));
  return wouldFire ? null : wireReason(reason);
}

const attribute = (matches: unknown) => ({ mode: "attribute", matches });

Deno.test("a scope by attribute ignores case, compares in NFC, and needs every field", () => {
  const rows: [matches: unknown, product: Partial<PricedProduct>, reason: string | null][] = [
    [{ brand: "küche" }, { brand: "KU\u0308CHE" }, null],
    [{ brand: "Sony" }, { brand: "Sony Europe" }, "out of scope: brand is Sony Europe"],
    [{ brand: { contains: "sony" } }, { brand: "Sony Europe" }, null],
    [{ brand: { contains: "sony" } }, { brand: null }, "out of scope: brand is not set"],
    [{ brand: ["Bose", "Sony"] }, { brand: "Sony" }, null],
    [{ brand: ["Bose"] }, { brand: null }, "out of scope: brand is not set"],
    [{ brand: "Sony", category: "Audio" }, { category: "TV" }, "out of scope: category is TV"],
    [{ tier: "B2C" }, { tier: "b2c" }, null],
    [{ currency: "eur" }, {}, null],
    [{ currency: "CHF" }, {}, "out of scope: currency is EUR"],
  ];
  for (const [matches, product, reason] of rows) {
    assertEquals(reasonFor(attribute(matches), product), reason, JSON.stringify(matches));
  }
});

Deno.test("a scope by SKU compares exactly", () => {
  assertEquals(reasonFor({ mode: "sku", list: ["SKU-1", "x"] }), null);
  // Pasted SKUs may contain invisible characters, which the catalogue removes.
  assertEquals(reasonFor({ mode: "sku", list: ["\u200B SKU-1\u00A0\u200B"] }), null);
  const reason = reasonFor({ mode: "sku", list: ["sku-1"] });
  assertEquals(reason, "out of scope: sku SKU-1 is not listed");
});

const aged = (price: number, hours: number) =>
  anOffer(price, { observedAtMs: NOW_MS - hours * HOUR_MS });

Deno.test("reference chooses the price to compare with", () => {
  check("competitor_undercut", [
    [{ reference: "second" }, 30, [29, 35, 29], true],
    [{ reference: "second" }, 29, [29, 35, 29], false],
    [{ reference: "second" }, 30, [29], false],
    [{ reference: "highest" }, 30, [29, 35], false],
    [{ reference: "highest" }, 30, [28, 29], true],
    [{ reference: "average" }, 30, [29, 30, 30], true],
    [{ reference: "average" }, 30, [29, 31], false],
  ]);
});

Deno.test("a reference is at most 48 hours old live and 720 simulated; an explicit age holds in both", () => {
  check("competitor_undercut", [
    [{}, 100, [aged(90, 48)], true],
    [{}, 100, [aged(90, 48.1)], false],
    [{ maxAgeHours: 5 }, 100, [aged(90, 6)], false],
    [{ maxAgeHours: 100 }, 100, [aged(90, 99)], true],
  ]);
  check("competitor_undercut", [
    [{}, 100, [aged(90, 720)], true],
    [{ maxAgeHours: 5 }, 100, [aged(90, 6)], false],
  ], { mode: "simulate" });
});

Deno.test("net and gross prices cannot be compared without a VAT rate, so there is no price, with that reason", () => {
  const situation = (offers: Offer[]) =>
    aSituation(offers, {
      product: { ourPriceCents: 12_000 },
      settings: { pricesIncludeVat: true, vatRatePct: null },
    });
  const net = anOffer(9_000, { pricesIncludeVat: false });
  const alone = decide(aRule(), situation([net]));
  assertEquals([alone.wouldFire, alone.proposedCents], [false, null]);
  match(wireReason(alone.reason), /^vat_unknown/);

  const beside = decide(aRule(), situation([net, anOffer(11_000)]));
  assertEquals([beside.wouldFire, beside.proposedCents], [true, null]);
  assertEquals(beside.blocked, ["vat_unknown"]);
  match(wireReason(beside.reason), /vat_unknown/);
});

Deno.test("a simulated rule rests without an observation in 30 days, also with a margin trigger", () => {
  const rule = aRule({ when: { trigger: "margin_below", marginPct: 99 } });
  const mode = "simulate";
  for (const offers of [[], [anOffer(null)], [aged(90, 721)]]) {
    const decision = decide(rule, aSituation(offers, { mode }));
    assertEquals(decision.wouldFire, false);
    assertEquals(wireReason(decision.reason), "no competitor observation in the last 30 days");
    assertEquals(decide(rule, aSituation(offers)).wouldFire, true);
  }
  assertEquals(decide(rule, aSituation([aged(90, 720)], { mode })).wouldFire, true);
});
