/** Codes as cells of an outgoing table: unchanged for programs, as words for readers. */

import type { Language, Said } from "../../base/language.ts";
import { codeWords } from "./code_words.ts";

type CodeLists = ReturnType<typeof codeWords>;
/** Lists for which the compiler guarantees that every code has a word. */
type WholeList = {
  [List in keyof CodeLists]: string extends keyof CodeLists[List] ? never : List;
}[keyof CodeLists];
type CodeIn<List extends WholeList> = keyof CodeLists[List] & string;

/** A code of a list with words for all codes. */
export function codeCell<List extends WholeList>(list: List, code: CodeIn<List>): Said;
export function codeCell<List extends WholeList>(
  list: List,
  code: CodeIn<List> | null,
): Said | null;
export function codeCell<List extends WholeList>(
  list: List,
  code: CodeIn<List> | null,
): Said | null {
  return code === null ? null : codesCell(list, [code]);
}

export function codesCell<List extends WholeList>(
  list: List,
  codes: readonly CodeIn<List>[],
): Said {
  return {
    plain: codes.join(" "),
    said: (language) => codes.map((code) => codeWords(language)[list][code]).join(", "),
  };
}

/** A stored code, which may have no word. Then `otherwise` is shown, or the code itself. */
export function storedCodeCell(
  list: keyof CodeLists,
  code: string | null,
  otherwise: string | null = null,
): Said | null {
  if (code === null) return null;
  const said = (language: Language) => {
    const words: Readonly<Record<string, string>> = codeWords(language)[list];
    return (Object.hasOwn(words, code) ? words[code] : otherwise) ?? code;
  };
  return { plain: code, said };
}
