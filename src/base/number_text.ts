/**
 * Parses written numbers. A single dot or comma before three digits may mean decimals or thousands.
 */

export interface LoneSigns {
  readonly dot: "group" | "decimal" | "unclear";
  readonly comma: "group" | "decimal" | "unclear";
}

interface NumberShape {
  /** Index of the decimal sign; the end of the number if it has no decimal sign. */
  readonly decimalAt: number;
  readonly sign: "." | "," | null;
  /** The sign between groups of digits: `" "` for any space, `'` for any apostrophe. */
  readonly groupSign: "." | "," | "'" | " " | null;
}

type Sign = "." | "," | "'" | " ";

/** Returns the shape of `text.slice(from, to)`, or the reason why the text is not a number. */
export function shapeOf(
  text: string,
  from: number,
  to: number,
  lone: LoneSigns,
): NumberShape | "malformed" | "unclear" {
  let signs = 0;
  let first: Sign | null = null;
  let last: Sign | null = null;
  let lastAt = to;
  let firstRun = 0;
  let run = 0;
  let isUniform = true;
  let areThree = true;
  let areTwo = true;
  let areTwoBeforeInner = true;
  let innerRun = 0;

  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      run += 1;
      continue;
    }
    const sign = signOf(code);
    if (sign === null || (run === 0 && at > from)) return "malformed";
    signs += 1;
    if (first === null) {
      first = sign;
      firstRun = run;
    } else {
      if (last !== first) isUniform = false;
      if (run !== 3) areThree = false;
      areTwoBeforeInner = areTwo;
      if (run !== 2) areTwo = false;
      innerRun = run;
    }
    last = sign;
    lastAt = at;
    run = 0;
  }

  if (run === 0) return "malformed";
  if (first === null || last === null) return { decimalAt: to, sign: null, groupSign: null };
  if (signs === 1) {
    return shapeOfOne({ text, from, to, sign: first, at: lastAt, firstRun, lastRun: run, lone });
  }
  if (firstRun < 1 || firstRun > 3 || !isUniform) return "malformed";
  if (last === first) {
    const isIndian = first === "," && areTwo;
    if (run !== 3 || !(areThree || isIndian)) return "malformed";
    return { decimalAt: to, sign: null, groupSign: first };
  }
  const isIndian = first === "," && areTwoBeforeInner && innerRun === 3;
  if ((last !== "." && last !== ",") || !(areThree || isIndian)) return "malformed";
  return { decimalAt: lastAt, sign: last, groupSign: first };
}

/** Returns the number times 10^exponent, rounded half up; `Infinity` above `max`. */
export function scaledValue(
  text: string,
  from: number,
  to: number,
  decimalAt: number,
  exponent: number,
  max: number,
): number {
  let value = 0;
  let decimals = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    if (at > decimalAt) {
      if (decimals === exponent) {
        if (digit >= 5) value += 1;
        break;
      }
      decimals += 1;
    }
    value = value * 10 + digit;
    if (value > max) return Infinity;
  }
  for (; decimals < exponent; decimals++) value *= 10;
  return value > max ? Infinity : value;
}

export function isGroupSpace(code: number): boolean {
  return code === 0x20 || code === 0xa0 || code === 0x2007 || code === 0x2008 || code === 0x2009 ||
    code === 0x202f || code === 0x205f;
}

function shapeOfOne(number: {
  text: string;
  from: number;
  to: number;
  sign: Sign;
  at: number;
  firstRun: number;
  lastRun: number;
  lone: LoneSigns;
}): NumberShape | "malformed" | "unclear" {
  const { text, from, to, sign, at, firstRun, lastRun, lone } = number;
  // A number in groups never begins with zero, so `0.123` has decimals.
  const mayGroup = lastRun === 3 && firstRun >= 1 && firstRun <= 3 && text.charCodeAt(from) !== 48;
  const grouped: NumberShape = { decimalAt: to, sign: null, groupSign: sign };
  if (sign === "'" || sign === " ") return mayGroup ? grouped : "malformed";
  const decimal: NumberShape = { decimalAt: at, sign, groupSign: null };
  if (!mayGroup) return decimal;
  const meaning = sign === "." ? lone.dot : lone.comma;
  if (meaning === "unclear") return "unclear";
  return meaning === "group" ? grouped : decimal;
}

function signOf(code: number): Sign | null {
  if (code === 0x2e) return ".";
  if (code === 0x2c) return ",";
  if (isGroupSpace(code)) return " ";
  const isApostrophe = code === 0x27 || code === 0x2019 || code === 0x2018 || code === 0x02bc ||
    code === 0xb4 || code === 0x60 || code === 0x2032;
  return isApostrophe ? "'" : null;
}
