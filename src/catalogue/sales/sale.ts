/**
 * Declares the sales of a product on one day: units and revenue, as the ERP reports them
 * (docs/decisions/sales.md).
 */
import { z } from "@hono/zod-openapi";
import { currencyExponent, parseMajor } from "../../base/money.ts";
import { normaliseSku } from "../../base/text.ts";
import { daysBefore } from "../../base/time.ts";

export const UNITS_MAX = 1_000_000_000;
export const UNITS_DECIMALS = 3;

/** `date` is a day in the workspace's time zone. Revenue and currency are null if unknown. */
export const SoldDay = z.object({
  date: z.iso.date(),
  units: z.number(),
  revenueCents: z.int().nullable().describe("Minor units of `currency`"),
  currency: z.string().nullable(),
}).meta({ id: "SoldDay" });

export type SoldDay = Readonly<z.infer<typeof SoldDay>>;

/** The number is negative if more units were returned than sold. */
export const Units = z.number().min(-UNITS_MAX).max(UNITS_MAX)
  .refine(
    (units) => Number.isInteger(thousandths(units)) && thousandths(units) / 1_000 === units,
    "Must have at most 3 decimals",
  );

/** Converts units such as 2.5 to 2,500, so that sums are exact. */
export function thousandths(units: number): number {
  return Math.round(units * 1_000);
}

export function sumOfUnits(days: readonly Pick<SoldDay, "units">[]): number {
  return days.reduce((sum, { units }) => sum + thousandths(units), 0) / 1_000;
}

export const RECENT_DAYS = 30;

export const SALES_DAYS = 400;

export const SALES_CODES = [
  "not_found",
  "validation_failed",
  "invalid_currency",
  "future_date",
  "too_old",
] as const;

interface SaleRefusal {
  readonly code: (typeof SALES_CODES)[number];
  readonly message: string;
}

const Row = z.strictObject({
  sku: z.string().min(1),
  date: z.iso.date(),
  units: Units,
  revenue: z.union([z.number(), z.string().max(40)]).nullish(),
  currency: z.string().nullish(),
});

export const SalesBody = z.strictObject({
  rows: z.array(
    z.unknown().meta({
      type: "object",
      properties: {
        sku: { type: "string" },
        date: {
          type: "string",
          format: "date",
          description: "Day in the workspace's time zone; at most 400 days ago",
        },
        units: {
          type: "number",
          description:
            "Total of the day, with at most 3 decimals; negative if more were returned than sold",
        },
        revenue: {
          anyOf: [{ type: "number" }, { type: "string", maxLength: 40 }, { type: "null" }],
          description: "Major units, with or without VAT like the prices; null: not known",
        },
        currency: {
          anyOf: [{ type: "string" }, { type: "null" }],
          description: "Currency of the revenue; default: the workspace's currency",
        },
      },
      required: ["sku", "date", "units"],
    }),
  ).min(1).max(5_000).describe("One row per product and day"),
}).meta({
  id: "SoldRows",
  example: { rows: [{ sku: "SKU-1", date: "2026-11-20", units: 3, revenue: 869.97 }] },
});

export type SalesBody = z.infer<typeof SalesBody>;

export interface SoldRow extends SoldDay {
  readonly index: number;
  readonly sku: string;
}

interface SaleTerms {
  readonly today: string;
  readonly currency: string;
}

export function readSoldRow(
  input: unknown,
  index: number,
  { today, currency: ofWorkspace }: SaleTerms,
): { readonly row: SoldRow } | { readonly refusal: SaleRefusal } {
  const parsed = Row.safeParse(input);
  if (!parsed.success) return { refusal: errorOf(parsed.error.issues[0]) };
  const { date, units, revenue = null } = parsed.data;
  const refusal = refusalOfDate(date, today);
  if (refusal) return { refusal };
  const sku = normaliseSku(parsed.data.sku);
  if (revenue === null) {
    return { row: { index, sku, date, units, revenueCents: null, currency: null } };
  }
  const currency = parsed.data.currency ?? ofWorkspace;
  const exponent = currencyExponent(currency);
  if (exponent === null) {
    const message = `"${currency.slice(0, 40).toWellFormed()}" is not a currency of ISO 4217`;
    return { refusal: { code: "invalid_currency", message } };
  }
  const read = parseMajor(revenue, exponent);
  if ("reason" in read) {
    return { refusal: { code: "validation_failed", message: `revenue: ${read.reason}` } };
  }
  return { row: { index, sku, date, units, revenueCents: read.minor, currency } };
}

/** Returns null for a valid date. Tomorrow is valid, as the ERP may be in another time zone. */
export function refusalOfDate(
  date: string,
  today: string,
): SaleRefusal & { readonly code: "future_date" | "too_old" } | null {
  if (date > daysBefore(today, -1)) {
    return { code: "future_date", message: `"${date}" is in the future` };
  }
  if (date >= daysBefore(today, SALES_DAYS)) return null;
  const message = `"${date}" is more than ${SALES_DAYS} days ago: older sales are not stored`;
  return { code: "too_old", message };
}

function errorOf(issue: z.core.$ZodIssue | undefined): SaleRefusal {
  const place = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  const message = `${place}${issue?.message ?? "Is not a row of sales"}`;
  return { code: "validation_failed", message: message.slice(0, 500).toWellFormed() };
}
