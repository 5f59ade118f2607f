/** Amounts of money are integers in minor units, such as cents. */

/** ISO 4217 currencies by number of decimals. `Intl` is not used, as its data varies by runtime. */
const CODES_BY_EXPONENT = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [
    2,
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD " +
    "CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS " +
    "GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD " +
    "LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB " +
    "PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP " +
    "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW " +
    "ZWG ANG BGN CUC HRK SLL ZWL",
  ],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
] as const;

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  CODES_BY_EXPONENT.flatMap(([exponent, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, exponent])
  ),
);

export const CURRENCIES: readonly string[] = [...EXPONENTS.keys()].sort();

/**
 * Returns null for an unknown code, and for a code such as XAU (gold), for which ISO 4217 defines
 * no number of decimals.
 */
export function currencyExponent(code: string): number | null {
  return EXPONENTS.get(code) ?? null;
}

export function exponentOf(currency: string): number {
  return currencyExponent(currency) ?? 2;
}

/** The largest amount: 10 billion euros in cents (docs/decisions/money.md). */
export const MINOR_UNITS_MAX = 10 ** 12;

/**
 * Refuses amounts that are negative, not finite, above `MINOR_UNITS_MAX` or with too many decimals
 * for the currency (docs/decisions/money.md).
 */
export function parseMajor(
  value: string | number,
  exponent: number,
): { minor: number } | { reason: string } {
  const text = String(value);
  const shown = `"${text.slice(0, 40)}"`;
  const form = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!form) return { reason: `${shown} is not a price: ${priceError(value, text)}` };

  const [, whole = "", decimals = ""] = form;
  if (decimals.length > exponent) {
    return { reason: `${shown} has more decimals than the currency, which has ${exponent}` };
  }
  const digits = (whole + decimals.padEnd(exponent, "0")).replace(/^0+/, "");
  const minor = digits.length > 13 ? Infinity : Number(digits);
  if (minor > MINOR_UNITS_MAX) {
    return { reason: `${shown} is above ${formatMajor(MINOR_UNITS_MAX, exponent)}` };
  }
  return { minor };
}

export function formatMajor(minor: number, exponent: number): string {
  return decimalText(minor, exponent, ".");
}

export function formatDecimalComma(minor: number, exponent: number): string {
  return decimalText(minor, exponent, ",");
}

/** Formats an amount as "1.234,56". */
export function formatGerman(minor: number, exponent: number): string {
  const text = formatDecimalComma(minor, exponent);
  const wholeEnd = exponent === 0 ? text.length : text.length - exponent - 1;
  const digitsFrom = minor < 0 ? 1 : 0;
  let shown = text.slice(wholeEnd);
  let end = wholeEnd;
  for (; end - 3 > digitsFrom; end -= 3) shown = `.${text.slice(end - 3, end)}${shown}`;
  return text.slice(0, end) + shown;
}

export function showMoney(minor: number, currency: string): string {
  return `${formatMajor(minor, exponentOf(currency))} ${currency}`;
}

/** The result prints without rounding errors if the amount has at most 15 digits. */
export function majorOf(minor: number, exponent: number): number {
  return minor / 10 ** exponent;
}

/** Rounds half up; the result is only for display. */
export function unitPriceCents(priceCents: number, packFactor: number): number {
  const factor = BigInt(Math.round(packFactor * 10_000));
  return Number((BigInt(priceCents) * 20_000n + factor) / (2n * factor));
}

/** The result is exact if `pct` has at most 4 decimals. */
export function isAtLeastPct(partCents: number, wholeCents: number, pct: number): boolean {
  return beyondPct(partCents, wholeCents, pct) >= 0n;
}

export function isMoreThanPct(part: number, whole: number, pct: number): boolean {
  return beyondPct(part, whole, pct) > 0n;
}

export function isLargeMove(
  bound: { readonly beyondPct: number },
  fromCents: number,
  toCents: number,
): boolean {
  return isMoreThanPct(Math.abs(toCents - fromCents), fromCents, bound.beyondPct);
}

/** Returns `partCents` minus `pct` percent of `wholeCents`, in millionths of a minor unit. */
function beyondPct(partCents: number, wholeCents: number, pct: number): bigint {
  return BigInt(partCents) * 1_000_000n - BigInt(wholeCents) * BigInt(Math.round(pct * 10_000));
}

function priceError(value: string | number, text: string): string {
  if (text.startsWith("-")) return "it must not be negative";
  if (typeof value === "number" && !Number.isFinite(value)) return "it must be a finite number";
  if (typeof value === "number") return "write it without an exponent";
  return 'write it like "299" or "299.99"';
}

function decimalText(minor: number, exponent: number, sign: "." | ","): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  const decimals = digits.slice(digits.length - exponent);
  return (minor < 0 ? "-" : "") + (exponent === 0 ? whole : whole + sign + decimals);
}
