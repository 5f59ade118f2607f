/** Reads the present state of products that an undo looks at, and writes them back in one commit. */

import { monthOf } from "../../base/time.ts";
import {
  findIndexRows,
  marksOf,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import { type Product, shard } from "../../catalogue/products/product.ts";
import { touchShard } from "../../catalogue/products/product_counters.ts";
import { KeptBlocks } from "../../catalogue/products/save_counters.ts";
import { costOfSales, putSalesChange } from "../../catalogue/sales/change_sales.ts";
import { findSalesRows } from "../../catalogue/sales/sales_store.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { addCosts, COMMIT_MAX, type CommitCost, shareOfCommit } from "../../platform/store/kv.ts";
import type { Competitor } from "../../shops/competitor.ts";
import { findCompetitors } from "../../shops/competitor_store.ts";
import type { Match } from "../../shops/matches/match.ts";
import { findMatchesAt, removeMatch, saveMatch } from "../../shops/matches/match_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import {
  findOffersOf,
  putOffers,
  saveOfferCounters,
  type StoredOffers,
} from "../../shops/offers/offer_store.ts";
import type { UndoJob } from "../state/import_job.ts";
import type { UndoEntry } from "../state/undo_entry.ts";
import { findProducts, StaleBatch } from "./batch.ts";
import { ProductWrites } from "./batch_commit.ts";
import type { LinkReturn, UndoOutcome, UndoPlace } from "./decide_undo.ts";
import { costOfNotes } from "./resolve_record.ts";
import { SpanVersionCounters, type WrittenShards } from "./span.ts";

const REST = addCosts(shareOfCommit(0.03), { mutations: 30, keyBytes: 2_000, bytes: 4_000 });
/** A match with a long URL and an extractor, and what is left of it. */
const LINK = { mutations: 8, keyBytes: 1_100, bytes: 10_400 };

export class UndoCommit {
  readonly #tools: StepTools<UndoJob>;
  readonly #products: ProductWrites;
  #writes = false;

  constructor(tools: StepTools<UndoJob>, job: UndoJob) {
    this.#tools = tools;
    const { store, workspaceId } = tools;
    this.#products = new ProductWrites(tools, job, new KeptBlocks({ store, workspaceId }));
  }

