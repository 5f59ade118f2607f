/** Our own offers are no competitors, and delivered prices include shipping. */
import { BLANK_OFFER } from "../shops/shop.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { marketFacts } from "../../src/engine/pricing/market_facts.ts";
import { RulesOnProduct } from "../../src/engine/pricing/decide.ts";
import type { Situation } from "../../src/engine/pricing/situation.ts";
import { pricingOffersOf, shopsOf } from "../../src/rules/proposals/priced_product.ts";
import { WORKSPACE_DEFAULTS } from "../../src/accounts/workspace.ts";
import { blankCompetitor, type Competitor } from "../../src/shops/competitor_store.ts";
import { blankOffer, NO_OLD_PRICES, type Offer, saleTerms } from "../../src/shops/offers/offer.ts";
import { aRule, aSituation, HOUR_MS, NOW_MS } from "../engine/pricing/market.ts";
import fc from "fast-check";
import { extent } from "../proof.ts";

const AT = "2026-03-02T09:00:00.000Z";
const LONG = "Handelsgesellschaft für Elektrogeräte Müller & Söhne mbH";
const idOf = (n: number) => n.toString(16).padStart(24, "0");

/** We sell as `Muster Handel` at all shops, and at shop 2 also under the name `LONG`. */
const NAMES = { name: "Muster", ownSellerNames: ["Muster Handel"] };
const WORKSPACE = { ...WORKSPACE_DEFAULTS, ...NAMES, id: idOf(0), createdAt: AT };
const SHOPS = new Map([1, 2, 3].map((n): [string, Competitor] => {
  const blank = blankCompetitor({ id: idOf(n), domain: `${n}.example`, colour: n, createdAt: AT });
  return [blank.id, { ...blank, isMarketplace: true, ...n === 2 && { ownSellerNames: [LONG] } }];
}));

/** Seller names, each with the shops at which we sell under this name. */
const SELLERS: readonly (readonly [string | null, readonly number[]])[] = [
  [null, []],
  ["Muster Handel GmbH", []],
  ["Muster", []],
  ["Handelsgesellschaft für Elektrogeräte Müller", []],
  ["Muster Handel", [1, 2, 3]],
  ["MUSTER\u00a0 handel", [1, 2, 3]],
  [LONG, [2]],
  [LONG.toUpperCase(), [2]],
];

const drawn = fc.record({
  shop: fc.constantFrom(1, 2, 3),
  seller: fc.constantFrom(...SELLERS),
  priceCents: fc.option(fc.integer({ min: 100, max: 3_000 }), { freq: 6 }),
  hours: fc.integer({ min: 1, max: 60 }),
  availability: fc.constantFrom("in_stock", "out_of_stock", "unknown"),
  shippingCents: fc.option(fc.integer({ min: 0, max: 900 })),
  packFactor: fc.constantFrom(1, 3, 0.5),
  status: fc.constantFrom("ok", "timeout"),
});

const market = fc.array(drawn, { maxLength: 7 }).map((all) =>
  all.map(({ shop, seller: [seller, ownAt], hours, ...one }, at) => {
    const { priceCents, shippingCents } = one;
    const isSeen = priceCents !== null;
    const terms = { matchId: idOf(100 + at), competitorId: idOf(shop), urlHash: "0".repeat(32) };
    const link = { enabled: true, disabledBy: null, matchType: "exact", noPrice: false } as const;
    const offer: Offer = {
      ...blankOffer({ ...terms, ...link, packFactor: one.packFactor }),
      ...one,
      ...saleTerms({ ...NO_OLD_PRICES, seller, condition: null, shippingCents }),
      currency: isSeen ? "EUR" : null,
      confidence: isSeen ? 1 : null,
      observedAtMs: isSeen ? NOW_MS - hours * HOUR_MS : null,
    };
    return { offer, isOurs: ownAt.includes(shop) };
  })
);
const ours = fc.option(fc.integer({ min: 0, max: 3_000 }), { freq: 8 });

type Rule = ReturnType<typeof aRule>;

const RULES = [
  aRule(),
  aRule({ when: { trigger: "scrape_stale", staleHours: 24 } }),
  aRule({
    when: { trigger: "market_index", always: true, minCompetitors: 2 },
    actions: [{
      type: "propose_price",
      price: { reference: { kind: "median" }, adjust: { pct: -1 } },
    }],
  }),
];

const situationOf = (offers: readonly Offer[], ourPriceCents: number | null, more = {}) => ({
  ...aSituation([], { product: { ourPriceCents, costPriceCents: 90 }, settings: more }),
  ...pricingOffersOf(offers, shopsOf(WORKSPACE, SHOPS)),
});

const decisionOf = (rule: Rule, situation: Situation) =>
  new RulesOnProduct([rule], situation).decision(0, rule);

