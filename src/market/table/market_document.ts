/** Where a product stands in the market, as every interface answers it. */

import { isoOrNull } from "../../base/time.ts";
import type { ProductMarket } from "../../catalogue/prices/product_market.ts";
import type { MarketTable } from "./market_table.ts";

/** What ids in the table are called. */
export interface MarketNames {
  /** Null for one that is gone. */
  competitor(id: string): string | null;
  rule(id: string): string | null;
}

/** `row` is of an active product. */
export function toProductMarket(
  table: MarketTable,
  row: number,
  names: MarketNames,
): ProductMarket {
  const competitorId = table.text("competitor", row);
  const ruleId = table.text("rule", row);
  const newestAtMs = table.number("newestAtMs", row);
  const offers = table.bytes("offers")[row] ?? 0;
  const hasOffers = offers > 0;
  const equivalent = table.isEquivalent(row) ? "equivalent" : "exact";
  return {
    state: table.stateOf(row),
    links: table.bytes("links")[row] ?? 0,
    offers,
    cheapestCents: table.number("cheapestCents", row),
    cheapestCompetitorId: competitorId,
    cheapestCompetitor: competitorId === null ? null : names.competitor(competitorId),
    cheapestMatchType: hasOffers ? equivalent : null,
    cheapestInStock: table.isInStock(row) ? true : null,
    cheapestCount: table.bytes("cheapestCount")[row] ?? 0,
    gapCents: table.number("gapCents", row),
    gapPct: table.number("gapPct", row),
    roomPct: table.number("roomPct", row),
    rank: table.bytes("rank")[row] || null,
    of: offers + 1,
    position: table.positionOf(row),
    medianCents: table.number("medianCents", row),
    averageCents: table.number("averageCents", row),
    indexPct: table.number("indexPct", row),
    newestAt: isoOrNull(newestAtMs),
    marginPct: table.number("marginPct", row),
    proposal: table.proposalOf(row),
    rule: ruleId === null ? null : { id: ruleId, name: names.rule(ruleId) ?? "" },
  };
}
