import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import fc from "fast-check";
import {
  currencyExponent,
  formatDecimalComma,
  formatGerman,
  formatMajor,
  isAtLeastPct,
  isMoreThanPct,
  majorOf,
  MINOR_UNITS_MAX,
  parseMajor,
  showMoney,
} from "../../src/base/money.ts";
import {
  add,
  ceilOf,
  changePct,
  compareFractions,
  decimal,
  divide,
  floorOf,
  marginPct,
  meanPct,
  multiply,
  ourGapPct,
  percent,
  sharePct,
  sharesPct,
  subtract,
  times,
  whole,
} from "../../src/base/fraction.ts";
import {
  needsReason,
  NO_LIMITS,
  type PriceDoubt,
  priceDoubts,
} from "../../src/base/price_doubts.ts";

const minorUnits = fc.integer({ min: 0, max: MINOR_UNITS_MAX });
const exponents = fc.constantFrom(0, 2, 3, 4);

const READ: [value: string | number, exponent: number, minor: number][] = [
  [8.2, 2, 820],
  ["299.9", 2, 29_990],
  ["0299", 2, 29_900],
  ["0", 2, 0],
  [-0, 2, 0],
  [1.1, 2, 110],
  [4.35, 2, 435],
  [1.005, 3, 1_005],
  ["10000000000", 2, MINOR_UNITS_MAX],
  [1e10, 2, MINOR_UNITS_MAX],
  ["0".repeat(500) + "1", 2, 100],
];

const REFUSED: [value: string | number, exponent: number, reason: RegExp][] = [
  ["1.000", 2, /more decimals than the currency, which has 2/],
  [1.005, 2, /more decimals/],
  ["1.0", 0, /more decimals/],
  [-1, 2, /must not be negative/],
  ["-1", 2, /must not be negative/],
  [NaN, 2, /must be a finite number/],
  [Infinity, 2, /must be a finite number/],
  [-Infinity, 2, /must not be negative/],
  [1e21, 2, /"1e\+21" is not a price: write it without an exponent/],
  [1e-7, 2, /without an exponent/],
  ["10000000000.01", 2, /above 10000000000\.00/],
  ["1000000000001", 0, /above 1000000000000/],
  ["9".repeat(100_000), 2, /above/],
  ["", 2, /write it like/],
  ["1,5", 2, /write it like/],
  ["1.", 2, /write it like/],
  [".5", 2, /write it like/],
  [" 1", 2, /write it like/],
  ["1e3", 2, /write it like/],
  ["+1", 2, /write it like/],
  ["1\n", 2, /write it like/],
  ["١", 2, /write it like/],
];

Deno.test("parseMajor() reads decimals digit by digit, and gives a short reason for each refusal", () => {
  for (const [value, exponent, minor] of READ) {
    assertEquals([value, parseMajor(value, exponent)], [value, { minor }]);
  }
  for (const [value, exponent, expected] of REFUSED) {
    const outcome = parseMajor(value, exponent);
    ok("reason" in outcome, `accepted ${value}`);
    match(outcome.reason, expected);
    ok(outcome.reason.length < 200);
  }
});

Deno.test("parseMajor() reads back every amount that formatMajor() writes, also as a number of JSON", () => {
  fc.assert(fc.property(minorUnits, exponents, (minor, exponent) => {
    const text = formatMajor(minor, exponent);
    assertEquals(parseMajor(text, exponent), { minor });
    const number: number = JSON.parse(text);
    const small = minor < 10 ** exponent && /e/.test(String(number));
    if (!small) assertEquals(parseMajor(number, exponent), { minor });
  }));
});

Deno.test("formatMajor(), formatDecimalComma() and formatGerman() write the same amount", () => {
  const table: [number, number, string, string, string][] = [
    [123_456, 2, "1234.56", "1234,56", "1.234,56"],
    [5, 2, "0.05", "0,05", "0,05"],
    [-5, 2, "-0.05", "-0,05", "-0,05"],
    [-123_456_789, 2, "-1234567.89", "-1234567,89", "-1.234.567,89"],
    [-12_345, 2, "-123.45", "-123,45", "-123,45"],
    [1_234_567, 0, "1234567", "1234567", "1.234.567"],
    [123_456_789, 4, "12345.6789", "12345,6789", "12.345,6789"],
    [0, 3, "0.000", "0,000", "0,000"],
  ];
  for (const [minor, exponent, ...texts] of table) {
    const written = [formatMajor, formatDecimalComma, formatGerman].map((f) => f(minor, exponent));
    assertEquals(written, texts);
  }
});

