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
const RIESE = [
  of("r", 1_500, { seller: "Zwerg" }),
  of("r", 1_600, { seller: "riese" }),
  of("r", 1_650),
  of("z", 1_680, { seller: "Riese" }),
  of("c", 1_900, { seller: "Zwerg" }),
];

/** The rule aims at the cheapest offer; our price is 20.00. */
type Case = readonly [
  filter: Partial<AimFilter>,
  offers: readonly AimOffer[],
  about?: Partial<Omit<AimCase, "filter" | "offers">>,
];

const SHIPPED = { withShipping: true };
const GROSS = { isGross: true };

/** Cases by the price, or by the reason why there is none. */
const ROWS: Grouped<Case> = {
  "1700": {
    "all shops count": [{}, ABC],
    "one of two groups": [{ groups: ["Baumärkte", "Online"] }, ABC],
  },
  "1800": {
    "a shop by its name": [{ only: ["b"] }, ABC],
    "without a shop": [{ without: ["a"] }, ABC],
    "a group": [{ groups: ["Baumärkte"] }, ABC],
    "a group, whatever its case": [{ groups: ["BAUMÄRKTE"] }, ABC],
    "a shop or a group": [{ only: ["c"], groups: ["Baumärkte"] }, ABC],
    "a shop that is also in the group": [{ only: ["b"], groups: ["Baumärkte"] }, ABC],
    "without a group": [{ excludeGroups: ["Online"] }, ABC],
    "without a group, whatever its case": [{ excludeGroups: ["oNLINE"] }, ABC],
    "less the shipping of the workspace": [SHIPPED, [of("a", 1_900, { shipping: 490 })], {
      workspaceShipping: 590,
    }],
    "the product's shipping goes first": [SHIPPED, [of("a", 1_900)], {
      ownShipping: 100,
      workspaceShipping: 590,
    }],
  },
  "no_reference": {
    "a group that nobody is in": [{ groups: ["Niemand"] }, ABC],
    "a group without another group": [{ groups: ["Große"], excludeGroups: ["Online"] }, ABC],
    "a named shop whose group is left out": [{ only: ["a"], excludeGroups: ["Online"] }, ABC],
    "one shop of a group is not": [{ groups: ["Online"], minCompetitors: 2 }, ABC],
    "without sellers: its own name means nothing there": [{ marketplaces: "without" }, [
      of("z", 1_500, { seller: "Riese" }),
    ]],
    "only sellers: not the shop itself": [{ marketplaces: "only" }, [
      of("r", 1_600, { seller: "Riese" }),
    ]],
    "only sellers: not a shop that is no marketplace": [{ marketplaces: "only" }, ABC],
    "sellers count as one shop": [{ marketplaces: "only", minCompetitors: 2 }, RIESE.slice(0, 3)],
  },
  "1900": {
    "without two groups": [{ excludeGroups: ["Online", "Baumärkte"] }, ABC],
    "without sellers: a marketplace that sells nothing itself": [{ marketplaces: "without" }, [
      of("z", 1_500),
      of("c", 1_900),
    ]],
    "without sellers: a shop that is no marketplace": [{ marketplaces: "without" }, [
      of("c", 1_900, { seller: "Zwerg" }),
    ]],
    "prices without shipping": [{}, [of("a", 1_900, { shipping: 490 }), of("b", 1_950)]],
    "shipping that nobody knows adds nothing": [SHIPPED, [
      of("a", 1_900),
      of("b", 1_890, { shipping: 20 }),
    ]],
    "free shipping of the product is known": [SHIPPED, [of("a", 1_900)], {
      ownShipping: 0,
      workspaceShipping: 590,
    }],
    "ours does not count without the option": [{}, [of("a", 1_900)], { ownShipping: 495 }],
  },
  "1500": {
    "a group without a shop of it": [{ groups: ["Große"], without: ["a"] }, [...ABC, ...RIESE]],
    "two shops of a group are enough": [{ groups: ["Große"], minCompetitors: 2 }, [
      ...ABC,
      ...RIESE,
    ]],
    "with marketplaces": [{}, RIESE],
    "without sellers: another name of the shop itself": [{ marketplaces: "without" }, [
      of("r", 1_500, { seller: "RIESE EU S.À R.L." }),
    ]],
    "only sellers": [{ marketplaces: "only" }, RIESE],
    "only sellers of a group": [{ marketplaces: "only", groups: ["Große"] }, [...ABC, ...RIESE]],
    "gross and net: (1190 + 595) ÷ 1.19": [SHIPPED, [
      of("a", 1_190, { isGross: true, shipping: 595 }),
    ]],
  },
  "1600": {
    "without sellers: the shop itself, and who is not known": [{ marketplaces: "without" }, RIESE],
    "shipping in the median": [SHIPPED, [
      of("a", 1_000, { shipping: 490 }),
      of("b", 1_600),
      of("c", 1_700, { shipping: 1 }),
    ], { kind: "median" }],
    "not exact, of a group": [{ exactOnly: true, groups: ["Online"] }, [
      of("a", 1_500, { isExact: false }),
      of("a", 1_600),
    ]],
  },
  "1650": {
    "without sellers: nobody knows who sells": [{ marketplaces: "without" }, [of("r", 1_650)]],
    "only sellers: nobody knows who sells": [{ marketplaces: "only" }, [of("r", 1_650)]],
  },
  "1950": {
    "shipping of the shop counts": [SHIPPED, [
      of("a", 1_500, { shipping: 490 }),
      of("b", 1_950, { shipping: 0 }),
    ]],
    "shipping in the mean": [SHIPPED, [
      of("a", 1_500, { shipping: 490 }),
      of("b", 1_900, { shipping: 10 }),
    ], { kind: "average" }],
  },
  "1895": {
    "less the shipping of the product": [SHIPPED, [of("a", 1_900, { shipping: 490 })], {
      ownShipping: 495,
    }],
  },
  "200": {
    "a parcel of three: (3 × 600 + 300) ÷ 3, less ours": [SHIPPED, [
      of("a", 1_800, { pieces: 3, shipping: 300 }),
    ], { ownShipping: 500 }],
  },
  "1290": {
    "net and gross: (1000 + 500) × 1.19, less ours": [SHIPPED, [
      of("a", 1_000, { isGross: false, shipping: 500 }),
    ], { ...GROSS, ownShipping: 495 }],
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
  "1485": {
    "one per cent below a delivered price": [SHIPPED, [of("a", 1_500, { shipping: 500 })], {
      ownShipping: 500,
      adjustPct: -1,
    }],
  },
  "1610": {
    "used, delivered": [{ sameCondition: true, ...SHIPPED }, [
      of("a", 1_500, { condition: "used" }),
      of("b", 1_600, { shipping: 10 }),
    ], { condition: "new" }],
  },
  "1100": {
    "all at once": [
      {
        exactOnly: true,
        sameCondition: true,
        marketplaces: "without",
        excludeGroups: ["Baumärkte"],
        ...SHIPPED,
      },
      [...RIESE, of("b", 1_000), of("c", 1_550, { shipping: 400 })],
      { condition: "new", ownShipping: 500 },
    ],
  },
  "1400": {
    "sold out, where that is asked": [{ inStockOnly: false, groups: ["Online"] }, [
      of("a", 1_400, { inStock: false }),
    ]],
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
    { numRuns: extent(50_000, 700), endOnFailure: true },
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
