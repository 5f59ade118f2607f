import { codeWords } from "../../engine/wording/code_words.ts";
import type { Language } from "../../engine/wording/show.ts";

/** A cell of an outgoing table. Text stays text, whatever it looks like. */
export type Cell = string | number | boolean | null | Amount | Moment | Day | Said;

/** Money in minor units; a file has it in major ones, with all decimals of its currency. */
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

/** A code: unchanged for programs, in words for a reader's language. */
export interface Said {
  readonly plain: string;
  said(language: Language): string;
}

type CodeLists = ReturnType<typeof codeWords>;
/** Lists of which the compiler knows that no code lacks its word. */
type WholeList = {
  [List in keyof CodeLists]: string extends keyof CodeLists[List] ? never : List;
}[keyof CodeLists];
type CodeIn<List extends WholeList> = keyof CodeLists[List] & string;

/** One code of a list that has its words. */
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

/**
 * A code as it was stored: of one that has no word, any more or not yet, `otherwise` is said, and
 * without that the code.
 */
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

/** A table as it is written: rows come in batches, each in memory at a time. */
export interface OutgoingTable {
  /** The name of its file, without an ending. */
  readonly name: string;
  readonly columns: readonly string[];
  /**
   * Headings of the columns in their order; absent if they have names only and codes stay codes.
   */
  headingsIn?(language: Language): readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}