Deno.test("showMoney() writes the amount with its currency", () => {
  assertEquals(showMoney(26_910, "EUR"), "269.10 EUR");
  assertEquals(showMoney(26_910, "JPY"), "26910 JPY");
});

Deno.test("percentages are compared exactly where floats are not", () => {
  assertEquals([33, 34].map((part) => isMoreThanPct(part, 3_000, 1.1)), [false, true]);
  assertEquals(isAtLeastPct(33, 3_000, 1.1), true);
  assertEquals(isAtLeastPct(32, 3_000, 1.1), false);
  assertEquals(isAtLeastPct(MINOR_UNITS_MAX, MINOR_UNITS_MAX, 100), true);
});

Deno.test("currencyExponent() gives the minor unit of ISO 4217, and null for anything but such a code in upper case", () => {
  const exponents = { EUR: 2, CHF: 2, USD: 2, JPY: 0, ISK: 0, KWD: 3, IQD: 3, RSD: 2, CLF: 4 };
  // Some versions of `Intl` do not know these currency codes.
  const rare = { SLE: 2, VES: 2, VED: 2, XCG: 2, ZWG: 2 };
  for (const [code, exponent] of Object.entries({ ...exponents, ...rare })) {
    assertEquals([code, currencyExponent(code)], [code, exponent]);
  }
  const others = ["", " EUR", "€", ..."eur Eur EU EURO XXX XAU XTS ABC constructor".split(" ")];
  assertEquals(others.filter((code) => currencyExponent(code) !== null), []);
});

Deno.test("currencyExponent() knows every code that Intl knows, except the unit of account XSU", () => {
  const known = new Set(Intl.supportedValuesOf("currency")).difference(
    new Set(["XDR", "XSU", "XUA"]),
  );
  assertEquals([...known].filter((code) => currencyExponent(code) === null), []);
});

Deno.test("changePct() rounds the exact change to one decimal, half away from 0", () => {
  const table: [number, number, number][] = [
    [10_000, 11_000, 10],
    [20_000, 20_010, 0.1],
    [20_000, 19_990, -0.1],
    [20_000, 20_009, 0],
    [1, 10 ** 12, 99_999_999_999_900],
    // The change is 1.15 %, which floating point computes slightly too low.
    [10_000, 10_115, 1.2],
  ];
  for (const [from, to, pct] of table) assertEquals(changePct(from, to), pct, `${from} ${to}`);
  assertEquals(changePct(1_000, divide(whole(3_000), decimal(2.5))), 20);
});

Deno.test("changePct() differs from the exact change by at most 0.05, and is symmetric in sign", () => {
  const cents = fc.integer({ min: 1, max: 10 ** 9 });
  fc.assert(fc.property(cents, cents, (from, to) => {
    const tenths = BigInt(Math.round(changePct(from, to) * 10));
    const off = 2n * (BigInt(to - from) * 1_000n - tenths * BigInt(from));
    assertEquals(off <= BigInt(from) && off >= -BigInt(from), true);
    if (to < 2 * from) assertEquals(changePct(from, 2 * from - to) + changePct(from, to), 0);
  }));
});

Deno.test("marginPct() is rounded down, net of VAT where prices include it", () => {
  const terms = { costPriceCents: 7_504, pricesIncludeVat: false, vatRatePct: 19 };
  assertEquals(marginPct(10_000, terms), 24.96);
  assertEquals(marginPct(11_900, { ...terms, pricesIncludeVat: true }), 24.96);
  assertEquals(marginPct(5_000, terms), -50.08);
  assertEquals([null, 0].map((cents) => marginPct(cents, terms)), [null, null]);
  const noRate = { pricesIncludeVat: true, vatRatePct: null };
  for (const unknown of [{ costPriceCents: 0 }, { costPriceCents: null }, noRate]) {
    assertEquals(marginPct(10_000, { ...terms, ...unknown }), null);
  }
});

Deno.test("sharePct(), meanPct() and majorOf() round to their decimals", () => {
  assertEquals([sharePct(0.855, 1), sharePct(0.421, 0)], [85.5, 42]);
  assertEquals([meanPct([10, 20.5]), meanPct([])], [15.3, null]);
  assertEquals([majorOf(29_999, 2), majorOf(500, 0), majorOf(1_234, 3)], [299.99, 500, 1.234]);
});

