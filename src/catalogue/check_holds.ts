import { iso } from "../base/iso_time.ts";
import type { DerivedRows } from "./derived_rows.ts";
import { walkHolds } from "./products/hold_store.ts";
import { holdEndMs } from "./products/product.ts";

const ALL = { after: -1, toMs: 8.64e15 } as const;

/** One for each active product whose document says until when its price is or was held. */
export const HOLDS: DerivedRows = {
  expect: ({ product }) => {
    const endMs = holdEndMs(product);
    return endMs === null ? [] : [holdText(endMs)];
  },

  async *survey(workspace, sums) {
    for await (const { productId, untilMs } of walkHolds(workspace, ALL)) {
      if (!Number.isSafeInteger(untilMs)) yield `A hold of product ${productId} ends at no time`;
      sums.find(productId, holdText(untilMs));
    }
  },

  async *compare(workspace, { products, has }) {
    const missing = new Map<string, number>();
    for (const [id, { product }] of products) {
      const endMs = holdEndMs(product);
      if (endMs !== null) missing.set(id, endMs);
    }
    for await (const { productId, untilMs } of walkHolds(workspace, ALL)) {
      if (!has(productId)) continue;
      if (missing.get(productId) === untilMs) missing.delete(productId);
      else yield `The hold of product ${productId} until ${iso(untilMs)} is not its own`;
    }
    for (const [id, endMs] of missing) {
      yield `Product ${id} is held until ${iso(endMs)}, which has no row`;
    }
  },
};

const holdText = (endMs: number) => `held ${endMs}`;
