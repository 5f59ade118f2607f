/**
 * Checks that the rows of one workspace's competitors and matches agree with each other
 * (docs/decisions/keys.md). Run it only while nothing writes to the store. Rows that belong together
 * are read for many products at once, which takes half the time. Memory holds those and a number per
 * competitor.
 */

import { batchesOf } from "../base/collections.ts";
import { findDeletedDocument, findDocuments } from "../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { pagesOf } from "../platform/store/pages_of.ts";
import type { Competitor } from "./competitor.ts";
import { leavingCompetitors, listCompetitors } from "./competitor_store.ts";
import { findIdentities, identities } from "./matches/identity_store.ts";
import { type Match, termsOf } from "./matches/match.ts";
import { countingVerdict } from "./matches/match_identity.ts";
import {
  findMatchesAt,
  findMatchPlace,
  findMatchPlaces,
  type MatchPlace,
  type PlacedMatch,
  walkMatches,
  walkPlaces,
} from "./matches/match_store.ts";
import { urlHashOf } from "./matches/match_url.ts";
import { comparePositions, type Position, positionOf } from "./observations/observation.ts";
import { COMPETITOR_PACK, type Pack, PRODUCT_PACK, walkBlocks } from "./observations/pack_store.ts";
import { walkObserved } from "./observations/product_batch.ts";
import { productPages, readCompetitor, readEntries } from "./observations/read_stretch.ts";
import { listObservedCompetitors } from "./observations/shop_mark_store.ts";
import {
  type FailingPage,
  failingPages,
  listFailingCounts,
  placeOf,
} from "./offers/failing_page_store.ts";
import { findHeld, heldIdsOf, walkHeld } from "./offers/held_price_store.ts";
import { type Offer, trackingCompetitors } from "./offers/offer.ts";
import { findOffers, findOffersOf, trackedProducts, walkOffers } from "./offers/offer_store.ts";

const PRODUCTS_AT_ONCE = 200;

interface Counters {
  /** Number of matches per competitor, which `mc` must contain. */
  readonly matches: Map<string, number>;
  /** Number of products with an enabled match, per competitor. */
  readonly tracked: Map<string, number>;
}

export async function* checkCompetitors(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const competitors = await listCompetitors(workspace, null, null);
  const known = new Set(competitors.map(({ id }) => id));
  yield* checkColours(competitors);
  for (const { row: { id } } of await leavingCompetitors.list(workspace)) {
    known.add(id);
    yield `The deletion of competitor ${id} has not ended`;
  }
  const counters: Counters = { matches: new Map(), tracked: new Map() };
  for await (const linked of batchesOf(byProduct(workspace), PRODUCTS_AT_ONCE)) {
    yield* checkMatchesOf(workspace, linked, counters);
    for (const { match } of linked.flatMap(({ placed }) => placed)) {
      if (known.has(match.competitorId)) continue;
      yield `Match ${match.id} belongs to the unknown competitor ${match.competitorId}`;
    }
  }
  yield* checkPlaces(workspace, counters);
  yield* checkOffersHaveMatches(workspace);
  yield* checkIdentities(workspace);
  const tracked = new Map<string, number>();
  for await (const { row } of trackedProducts.walk(workspace)) {
    tracked.set(row.competitorId, row.count);
  }
  yield* miscounts(
    counters.tracked,
    tracked,
    (id, count, there) => `Competitor ${id} counts ${count} tracked products, there are ${there}`,
  );
  yield* checkFailing(workspace);
}

function* checkColours(competitors: readonly Competitor[]) {
  const holders = new Map<number, string>();
  for (const { id, colour } of competitors) {
    const holder = holders.get(colour);
    if (holder !== undefined) yield `Competitors ${holder} and ${id} have the same colour`;
    holders.set(colour, id);
  }
}

interface Linked {
  readonly productId: string;
  readonly placed: readonly PlacedMatch[];
}

