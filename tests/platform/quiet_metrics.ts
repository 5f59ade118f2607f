import { processFigures, storeFigures } from "../../src/app/composition/figures.ts";
import { MarketCounters } from "../../src/market/current/market_cache.ts";
import { createRequestMetrics } from "../../src/platform/metrics.ts";
import type { Store } from "../../src/platform/store/kv.ts";

const NO_MARKET = { counters: new MarketCounters(), tableBytes: 0, movesKept: 0 };

export function quietMetrics(store: Store, market = NO_MARKET) {
  const marketCache = { size: () => market.tableBytes };
  const moveCache = { size: () => market.movesKept };
  return createRequestMetrics(store, [
    ...processFigures({ counters: market.counters, marketCache, moveCache }, {}),
    ...storeFigures(store, () => new Date(), null),
  ]);
}
