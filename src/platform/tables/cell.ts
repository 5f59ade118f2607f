import type { Language, LocalisedText } from "../../base/language.ts";

/** A cell of an outgoing table. Texts stay texts, even if they look like numbers. */
export type Cell = string | number | boolean | null | Amount | Moment | Day | LocalisedText;

/** Money in minor units. Files show it in major units, with all decimals of its currency. */
export interface Amount {
  readonly cents: number;
  readonly exponent: number;
}

interface Moment {
  readonly at: string;
}

/** `2026-11-20`, in the workspace's time zone. */
interface Day {
  readonly day: string;
}

export function amountCell(cents: number | null, exponent: number): Amount | null {
  return cents === null ? null : { cents, exponent };
}

export function momentCell(at: string | null): Moment | null {
  return at === null ? null : { at };
}

/** Rows come in batches, so that only one batch is in memory. */
export interface OutgoingTable {
  /** Without an extension. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Absent if the file shows `columns` as headings, and codes instead of words. */
  headingsIn?(language: Language): readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}