/** Yields the matches of each product that has some; they are adjacent in the store. */
async function* byProduct(workspace: WorkspaceStore): AsyncGenerator<Linked> {
  let productId = "";
  let placed: PlacedMatch[] = [];
  for await (const { productId: next, urlHash, match } of walkMatches(workspace)) {
    if (next !== productId && placed.length > 0) {
      yield { productId, placed };
      placed = [];
    }
    productId = next;
    placed.push({ match, place: { matchId: match.id, productId, urlHash } });
  }
  if (placed.length > 0) yield { productId, placed };
}

async function* checkMatchesOf(
  workspace: WorkspaceStore,
  linked: readonly Linked[],
  counters: Counters,
) {
  const productIds = linked.map(({ productId }) => productId);
  const matchIds = linked.flatMap(({ placed }) => placed.map(({ match }) => match.id));
  const documents = new Set((await findDocuments(workspace, productIds)).map(({ id }) => id));
  const places = await findMatchPlaces(workspace, matchIds);
  const hashes = new Map(places.map(({ matchId, urlHash }) => [matchId, urlHash]));
  const all = await findOffersOf(workspace, productIds);
  for (const [at, { productId, placed }] of linked.entries()) {
    if (!documents.has(productId) && !await findDeletedDocument(workspace, productId)) {
      yield `The matches of product ${productId} have no product`;
    }
    const offers = all[at]?.offers ?? [];
    for (const one of placed) {
      yield* checkMatch(productId, one, { offers, byId: hashes.get(one.match.id) });
      add(counters.matches, one.match.competitorId);
    }
    if (offers.length !== placed.length) {
      yield `Product ${productId} has ${placed.length} matches and ${offers.length} offers`;
    }
    for (const id of trackingCompetitors(offers)) add(counters.tracked, id);
  }
}

/** `byId` is the URL hash of the index row of the match's id; undefined if there is none. */
function* checkMatch(
  productId: string,
  { match, place }: PlacedMatch,
  { offers, byId }: { readonly offers: readonly Offer[]; readonly byId: string | undefined },
) {
  if (match.productId !== productId) yield `Match ${match.id} lies with product ${productId}`;
  const url = URL.parse(match.url);
  if (!url || urlHashOf(url) !== place.urlHash) {
    yield `Match ${match.id} lies under another URL than its own`;
  }
  if (byId !== place.urlHash) yield `Match ${match.id} is not found by its id`;
  const offer = offers.find(({ matchId }) => matchId === match.id);
  const terms = termsOf(match, place.urlHash);
  const isSame = offer && JSON.stringify({ ...offer, ...terms }) === JSON.stringify(offer);
  if (!isSame) yield `The offer of match ${match.id} is missing or says something else`;
}

/** Each row of both indexes leads to a match; that each match has its rows was checked before. */
async function* checkPlaces(workspace: WorkspaceStore, { matches }: Counters) {
  const left = new Map(matches);
  for await (const places of batchesOf(walkPlaces(workspace), ROWS_PER_READ)) {
    const found = new Map<MatchPlace, Match>();
    for (const { place, match } of await findMatchesAt(workspace, places)) found.set(place, match);
    for (const place of places) {
      const { table, competitorId, matchId } = place;
      const match = found.get(place);
      if (!match) yield `The index "${table}" leads to match ${matchId}, which is not there`;
      else if (competitorId !== null) {
        if (competitorId !== match.competitorId) {
          yield `Match ${matchId} is listed with competitor ${competitorId}, which is not its own`;
        } else left.set(competitorId, (left.get(competitorId) ?? 0) - 1);
      }
    }
  }
  for (const [competitorId, count] of left) {
    if (count > 0) yield `Competitor ${competitorId} does not list ${count} of its matches`;
  }
}

/** Each offer has a match; that each match has its offer was checked before. */
async function* checkOffersHaveMatches(workspace: WorkspaceStore) {
  for await (const rows of batchesOf(walkOffers(workspace), PRODUCTS_AT_ONCE)) {
    const places = rows.flatMap(({ productId, offers }) =>
      offers.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }))
    );
    const found = new Set((await findMatchesAt(workspace, places)).map(({ place }) => place));
    for (const { productId, offers } of rows) {
      if (offers.length === 0) yield `Product ${productId} has an empty offers row`;
    }
    for (const place of places) {
      if (!found.has(place)) yield `The offer of match ${place.matchId} has no match`;
    }
  }
}

