/**
 * The content of a table for download, independent of the file format. A cell keeps the kind of its
 * value, such as an amount, and each file format writes this kind in its own way.
 */
import type { Language, LocalisedText } from "../../base/codes.ts";
import { exponentOf } from "../../base/money.ts";

export type Cell = string | number | boolean | null | Amount | Moment | Day | LocalisedText;

interface Amount {
  readonly cents: number;
  readonly exponent: number;
}

interface Moment {
  readonly at: string;
}

/** A date such as `2026-11-20`, in the workspace's time zone. */
interface Day {
  readonly day: string;
}

export function amountCell(cents: number | null, exponent: number): Amount | null {
  return cents === null ? null : { cents, exponent };
}

export function moneyCell(cents: number | null, currency: string): Amount | null {
  return amountCell(cents, exponentOf(currency));
}

export function momentCell(at: string | null): Moment | null {
  return at === null ? null : { at };
}

export interface OutgoingTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** If absent, headings are `columns`, and codes and flags are not translated. */
  headingsIn?(language: Language): readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
}
