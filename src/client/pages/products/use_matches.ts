import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import { type List, useList } from "../../app/use_list.ts";

/** A product has at most as many (docs/decisions/competitors.md): one page holds them all. */
const MATCHES_MAX = 200;

/** The matches of a product. */
export function useMatches(productId: string): List<CompetitorProduct> {
  return useList({
    key: ["matches", productId],
    read: (api, page) =>
      api.GET("/api/competitor-products", { params: { query: { productId, ...page } } }),
    limit: MATCHES_MAX,
  });
}
