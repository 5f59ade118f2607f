/** The outlier guard against an independent oracle with integers only. */
import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import type { Decision } from "../../../src/engine/pricing/decide.ts";
import type { Mode, Offer, PricedProduct } from "../../../src/engine/pricing/situation.ts";
import { anOffer, aRule, aSituation, decide, HOUR_MS, NOW_MS } from "./market.ts";
import { extent } from "../../proof.ts";
import fc from "fast-check";

const MODES: readonly Mode[] = ["live", "simulate", "explain", "backtest", "preview"];

/**
 * A rule that fires at any price and allows any price, so that only the other guards can hold it.
 */
const RULE = aRule({
  when: { trigger: "market_index", indexAbove: 0.0001 },
  marginFloor: { pct: 0 },
  cooldownMinutes: 0,
  actions: [{ type: "auto_apply_if_safe", formula: "match_cheapest", maxChangePct: 100 }],
});

interface Terms {
  readonly ourPriceCents: number;
  readonly packFactor: number;
  readonly isTheirsGross: boolean;
  readonly isOursGross: boolean;
  readonly vatRatePct: number;
}

const PLAIN: Terms = {
  ourPriceCents: 10_000,
  packFactor: 1,
  isTheirsGross: false,
  isOursGross: false,
  vatRatePct: 19,
};

const terms: fc.Arbitrary<Terms> = fc.record({
  ourPriceCents: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 10 ** 12 })),
  packFactor: fc.constantFrom(1, 1, 2, 6, 0.5, 0.3333, 100_000),
  isTheirsGross: fc.boolean(),
  isOursGross: fc.boolean(),
  vatRatePct: fc.constantFrom(0, 7, 19, 8.1, 19.9999, 100),
});

/** The price per piece as `num / den`, in minor units, with VAT if our price includes VAT. */
function perPiece(priceCents: number, given: Terms): readonly [num: bigint, den: bigint] {
  const gross = 1_000_000n + BigInt(Math.round(given.vatRatePct * 10_000));
  const num = BigInt(priceCents) * 10_000n;
  const den = BigInt(Math.round(given.packFactor * 10_000));
  if (given.isTheirsGross === given.isOursGross) return [num, den];
  return given.isOursGross ? [num * gross, den * 1_000_000n] : [num * 1_000_000n, den * gross];
}

/** True when |price − own| is more than half of own, per piece. */
function isFarFromOurs(priceCents: number, given: Terms): boolean {
  const [num, den] = perPiece(priceCents, given);
  const away = num - BigInt(given.ourPriceCents) * den;
  return (away < 0n ? -away : away) * 2n > BigInt(given.ourPriceCents) * den;
}

function decided(offers: readonly Offer[], given: Terms, mode: Mode = "live"): Decision {
  const product: Partial<PricedProduct> = {
    ourPriceCents: given.ourPriceCents,
    costPriceCents: 1,
    vatRatePct: given.vatRatePct,
  };
  const settings = { pricesIncludeVat: given.isOursGross };
  return decide(RULE, aSituation(offers, { product, settings, mode }));
}

/**
 * True if the outlier guard objects. Null if the guard was not asked, because there was no price.
 */
function saidOutlier({ trace }: Decision): boolean | null {
  const asked = trace().guards.find(({ guard }) => guard === "outlier");
  return asked ? asked.facts !== null : null;
}

/** Prices at the bounds, one minor unit beyond them, and anywhere. */
const prices = (given: Terms) => {
  const gross = 1 + given.vatRatePct / 100;
  const side = given.isTheirsGross === given.isOursGross
    ? 1
    : given.isOursGross
    ? 1 / gross
    : gross;
  const near = (share: number) => Math.round(given.ourPriceCents * share * given.packFactor * side);
  return fc.oneof(
    fc.record({ share: fc.constantFrom(0.5, 1.5, 1), by: fc.integer({ min: -2, max: 2 }) })
      .map(({ share, by }) => Math.min(Math.max(near(share) + by, 1), 10 ** 12)),
    fc.integer({ min: 1, max: 10 ** 12 }),
  );
};

Deno.test("a first price is an outlier exactly when it differs from ours by more than half", () => {
  const RUNS = extent(20_000, 5_000);
  const seen = { true: 0, false: 0 };
  const cases = terms.chain((given) => fc.tuple(fc.constant(given), prices(given)));
  fc.assert(
    fc.property(cases, ([given, priceCents]) => {
      const offer = anOffer(priceCents, {
        previousPriceCents: null,
        packFactor: given.packFactor,
        pricesIncludeVat: given.isTheirsGross,
      });
      const decisions = MODES.map((mode) => decided([offer], given, mode));
      const said = decisions.map(saidOutlier);
      assertEquals(new Set(said).size, 1, "the modes differ");
      if (said[0] === null) return;
      const isFar = isFarFromOurs(priceCents, given);
      seen[`${isFar}`] += 1;
      for (const decision of decisions) {
        assertEquals(saidOutlier(decision), isFar);
        if (isFar) assertEquals(decision.outcome, "propose");
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  assert(seen.true > RUNS / 20 && seen.false > RUNS / 20, JSON.stringify(seen));
});

Deno.test("of several cheapest offers, a single one without a previous price can hold", () => {
  const known = anOffer(4_000, { observedAtMs: NOW_MS - HOUR_MS });
  const stranger = anOffer(4_000, { previousPriceCents: null });
  assertEquals(decided([known], PLAIN).held, []);
  assertEquals(decided([known, stranger], PLAIN).held, ["outlier"]);
  assertEquals(decided([known, anOffer(4_100, { previousPriceCents: null })], PLAIN).held, []);
});
