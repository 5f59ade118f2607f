import { brokenBound } from "../../base/price_doubts.ts";
import type { NewsEvent } from "../../platform/events/event.ts";
import { announce } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { type PriceCause, priceChangeOf } from "../prices/price_history.ts";
import type { Product } from "../products/product.ts";

/**
 * News of one written product, in the commit that writes it: a change of its own price, and that
 * rules may judge it otherwise. At most one mutation. Writers of many announce for all at once. A
 * price that a rule has set is no cause to ask the rules again: they could go on for ever.
 */
export function announceProduct(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "now" | "newId" | "requestId">,
  { before, after, cause }: {
    readonly before: Product | null;
    readonly after: Product;
    readonly cause: PriceCause;
  },
): void {
  const events = priceEvents(before, after, cause);
  if (cause.source !== "rule" && isJudgedAnew(before, after)) {
    const data = { cause: "write" as const, ref: ctx.requestId, productIds: [after.id] };
    events.push({ type: "products.touched", data });
  }
  announce(write, ctx, events);
}

/** The prices of an import stand in its one event (docs/decisions/imports.md). */
function priceEvents(before: Product | null, after: Product, cause: PriceCause): NewsEvent[] {
  const change = priceChangeOf(before, after, cause);
  if (change === null || change.source === "import") return [];
  const { at, fromCents, toCents, currency, source, ref } = change;
  const { id: productId, sku, title } = after;
  const data = { productId, sku, at, fromCents, toCents, currency, source, ref };
  const broken = cause.actor.type === "api_key" ? brokenBound(toCents, after) : null;
  const price: NewsEvent = { type: "price.changed", data };
  if (broken === null || toCents === null) return [price];
  const { code: bound, limitCents } = broken;
  const told = { productId, sku, title, currency, cents: toCents, bound, limitCents };
  return [price, { type: "price.out_of_bounds", data: { ...told, by: cause.actor.name } }];
}

/**
 * What rules go by: what scopes look at, what triggers, references, bounds and guards ask, and the hold.
 * A test holds all to it that decisions are made from (`pricedProductOf`).
 */
const JUDGED_BY = [
  "sku",
  "ourPriceCents",
  "costPriceCents",
  "targetPriceCents",
  "minPriceCents",
  "maxPriceCents",
  "shippingPriceCents",
  "currency",
  "vatRatePct",
  "condition",
  "brand",
  "category",
  "tier",
  "stock",
  "priceLocked",
  "heldUntil",
  "scrapeIntervalHours",
  "deletedAt",
] as const satisfies readonly (keyof Product)[];

/** True when rules may say something else of the product than before; a new one has a price or a cost. */
export function isJudgedAnew(before: Product | null, after: Product): boolean {
  if (before === null) return after.ourPriceCents !== null || after.costPriceCents !== null;
  return JUDGED_BY.some((name) => before[name] !== after[name]);
}
