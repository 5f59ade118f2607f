import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import type { Offer, Situation } from "../../../src/engine/pricing/situation.ts";
import { wireReason } from "../../../src/engine/wording/reason_text.ts";
import { anOffer, aRule, aSituation, decide, HOUR_MS, NOW_MS } from "./market.ts";

const undercut = (options: Record<string, unknown>) =>
  aRule({ when: { trigger: "competitor_undercut", ...options } });

function fires(
  options: Record<string, unknown>,
  offers: (Offer | number)[],
  given: Partial<Pick<Situation, "mode">> & { readonly ours?: number } = {},
): boolean {
  const { ours = 100, ...rest } = given;
  const situation = aSituation(offers, { ...rest, product: { ourPriceCents: ours } });
  return decide(undercut(options), situation).wouldFire;
}

const aged = (price: number, hours: number) =>
  anOffer(price, { observedAtMs: NOW_MS - hours * HOUR_MS });

Deno.test("reference chooses the price to compare with", () => {
  const rows: [kind: string, offers: number[], ours: number, fires: boolean][] = [
    ["cheapest", [29, 35, 29], 30, true],
    ["second", [29, 35, 29], 30, true],
    ["second", [29, 35, 29], 29, false],
    ["second", [29, 31, 35], 30, false],
    ["second", [29], 30, false],
    ["highest", [29, 35], 30, false],
    ["highest", [28, 29], 30, true],
    ["average", [29, 30, 30], 30, true],
    ["average", [30, 30, 30], 30, false],
    ["average", [29, 31], 30, false],
  ];
  for (const [reference, offers, ours, expected] of rows) {
    assertEquals(fires({ reference }, offers, { ours }), expected, `${reference} ${offers}`);
  }
});

Deno.test("a reference is at most 48 hours old live and 720 simulated; an explicit age holds in both", () => {
  assertEquals(fires({}, [aged(90, 48)]), true);
  assertEquals(fires({}, [aged(90, 48.1)]), false);
  assertEquals(fires({}, [aged(90, 720)], { mode: "simulate" }), true);
  assertEquals(fires({ maxAgeHours: 5 }, [aged(90, 6)]), false);
  assertEquals(fires({ maxAgeHours: 5 }, [aged(90, 6)], { mode: "simulate" }), false);
  assertEquals(fires({ maxAgeHours: 100 }, [aged(90, 99)]), true);
});

Deno.test("net and gross prices cannot be compared without a VAT rate, so there is no price, with that reason", () => {
  const situation = (offers: Offer[]) =>
    aSituation(offers, {
      product: { ourPriceCents: 12_000 },
      settings: { pricesIncludeVat: true, vatRatePct: null },
    });
  const net = anOffer(9_000, { pricesIncludeVat: false });
  const alone = decide(undercut({}), situation([net]));
  assertEquals([alone.wouldFire, alone.proposedCents], [false, null]);
  match(wireReason(alone.reason), /^vat_unknown/);

  const beside = decide(undercut({}), situation([net, anOffer(11_000)]));
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