Deno.test("ourGapPct() is positive where we are dearer, a share of our price, and null for our price of 0", () => {
  assertEquals([75_299, 79_900].map((cents) => ourGapPct(78_826, whole(cents))), [4.5, -1.4]);
  // A competitor's pack of 10 costs 20.00, so one piece costs as much as ours: 2.00.
  assertEquals(ourGapPct(200, { num: 2_000, den: 10 }), 0);
  assertEquals([ourGapPct(200, whole(0)), ourGapPct(0, whole(200))], [100, null]);
});

Deno.test("sharesPct() sums to 100, and raises the largest remainders", () => {
  assertEquals(sharesPct([85, 168, 41], 0), [29, 57, 14]);
  assertEquals(sharesPct([1, 1, 1], 0), [34, 33, 33]);
  assertEquals(sharesPct([1, 1, 1], 1), [33.4, 33.3, 33.3]);
  assertEquals(sharesPct([0, 0], 0), [0, 0]);
  const counts = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 6 });
  fc.assert(fc.property(counts, fc.constantFrom(0, 1), (counts, decimals) => {
    const shares = sharesPct(counts, decimals);
    const sum = shares.reduce((total, share) => total + Math.round(share * 10), 0);
    assertEquals(sum, counts.some((count) => count > 0) ? 1_000 : 0);
  }));
});

const numbers = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
const divisors = fc.integer({ min: 1, max: 10 ** 9 });
const fractions = fc.record({ num: numbers, den: divisors });

Deno.test("percent() and decimal() read at most 4 decimals exactly", () => {
  assertEquals(percent(19), { num: 19, den: 100 });
  assertEquals(percent(1.1), { num: 11, den: 1_000 });
  assertEquals(percent(0.0001), { num: 1, den: 1_000_000 });
  assertEquals(percent(100), whole(1));
  assertEquals(decimal(2.5), { num: 5, den: 2 });
});

Deno.test("times() is exact beyond 2^53, and compareFractions() agrees with it", () => {
  fc.assert(fc.property(fractions, fractions, (a, b) => {
    assertEquals(BigInt(times(a.num, b.num)), BigInt(a.num) * BigInt(b.num));
    const gap = BigInt(a.num) * BigInt(b.den) - BigInt(b.num) * BigInt(a.den);
    assertEquals(compareFractions(a, b), gap < 0n ? -1 : gap > 0n ? 1 : 0);
  }));
});

Deno.test("floorOf() and ceilOf() are the nearest integers below and above, also for negative quotients", () => {
  assertEquals([floorOf({ num: -1, den: 2 }), ceilOf({ num: -1, den: 2 })], [-1, 0]);
  fc.assert(fc.property(fractions, (a) => {
    const [low, high] = [whole(floorOf(a)), whole(ceilOf(a))];
    assertEquals(compareFractions(low, a) <= 0 && compareFractions(a, high) <= 0, true);
    assertEquals(compareFractions(subtract(high, low), whole(1)) <= 0, true);
  }));
});

Deno.test("add() and subtract(), multiply() and divide() undo each other", () => {
  const positive = fc.record({ num: fc.integer({ min: 1, max: 10 ** 12 }), den: divisors });
  fc.assert(fc.property(fractions, positive, (a, b) => {
    assertEquals(compareFractions(subtract(add(a, b), b), a), 0);
    assertEquals(compareFractions(divide(multiply(a, b), b), a), 0);
  }));
});

const TERMS = { costPriceCents: 55_544, pricesIncludeVat: true, vatRatePct: 19 };
const PRICES = { oldCents: 78_826, marketCents: 75_299, floorPct: 8 };
const PLAIN = { ...PRICES, terms: TERMS, limits: NO_LIMITS };

const shortOf = (doubts: readonly PriceDoubt[]) =>
  doubts.map((doubt) =>
    doubt.code === "factor"
      ? `${doubt.isMore ? "×" : "÷"}${doubt.factor} ${doubt.against} ${doubt.likelyCents}`
      : doubt.code
  );

