/**
 * ISO 4217 codes that have a minor unit, plus codes withdrawn since 2023 that old files still contain.
 *
 * `Intl` is not the source, because it lacks newer codes (SLE, XCG, ZWG), gives 14 currencies other
 * exponents than the standard (IQD 0, RSD 0), and may change with the runtime. The exponent of stored
 * money must never change.
 */
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

/**
 * Digits of the minor unit by ISO 4217: EUR 2, JPY 0, KWD 3. Null for anything but an upper-case
 * code, and for codes without a minor unit such as XAU and XXX.
 */
export function currencyExponent(code: string): number | null {
  return EXPONENTS.get(code) ?? null;
}

/** Like `currencyExponent`, but 2 for unknown codes: for amounts that are stored. */
export function exponentOf(currency: string): number {
  return currencyExponent(currency) ?? 2;
}