  /** False when the outcome had better come with the next commit. */
  hasRoomFor(place: UndoPlace, outcome: UndoOutcome): boolean {
    const touched = { bytes: 30 * this.#products.touched.size };
    const cost = addCosts(this.#products.costOfBlocks, REST, touched, costOf(place, outcome));
    return this.#tools.write.fits(cost);
  }

  async put(
    place: UndoPlace,
    { after, links, sales }: UndoOutcome,
    competitors: ReadonlyMap<string, Competitor>,
  ): Promise<void> {
    if (after === null && links.length + sales.length === 0) return;
    this.#writes = true;
    for (const change of sales) {
      putSalesChange(this.#tools.write, this.#tools.workspaceId, change);
    }
    // The next import looks at the product again.
    const marks = { ...marksOf(place.card), importHash: null };
    const { product } = place;
    if (after !== null) {
      const before = { product, marks: place.card };
      await this.#products.put({ before, after: { product: after, marks } });
    } else {
      putIndexRowMarks(this.#tools.write, this.#tools.workspaceId, product, marks);
      touchShard(this.#products.counters, product.sku);
    }
    if (links.length > 0) this.#putLinks(place, links, competitors);
  }

  /** Answers which shards must still be checked; null for none. */
  async close(): Promise<WrittenShards | null> {
    if (!this.#writes) return null;
    await this.#products.close();
    saveOfferCounters(this.#tools.write, this.#tools.workspaceId, this.#products.offerCounters);
    return this.#products.shards;
  }

  #putLinks(
    { product, offers: { offers: before } }: UndoPlace,
    links: readonly LinkReturn[],
    competitors: ReadonlyMap<string, Competitor>,
  ): void {
    const { write, workspaceId } = this.#tools;
    const at = this.#tools.now().toISOString();
    const returns = new Map(links.map((link) => [link.match.id, link]));
    const after: Offer[] = [];
    for (const offer of before) {
      const link = returns.get(offer.matchId);
      if (!link) after.push(offer);
      else if (link.isOn === null) {
        const shop = competitors.get(link.match.competitorId);
        const { displayName = "", domain = "" } = shop ?? {};
        const removed = { match: link.match, competitor: { displayName, domain }, removedAt: at };
        // An import that names it again brings it back.
        removeMatch(write, workspaceId, { ...removed, removedBy: "import" }, offer.urlHash);
      } else {
        const state = { enabled: link.isOn, disabledBy: link.isOn ? null : "import" as const };
        saveMatch(write, workspaceId, { ...link.match, ...state, updatedAt: at }, offer.urlHash);
        after.push({ ...offer, ...state });
      }
    }
    putOffers(write, workspaceId, product, { before, after }, this.#products.offerCounters);
    this.#products.noteLinks(product, { before, after });
  }
}

function costOf({ product }: UndoPlace, { after, links, sales, kept }: UndoOutcome): CommitCost {
  const notes = addCosts(costOfNotes(kept.length), costOfSales(sales));
  const offers = links.length === 0 ? {} : { mutations: 6, keyBytes: 500, bytes: 66_000 };
  const returned = links.map(() => LINK);
  if (after === null) return addCosts(notes, offers, ...returned);
  const rows = [product, after].map(({ sku, title, prices, attributes }) => ({
    mutations: 6,
    keyBytes: 3 * sku.length + 350,
    bytes: 3_000 + 3 * sku.length + 6 * title.length + (150 + 260) * prices.length +
      3 * JSON.stringify(attributes).length,
  }));
  return addCosts(notes, offers, ...returned, ...rows);
}

/** Two checks each (products, offers), and one for the job. */
const SHARDS_MAX = Math.floor((COMMIT_MAX.checks - 1) / 2);

interface UndoScene {
  /** As many of those that were asked for as one commit can check. */
  readonly entries: readonly UndoEntry[];
  readonly places: ReadonlyMap<string, UndoPlace>;
  readonly competitors: ReadonlyMap<string, Competitor>;
  /** As they were before all else was read. */
  readonly generations: SpanVersionCounters;
}

/** Products may have got other SKUs since the import, so their shards are looked up first. */
export async function readUndoScene(
  workspace: WorkspaceStore,
  asked: readonly UndoEntry[],
): Promise<UndoScene> {
  const known = await findProducts(workspace, asked.map(({ productId }) => productId));
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
  const generations = await SpanVersionCounters.read(workspace, [...shards]);
  const products = await findProducts(workspace, chosen.map(({ productId }) => productId));
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

async function readPlaces(
  workspace: WorkspaceStore,
  entries: readonly UndoEntry[],
  products: ReadonlyMap<string, Product>,
): Promise<Map<string, UndoPlace>> {
  const indexRows = await findIndexRows(workspace, [...products.values()].map(({ sku }) => sku));
  const linked = entries.filter(({ kind, added, switched }) =>
    kind === "inserted" || added.length + switched.length > 0
  );
  const rows = await findOffersOf(workspace, linked.map(({ productId }) => productId));
  const offers = new Map(rows.map((row) => [row.productId, row]));
  const matches = await findMatches(workspace, linked, offers);
  const sales = await findSales(workspace, entries);
  const places = new Map<string, UndoPlace>();
  for (const [id, product] of products) {
    const card = indexRows.get(product.sku);
    // The trace of a writer between two reads.
    if (card?.id !== id) throw new StaleBatch();
    places.set(id, {
      product,
      card,
      offers: offers.get(id) ?? { productId: id, offers: [], versionstamp: null },
      matches: matches.get(id) ?? new Map(),
      sales: sales.get(id) ?? new Map(),
    });
  }
  return places;
}

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
