/** Pages of the own-price history, newest first. */

import { refuseFields } from "../../base/failure.ts";
import { parseBound } from "../../base/time.ts";
import { BOUND_FORMS, BoundText } from "../../platform/http/bound_text.ts";
import { flagQuery } from "../../platform/http/flag_query.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Context } from "../../platform/store/context.ts";
import { type PriceHistoryEntry, withMarks } from "../prices/price_mark.ts";
import { listPriceMarks } from "../prices/price_mark_store.ts";
import { listPriceChanges } from "../products/price_changes.ts";
import type { Product } from "../products/product.ts";
import { readVat } from "./price_past.ts";
import { z } from "@hono/zod-openapi";

const TIER_CHARACTERS_MAX = 64;

export const PriceHistoryQuery = z.strictObject({
  ...pageQuery(50, 200),
  from: BoundText,
  to: BoundText,
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

const AT = {
  at: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "Default: start of the current uninterrupted reduction, else now",
  }),
  includeDeleted: flagQuery.meta({ type: "boolean" }),
};

export const LowestPriceQuery = z.strictObject({
  ...AT,
  tier: z.string().min(1).max(TIER_CHARACTERS_MAX).optional().meta({
    description: "The price of this tier from one piece on, as far as it is kept; else the own one",
  }),
});

export const PriceEvidenceQuery = z.strictObject(AT);

/** Milliseconds of an optional bound that the schema has passed; null when it is absent or empty. */
export function boundMs(text: string | undefined, edge: "start" | "end"): number | null {
  return text ? parseBound(text, edge) : null;
}

/** Refuses a range that ends before it starts, and with `invalid_cursor` a cursor of another one. */
export async function priceHistoryPage(
  ctx: Context,
  product: Pick<Product, "id" | "vatRatePct">,
  { limit, cursor, from, to }: z.output<typeof PriceHistoryQuery>,
): Promise<Page<PriceHistoryEntry>> {
  const fromMs = boundMs(from, "start") ?? 0;
  const toMs = boundMs(to, "end") ?? Infinity;
  const productId = product.id;
  if (toMs < fromMs) throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  const list = `price-history ${productId} ${fromMs} ${toMs}`;
  const position = openCursor(ctx, list, cursor);
  const beforeMs = position === null ? toMs + 1 : Number(position);
  const stretch = { fromMs, beforeMs };
  const changes = await listPriceChanges(ctx, productId, stretch, limit + 1);
  const oldest = changes.at(-1);
  const marked = { ...stretch, fromMs: oldest ? Date.parse(oldest.at) : beforeMs };
  const marks = await listPriceMarks(ctx, productId, marked);
  const rows = withMarks(changes, marks, await readVat(ctx, product));
  return toPage(ctx, { list, rows, limit, positionOf: ({ at }) => Date.parse(at) });
}
