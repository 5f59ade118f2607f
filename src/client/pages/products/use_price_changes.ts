import type { PriceHistoryEntry } from "../../../catalogue/prices/price_mark.ts";
import { type List, useList } from "../../app/use_list.ts";
import type { OneProduct } from "./one_product.ts";

/** Every change of the own price, the newest first. */
export function usePriceChanges({ id, deletedAt }: OneProduct): List<PriceHistoryEntry> {
  return useList({
    key: ["products", id, "history", { includeDeleted: deletedAt ? true : undefined }],
    read: (api, page) =>
      api.GET("/api/products/{id}/price-history", {
        params: { path: { id }, query: { includeDeleted: deletedAt ? true : undefined, ...page } },
      }),
  });
}
