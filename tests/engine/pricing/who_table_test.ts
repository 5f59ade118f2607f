import { decide } from "./market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import { extent } from "../../proof.ts";
import { aimCase, aimCases, anAimOffer, ruleOf, situationOf, verdictOf } from "./aim_cases.ts";
import {
  type AimCase,
  type AimFilter,
  type AimOffer,
  type AimShop,
  bruteVerdict,
} from "./price_oracle.ts";
import { type Grouped, rowsOf } from "../grouped.ts";

const SHOPS: Readonly<Record<string, AimShop>> = {
  a: { groups: ["Online", "Große"], isMarketplace: false, sellerNames: [] },
  b: { groups: ["Baumärkte"], isMarketplace: false, sellerNames: [] },
  c: { groups: [], isMarketplace: false, sellerNames: [] },
  // Riese sells itself and is a marketplace; Basar is only a marketplace.
  r: { groups: ["Große"], isMarketplace: true, sellerNames: ["Riese", "Riese EU S.à r.l."] },
  z: { groups: [], isMarketplace: true, sellerNames: [] },
};

const of = (shop: string, cents: number, more: Partial<AimOffer> = {}) =>
  anAimOffer(cents, { shop, ...more });
const ABC = [of("a", 1_700), of("b", 1_800), of("c", 1_900)];
/** The rule aims at the cheapest offer; our price is 20.00. */
type Case = readonly [
  filter: Partial<AimFilter>,
  offers: readonly AimOffer[],
  about?: Partial<Omit<AimCase, "filter" | "offers">>,
];

const SHIPPED = { withShipping: true };

/**
 * Cases by the price, or by the reason why there is none. The random cases of `aim_table_test.ts`
 * cover all filters, but reach these combinations only in long runs.
 */
const ROWS: Grouped<Case> = {
  "1800": {
    "without a group": [{ excludeGroups: ["Online"] }, ABC],
    "without a group, whatever its case": [{ excludeGroups: ["oNLINE"] }, ABC],
  },
  "no_reference": {
    "a group without another group": [{ groups: ["Große"], excludeGroups: ["Online"] }, ABC],
    "a named shop whose group is left out": [{ only: ["a"], excludeGroups: ["Online"] }, ABC],
    "without sellers: its own name means nothing there": [{ marketplaces: "without" }, [
      of("z", 1_500, { seller: "Riese" }),
    ]],
  },
  "1900": {
    "without sellers: a marketplace that sells nothing itself": [{ marketplaces: "without" }, [
      of("z", 1_500),
      of("c", 1_900),
    ]],
    "free shipping of the product is known": [SHIPPED, [of("a", 1_900)], {
      ownShipping: 0,
      workspaceShipping: 590,
    }],
  },
  "1990": {
    "shipping changes the order: the second is the first": [SHIPPED, [
      of("a", 1_500, { shipping: 490 }),
      of("b", 1_900, { shipping: 0 }),
    ], { kind: "nth", nth: 2 }],
  },
  "1": {
    "ours is dearer than the offer: the price is the least there is": [SHIPPED, [of("a", 300)], {
      ownShipping: 495,
    }],
  },
};

for (const [what, [filter, offers, about], expected] of rowsOf(ROWS)) {
  Deno.test(`who: ${what} gives ${expected}`, () => {
    const one = aimCase({ shops: SHOPS, isGross: false, offers, filter, ...about });
    for (const { cents, code } of [verdictOf(one), bruteVerdict(one)]) {
      assertEquals(String(cents ?? code), expected);
    }
  });
}

Deno.test("who: higher shipping of a shop or lower shipping of ours never lowers the price (random cases)", () => {
  const after = (one: AimCase) => verdictOf(one).cents ?? one.ours;
  fc.assert(
    fc.property(aimCases, fc.nat({ max: 300 }), (given, more) => {
      const one = { ...given, filter: { ...given.filter, withShipping: true } };
      const dearer = {
        ...one,
        offers: one.offers.map((offer) => ({ ...offer, shipping: (offer.shipping ?? 0) + more })),
      };
      ok(after(dearer) >= after(one), JSON.stringify([one, more]));
      const own = one.ownShipping ?? 0;
      const [cheap, dear] = [{ ...one, ownShipping: own }, { ...one, ownShipping: own + more }];
      ok(after(cheap) >= after(dear), JSON.stringify([one, more]));
    }),
    { numRuns: extent(50_000, 300), endOnFailure: true },
  );
});

Deno.test("who: the trace contains shipping and seller, and our shipping", () => {
  const one = aimCase({
    shops: SHOPS,
    isGross: false,
    filter: { withShipping: true, marketplaces: "without" },
    offers: [of("c", 1_000, { shipping: 490 }), of("r", 900, { seller: "Zwerg", shipping: 0 })],
    workspaceShipping: 395,
  });
  const { references, leftOut, inputs } = decide(ruleOf(one), situationOf(one)).trace();
  assertEquals(
    references.map(({ shippingCents, seller, priceCents, unitCents }) => [
      shippingCents,
      seller,
      priceCents,
      unitCents,
    ]),
    [[490, null, 1_000, 1_095]],
  );
  assertEquals(leftOut.map(({ why, seller }) => [why, seller]), [["by_seller", "Zwerg"]]);
  assertEquals(inputs.ownShippingCents, 395);
});

Deno.test("who: the workspace's shipping applies only to products in its currency", () => {
  const one = aimCase({
    filter: { withShipping: true },
    offers: [of("c", 1_500)],
    workspaceShipping: 300,
  });
  const situation = situationOf(one);
  const abroad = { ...situation, settings: { ...situation.settings, currency: "CHF" } };
  assertEquals(decide(ruleOf(one), situation).proposedCents, 1_200);
  assertEquals(decide(ruleOf(one), abroad).proposedCents, 1_500);
});
