/** GTINs (GS1 article numbers): validity, a common form, and how much an equal GTIN proves. */

/** True for 8, 12, 13 or 14 digits with a valid check digit (GS1 General Specifications). */
export function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  const sum = text.split("").reduce((total, digit, position) => {
    const weight = (text.length - position) % 2 === 0 ? 3 : 1;
    return total + weight * Number(digit);
  }, 0);
  return sum % 10 === 0;
}

const DIGITS = 14;

/** Returns the GTIN with zeros before it, in 14 digits; null for an invalid GTIN. */
export function gtin14(text: string): string | null {
  const digits = text.trim();
  // Files often lose leading zeros, but fewer than 8 digits are never a GTIN.
  if (digits.length < 8 || digits.length > DIGITS || !/^\d+$/.test(digits)) return null;
  const padded = digits.padStart(DIGITS, "0");
  // A number of only zeros is refused, although its check digit is valid.
  return isGtin(padded) && /[1-9]/.test(padded.slice(0, -1)) ? padded : null;
}

const RESTRICTED = /^(?:2|02|04|05|98[0-4]|99)/;
/** Prefixes of numbers that companies assign for their own use. */
const RESTRICTED_SHORT = /^[02]/;
/** Prefix of periodicals, all issues of which have the same number. */
const PERIODICAL = /^977/;

type Trust = "proof" | "hint" | "nothing";

/** Says how much an equal GTIN proves. `gtin` must be a result of `gtin14`. */
export function trustIn(gtin: string): Trust {
  const indicator = gtin.charAt(0);
  // The first digit 9 marks goods of variable weight.
  if (indicator === "9") return "nothing";
  if (gtin.startsWith("000000")) return RESTRICTED_SHORT.test(gtin.slice(6)) ? "nothing" : "proof";
  const number = gtin.slice(1);
  if (RESTRICTED.test(number)) return "nothing";
  return PERIODICAL.test(number) ? "hint" : "proof";
}

/** True for GTINs of the same article in packs of different sizes. */
export function areOtherPacks(one: string, other: string): boolean {
  return one.charAt(0) !== other.charAt(0) && one.slice(1, -1) === other.slice(1, -1);
}
