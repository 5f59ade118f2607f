/** A record's values as the file writes them, where the value read looks different. */
import { exponentOf } from "../../base/currency.ts";
import { formatDecimalComma, formatMajor } from "../../base/money.ts";
import {
  majorName,
  RECORD_AMOUNT_NAMES,
  RECORD_NAMES,
} from "../../catalogue/products/product_field_table.ts";
import { shortened } from "../files/finding.ts";
import { FIELD_SLOTS, ROW_SLOTS } from "./compiled_profile.ts";
import type { OpenRow } from "./price_rows.ts";
import type { RawRecord } from "./raw_record.ts";
import type { FedField, RecordPatch, WrittenValues } from "./record_patch.ts";

/** The rows that amounts of a record were taken from. */
export type FedRows = Readonly<Partial<Record<FedField, OpenRow>>>;

const FED = ["ourPriceCents", "costPriceCents", "targetPriceCents"] as const;

/**
 * The file's text for each value of the patch that looks different: a number that is
 * written in another way, a price that was brought to the other side of VAT or from cents, a text
 * whose blanks were cut. Long texts are shortened.
 */
export function writtenBeside(raw: RawRecord, patch: RecordPatch, fed: FedRows): WrittenValues {
  const found: Record<string, string> = {};
  for (const name of RECORD_NAMES) {
    const text = raw.item.values[FIELD_SLOTS[name]] ?? null;
    const value = patch[name];
    if (text !== null && value !== undefined && !readsAs(text, value)) {
      found[name] = shortened(text);
    }
  }
  const exponent = exponentOf(patch.amountsIn ?? "");
  const tell = (field: string, text: string | null, cents: number | null | undefined) => {
    if (text !== null && typeof cents === "number" && !isAmount(text, cents, exponent)) {
      found[field] = shortened(text);
    }
  };
  for (const name of RECORD_AMOUNT_NAMES) {
    const field = majorName(name);
    tell(field, raw.item.values[FIELD_SLOTS[field]] ?? null, patch[name]);
  }
  for (const name of FED) {
    const row = fed[name];
    if (row) tell(majorName(name), row.frame.values[ROW_SLOTS.amount] ?? null, patch[name]);
  }
  return found;
}

function readsAs(text: string, value: string | number | null): boolean {
  return typeof value === "number"
    ? text === String(value) || text === String(value).replace(".", ",")
    : text === (value ?? "");
}

function isAmount(written: string, cents: number, exponent: number): boolean {
  // A currency sign around it makes no other number of it.
  const text = written.replace(/^\D+|\D+$/g, "");
  const whole = cents / 10 ** exponent;
  return text === formatMajor(cents, exponent) || text === formatDecimalComma(cents, exponent) ||
    (Number.isInteger(whole) && text === String(whole));
}
