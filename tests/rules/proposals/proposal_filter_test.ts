import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  comparePlaces,
  fitsFilter,
  type OpenFilter,
  placeOf,
  PROPOSAL_SORTS,
  ruleEffects,
} from "../../../src/rules/proposals/proposal_filter.ts";
import { effectCents, type ProposalBrief, worthOf } from "../../../src/rules/proposals/proposal.ts";

const NOW_MS = Date.parse("2026-03-02T09:00:00.000Z");
const at = (hours: number) => new Date(NOW_MS + hours * HOUR_MS).toISOString();

const idOf = (n: number) => n.toString(16).padStart(24, "0");

const briefs: fc.Arbitrary<ProposalBrief> = fc.record({
  id: fc.nat(50).map(idOf),
  ruleId: fc.nat(3).map(idOf),
  ruleName: fc.constantFrom("Kaffee", "kaffee", "Groß", "A"),
  productId: fc.nat(3).map(idOf),
  sku: fc.constantFrom("KT-1", "KT-2", "WT-9"),
  productTitle: fc.constantFrom("Ostara Kühlschrank", "Morava Wasserkocher", null),
  currentCents: fc.integer({ min: 1, max: 400 }),
  proposedCents: fc.integer({ min: 1, max: 400 }),
  currency: fc.constant("EUR"),
  createdAt: fc.integer({ min: -5, max: 0 }).map(at),
  expiresAt: fc.integer({ min: 1, max: 9 }).map(at),
  heldUntil: fc.option(fc.integer({ min: -3, max: 3 }).map(at)),
  effectCents: fc.option(fc.integer({ min: -5, max: 5 })),
  marginAfterPct: fc.option(fc.integer({ min: -20, max: 300 }).map((tenths) => tenths / 10)),
  rivals: fc.constant(null),
});

Deno.test("fitsFilter() compares raised prices as lowered ones; a proposal at a bound or without a margin does not fit", () => {
  const [brief] = fc.sample(briefs, { numRuns: 1, seed: 1 });
  ok(brief);
  const all: OpenFilter = { search: null, ruleId: null, productId: null };
  // Each filter, with a proposal that it matches and one that it does not.
  const rows: readonly [Partial<OpenFilter>, Partial<ProposalBrief>, Partial<ProposalBrief>][] = [
    [{ direction: "up" }, { currentCents: 9, proposedCents: 10 }, { proposedCents: 9 }],
    [{ direction: "down" }, { currentCents: 10, proposedCents: 9 }, { proposedCents: 10 }],
    [{ changeBelowPct: 7 }, { currentCents: 300, proposedCents: 280 }, { proposedCents: 279 }],
    [{ changeBelowPct: 7 }, { currentCents: 300, proposedCents: 320 }, { proposedCents: 321 }],
    [{ marginBelowPct: 10 }, { marginAfterPct: 9.9 }, { marginAfterPct: 10 }],
    [{ marginBelowPct: 10 }, { marginAfterPct: -1 }, { marginAfterPct: null }],
  ];
  for (const [filter, fitting, other] of rows) {
    const fits = (more: Partial<ProposalBrief>): boolean =>
      fitsFilter({ ...brief, ...fitting, ...more }, { ...all, ...filter }, NOW_MS);
    assertEquals([fits({}), fits(other)], [true, false], JSON.stringify([filter, other]));
  }
});

Deno.test("ruleEffects() is the largest sum of a single currency", () => {
  const [brief] = fc.sample(briefs, { numRuns: 1, seed: 1 });
  const effect = (currency: string, effect30dCents: number) => (
    { ...brief!, ruleId: "a", currency, effect30dCents }
  );
  const some = [effect("EUR", -80), effect("EUR", 20), effect("CHF", -70)];
  assertEquals([...ruleEffects(some)], [["a", 70]]);
});

Deno.test("the sort positions of each order are a strict order of all proposals", () => {
  for (const sort of [null, ...PROPOSAL_SORTS]) {
    fc.assert(
      fc.property(fc.uniqueArray(briefs, { selector: ({ id }) => id }), (list) => {
        const places = list.map((brief) => placeOf(brief, sort, ruleEffects(list)))
          .toSorted(comparePlaces);
        for (const [index, place] of places.entries()) {
          for (const later of places.slice(index + 1)) {
            ok(comparePlaces(place, later) < 0 && comparePlaces(later, place) > 0);
          }
        }
      }),
    );
  }
  fc.assert(fc.property(fc.array(briefs), (list) => {
    const placed = (brief: ProposalBrief) => placeOf(brief, "effect", new Map());
    const effects = list.toSorted((a, b) => comparePlaces(placed(a), placed(b)))
      .map(({ effectCents: cents }) => cents === null ? -1 : Math.abs(cents));
    assertEquals(effects, effects.toSorted((a, b) => b - a));
  }));
});

Deno.test("the effect is the net difference for all pieces, rounded half up once, and unknown without figures", () => {
  const net = { pricesIncludeVat: false, vatRatePct: null };
  const gross = (vatRatePct: number | null) => ({ pricesIncludeVat: true, vatRatePct });
  const rows: readonly [
    [number, number],
    Parameters<typeof effectCents>[1],
    number | undefined,
    number | null,
  ][] = [
    [[78_826, 75_299], net, undefined, -3_527],
    [[78_826, 75_299], gross(19), undefined, -2_964],
    [[0, 3], gross(100), undefined, 2],
    [[3, 0], gross(100), undefined, -1],
    [[1, 2], gross(null), undefined, null],
    [[10_000, 10_001], gross(19), 119, 100],
    [[10_000, 10_119], gross(19), 2.5, 250],
    [[10_000, 10_119], gross(19), -1, -100],
  ];
  for (const [[currentCents, proposedCents], terms, units, cents] of rows) {
    assertEquals(effectCents({ currentCents, proposedCents }, terms, units), cents, `${cents}`);
  }
  const step = { currentCents: 10_000, proposedCents: 10_119 };
  const trace = JSON.parse(JSON.stringify({ inputs: { costPriceCents: null, ...gross(19) } }));
  const { effectCents: piece, effect30dCents } = worthOf({ ...step, units30d: 30 }, trace);
  assertEquals([piece, effect30dCents], [100, 3_000]);
  assertEquals(worthOf(step, trace).effect30dCents, null);
  const unread = { currency: "EUR", pricesIncludeVat: "yes", vatRatePct: -1 };
  for (const unknown of [null, JSON.parse(JSON.stringify({ inputs: unread }))]) {
    assertEquals(new Set(Object.values(worthOf(step, unknown))), new Set([null]));
  }
});

Deno.test("the effect equals the difference of the two margins in money", () => {
  const cents = fc.integer({ min: 1, max: 10 ** 12 });
  const rates = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(cents, cents, rates, (currentCents, proposedCents, rate) => {
      const vatRatePct = rate / 10_000;
      const found = effectCents({ currentCents, proposedCents }, {
        pricesIncludeVat: true,
        vatRatePct,
      });
      // Half up means effect − ½ ≤ exact < effect + ½. Here, all sides are multiplied by 2 × `den`.
      const exact = 2n * BigInt(proposedCents - currentCents) * 1_000_000n;
      const den = BigInt(1_000_000 + rate);
      const effect = BigInt(found ?? 0);
      ok((2n * effect - 1n) * den <= exact && exact < (2n * effect + 1n) * den);
    }),
  );
});