async function* checkIdentities(workspace: WorkspaceStore) {
  for await (const { row: identity } of identities.walk(workspace)) {
    const { matchId } = identity;
    const place = await findMatchPlace(workspace, matchId);
    if (!place) {
      yield `The page of match ${matchId} is known, and there is no such match`;
      continue;
    }
    const { offers } = await findOffers(workspace, place.productId);
    const verdict = offers.find((offer) => offer.matchId === matchId)?.verdict ?? null;
    if (verdict === countingVerdict(identity)) continue;
    yield `The offer of match ${matchId} says "${verdict}" of its page, which is not what is known`;
  }
  for await (const { offers } of walkOffers(workspace)) {
    const judged = offers.filter(({ verdict }) => verdict !== null).map(({ matchId }) => matchId);
    const known = await findIdentities(workspace, judged);
    for (const matchId of judged) {
      if (known.has(matchId)) continue;
      yield `The offer of match ${matchId} has a verdict, and nothing is known of its page`;
    }
  }
}

async function* checkFailing(workspace: WorkspaceStore) {
  const expected = new Map<string, number>();
  let listed = 0;
  for await (const { row: page } of failingPages.walk(workspace)) {
    const { competitorId } = page;
    listed++;
    add(expected, `${competitorId} ${page.cause}`);
    const { offers } = await findOffers(workspace, page.productId);
    const offer = offers.find(({ matchId }) => matchId === page.matchId);
    if (offer?.competitorId === competitorId && isPlace(offer, page)) continue;
    yield `Match ${page.matchId} is listed as failing (${page.cause}), and is not`;
  }
  let failing = 0;
  for await (const { offers } of walkOffers(workspace)) {
    failing += offers.filter((offer) => placeOf(offer) !== null).length;
  }
  if (failing > listed) yield `${failing - listed} failing matches are not listed`;
  const groups = await listFailingCounts(workspace);
  const counted = groups.map(({ competitorId, cause, pages }) =>
    [`${competitorId} ${cause}`, pages] as const
  );
  yield* miscounts(expected, new Map(counted), (group, count, there) => {
    const [competitorId, cause] = group.split(" ");
    return `Competitor ${competitorId} counts ${count} failing matches (${cause}), there are ${there}`;
  });
}

/** Yields a sentence for each name whose count is not as expected; "no" if there is none. */
export function* miscounts(
  expected: ReadonlyMap<string, number>,
  counted: ReadonlyMap<string, number>,
  say: (name: string, count: number | "no", there: number) => string,
): Generator<string> {
  for (const name of new Set([...counted.keys(), ...expected.keys()])) {
    const there = expected.get(name) ?? 0;
    if ((counted.get(name) ?? 0) !== there) yield say(name, counted.get(name) ?? "no", there);
  }
}

function isPlace(offer: Offer, { cause, sinceMs }: FailingPage): boolean {
  const place = placeOf(offer);
  return place?.cause === cause && place.sinceMs === sinceMs;
}

