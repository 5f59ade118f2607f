import type { CompetitorProduct } from "../../../competitors/matches/match.ts";
import { type List, useList } from "../../app/use_list.ts";

/** A product has at most as many (docs/decisions/competitors.md): one page holds them all. */
const MATCHES_MAX = 200;

/** The matches of a product. */
export function useMatches(productId: string): List<CompetitorProduct> {
  return useList<CompetitorProduct>({
    key: ["matches", productId],
    path: "/api/competitor-products",
    query: { productId },
    limit: MATCHES_MAX,
  });
}
