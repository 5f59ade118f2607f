import { HOUR_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  comparePlaces,
  fitsFilter,
  isNamed,
  type OpenFilter,
  placeOf,
  PROPOSAL_SORTS,
  type ProposalBrief,
  ruleEffects,
} from "../../../src/rules/proposals/proposal_filter.ts";
import { searchFor } from "../../../src/base/search_words.ts";
import { effectCents, worthOf } from "../../../src/rules/proposals/proposal.ts";

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

/**
 * Leaves out each condition with some probability, so that most random filters have few conditions.
 */
const maybe = <T, N>(asked: fc.Arbitrary<T>, none: N) =>
  fc.oneof({ arbitrary: asked, weight: 1 }, { arbitrary: fc.constant(none), weight: 5 });

const questions = fc.subarray(["kt", "kühl", "kaffee", "1"], { maxLength: 2 });

const filters: fc.Arbitrary<Omit<OpenFilter, "search">> = fc.record({
  ruleId: maybe(fc.nat(3).map(idOf), null),
  productId: maybe(fc.nat(3).map(idOf), null),
  later: maybe(fc.boolean(), undefined),
  direction: maybe(fc.constantFrom("up" as const, "down" as const), undefined),
  changeBelowPct: maybe(fc.integer({ min: 0, max: 200 }), undefined),
  marginBelowPct: maybe(fc.integer({ min: 0, max: 30 }), undefined),
  expiresBefore: maybe(fc.integer({ min: 1, max: 9 }).map(at), undefined),
  createdBefore: maybe(fc.integer({ min: -5, max: 1 }).map(at), undefined),
});

/** An independent implementation, with percentages as integers of hundredths. */
function oracle(
  brief: ProposalBrief,
  filter: Omit<OpenFilter, "search">,
  words: readonly string[],
): boolean {
  const validationErrors: boolean[] = [];
  const moved = BigInt(brief.proposedCents) - BigInt(brief.currentCents);
  if (filter.ruleId !== null) validationErrors.push(filter.ruleId !== brief.ruleId);
  if (filter.productId !== null) validationErrors.push(filter.productId !== brief.productId);
  const isLater = brief.heldUntil !== null && brief.heldUntil > at(0);
  if (filter.later !== undefined) validationErrors.push(isLater !== filter.later);
  if (filter.direction === "up") validationErrors.push(moved <= 0n);
  if (filter.direction === "down") validationErrors.push(moved >= 0n);
  if (filter.changeBelowPct !== undefined) {
    const size = moved < 0n ? -moved : moved;
    validationErrors.push(
      size * 100n >= BigInt(brief.currentCents) * BigInt(filter.changeBelowPct),
    );
  }
  if (filter.marginBelowPct !== undefined) {
    validationErrors.push(
      brief.marginAfterPct === null || !(brief.marginAfterPct < filter.marginBelowPct),
    );
  }
  if (filter.expiresBefore !== undefined) {
    validationErrors.push(brief.expiresAt >= filter.expiresBefore);
  }
  if (filter.createdBefore !== undefined) {
    validationErrors.push(brief.createdAt >= filter.createdBefore);
  }
  const parts = [brief.sku, brief.productTitle ?? "", brief.ruleName].map((part) =>
    part.toLowerCase()
  );
  validationErrors.push(words.some((word) => !parts.some((part) => part.includes(word))));
  return !validationErrors.includes(true);
}

Deno.test("fitsFilter() agrees with the description of each filter", () => {
  let found = 0;
  fc.assert(
    fc.property(briefs, filters, questions, (brief, filter, words) => {
      const search = searchFor(words.join(" "));
      const fits = fitsFilter(brief, { ...filter, search }, NOW_MS);
      if (fits) found++;
      assertEquals(fits, oracle(brief, filter, words));
    }),
    { numRuns: 5_000 },
  );
  ok(found > 100, "too few proposals fit to say anything");
});

