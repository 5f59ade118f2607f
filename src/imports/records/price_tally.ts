/**
 * Whether the prices of a file could be used at all: one that is refused is a warning of its record, but
 * a whole column of them means that the file was not read as it is meant.
 */
import type { FileFault } from "../files/file_fault.ts";
import { PRICES_REFUSED } from "../files/hold_codes.ts";
import type { Finding, FindingCode } from "../files/finding.ts";

/** What is wrong with the column, not with a row, and what helps. */
const REMEDIES: Readonly<Partial<Record<FindingCode, string>>> = {
  no_vat_rate: "Set the rate of VAT of the workspace",
  invalid_currency: "Export the column in the currency of the workspace",
};

interface Column {
  used: number;
  refused: number;
  first: Finding | null;
}

/** Counts the prices of one file by the column, or element, that they stand in. */
export class PriceTally {
  readonly #columns = new Map<string, Column>();

  use(column: string | null | undefined): void {
    if (column) this.#columnOf(column).used++;
  }

  /** The findings of a record, of which those count that refuse a price. */
  refuse(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { severity, code, field } = finding;
      if (severity !== "warning" || !field || REMEDIES[code] === undefined) continue;
      const column = this.#columnOf(field);
      column.refused++;
      column.first ??= finding;
    }
  }

  /** Null where each column with prices has one that can be used. */
  fault(): FileFault | null {
    for (const [field, { used, refused, first }] of this.#columns) {
      if (used > 0 || first === null) continue;
      const { code, line, message, value } = first;
      return {
        code: PRICES_REFUSED,
        line,
        field,
        ...(value === null ? {} : { value }),
        message: `None of the prices in "${field}" can be used (${refused} of ${refused}). ` +
          `${message}. Nothing was imported. ${REMEDIES[code] ?? ""}, or send the file with ` +
          "allowNoPrices=true, which imports all but these prices",
      };
    }
    return null;
  }

  #columnOf(name: string): Column {
    const known = this.#columns.get(name);
    if (known) return known;
    const column = { used: 0, refused: 0, first: null };
    this.#columns.set(name, column);
    return column;
  }
}
