/**
 * Cases for the choice of the offers that a rule uses: fixed rules and situations, and random ones.
 */
import fc from "fast-check";
import { type CompiledRule, compileRule } from "../../../src/engine/pricing/compile_rule.ts";
import { NO_HISTORY, shopTermsOf, type Situation } from "../../../src/engine/pricing/situation.ts";
import { PLAIN } from "./aim_cases.ts";
import { anOffer, aSituation, HOUR_MS, NOW_MS, theTerms } from "./market.ts";
import type { WhoCase, WhoFilter, WhoOffer, WhoShop } from "./who_oracle.ts";

const NO_SHOP: WhoShop = { groups: [], isMarketplace: false, sellerNames: [] };

/** A filter that accepts all offers. */
export const ANYBODY: WhoFilter = {
  only: [],
  without: [],
  groups: [],
  excludeGroups: [],
  marketplaces: "with",
  inStockOnly: true,
  exactOnly: false,
  sameCondition: false,
  withShipping: false,
  maxAgeHours: null,
  minCompetitors: 1,
};

/** An offer of 20.00, in stock, one hour old, with unknown shipping, seller and condition. */
export const AN_OFFER: WhoOffer = {
  shop: "a",
  cents: 2_000,
  pieces: 1,
  isGross: null,
  shipping: null,
  seller: null,
  isExact: true,
  condition: null,
  inStock: true,
  ageHours: 1,
};

const { offers: _offers, vatPct: _vat, ...aim } = PLAIN;

/** A rule that matches the cheapest price. Prices are net. */
export const A_CASE: WhoCase = {
  aim,
  shops: {},
  offers: [],
  filter: ANYBODY,
  condition: null,
  ownShipping: null,
  workspaceShipping: null,
  vatPct: 19,
  isGross: false,
};

const idOf = (shop: string) => shop.charCodeAt(0).toString(16).padStart(24, "0");

export function ruleOfWho({ aim, filter }: WhoCase): CompiledRule {
  return compileRule(theTerms({
    when: {
      trigger: "market_index",
      always: true,
      competitorIds: filter.only.map(idOf),
      excludeCompetitorIds: filter.without.map(idOf),
      groups: filter.groups,
      excludeGroups: filter.excludeGroups,
      marketplaces: filter.marketplaces,
      inStockOnly: filter.inStockOnly,
      exactOnly: filter.exactOnly,
      sameCondition: filter.sameCondition,
      withShipping: filter.withShipping,
      maxAgeHours: filter.maxAgeHours,
      minCompetitors: filter.minCompetitors,
    },
    actions: [{
      type: "propose_price",
      price: {
        reference: { kind: aim.kind, nth: aim.nth },
        adjust: { pct: aim.adjustPct, cents: aim.adjustCents },
      },
    }],
  }));
}

export const matchAt = (at: number) => `match ${at}`;

export function situationOfWho(one: WhoCase): Situation {
  const offers = one.offers.map((offer, at) =>
    anOffer(offer.cents, {
      matchId: matchAt(at),
      competitorId: idOf(offer.shop),
      packFactor: offer.pieces,
      pricesIncludeVat: offer.isGross,
      shippingCents: offer.shipping,
      seller: offer.seller,
      // An absent type counts as exact.
      ...(offer.isExact
        ? at % 2 === 0 ? {} : { matchType: "exact" as const }
        : { matchType: "equivalent" as const }),
      condition: offer.condition,
      inStock: offer.inStock,
      observedAtMs: NOW_MS - offer.ageHours * HOUR_MS,
      shop: shopTermsOf(one.shops[offer.shop] ?? NO_SHOP),
    })
  );
  return aSituation(offers, {
    product: {
      ourPriceCents: one.aim.ours,
      costPriceCents: one.aim.cost,
      targetPriceCents: one.aim.target,
      shippingCents: one.ownShipping,
      condition: one.condition,
      vatRatePct: one.vatPct,
    },
    settings: { pricesIncludeVat: one.isGross, ownShippingCents: one.workspaceShipping },
    history: { ...NO_HISTORY, price: { dayAgoCents: null, movesOfDay: 0, setByPersonAtMs: null } },
  });
}

const SHOPS = ["a", "b", "c", "d"];
const some = (names: readonly string[]) => fc.subarray([...names], { maxLength: 2 });
const seldom = <T>(one: fc.Arbitrary<T>, usual: T) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 2 }, { arbitrary: one, weight: 1 });
const cents = fc.integer({ min: 1, max: 4_000 });

const shop: fc.Arbitrary<WhoShop> = fc.record({
  groups: some(["Online", "Filialen", "Baumärkte"]),
  isMarketplace: fc.boolean(),
  sellerNames: some(["Riese", "Riese GmbH"]),
});
const offer: fc.Arbitrary<WhoOffer> = fc.record({
  shop: fc.constantFrom(...SHOPS),
  cents,
  pieces: fc.constantFrom(1, 1, 1, 2, 3),
  isGross: fc.constantFrom(null, null, true, false),
  shipping: fc.option(fc.integer({ min: 0, max: 900 })),
  seller: fc.constantFrom(null, "Riese", "RIESE GMBH", "Zwerg"),
  isExact: fc.boolean(),
  condition: fc.constantFrom(null, "new", "used"),
  inStock: fc.constantFrom(null, true, true, false),
  ageHours: fc.constantFrom(1, 5, 47, 48, 49, 100),
});
const filter: fc.Arbitrary<WhoFilter> = fc.record({
  only: seldom(some(SHOPS), []),
  without: seldom(some(SHOPS), []),
  groups: seldom(some(["online", "FILIALEN", "Niemand"]), []),
  excludeGroups: seldom(some(["Online", "Baumärkte"]), []),
  marketplaces: fc.constantFrom("with", "with", "without", "only"),
  inStockOnly: fc.boolean(),
  exactOnly: fc.boolean(),
  sameCondition: fc.boolean(),
  withShipping: fc.boolean(),
  maxAgeHours: seldom(fc.constantFrom(4, 48, 720), null),
  minCompetitors: seldom(fc.integer({ min: 1, max: 3 }), 1),
});

export const whoCases: fc.Arbitrary<WhoCase> = fc.record(
  {
    ours: fc.integer({ min: 1, max: 4_000 }),
    kind: fc.constantFrom("cheapest", "nth", "highest", "average", "median"),
    adjustPct: fc.option(fc.integer({ min: -20, max: 20 })),
    shops: fc.record({ a: shop, b: shop, c: shop }),
    offers: fc.array(offer, { maxLength: 6 }),
    filter,
    condition: fc.constantFrom(null, "new"),
    ownShipping: fc.option(fc.integer({ min: 0, max: 700 })),
    workspaceShipping: fc.option(fc.integer({ min: 0, max: 700 })),
    vatPct: fc.constantFrom(19, 7, 8.1, 19.9999),
    isGross: fc.boolean(),
  } as const,
).map(({ ours, kind, adjustPct, ...rest }): WhoCase => ({
  ...rest,
  aim: { ...aim, ours, kind, nth: kind === "nth" ? 2 : null, adjustPct },
}));
