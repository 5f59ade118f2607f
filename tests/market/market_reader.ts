/** Reads an app's market through a separate cache, and calculates the expected market. */

import type { ProductMarket } from "../../src/catalogue/prices/product_market.ts";
import {
  type CurrentMarket,
  MarketCache,
  type MarketCacheOptions,
} from "../../src/market/current/market_cache.ts";
import { fillTable, readTerms } from "../../src/market/current/read_market.ts";
import { toProductMarket } from "../../src/market/market_source.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import type { ClockAndIds, WorkspaceStore } from "../../src/platform/store/context.ts";
import { createRuleCache } from "../../src/rules/rule.ts";

export type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

const BYTES_MAX = 256 * 1024 * 1024;

export function openMarketCache(bytesMax = BYTES_MAX, more: Partial<MarketCacheOptions> = {}) {
  const cache = new MarketCache({ bytesMax, ruleCache: createRuleCache(), ...more });
  return Object.assign(cache, { [Symbol.asyncDispose]: () => cache.close() });
}

export function statementAuthor({ table, terms }: Pick<CurrentMarket, "table" | "terms">) {
  const said: Record<string, ProductMarket> = {};
  for (let row = 0; row < table.rows; row++) {
    if (!table.isEmpty(row)) said[table.idOf(row)] = toProductMarket(table, row, terms);
  }
  return Object.fromEntries(Object.entries(said).sort());
}

/** Returns the expected market, calculated from all products without a cache. */
export async function saidByStore(reader: Reader) {
  const terms = await readTerms(reader, createRuleCache());
  const table = new MarketTable(0);
  await fillTable(reader, table, terms, reader.now().getTime(), () => false);
  return statementAuthor({ table, terms });
}
