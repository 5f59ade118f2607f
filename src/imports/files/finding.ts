/** A finding says what is wrong with a file or a record. Codes are public and never change. */
import { z } from "@hono/zod-openapi";

export const FINDING_CODES = [
  "missing_sku",
  "missing_title",
  "invalid_number",
  "invalid_date",
  "invalid_currency",
  "invalid_url",
  "invalid_ean",
  "price_out_of_range",
  "too_long",
  "duplicate_sku",
  "ambiguous_current_price",
  "no_current_price",
  "ambiguous_tier",
  "future_valid_from",
  "open_end_sentinel",
  "dot_decimal",
  "zero_price",
  "zero_as_empty",
  "encoding_guessed",
  "unknown_encoding",
  "link_kept_off",
  "product_revived",
  "price_reverted",
  "upload_incomplete",
  "crash_loop",
  "malformed_xml",
  "unexpected_root",
  "no_items",
  "forbidden_doctype",
  "too_deep",
  "too_large",
  "bad_zip",
  "replace_guard",
  "price_guard",
  "price_moved",
  "empty_file",
  "unknown_format",
  "no_header",
  "header_repeated",
  "unclosed_quote",
  "malformed_json",
  "bad_gzip",
  "bad_workbook",
  "unknown_sheet",
  "passed_over",
  "ragged_row",
  "damaged_number",
  "leading_zeros_restored",
  "excel_date",
  "missing_sku_column",
  "no_vat_rate",
  "inactive",
  "unknown_condition",
  "missing_date",
  "future_date",
  "too_old",
  "unknown_ean",
  "ambiguous_ean",
  "cost_guard",
  "change_guard",
  "new_guard",
  "currency_guard",
  "unit_guard",
  "excluded",
  "kept_field",
  "kept_price",
  "kept_bound",
  "kept_product",
  "kept_link",
  "bounds_crossed",
  "price_out_of_bounds",
  "undated_sale",
  "no_price_column",
  "columns_ignored",
  "prices_refused",
  "duplicate_header",
  "opendocument_file",
  "binary_workbook",
  "word_document",
  "pdf_document",
  "spreadsheetml_file",
  "opentrans_document",
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** `error`: not imported. `warning`: imported without the problematic part. */
export const Finding = z.strictObject({
  severity: z.enum(["error", "warning"]),
  /** Index of the record in the whole job, from 0; null for a finding about a file. */
  index: z.int().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  sku: z.string().nullable(),
  field: z.string().nullable(),
  code: z.enum(FINDING_CODES),
  message: z.string(),
  value: z.string().nullable(),
}).meta({ id: "ImportFinding" });
export type Finding = z.infer<typeof Finding>;

const VALUE_CHARS_MAX = 200;

export function findingOf(
  severity: Finding["severity"],
  code: FindingCode,
  message: string,
  place: Partial<Omit<Finding, "severity" | "code" | "message">>,
): Finding {
  const { index = null, file = null, line = null, sku = null, field = null, value = null } = place;
  const shown = value === null ? null : shortened(value);
  return { severity, index, file, line, sku, field, code, message, value: shown };
}

export function fileFinding(
  severity: Finding["severity"],
  file: string | null,
  { code, message, ...place }:
    & Pick<Finding, "code" | "line" | "message">
    & Partial<Pick<Finding, "field" | "value">>,
): Finding {
  return findingOf(severity, code, message, { file, ...place });
}

export interface FileWarning {
  readonly kind: "warning";
  readonly finding: Finding;
}

export function fileWarning(file: string, fault: Parameters<typeof fileFinding>[2]): FileWarning {
  return { kind: "warning", finding: fileFinding("warning", file, fault) };
}

export function shortened(value: string): string {
  return value.length <= VALUE_CHARS_MAX ? value : `${value.slice(0, VALUE_CHARS_MAX)}…`;
}
