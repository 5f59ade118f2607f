/** The internal subset of a document type declaration is never longer in honest files. */
export const DOCTYPE_CHARS_MAX = 65_536;

/** What is no markup of its own: comments, processing instructions, quoted text. */
const INERT = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|"[^"]*"|'[^']*'/g;

/**
 * Why a DOCTYPE is refused, or null. Tolerated and never fetched, but general entities may not be
 * declared, used or not, and parameter entities not referenced (decisions §7.1, "Safety").
 */
export function doctypeFault(doctype: string): string | null {
  if (doctype.length > DOCTYPE_CHARS_MAX) {
    return `The DOCTYPE is longer than ${DOCTYPE_CHARS_MAX} characters`;
  }
  const markup = doctype.replace(INERT, "''");
  if (/<!ENTITY(?!\s+%\s)/.test(markup)) return "The DOCTYPE declares a general entity";
  if (/%[^\s%;]+;/.test(markup)) return "The DOCTYPE references a parameter entity";
  return null;
}
