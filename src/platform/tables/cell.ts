import { codeWords } from "../../engine/wording/code_words.ts";
import type { Language } from "../../engine/wording/show.ts";

/** A cell of an outgoing table. Texts stay texts, even if they look like numbers. */
export type Cell = string | number | boolean | null | Amount | Moment | Day | Said;

/** Money in minor units. Files show it in major units, with all decimals of its currency. */
export interface Amount {
  readonly cents: number;
  /** Decimals of the currency. */
  readonly exponent: number;
}

/** An instant in ISO 8601. */
interface Moment {
  readonly at: string;
}

/** A day of the workspace's calendar, `2026-11-20`. */
interface Day {
  readonly day: string;
}

/** A code: unchanged for programs, as a word for readers. */
export interface Said {
  readonly plain: string;
  said(language: Language): string;
}

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

export function amountCell(cents: number | null, exponent: number): Amount | null {
  return cents === null ? null : { cents, exponent };
}

export function momentCell(at: string | null): Moment | null {
  return at === null ? null : { at };
}

/** A table for output. Rows come in batches, and only one batch is in memory at a time. */
export interface OutgoingTable {
  /** The name of its file, without an extension. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Headings of the columns in order. Absent if columns have only names and codes stay codes. */
  headingsIn?(language: Language): readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}