Deno.test("all words must match, in any order and case, with umlauts in any spelling, as in products", () => {
  const named = { sku: "KT-11915", productTitle: "Ostara Kühlschrank", ruleName: "Küche: Günstig" };
  for (
    const q of ["kühl OSTARA", "11915", "günstig kt", "kuehl", "kuhl gunstig", "KT11915", "  "]
  ) {
    ok(isNamed(named, searchFor(q)), q);
  }
  for (const q of ["ostara waage", "kt-12", "schrankkueche"]) ok(!isNamed(named, searchFor(q)), q);
  ok(isNamed({ sku: "A", ruleName: "B" }, searchFor("b a")));
});

for (const sort of [null, ...PROPOSAL_SORTS]) {
  Deno.test(`the sort positions ${sort ?? "of creation"} are a strict order of all proposals`, () => {
    fc.assert(
      fc.property(fc.uniqueArray(briefs, { selector: ({ id }) => id }), (list) => {
        const places = list.map((brief) => placeOf(brief, sort, ruleEffects(list))).toSorted(
          comparePlaces,
        );
        for (const [index, place] of places.entries()) {
          for (const later of places.slice(index + 1)) {
            ok(comparePlaces(place, later) < 0 && comparePlaces(later, place) > 0);
          }
        }
        const effects = list.toSorted((a, b) =>
          comparePlaces(placeOf(a, "effect", new Map()), placeOf(b, "effect", new Map()))
        )
          .map(({ effectCents, effect30dCents = effectCents }) =>
            effect30dCents === null ? -1 : Math.abs(effect30dCents)
          );
        assertEquals(effects, effects.toSorted((a, b) => b - a));
      }),
    );
  });
}

Deno.test("the effect per piece is the net difference, rounded half up", () => {
  const net = { pricesIncludeVat: false, vatRatePct: null };
  const gross = { pricesIncludeVat: true, vatRatePct: 19 };
  const step = (currentCents: number, proposedCents: number) => ({ currentCents, proposedCents });
  assertEquals(effectCents(step(78_826, 75_299), net), -3_527);
  assertEquals(effectCents(step(78_826, 75_299), gross), -2_964);
  assertEquals(effectCents(step(10_000, 10_119), gross), 100);
  assertEquals(effectCents(step(0, 3), { pricesIncludeVat: true, vatRatePct: 100 }), 2);
  assertEquals(effectCents(step(3, 0), { pricesIncludeVat: true, vatRatePct: 100 }), -1);
  assertEquals(effectCents(step(1, 2), { pricesIncludeVat: true, vatRatePct: null }), null);
});

Deno.test("the effect of 30 days of sales is exact, and rounded once", () => {
  const gross = { pricesIncludeVat: true, vatRatePct: 19 };
  const step = { currentCents: 10_000, proposedCents: 10_119 };
  assertEquals(effectCents({ ...step, proposedCents: 10_001 }, gross, 119), 100);
  assertEquals(effectCents(step, gross, 2.5), 250);
  assertEquals(effectCents(step, gross, 0), 0);
  assertEquals(effectCents(step, gross, -1), -100);
  const inputs = { costPriceCents: null, ...gross };
  const trace = JSON.parse(JSON.stringify({ inputs }));
  const { effectCents: piece, effect30dCents } = worthOf({ ...step, units30d: 30 }, trace);
  assertEquals([piece, effect30dCents], [100, 3_000]);
  assertEquals(worthOf(step, trace).effect30dCents, null);
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
      // Rounded half up: 2 × effect − 1 ≤ 2 × exact < 2 × effect + 1, all times the denominator.
      const exact = 2n * BigInt(proposedCents - currentCents) * 1_000_000n;
      const den = BigInt(1_000_000 + rate);
      const effect = BigInt(found ?? 0);
      ok((2n * effect - 1n) * den <= exact && exact < (2n * effect + 1n) * den);
    }),
  );
});

Deno.test("the effect of a proposal without a trace or figures is unknown", () => {
  const step = { currentCents: 10, proposedCents: 9 };
  const unknown = {
    effectCents: null,
    effect30dCents: null,
    marginPct: null,
    marginAfterPct: null,
  };
  assertEquals(worthOf(step, null), unknown);
  const inputs = { currency: "EUR", pricesIncludeVat: "yes", vatRatePct: -1 };
  assertEquals(worthOf(step, JSON.parse(JSON.stringify({ inputs }))), unknown);
});
