/** GTINs (GS1 article numbers): check digits, 14-digit form, and whether to trust a GTIN. */

/** Requires 8, 12, 13 or 14 digits and a valid check digit (GS1 General Specifications). */
export function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  const sum = text.split("").reduce((total, digit, position) => {
    const weight = (text.length - position) % 2 === 0 ? 3 : 1;
    return total + weight * Number(digit);
  }, 0);
  return sum % 10 === 0;
}

const DIGITS = 14;

/** Returns the GTIN in 14 digits, with zeros in front; null for an invalid GTIN. */
export function gtin14(text: string): string | null {
  const digits = text.trim();
  // Files often lose leading zeros, but a number with fewer than 8 digits is never a GTIN.
  if (digits.length < 8 || digits.length > DIGITS || !/^\d+$/.test(digits)) return null;
  const padded = digits.padStart(DIGITS, "0");
  // A number of only zeros has a valid check digit, but is not a GTIN.
  return isGtin(padded) && /[1-9]/.test(padded.slice(0, -1)) ? padded : null;
}

const RESTRICTED = /^(?:2|02|04|05|98[0-4]|99)/;
/** First digits of the 8-digit numbers that companies assign for their own use. */
const RESTRICTED_SHORT = /^[02]/;
/** All issues of a periodical have the same number. */
const PERIODICAL = /^977/;

type Trust = "proof" | "hint" | "nothing";

/** `gtin` must be a result of `gtin14`. */
export function trustIn(gtin: string): Trust {
  const indicator = gtin.charAt(0);
  // A first digit of 9 marks goods whose weight varies.
  if (indicator === "9") return "nothing";
  if (gtin.startsWith("000000")) return RESTRICTED_SHORT.test(gtin.slice(6)) ? "nothing" : "proof";
  const number = gtin.slice(1);
  if (RESTRICTED.test(number)) return "nothing";
  return PERIODICAL.test(number) ? "hint" : "proof";
}

export function areOtherPacks(one: string, other: string): boolean {
  return one.charAt(0) !== other.charAt(0) && one.slice(1, -1) === other.slice(1, -1);
}
