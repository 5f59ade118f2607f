/**
 * Finds contradictions between the rows of a workspace's competitors, links and observed prices
 * (docs/decisions/keys.md). The result is valid only if nothing else writes to the store.
 */
import { batchesOf, mergeSorted } from "../base/collections.ts";
import { documentsById } from "../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { leavingCompetitors, listCompetitors } from "./competitor_store.ts";
import { countingVerdict, identities } from "./matches/match_identity.ts";
import { termsOf } from "./matches/match.ts";
import { type MatchPlace, walkMatches, walkPlaces } from "./matches/match_store.ts";
import { urlHashOf } from "./domain.ts";
import {
  type FailingPage,
  failingPages,
  heldIdOf,
  listFailingCounts,
  placeOf,
  walkHeld,
} from "./offers/failing_and_held_store.ts";
import { type OfferTerms, trackingCompetitors } from "./offers/offer.ts";
import { trackedProducts, walkOffers } from "./offers/offer_store.ts";
import { RowSums } from "../base/id.ts";
import {
  comparePositions,
  type Position,
  positionOf,
  positionText,
} from "./observations/observation.ts";
import {
  type CompetitorEntry,
  listObservedCompetitors,
  type Owned,
} from "./observations/observation_store.ts";
import { COMPETITOR_PACK, type Pack, PRODUCT_PACK, walkBlocks } from "./observations/pack_store.ts";

const MATCHES_AT_ONCE = 200;

export async function* checkCompetitors(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const [expected, stored] = [new RowSums(), new RowSums()];
  yield* checkMatches(workspace, expected);
  const [tracked, failing] = [new Map<string, number>(), new Map<string, number>()];
  for await (const { productId, offers } of walkOffers(workspace)) {
    if (offers.length === 0) yield `Product ${productId} has an empty offers row`;
    for (const id of trackingCompetitors(offers)) count(tracked, id);
    for (const offer of offers) {
      const { competitorId, matchId, verdict } = offer;
      const page = placeOf(offer);
      const heldId = heldIdOf(offer);
      addTerms(stored, productId, offer);
      if (page) addFailing(expected, { competitorId, productId, ...page });
      if (page) count(failing, `${competitorId} (${page.cause})`);
      if (heldId) addHeld(expected, heldId, productId);
      if (verdict) addVerdict(expected, matchId, verdict);
    }
  }
  await addStored(stored, workspace);
  yield* differences(expected, stored);
  const shopCounts = (await trackedProducts.list(workspace)).map(({ row }) => row);
  const trackedCounts = new Map(shopCounts.map((row) => [row.competitorId, row.count]));
  yield* miscounts(tracked, trackedCounts, "tracked products");
  const failingCounts = new Map(
    (await listFailingCounts(workspace))
      .map(({ competitorId, cause, pages }) => [`${competitorId} (${cause})`, pages]),
  );
  yield* miscounts(failing, failingCounts, "failing matches");
}

async function* checkMatches(workspace: WorkspaceStore, expected: RowSums) {
  const shops = new Set((await listCompetitors(workspace, null, null)).map(({ id }) => id));
  for (const { row: { id } } of await leavingCompetitors.list(workspace)) {
    shops.add(id);
    yield `The deletion of competitor ${id} has not ended`;
  }
  for await (const matches of batchesOf(walkMatches(workspace), MATCHES_AT_ONCE)) {
    const productIds = new Set(matches.map(({ productId }) => productId));
    const products = await documentsById(workspace, [...productIds]);
    for (const { productId, urlHash, match } of matches) {
      const { id: matchId, competitorId } = match;
      if (!products.has(productId)) {
        yield `Match ${matchId} belongs to the unknown product ${productId}`;
      }
      if (!shops.has(competitorId)) {
        yield `Match ${matchId} belongs to the unknown competitor ${competitorId}`;
      }
      const url = URL.parse(match.url);
      if (!url || urlHashOf(url) !== urlHash) yield `Match ${matchId} is stored under another URL`;
      addPlace(expected, null, { matchId, productId, urlHash });
      addPlace(expected, competitorId, { matchId, productId, urlHash });
      addTerms(expected, productId, termsOf(match, urlHash));
    }
  }
}

async function addStored(rows: RowSums, workspace: WorkspaceStore): Promise<void> {
  for await (const place of walkPlaces(workspace)) addPlace(rows, place.competitorId, place);
  for await (const { row } of failingPages.walk(workspace)) addFailing(rows, row);
  for await (const { id, productId } of walkHeld(workspace)) addHeld(rows, id, productId);
  for await (const { row } of identities.walk(workspace)) {
    const verdict = countingVerdict(row);
    if (verdict) addVerdict(rows, row.matchId, verdict);
  }
}

function addPlace(rows: RowSums, competitorId: string | null, place: MatchPlace): void {
  const table = competitorId === null ? '"mi"' : `"mc" of competitor ${competitorId}`;
  rows.add(table, `${place.matchId} ${place.productId} ${place.urlHash}`);
}

