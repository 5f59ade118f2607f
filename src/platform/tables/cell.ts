import type { Language } from "../../wording/language.ts";

/** What a cell of a table that leaves the service holds. Text stays text, whatever it looks like. */
export type Cell = string | number | boolean | null | Amount | Moment | Day;

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
  /** What people call the columns, in their order; absent where they have names alone. */
  headingsIn?(language: Language): readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}