function decided(situation: Situation) {
  return RULES.map((rule) => {
    const { outcome, fires, rank, proposedCents } = decisionOf(rule, situation);
    return [outcome, fires, rank, proposedCents];
  });
}

Deno.test("own offers change neither the facts of a market nor the decisions of rules", () => {
  let left = 0;
  const property = fc.property(market, ours, fc.boolean(), (all, ourCents, compareDelivered) => {
    const settings = { compareDelivered };
    const whole = situationOf(all.map(({ offer }) => offer), ourCents, settings);
    const rivals = all.flatMap(({ offer, isOurs }) => isOurs ? [] : [offer]);
    const without = situationOf(rivals, ourCents, settings);
    assertEquals(marketFacts(whole), marketFacts(without));
    assertEquals(decided(whole), decided(without));
    assertEquals(whole.ownOffers?.length, all.length - rivals.length);
    left += all.length - rivals.length;
  });
  fc.assert(property, { numRuns: extent(2_000, 400), seed: 11 });
  ok(left > extent(1_000, 150), `${left}`);
});

const RANKED = aRule({ when: { trigger: "position_change" } });
const INDEXED = aRule({ when: { trigger: "market_index", indexAbove: 0 } });

Deno.test("rank, number of offers, index and margin of a market equal those of a rule's decision", () => {
  let compared = 0;
  const property = fc.property(market, ours, (all, ourCents) => {
    const situation = situationOf(all.map(({ offer }) => offer), ourCents);
    const { offers, own, marginPct } = marketFacts(situation);
    const [ranked, indexed] = [RANKED, INDEXED].map((rule) => decisionOf(rule, situation));
    assertEquals(offers.length, ranked?.trace().references.length);
    assertEquals(own?.rank ?? null, ranked?.rank ?? null);
    if (own === null) return;
    compared++;
    assertEquals(marginPct, ranked?.marginPct);
    // Rules round the price index down, so a rule's index may be 0.01 lower.
    const { index } = Object(indexed?.trace().trigger?.said).facts;
    const less = Math.round(((own.indexPct ?? 0) - index) * 100);
    ok([0, 1].includes(less), `${own.indexPct} ${index}`);
  });
  fc.assert(property, { numRuns: extent(2_000, 400), seed: 13 });
  ok(compared > extent(600, 100), `${compared}`);
});

Deno.test("delivered prices equal a market with shipping added by hand", () => {
  let raisedOffers = 0;
  const price = fc.option(fc.integer({ min: 1, max: 3_000 }), { freq: 8 });
  const shipping = fc.option(fc.integer({ min: 0, max: 700 }));
  const property = fc.property(market, price, shipping, (all, ourCents, ownShippingCents) => {
    const rivals = all.flatMap(({ offer, isOurs }) => isOurs ? [] : [offer]);
    const raised = rivals.map(({ priceCents, ...offer }): Offer => ({
      ...offer,
      priceCents: priceCents === null ? null : priceCents + (offer.shippingCents ?? 0),
    }));
    const settings = { compareDelivered: true, ownShippingCents };
    const delivered = marketFacts(situationOf(rivals, ourCents, settings));
    const own = ourCents === null ? null : ourCents + (ownShippingCents ?? 0);
    const byHand = marketFacts(situationOf(raised, own));
    const told = ({ offers, cheapest, marginPct: _, ...facts }: typeof delivered) => ({
      ...facts,
      cheapest: cheapest && { ...cheapest, lacksShipping: null },
      units: offers.map(({ unit, offer }) => [unit, offer.matchId]),
    });
    assertEquals(told(delivered), told(byHand));
    raisedOffers += delivered.offers.length;
    const first = delivered.offers.at(0)?.offer.shippingCents ?? null;
    assertEquals(delivered.cheapest?.lacksShipping ?? first === null, first === null);
  });
  fc.assert(property, { numRuns: extent(2_000, 400), seed: 12 });
  ok(raisedOffers > extent(1_000, 150), `${raisedOffers}`);
});

Deno.test("rules without their own choice compare delivered prices if the settings do; a rule can ignore shipping", () => {
  const price = { priceCents: 900, currency: "EUR", shippingCents: 495, confidence: 1 };
  const offer = { ...BLANK_OFFER, competitorId: idOf(1), ...price, observedAtMs: NOW_MS };
  const proposed = (when: Record<string, unknown>, compareDelivered: boolean) => {
    const rule = aRule({ when: { trigger: "market_index", always: true, ...when } });
    const situation = situationOf([offer], 2_000, { compareDelivered, ownShippingCents: 100 });
    return decisionOf(rule, situation).proposedCents;
  };
  const table = [{}, { withShipping: true }, { withoutShipping: true }]
    .map((when) => [proposed(when, false), proposed(when, true)]);
  assertEquals(table, [[900, 1_295], [1_295, 1_295], [900, 900]]);
});
