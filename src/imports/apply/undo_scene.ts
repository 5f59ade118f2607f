import type { Card } from "../../catalogue/products/card.ts";
import { findCards } from "../../catalogue/products/card_store.ts";
import { type Product, shard } from "../../catalogue/products/product.ts";
import { findDeletedProduct, findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { Competitor } from "../../shops/competitor.ts";
import { findCompetitors } from "../../shops/competitor_store.ts";
import type { Match } from "../../shops/matches/match.ts";
import { findMatchesAt } from "../../shops/matches/match_store.ts";
import { findOffersOf, type StoredOffers } from "../../shops/offers/offer_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import { StaleBatch } from "./batch.ts";
import { SpanGenerations } from "./span_generations.ts";
import { monthOf } from "../../base/month.ts";
import { findSalesRows } from "../../catalogue/sales/sales_store.ts";
import type { UndoEntry } from "../state/undo_entry.ts";

/** Two checks each (products, offers), and one for the job. */
const SHARDS_MAX = Math.floor((COMMIT_MAX.checks - 1) / 2);

/** What is there now of the product of an entry. */
export interface UndoPlace {
  readonly product: Product;
  readonly card: Card;
  readonly offers: StoredOffers;
  readonly matches: ReadonlyMap<string, Match>;
  /** Months that the entry has units of, as they are now. */
  readonly sales: ReadonlyMap<number, Uint8Array>;
}

/** The next entries, with all that taking them back needs to know. */
export interface UndoScene {
  /** As many of those that were asked for as one commit can check. */
  readonly entries: readonly UndoEntry[];
  /** By product; what is not there any more is absent. */
  readonly places: ReadonlyMap<string, UndoPlace>;
  readonly competitors: ReadonlyMap<string, Competitor>;
  /** As they were before all else was read. */
  readonly generations: SpanGenerations;
}

/** Products may have got other SKUs since the import, so their shards are looked up first. */
export async function readUndoScene(
  workspace: WorkspaceStore,
  asked: readonly UndoEntry[],
): Promise<UndoScene> {
  const known = await findProducts(workspace, asked);
  const shards = new Set<number>();
  const chosen: UndoEntry[] = [];
  for (const entry of asked) {
    const product = known.get(entry.productId);
    if (product && !shards.has(shard(product.sku))) {
      if (shards.size === SHARDS_MAX) break;
      shards.add(shard(product.sku));
    }
    chosen.push(entry);
  }
  const generations = await SpanGenerations.read(workspace, [...shards]);
  const products = await findProducts(workspace, chosen);
  const isMoved = [...products.values()].some(({ sku }) => !shards.has(shard(sku)));
  if (isMoved) throw new StaleBatch();
  const places = await readPlaces(workspace, chosen, products);
  const shopIds = new Set(
    places.values().flatMap(({ matches }) =>
      matches.values().map(({ competitorId }) => competitorId)
    ),
  );
  const shops = await findCompetitors(workspace, [...shopIds]);
  return { entries: chosen, places, competitors: shops, generations };
}

/** Active and soft-deleted ones, by id. */
async function findProducts(
  workspace: WorkspaceStore,
  entries: readonly UndoEntry[],
): Promise<Map<string, Product>> {
  const ids = [...new Set(entries.map(({ productId }) => productId))].sort();
  const products = new Map<string, Product>();
  for (const { id, bytes } of await findDocuments(workspace, ids)) {
    products.set(id, parseProduct(bytes));
  }
  for (const id of ids.filter((id) => !products.has(id))) {
    const found = await findDeletedProduct(workspace, id);
    if (found) products.set(id, found.product);
  }
  return products;
}

async function readPlaces(
  workspace: WorkspaceStore,
  entries: readonly UndoEntry[],
  products: ReadonlyMap<string, Product>,
): Promise<Map<string, UndoPlace>> {
  const cards = await findCards(workspace, [...products.values()].map(({ sku }) => sku));
  const linked = entries.filter(({ kind, added, switched }) =>
    kind === "inserted" || added.length + switched.length > 0
  );
  const rows = await findOffersOf(workspace, linked.map(({ productId }) => productId));
  const offers = new Map(rows.map((row) => [row.productId, row]));
  const matches = await findMatches(workspace, linked, offers);
  const sales = await findSales(workspace, entries);
  const places = new Map<string, UndoPlace>();
  for (const [id, product] of products) {
    const card = cards.get(product.sku);
    // The trace of a writer between two reads.
    if (card?.id !== id) throw new StaleBatch();
    const none: StoredOffers = { productId: id, offers: [], versionstamp: null };
    const own = matches.get(id) ?? new Map();
    places.set(id, {
      product,
      card,
      offers: offers.get(id) ?? none,
      matches: own,
      sales: sales.get(id) ?? new Map(),
    });
  }
  return places;
}

/** By product and month. */
async function findSales(
  workspace: WorkspaceStore,
  entries: readonly UndoEntry[],
): Promise<Map<string, Map<number, Uint8Array>>> {
  const places = entries.flatMap(({ productId, sold }) =>
    [...new Set(sold.map(([date]) => monthOf(date)))].map((month) => ({ productId, month }))
  );
  const rows = await findSalesRows(workspace, places);
  const found = new Map<string, Map<number, Uint8Array>>();
  for (const [at, { productId, month }] of places.entries()) {
    const row = rows[at];
    if (!row) continue;
    const own = found.get(productId) ?? new Map<number, Uint8Array>();
    found.set(productId, own.set(month, row));
  }
  return found;
}

/** The matches that entries name, and all of new products; by product and id. */
async function findMatches(
  workspace: WorkspaceStore,
  entries: readonly UndoEntry[],
  offers: ReadonlyMap<string, StoredOffers>,
): Promise<Map<string, Map<string, Match>>> {
  const places = entries.flatMap(({ productId, kind, added, switched }) => {
    const named = new Set([...added, ...switched.map(([matchId]) => matchId)]);
    const all = offers.get(productId)?.offers ?? [];
    return all.filter(({ matchId }) => kind === "inserted" || named.has(matchId))
      .map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }));
  });
  const matches = (await findMatchesAt(workspace, places)).map(({ match }) => match);
  const found = Map.groupBy(matches, ({ productId }) => productId);
  return new Map([...found].map(([id, own]) => [id, new Map(own.map((one) => [one.id, one]))]));
}