// The product costs 555.44 net (660.97 gross). A margin of 8 % needs a price of at least 718.45.
const TABLE: readonly (readonly [string, number, readonly string[]])[] = [
  ["the price that stands", 78_826, []],
  ["a little less", 76_999, []],
  ["a hundred times as much", 7_699_900, ["×100 old 76999"]],
  ["a tenth", 7_699, ["÷10 old 76990", "below_cost"]],
  ["nothing at all", 0, ["below_cost", "far_off"]],
  ["exactly a quarter more", 98_532, []],
  ["more than a quarter more", 98_533, ["far_off"]],
  ["exactly the cost", 66_097, ["below_cost"]],
  ["just above the cost", 66_098, ["below_floor"]],
  ["just under the floor", 71_845 - 1, ["below_floor"]],
  ["at the floor", 71_845, []],
];

for (const [what, cents, expected] of TABLE) {
  Deno.test(`priceDoubts() of ${what}`, () => {
    const doubts = priceDoubts({ ...PLAIN, cents });
    assertEquals(shortOf(doubts), expected);
    assertEquals(needsReason(doubts), expected.some((code) => code.startsWith("below")));
  });
}

const LIMITS = { minPriceCents: 70_000, maxPriceCents: 80_000, isLocked: false, isHeld: false };
const LIMITED: readonly (readonly [string, number, Partial<typeof LIMITS>, readonly string[]])[] = [
  ["at the minimum", 70_000, {}, ["below_floor"]],
  ["under the minimum", 69_999, {}, ["below_floor", "below_min"]],
  ["at the maximum", 80_000, {}, []],
  ["above the maximum", 80_001, {}, ["above_max"]],
  ["of a locked product", 75_000, { isLocked: true }, ["locked"]],
  ["of a held product", 75_000, { isHeld: true }, ["held"]],
];

for (const [what, cents, more, expected] of LIMITED) {
  Deno.test(`a price ${what} needs a reason where a person has set a limit`, () => {
    const doubts = priceDoubts({ ...PLAIN, cents, limits: { ...LIMITS, ...more } });
    assertEquals(shortOf(doubts), expected);
    assertEquals(needsReason(doubts), expected.length > 0);
  });
}

Deno.test("a price needs no reason if its margin reaches a lower floor", () => {
  assertEquals(priceDoubts({ ...PLAIN, cents: 70_000, floorPct: 5 }), []);
});

Deno.test("an unchanged price is not doubted, and no price is compared with an unknown gross cost", () => {
  const low = { ...PLAIN, oldCents: 60_000, limits: { ...LIMITS, isLocked: true } };
  assertEquals(priceDoubts({ ...low, cents: 60_000 }), []);
  const first = { ...PLAIN, oldCents: null, marketCents: null, floorPct: null };
  const terms = { ...TERMS, pricesIncludeVat: true, vatRatePct: null };
  assertEquals(priceDoubts({ ...first, terms, cents: 6_700_000 }), []);
});

Deno.test("a first price is compared with the market, then with the cost", () => {
  const first = { oldCents: null, floorPct: null };
  const priced = (cents: number, marketCents: number | null) =>
    shortOf(priceDoubts({ ...PLAIN, ...first, marketCents, cents }));
  assertEquals(priced(7_530_000, 75_299), ["×100 market 75300"]);
  assertEquals(priced(6_700_000, null), ["×100 cost 67000"]);
  assertEquals(priced(75_000, null), []);
});

Deno.test("a price that already had this relation to market or cost is not doubted", () => {
  const cheapCost = { costPriceCents: 7_000, pricesIncludeVat: false, vatRatePct: null };
  const asked = { ...PLAIN, oldCents: 70_000, marketCents: null, floorPct: null, terms: cheapCost };
  assertEquals(priceDoubts({ ...asked, cents: 70_500 }), []);
  const first = priceDoubts({ ...asked, oldCents: null, cents: 70_500 });
  assertEquals(shortOf(first), ["×10 cost 7050"]);
});

Deno.test("priceDoubts() finds a shift of digits at any price, and names the intended price", () => {
  const factor = fc.constantFrom(10, 100, 1_000);
  fc.assert(fc.property(fc.integer({ min: 1_000, max: 10 ** 8 }), factor, (oldCents, times) => {
    const terms = { ...TERMS, costPriceCents: null };
    const asked = { ...PLAIN, oldCents, marketCents: null, floorPct: null, terms };
    const [more] = priceDoubts({ ...asked, cents: oldCents * times });
    ok(more?.code === "factor" && more.isMore && more.likelyCents === oldCents);
    const less = Math.round(oldCents / times);
    const [found] = priceDoubts({ ...asked, cents: less });
    ok(found?.code === "factor" ? !found.isMore && found.likelyCents === less * times : less < 2);
  }));
});
