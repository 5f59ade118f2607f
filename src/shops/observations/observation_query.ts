import { refuseFields } from "../../base/failure.ts";
import { parseBound } from "../../base/time.ts";
import { BoundText } from "../../platform/http/bound_text.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { ORDERS } from "./stretch.ts";
import { z } from "@hono/zod-openapi";

/** Filters of the history; they narrow it together, and an empty one is none. */
export const ObservationQuery = z.strictObject({
  productId: z.string().optional(),
  sku: z.string().optional(),
  competitorId: z.string().optional(),
  competitorProductId: z.string().optional(),
  from: BoundText,
  to: BoundText,
  order: z.enum(ORDERS).default("desc").meta({ description: "`desc` is the newest first" }),
  ...pageQuery(100, 500),
});

export type ObservationQuery = z.output<typeof ObservationQuery>;

/** The bounds of a query; `toMs` is infinite without one. Refuses a range that ends before it starts. */
export function rangeOf(
  { from, to }: Pick<ObservationQuery, "from" | "to">,
): { fromMs: number; toMs: number } {
  // Nothing is older than 1970.
  const fromMs = Math.max(0, from ? parseBound(from, "start") ?? 0 : 0);
  const toMs = to ? parseBound(to, "end") ?? Infinity : Infinity;
  if (from && to && toMs < (parseBound(from, "start") ?? 0)) {
    throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  }
  return { fromMs, toMs };
}
