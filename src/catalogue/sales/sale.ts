/**
 * Declares the sales of a product on one day: units and revenue, as the ERP reports them
 * (docs/decisions/sales.md).
 */
import { putNumber, takeNumber } from "../../base/bytes.ts";
import { currencyExponent, parseMajor } from "../../base/money.ts";
import { normaliseSku } from "../../base/text.ts";
import { dateOf, dayOf, daysBefore, monthOf } from "../../base/time.ts";
import { z } from "@hono/zod-openapi";

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

/** Units are negative if customers returned more than they bought. */
export const Units = z.number().min(-UNITS_MAX).max(UNITS_MAX)
  .refine(
    (units) => Number.isInteger(thousandths(units)) && thousandths(units) / 1_000 === units,
    "Must have at most 3 decimals",
  );

/** Converts units to whole thousandths (2.5 → 2500), so that sums are exact. */
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

export function readSoldRow(
  input: unknown,
  index: number,
  { today, currency: ofWorkspace }: { readonly today: string; readonly currency: string },
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

/** Returns null for a valid date. Tomorrow is valid, because the ERP's time zone may differ. */
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

export interface SalesPlace {
  readonly productId: string;
  /** Year and month: 202611 is November 2026. */
  readonly month: number;
}

const FORMAT = 1;
const WITH_REVENUE = 1;
const CODE_CHARACTERS = 3;

/**
 * All `days` must be in the same month. If a date occurs several times, the last entry is stored.
 */
export function packMonth(days: readonly SoldDay[]): Uint8Array<ArrayBuffer> {
  const byDay = new Map(days.map((day) => [dayOf(day.date), day]));
  const bytes: number[] = [FORMAT];
  for (const [day, { units, revenueCents, currency }] of [...byDay].sort(([a], [b]) => a - b)) {
    const hasRevenue = revenueCents !== null && currency !== null;
    bytes.push(day, hasRevenue ? WITH_REVENUE : 0);
    putSigned(bytes, thousandths(units));
    if (!hasRevenue) continue;
    putSigned(bytes, revenueCents);
    for (const letter of currency) bytes.push(letter.charCodeAt(0));
  }
  return new Uint8Array(bytes);
}

export function unpackMonth(month: number, bytes: Uint8Array): SoldDay[] {
  const days: SoldDay[] = [];
  let at = 0;
  const next = () => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("A month of sales ends too early");
    return byte;
  };
  if (next() !== FORMAT) throw new Error("A month of sales has an unknown format");
  while (at < bytes.length) {
    const date = soldOn(month, next());
    const hasRevenue = next() === WITH_REVENUE;
    const units = takeSigned(next) / 1_000;
    if (!hasRevenue) days.push({ date, units, revenueCents: null, currency: null });
    else {
      const revenueCents = takeSigned(next);
      const code = Array.from({ length: CODE_CHARACTERS }, next);
      days.push({ date, units, revenueCents, currency: String.fromCharCode(...code) });
    }
  }
  return days;
}

function soldOn(month: number, day: number): string {
  const date = dateOf(month, day);
  if (!(Date.parse(date) >= 0)) throw new Error(`A month of sales has the invalid day "${date}"`);
  return date;
}

function putSigned(bytes: number[], value: number): void {
  putNumber(bytes, Math.abs(value) * 2 + (value < 0 ? 1 : 0));
}

function takeSigned(next: () => number): number {
  const value = takeNumber(next);
  const size = Math.floor(value / 2);
  return value % 2 === 1 ? -size : size;
}

interface SoldDayChange {
  readonly date: string;
  readonly from: SoldDay | null;
  readonly to: SoldDay | null;
}

export interface SalesChange extends SalesPlace {
  readonly bytes: Uint8Array | null;
  readonly days: readonly SoldDayChange[];
}

export interface SoldOn {
  readonly productId: string;
  readonly day: SoldDay;
}

export function firstSales(productId: string, days: readonly SoldDay[]): SalesChange[] {
  return monthsOf(days.map((day) => ({ productId, day })))
    .flatMap(({ place, days }) => changeOf(place, null, days) ?? []);
}

export function monthsOf(sold: readonly SoldOn[]) {
  const months = new Map<string, { place: SalesPlace; days: [date: string, day: SoldDay][] }>();
  for (const { productId, day } of sold) {
    const place = { productId, month: monthOf(day.date) };
    const key = `${productId} ${place.month}`;
    months.getOrInsertComputed(key, () => ({ place, days: [] })).days.push([day.date, day]);
  }
  return [...months.values()];
}

export function changeOf(
  place: SalesPlace,
  before: Uint8Array | null,
  days: readonly (readonly [date: string, day: SoldDay | null])[],
): SalesChange | null {
  const known = new Map(
    (before === null ? [] : unpackMonth(place.month, before)).map((day) => [day.date, day]),
  );
  const changes: SoldDayChange[] = [];
  for (const [date, to] of new Map(days)) {
    const from = known.get(date) ?? null;
    if (isSameDay(from, to)) continue;
    changes.push({ date, from, to });
    if (to === null) known.delete(date);
    else known.set(date, to);
  }
  if (changes.length === 0) return null;
  return {
    ...place,
    bytes: known.size === 0 ? null : packMonth([...known.values()]),
    days: changes,
  };
}

function isSameDay(one: SoldDay | null, other: SoldDay | null): boolean {
  if (one === null || other === null) return one === other;
  return one.units === other.units && one.revenueCents === other.revenueCents &&
    one.currency === other.currency;
}
