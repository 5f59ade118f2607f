/**
 * Implements `MarketSource`, by which product lists read market positions. The positions come from
 * market tables in memory. Price changes during a sorted download do not change its order.
 */
import { once } from "../base/collections.ts";
import { Failure } from "../base/failure.ts";
import { isoOrNull } from "../base/time.ts";
import type {
  MarketOrder,
  MarketPage,
  MarketPlace,
  MarketQuery,
  MarketSource,
  ProductMarket,
} from "../catalogue/prices/product_market.ts";
import type { RuleCache } from "../rules/rule.ts";
import { type MarketCache, nullIfTooLarge } from "./current/market_cache.ts";
import {
  type MarketTerms,
  type Reader,
  readOffers,
  readRows,
  readTerms,
} from "./current/read_market.ts";
import { MarketTable } from "./table/market_table.ts";
import { frozenList, pageOf } from "./table/table_page.ts";

const OPEN_MAX = 4;

class OpenOrders {
  readonly #open = new Map<string, number>();

  open(workspaceId: string, freeze: () => ReturnType<typeof frozenList>): MarketOrder {
    const open = this.#open.get(workspaceId) ?? 0;
    if (open >= OPEN_MAX) {
      const why =
        `${OPEN_MAX} sorted or filtered lists of this workspace are being read: wait for their end`;
      throw new Failure("rate_limited", why, { retryAfterSeconds: 10 });
    }
    const list = freeze();
    this.#open.set(workspaceId, open + 1);
    const end = once(() => this.#open.set(workspaceId, (this.#open.get(workspaceId) ?? 1) - 1));
    return { ...list, [Symbol.dispose]: end };
  }
}

export function createMarketSource(cache: MarketCache, ruleCache: RuleCache): MarketSource {
  const orders = new OpenOrders();
  return {
    async beside(workspace, ids) {
      const loaded = await cache.readIfLoaded(workspace).catch(nullIfTooLarge);
      const { table, terms, asOfMs } = loaded === null || loaded.isBehind
        ? await readAlone(workspace, ruleCache, ids)
        : loaded;
      const markets = new Map<string, ProductMarket>();
      for (const id of ids) {
        const row = table.rowOf(id);
        if (row !== undefined) markets.set(id, toProductMarket(table, row, terms));
      }
      return { markets, asOfMs };
    },
    async offersOf(workspace, ids) {
      const current = await cache.readIfLoaded(workspace).catch(nullIfTooLarge);
      const terms = current?.terms ?? await readTerms(workspace, ruleCache);
      return await readOffers(workspace, ids, terms, workspace.now().getTime());
    },
    page: (workspace, query, after, limit) => readPage(cache, workspace, query, after, limit),
    async order(workspace, query) {
      const { table, terms } = await currentFor(cache, workspace, query);
      return orders.open(workspace.workspaceId, () => frozenList(table, query, ruleNamesOf(terms)));
    },
    warm: (workspace) => cache.warm(workspace),
  };
}

async function readPage(
  cache: MarketCache,
  workspace: Reader,
  query: MarketQuery,
  after: MarketPlace | null,
  limit: number,
): Promise<MarketPage> {
  const current = await currentFor(cache, workspace, query);
  const { table, terms, asOfMs } = current;
  const isFull = query.changedSinceMs !== null && query.changedSinceMs < current.knownSinceMs;
  const asked = isFull ? { ...query, changedSinceMs: null } : query;
  const { rows, total, moved } = pageOf(table, asked, ruleNamesOf(terms), after, limit + 1);
  const sinceMs = after?.[2] ?? asOfMs;
  return {
    items: rows.map(({ row, value }) => {
      const id = table.idOf(row);
      return { id, place: [value, id, sinceMs] };
    }),
    total,
    moved,
    asOf: new Date(asOfMs).toISOString(),
    isFull,
    gone: asked.changedSinceMs === null || after !== null
      ? []
      : table.goneSince(asked.changedSinceMs),
  };
}

function currentFor(cache: MarketCache, workspace: Reader, { sort }: MarketQuery) {
  const isLabelled = sort === "sku" || sort === "title";
  return isLabelled ? cache.readLabelled(workspace) : cache.read(workspace);
}

async function readAlone(workspace: Reader, ruleCache: RuleCache, ids: readonly string[]) {
  const terms = await readTerms(workspace, ruleCache);
  const asOfMs = workspace.now().getTime();
  const table = new MarketTable(ids.length);
  for await (const { rows } of readRows(workspace, ids, terms, asOfMs)) {
    for (const row of rows) table.put(row, asOfMs);
  }
  return { table, terms, asOfMs };
}

const ruleNamesOf = ({ rules }: Pick<MarketTerms, "rules">) => (id: string) =>
  rules.find((rule) => rule.id === id)?.name ?? "";

export function toProductMarket(
  table: MarketTable,
  row: number,
  terms: Pick<MarketTerms, "competitors" | "rules">,
): ProductMarket {
  const competitorId = table.text("competitor", row);
  const ruleId = table.text("rule", row);
  const offers = table.columns.bytes.offers[row] ?? 0;
  const equivalent = table.hasTrait(row, "equivalent") ? "equivalent" : "exact";
  return {
    state: table.stateOf(row),
    links: table.columns.bytes.links[row] ?? 0,
    offers,
    cheapestCents: table.number("cheapestCents", row),
    cheapestCompetitorId: competitorId,
    cheapestCompetitor: terms.competitors.get(competitorId ?? "")?.displayName ?? null,
    cheapestMatchType: offers > 0 ? equivalent : null,
    cheapestInStock: table.hasTrait(row, "inStock") ? true : null,
    cheapestAt: isoOrNull(table.number("cheapestAtMs", row)),
    cheapestLacksShipping: table.hasTrait(row, "lacksShipping"),
    comparedCents: table.number("comparedCents", row),
    cheapestCount: table.columns.bytes.cheapestCount[row] ?? 0,
    gapCents: table.number("gapCents", row),
    gapPct: table.number("gapPct", row),
    roomPct: table.number("roomPct", row),
    rank: table.columns.bytes.rank[row] || null,
    of: offers + 1,
    position: table.positionOf(row),
    medianCents: table.number("medianCents", row),
    averageCents: table.number("averageCents", row),
    indexPct: table.number("indexPct", row),
    newestAt: isoOrNull(table.number("newestAtMs", row)),
    marginPct: table.number("marginPct", row),
    proposal: table.proposalOf(row),
    rule: ruleId === null ? null : { id: ruleId, name: ruleNamesOf(terms)(ruleId) },
  };
}
