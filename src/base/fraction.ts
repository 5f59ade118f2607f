/** Exact fractions. An integer below 2^53 is a `number`, a larger integer is a `bigint`. */
type Int = number | bigint;

/** `den` is above 0. The fraction need not be reduced. */
export interface Fraction {
  readonly num: Int;
  readonly den: Int;
}

export function times(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return BigInt(a) * BigInt(b);
}

function plus(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum + 0;
  }
  return BigInt(a) + BigInt(b);
}

export function whole(value: number): Fraction {
  return { num: value, den: 1 };
}

export function decimal(value: number): Fraction {
  return reduced(Math.round(value * 10_000), 10_000);
}

export function percent(pct: number): Fraction {
  return reduced(Math.round(pct * 10_000), 1_000_000);
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return { num: times(a.num, b.num), den: times(a.den, b.den) };
}

export function isWhole({ num, den }: Fraction): boolean {
  return BigInt(num) % BigInt(den) === 0n;
}

export function divide(a: Fraction, b: Fraction): Fraction {
  return { num: times(a.num, b.den), den: times(a.den, b.num) };
}

/** The sum is reduced, so that the integers of long sums stay small. */
export function add(a: Fraction, b: Fraction): Fraction {
  if (a.den === b.den) return { num: plus(a.num, b.num), den: a.den };
  return reduced(plus(times(a.num, b.den), times(b.num, a.den)), times(a.den, b.den));
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  return add(a, { num: times(b.num, -1), den: b.den });
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const left = times(a.num, b.den);
  const right = times(b.num, a.den);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The result is exact below 2^53, which no price reaches. */
export function floorOf({ num, den }: Fraction): number {
  if (typeof num === "number" && typeof den === "number" && num >= 0) {
    return (num - num % den) / den;
  }
  const [dividend, divisor] = [BigInt(num), BigInt(den)];
  const quotient = dividend / divisor;
  const isCut = dividend < 0n && quotient * divisor !== dividend;
  return Number(isCut ? quotient - 1n : quotient);
}

export function ceilOf({ num, den }: Fraction): number {
  return -floorOf({ num: times(num, -1), den }) + 0;
}

/** Rounds halves up. */
export function roundOf({ num, den }: Fraction): number {
  return floorOf({ num: plus(times(num, 2), den), den: times(den, 2) });
}

function reduced(num: Int, den: Int): Fraction {
  const divisor = greatestDivisor(num < 0 ? times(num, -1) : num, den);
  if (typeof num === "number" && typeof den === "number") {
    return { num: num / Number(divisor), den: den / Number(divisor) };
  }
  return {
    num: narrow(BigInt(num) / BigInt(divisor)),
    den: narrow(BigInt(den) / BigInt(divisor)),
  };
}

function greatestDivisor(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    let [high, low] = [a, b];
    while (low !== 0) [high, low] = [low, high % low];
    return high;
  }
  let [high, low] = [BigInt(a), BigInt(b)];
  while (low !== 0n) [high, low] = [low, high % low];
  return narrow(high);
}

function narrow(value: bigint): Int {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