function addTerms(rows: RowSums, productId: string, terms: OfferTerms): void {
  const { matchId, competitorId, urlHash, enabled, disabledBy } = terms;
  const { packFactor, matchType, noPrice } = terms;
  const ids = { matchId, competitorId, urlHash };
  const settings = { enabled, disabledBy, packFactor, matchType, noPrice };
  const text = JSON.stringify({ ...ids, ...settings } satisfies OfferTerms);
  rows.add(`"o" of competitor ${competitorId}`, `${productId} ${text}`);
}

function addFailing(rows: RowSums, { competitorId, ...page }: FailingPage): void {
  const { cause, sinceMs, matchId, productId } = page;
  rows.add(`"fo" of competitor ${competitorId}`, `${cause} ${sinceMs} ${matchId} ${productId}`);
}

function addHeld(rows: RowSums, id: string, productId: string): void {
  rows.add('"qu"', `${id} ${productId}`);
}

function addVerdict(rows: RowSums, matchId: string, verdict: string): void {
  rows.add('"idn"', `${matchId} ${verdict}`);
}

function* differences(expected: RowSums, stored: RowSums): Generator<string> {
  for (const name of new Set([...expected.names(), ...stored.names()])) {
    if (stored.isSame(name, expected)) continue;
    const counts = `${stored.count(name)} stored, ${expected.count(name)} expected`;
    yield `The rows ${name} contradict other rows: ${counts}`;
  }
}

export function* miscounts(
  expected: ReadonlyMap<string, number>,
  counted: ReadonlyMap<string, number>,
  what: string,
): Generator<string> {
  for (const name of new Set([...counted.keys(), ...expected.keys()])) {
    const there = expected.get(name) ?? 0;
    const said = counted.get(name);
    if ((said ?? 0) === there) continue;
    yield `Competitor ${name} counts ${said ?? "no"} ${what}, there are ${there}`;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export async function* checkObservations(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  yield* checkBlocks(workspace, PRODUCT_PACK);
  yield* checkBlocks(workspace, COMPETITOR_PACK);
  const expected = new RowSums();
  yield* checkProducts(workspace, expected);
  const listed = new RowSums();
  const shops = new Set<string>();
  for await (const entry of walkAll(workspace, COMPETITOR_PACK)) {
    shops.add(entry.ownerId);
    addEntry(listed, entry.ownerId, entry);
  }
  for (const id of shops.difference(new Set(await listObservedCompetitors(workspace)))) {
    yield `Competitor ${id} has observations, but is not marked`;
  }
  yield* differences(expected, listed);
}

async function* checkBlocks<T extends Position>(workspace: WorkspaceStore, pack: Pack<T>) {
  const table = pack.blocks.options.prefix;
  let [owner, last]: [string, Position | null] = ["", null];
  for await (const { ownerId, block } of walkBlocks(workspace, pack)) {
    if (block.rows.length === 0) yield `A block of ${ownerId} in "${table}" is empty`;
    if (ownerId !== owner) [owner, last] = [ownerId, null];
    for (const position of [block.start, ...block.rows]) {
      const side = last === null ? -1 : comparePositions(last, position);
      const isTwin = side === 0 && (last !== block.start || position === block.start);
      if (side > 0 || isTwin) yield `The blocks of ${ownerId} in "${table}" are not in order`;
      last = position;
    }
  }
}

async function* walkAll<T extends Position>(
  workspace: WorkspaceStore,
  pack: Pack<T>,
): AsyncGenerator<T & Owned> {
  const loose = async function* () {
    for await (const { row } of pack.loose.walk(workspace)) yield row;
  };
  const packed = async function* () {
    for await (const { ownerId, block } of walkBlocks(workspace, pack)) {
      for (const row of block.rows) yield { ...row, ownerId };
    }
  };
  const placeOf = (row: T & Owned) => `${row.ownerId} ${positionText(row)}`;
  let last = "";
  for await (const row of mergeSorted<T & Owned>([loose(), packed()], placeOf)) {
    if (placeOf(row) !== last) yield row;
    last = placeOf(row);
  }
}

function addEntry(
  rows: RowSums,
  competitorId: string,
  { atMs, id, productId }: CompetitorEntry,
): void {
  rows.add(`"oc" of competitor ${competitorId}`, `${atMs} ${id} ${productId}`);
}

async function* checkProducts(workspace: WorkspaceStore, sums: RowSums): AsyncGenerator<string> {
  for await (const { ownerId, observation, ...position } of walkAll(workspace, PRODUCT_PACK)) {
    if (comparePositions(positionOf(observation), position) !== 0) {
      yield `The observation ${position.id} of product ${ownerId} is stored under another id`;
    }
    addEntry(sums, observation.competitorId, { ...position, productId: ownerId });
  }
}
