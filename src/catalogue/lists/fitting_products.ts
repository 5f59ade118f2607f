/** Everything that fits a list, document by document: for files of it and for changes of many at once. */
import { refuseFields } from "../../base/failure.ts";
import type { Context } from "../../platform/store/context.ts";
import { asksForMarket, type MarketTexts } from "../prices/product_market.ts";
import { findDocuments, type StoredDocument } from "../products/product_store.ts";
import { type MarketAsker, marketQueryOf } from "./market_page.ts";
import type { ProductFilter } from "./product_filter.ts";
import { walkProducts } from "./product_list.ts";

export interface Fitting {
  readonly filter: ProductFilter;
  readonly texts: MarketTexts;
  /** Soft-deleted products too, which have no market. */
  readonly includeDeleted: boolean;
}

/** Documents read at once. */
const AT_ONCE = 500;

/** Products that are read once; disposed of when they are, or no longer wanted. */
export interface FittingProducts extends Disposable {
  documents(): AsyncGenerator<StoredDocument>;
}

/**
 * Every product that fits, by id, or in the order that is asked for, which is that of the call: a
 * product that is gone by the time it is read is left out. What can be refused is refused before the
 * first one is read.
 */
export async function openFitting(
  ctx: Context,
  { memory, market }: MarketAsker,
  { filter, texts, includeDeleted }: Fitting,
): Promise<FittingProducts> {
  if (!asksForMarket(texts)) {
    const request = { filter, includeDeleted, after: null, limit: AT_ONCE };
    return { documents: () => walkProducts(ctx, memory, request), [Symbol.dispose]() {} };
  }
  requireActive(includeDeleted);
  const order = await market.order(ctx, await marketQueryOf(ctx, memory, filter, texts));
  return {
    async *documents() {
      for (let ids = order.take(AT_ONCE); ids.length > 0; ids = order.take(AT_ONCE)) {
        yield* await findDocuments(ctx, ids);
      }
    },
    [Symbol.dispose]: () => order[Symbol.dispose](),
  };
}

/** The market orders and narrows active products alone: refuses to do so with deleted ones. */
export function requireActive(includeDeleted: boolean): void {
  if (!includeDeleted) return;
  const message = "Deleted products have no market: leave out the order and its filters";
  throw refuseFields([{ path: "includeDeleted", message }]);
}
