import type { Language, Said } from "../../base/language.ts";

/** A cell of an outgoing table. Texts stay texts, even if they look like numbers. */
export type Cell = string | number | boolean | null | Amount | Moment | Day | Said;

/** Money in minor units. Files show it in major units, with all decimals of its currency. */
export interface Amount {
  readonly cents: number;
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
