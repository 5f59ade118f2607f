/** Pages of the own-price history, newest first. */
import { z } from "@hono/zod-openapi";
import { refuseFields } from "../base/failure.ts";
import { parseBound } from "../base/instant_range.ts";
import type { Context } from "../platform/context.ts";
import { pageQuery } from "../platform/http.ts";
import { openCursor, type Page, toPage } from "../platform/page.ts";
import type { PriceChange } from "./price_history.ts";
import { listPriceChanges } from "./price_history_store.ts";
import { flagQuery } from "./product_page.ts";

const bound = z.string().optional()
  .refine(
    (text) => !text || parseBound(text, "start") !== null,
    "Must be a time such as 2026-08-01T09:00:00Z, or a date",
  )
  .meta({ description: "Inclusive; a date is that whole day in UTC" });

export const PriceHistoryQuery = z.strictObject({
  ...pageQuery(50, 200),
  from: bound,
  to: bound,
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

export const LowestPriceQuery = z.strictObject({
  at: bound.meta({
    description: "Default: start of the current uninterrupted reduction, else now",
  }),
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

/** Milliseconds of an optional bound that the schema has passed; null when it is absent or empty. */
export function boundMs(text: string | undefined, edge: "start" | "end"): number | null {
  return text ? parseBound(text, edge) : null;
}

/** Refuses a range that ends before it starts, and with `invalid_cursor` a cursor of another one. */
export async function priceHistoryPage(
  ctx: Context,
  productId: string,
  { limit, cursor, from, to }: z.output<typeof PriceHistoryQuery>,
): Promise<Page<PriceChange>> {
  const fromMs = boundMs(from, "start") ?? 0;
  const toMs = boundMs(to, "end") ?? Infinity;
  if (toMs < fromMs) throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  const list = `price-history ${productId} ${fromMs} ${toMs}`;
  const position = openCursor(ctx, list, cursor);
  const beforeMs = position === null ? toMs + 1 : Number(position);
  const rows = await listPriceChanges(ctx, productId, { fromMs, beforeMs }, limit + 1);
  return toPage(ctx, { list, rows, limit, positionOf: ({ at }) => Date.parse(at) });
}
