const TRUE_WORDS = new Set(["j", "ja", "y", "yes", "1", "true", "x", "wahr"]);
const FALSE_WORDS = new Set(["n", "nein", "no", "0", "false", "", "falsch"]);

/**
 * Reads a flag of an ERP file in any case, blanks aside (docs/decisions/imports.md): J/N, JA/NEIN,
 * Y/N, 1/0, TRUE/FALSE, X/empty. Null for anything else: a typo must not switch something off.
 */
export function readFlag(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : null;
}
