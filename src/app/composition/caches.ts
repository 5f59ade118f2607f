/** Caches that several parts of the service share. */
import { CatalogueCache } from "../../catalogue/lists/catalogue_cache.ts";
import { MarketCache, MarketCounters } from "../../market/current/market_cache.ts";
import { createMarketSource } from "../../market/market_source.ts";
import { MoveCache } from "../../market/moves/moves.ts";
import { createRuleCache } from "../../rules/rule.ts";
import type { Config } from "./config.ts";

export function createCaches(config: Config) {
  const cache = new CatalogueCache();
  const ruleCache = createRuleCache();
  const counters = new MarketCounters();
  const marketCache = new MarketCache({
    bytesMax: config.MARKET_MEMORY_BYTES,
    ruleCache,
    counters,
  });
  const market = createMarketSource(marketCache, ruleCache);
  return { cache, counters, marketCache, moveCache: new MoveCache(), market };
}

export type Caches = ReturnType<typeof createCaches>;

export const moveDeps = ({ cache, marketCache, moveCache, market, counters }: Caches) => ({
  cache,
  tables: marketCache,
  moves: moveCache,
  market,
  counters,
});
