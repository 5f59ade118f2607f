/** Text in files that spreadsheets open. */

/**
 * Blanks and invisible characters before it do not keep a spreadsheet from running a formula. Apostrophes
 * before it do; they get another one, so that the one that is added can be told from them.
 */
const FORMULA = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** The text with an apostrophe before it when a spreadsheet would run it, or would without its own. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** What `harmless` was given. */
export function withoutApostrophe(text: string): string {
  return text.charCodeAt(0) === 39 && FORMULA.test(text) ? text.slice(1) : text;
}
