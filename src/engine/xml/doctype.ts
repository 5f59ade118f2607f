/** The internal subset of a document type declaration is never longer in honest files. */
export const DOCTYPE_CHARS_MAX = 65_536;

/**
 * What begins something that is no markup of its own (a comment, an instruction, quoted text), and
 * ends it.
 */
const INERT: Readonly<Record<string, string>> = { "<!--": "-->", "<?": "?>", '"': '"', "'": "'" };
const INERT_BEGIN = /<!--|<\?|["']/g;

/**
 * Why a DOCTYPE is refused, or null. Tolerated and never fetched, but general entities may not be
 * declared, used or not, and parameter entities not referenced (docs/decisions/imports.md,
 * "Safety").
 */
export function doctypeFault(doctype: string): string | null {
  if (doctype.length > DOCTYPE_CHARS_MAX) {
    return `The DOCTYPE is longer than ${DOCTYPE_CHARS_MAX} characters`;
  }
  const markup = markupOf(doctype);
  if (/<!ENTITY(?!\s+%\s)/.test(markup)) return "The DOCTYPE declares a general entity";
  if (/%[^\s%;]+;/.test(markup)) return "The DOCTYPE references a parameter entity";
  return null;
}

/** Without what is inert. What does not end stays; each end is looked for in vain once at most. */
function markupOf(doctype: string): string {
  const missing = new Set<string>();
  let markup = "";
  let from = 0;
  for (const { 0: begin, index } of doctype.matchAll(INERT_BEGIN)) {
    const end = INERT[begin] ?? begin;
    if (index < from || missing.has(end)) continue;
    const at = doctype.indexOf(end, index + begin.length);
    if (at === -1) {
      missing.add(end);
      continue;
    }
    markup += `${doctype.slice(from, index)}''`;
    from = at + end.length;
  }
  return markup + doctype.slice(from);
}