function add(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/* For a store at rest (docs/decisions/keys.md). Memory holds a number per competitor. */

const ROWS_PER_READ = 1_000;
const ALL_TIME = { fromMs: 0, toMs: 8.64e15, order: "asc" } as const;
/** A clock with which a reader looks for packed rows of all times. */
const END_OF_TIME = new Date(8.64e15);

type Reader = WorkspaceStore & { now(): Date };

export async function* checkObservations(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const reader = { store, workspaceId, now: () => END_OF_TIME };
  yield* checkBlocks(reader, PRODUCT_PACK);
  yield* checkBlocks(reader, COMPETITOR_PACK);
  yield* checkHeld(reader);
  const counts = new Map<string, number>();
  const products = batchesOf(walkObserved(reader, ["ob", "op"]), PRODUCTS_AT_ONCE);
  for await (const ids of products) {
    for (const { productId, offers } of await findOffersOf(reader, ids)) {
      yield* checkProduct(reader, productId, { offers, counts });
    }
  }
  const marked = new Set(await listObservedCompetitors(reader));
  for await (const id of walkObserved(reader, ["oc", "oq"])) {
    if (!marked.has(id)) yield `Competitor ${id} has observations and is not marked so`;
    yield* checkCompetitor(reader, id, counts.get(id) ?? 0);
    counts.delete(id);
  }
  for (const [id, count] of counts) {
    yield `Competitor ${id} lists none of its ${count} observations`;
  }
}

async function* checkHeld(workspace: WorkspaceStore): AsyncGenerator<string> {
  for await (const { productId, offers } of walkOffers(workspace)) {
    const ids = heldIdsOf(offers);
    for (const [at, held] of (ids.length > 0 ? await findHeld(workspace, ids) : []).entries()) {
      if (!held) yield `Product ${productId} lacks the held price ${ids[at]}`;
    }
  }
  for await (const { id, productId } of walkHeld(workspace)) {
    const { offers } = await findOffers(workspace, productId);
    if (!heldIdsOf(offers).includes(id)) yield `No offer tells of the held price ${id}`;
  }
}

/** Checks that the rows of a block are in order and before the key of the next block. */
async function* checkBlocks<T extends Position>(reader: Reader, pack: Pack<T>) {
  let before: { ownerId: string; position: Position } | null = null;
  for await (const { ownerId, block } of walkBlocks(reader, pack)) {
    if (block.rows.length === 0) yield `A block of ${ownerId} in "${pack.table}" is empty`;
    for (const position of [block.start, ...block.rows]) {
      const side: number = before?.ownerId === ownerId
        ? comparePositions(before.position, position)
        : -1;
      const isKey = position === block.start;
      const isTwin = side === 0 && !(before?.position === block.start && !isKey);
      if (side > 0 || isTwin) yield `The blocks of ${ownerId} in "${pack.table}" are not in order`;
      before = { ownerId, position };
    }
  }
}

/** Observations are stored under their ids, and none is newer than the offer of its match. */
async function* checkProduct(
  reader: Reader,
  productId: string,
  { offers, counts }: { readonly offers: readonly Offer[]; readonly counts: Map<string, number> },
) {
  const newest = new Map<string, number>();
  for await (const row of rowsOf(productPages(reader, productId, ALL_TIME, ROWS_PER_READ))) {
    const { matchId, competitorId, observedAtMs } = row.observation;
    if (comparePositions(positionOf(row.observation), row) !== 0) {
      yield `The observation ${row.id} of product ${productId} lies under another id than its own`;
    }
    counts.set(competitorId, (counts.get(competitorId) ?? 0) + 1);
    newest.set(matchId, observedAtMs);
  }
  for (const { matchId, observedAtMs, checkedAtMs } of offers) {
    const seenMs = newest.get(matchId);
    // A price that waits or was dropped only updates `checkedAtMs`.
    if (seenMs === undefined || Math.max(observedAtMs ?? -1, checkedAtMs ?? -1) >= seenMs) continue;
    yield `The offer of match ${matchId} is older than its newest observation`;
  }
}

async function* checkCompetitor(reader: Reader, competitorId: string, expected: number) {
  let count = 0;
  const read = (after: Position | null, limit: number) =>
    readCompetitor(reader, competitorId, { ...ALL_TIME, after }, limit);
  const entries = pagesOf(read, (entry): Position => entry, ROWS_PER_READ);
  for await (const page of entries) {
    for (const [at, observation] of (await readEntries(reader, page)).entries()) {
      if (observation?.competitorId === competitorId) count++;
      else yield `Competitor ${competitorId} lists ${page[at]?.id}, which is no observation of it`;
    }
  }
  if (count === expected) return;
  yield `Competitor ${competitorId} lists ${count} observations, there are ${expected}`;
}

async function* rowsOf<T>(pages: AsyncGenerator<readonly T[]>): AsyncGenerator<T> {
  for await (const rows of pages) yield* rows;
}
