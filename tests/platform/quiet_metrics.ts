import {
  type MarketFigures,
  processFigures,
  storeFigures,
} from "../../src/app/composition/figures.ts";
import { MarketCounters } from "../../src/market/current/market_cache.ts";
import { createRequestMetrics } from "../../src/platform/metrics.ts";
import type { Store } from "../../src/platform/store/kv.ts";

const noMarket = () => ({ ...new MarketCounters(), tableBytes: 0, movesKept: 0 });

export function quietMetrics(store: Store, market: () => MarketFigures = noMarket) {
  const ofProcess = processFigures(market, () => ({}));
  return createRequestMetrics(store, [
    ...ofProcess,
    ...storeFigures(store, () => new Date(), null),
  ]);
}
