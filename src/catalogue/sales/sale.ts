/** Units sold of a product on a day, as the ERP reports them (docs/decisions/sales.md). */
import { z } from "@hono/zod-openapi";

/** Maximum units of one product on one day, positive or negative. */
export const UNITS_MAX = 1_000_000_000;
export const UNITS_DECIMALS = 3;

/** In the workspace's time zone. Revenue and currency are null if unknown. */
export const SoldDay = z.object({
  date: z.iso.date(),
  units: z.number(),
  revenueCents: z.int().nullable().meta({ description: "Minor units of `currency`" }),
  currency: z.string().nullable(),
}).meta({ id: "SoldDay" });

export type SoldDay = Readonly<z.infer<typeof SoldDay>>;

/** Units with at most 3 decimals; negative if more were returned than sold. */
export const Units = z.number().min(-UNITS_MAX).max(UNITS_MAX)
  .refine(
    (units) => Number.isInteger(thousandths(units)) && thousandths(units) / 1_000 === units,
    "Must have at most 3 decimals",
  );

/** Converts units to an integer, so that sums are exact: 2.5 becomes 2,500. */
export function thousandths(units: number): number {
  return Math.round(units * 1_000);
}

export function sumOfUnits(days: readonly Pick<SoldDay, "units">[]): number {
  return days.reduce((sum, { units }) => sum + thousandths(units), 0) / 1_000;
}

/** Number of days for the sum of recent units, including today. */
export const RECENT_DAYS = 30;
