/**
 * Finds contradictions between the rows of a workspace's competitors, links and observed prices
 * (docs/decisions/keys.md). The result is valid only if nothing writes to the store meanwhile.
 */
import { batchesOf, mergeSorted } from "../base/collections.ts";
import { documentsById } from "../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { leavingCompetitors, listCompetitors } from "./competitor_store.ts";
import { countingVerdict, identities } from "./matches/match_identity.ts";
import { type Match, termsOf } from "./matches/match.ts";
import {
  findMatchesAt,
  findMatchPlace,
  findMatchPlaces,
  type MatchPlace,
  type PlacedMatch,
  walkMatches,
  walkPlaces,
} from "./matches/match_store.ts";
import { urlHashOf } from "./domain.ts";
import {
  failingPages,
  findHeld,
  heldIdsOf,
  listFailingCounts,
  placeOf,
  walkHeld,
} from "./offers/failing_and_held_store.ts";
import { type Offer, trackingCompetitors } from "./offers/offer.ts";
import { findOffers, trackedProducts, walkOffers } from "./offers/offer_store.ts";
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
import { ofCompetitor, ownedPages, readEntries } from "./observations/read_observations.ts";

const PRODUCTS_AT_ONCE = 200;
const ROWS_PER_READ = 1_000;

interface Counters {
  readonly matches: Map<string, number>;
  readonly tracked: Map<string, number>;
  failing: number;
}

export async function* checkCompetitors(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const known = new Set((await listCompetitors(workspace, null, null)).map(({ id }) => id));
  for (const { row: { id } } of await leavingCompetitors.list(workspace)) {
    known.add(id);
    yield `The deletion of competitor ${id} has not ended`;
  }
  const counters: Counters = { matches: new Map(), tracked: new Map(), failing: 0 };
  for await (const linked of batchesOf(byProduct(workspace), PRODUCTS_AT_ONCE)) {
    yield* checkLinked(workspace, linked, counters);
    const placed = linked.flatMap((one) => one.placed);
    yield* checkIds(workspace, placed);
    for (const { match } of placed.filter(({ match }) => !known.has(match.competitorId))) {
      yield `Match ${match.id} belongs to the unknown competitor ${match.competitorId}`;
    }
  }
  yield* checkPlaces(workspace, counters.matches);
  yield* checkIdentities(workspace);
  const counts = await trackedProducts.list(workspace);
  const tracked = new Map(counts.map(({ row }) => [row.competitorId, row.count]));
  yield* miscounts(
    counters.tracked,
    tracked,
    (id, count, there) => `Competitor ${id} counts ${count} tracked products, but has ${there}`,
  );
  yield* checkFailing(workspace, counters.failing);
}

interface Linked {
  readonly productId: string;
  readonly placed: readonly PlacedMatch[];
  readonly offers: readonly Offer[] | null;
}

async function* byProduct(workspace: WorkspaceStore): AsyncGenerator<Linked> {
  const matches = async function* (): AsyncGenerator<Linked> {
    for await (const { productId, urlHash, match } of walkMatches(workspace)) {
      const place = { matchId: match.id, productId, urlHash };
      yield { productId, placed: [{ match, place }], offers: null };
    }
  };
  const rows = async function* (): AsyncGenerator<Linked> {
    for await (const row of walkOffers(workspace)) yield { ...row, placed: [] };
  };
  let last: Linked | null = null;
  for await (const one of mergeSorted([matches(), rows()], ({ productId }) => productId)) {
    if (last?.productId === one.productId) {
      const placed: readonly PlacedMatch[] = [...last.placed, ...one.placed];
      last = { ...one, placed, offers: one.offers ?? last.offers };
      continue;
    }
    if (last) yield last;
    last = one;
  }
  if (last) yield last;
}

async function* checkLinked(
  workspace: WorkspaceStore,
  linked: readonly Linked[],
  counters: Counters,
) {
  const matched = linked.filter(({ placed }) => placed.length > 0);
  const ids = matched.map(({ productId }) => productId);
  const known = await documentsById(workspace, ids);
  for (const one of matched) {
    const { productId } = one;
    if (!known.has(productId)) yield `The matches of product ${productId} have no product`;
    yield* checkMatches(one, counters);
  }
  for (const one of linked) yield* checkOffers(one, counters);
}

function* checkMatches({ productId, placed, offers }: Linked, counters: Counters) {
  for (const one of placed) {
    yield* checkMatch(productId, one, offers ?? []);
    add(counters.matches, one.match.competitorId);
  }
  const count = offers?.length ?? 0;
  if (count !== placed.length) {
    yield `Product ${productId} has ${placed.length} matches and ${count} offers`;
  }
  for (const id of trackingCompetitors(offers ?? [])) add(counters.tracked, id);
}

function* checkMatch(productId: string, { match, place }: PlacedMatch, offers: readonly Offer[]) {
  if (match.productId !== productId) yield `Match ${match.id} is stored with product ${productId}`;
  const url = URL.parse(match.url);
  if (!url || urlHashOf(url) !== place.urlHash) {
    yield `Match ${match.id} is stored under another URL`;
  }
  const offer = offers.find(({ matchId }) => matchId === match.id);
  const terms = Object.entries(termsOf(match, place.urlHash));
  const isSame = offer && terms.every(([name, value]) => Reflect.get(offer, name) === value);
  if (!isSame) yield `The offer of match ${match.id} is missing or differs from its match`;
}

function* checkOffers({ productId, placed, offers }: Linked, counters: Counters) {
  if (offers?.length === 0) yield `Product ${productId} has an empty offers row`;
  for (const offer of offers ?? []) {
    if (placeOf(offer) !== null) counters.failing++;
    const isMatched = placed.some(({ match, place }) =>
      match.id === offer.matchId && place.urlHash === offer.urlHash
    );
    if (!isMatched) yield `The offer of match ${offer.matchId} has no match`;
  }
}

async function* checkIds(workspace: WorkspaceStore, placed: readonly PlacedMatch[]) {
  const rows = await findMatchPlaces(workspace, placed.map(({ match }) => match.id));
  const hashes = new Map(rows.map(({ matchId, urlHash }) => [matchId, urlHash]));
  for (const { match: { id }, place } of placed) {
    if (hashes.get(id) !== place.urlHash) yield `Match ${id} is not found by its id`;
  }
}

async function* checkPlaces(workspace: WorkspaceStore, matches: ReadonlyMap<string, number>) {
  const left = new Map(matches);
  for await (const places of batchesOf(walkPlaces(workspace), ROWS_PER_READ)) {
    const found = new Map<MatchPlace, Match>();
    for (const { place, match } of await findMatchesAt(workspace, places)) found.set(place, match);
    for (const place of places) {
      const { table, competitorId, matchId } = place;
      const match = found.get(place);
      if (!match) yield `The index "${table}" leads to match ${matchId}, which does not exist`;
      else if (competitorId === match.competitorId) {
        left.set(competitorId, (left.get(competitorId) ?? 0) - 1);
      } else if (competitorId !== null) {
        yield `Match ${matchId} is listed with the wrong competitor ${competitorId}`;
      }
    }
  }
  for (const [competitorId, count] of left) {
    if (count > 0) yield `Competitor ${competitorId} does not list ${count} of its matches`;
  }
}

async function* checkIdentities(workspace: WorkspaceStore) {
  for await (const { row: identity } of identities.walk(workspace)) {
    const { matchId } = identity;
    const place = await findMatchPlace(workspace, matchId);
    if (!place) {
      yield `The page of match ${matchId} is stored, but there is no such match`;
      continue;
    }
    const { offers } = await findOffers(workspace, place.productId);
    const verdict = offers.find((offer) => offer.matchId === matchId)?.verdict ?? null;
    if (verdict === countingVerdict(identity)) continue;
    yield `The offer of match ${matchId} says "${verdict}", but its page gives another verdict`;
  }
}

async function* checkFailing(workspace: WorkspaceStore, failing: number) {
  const expected = new Map<string, number>();
  let listed = 0;
  for await (const { row: page } of failingPages.walk(workspace)) {
    const { competitorId } = page;
    listed++;
    add(expected, `${competitorId} ${page.cause}`);
    const { offers } = await findOffers(workspace, page.productId);
    const offer = offers.find(({ matchId }) => matchId === page.matchId);
    const place = offer?.competitorId === competitorId ? placeOf(offer) : null;
    if (place?.cause === page.cause && place.sinceMs === page.sinceMs) continue;
    yield `Match ${page.matchId} is listed as failing (${page.cause}), but does not fail`;
  }
  if (failing > listed) yield `${failing - listed} failing matches are not listed`;
  const counted = new Map<string, number>();
  for (const { competitorId, cause, pages } of await listFailingCounts(workspace)) {
    counted.set(`${competitorId} ${cause}`, pages);
  }
  yield* miscounts(expected, counted, (group, count, there) => {
    const [competitorId, cause] = group.split(" ");
    return `Competitor ${competitorId} counts ${count} failing matches (${cause}), there are ${there}`;
  });
}

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

function add(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

const ALL_TIME = { fromMs: 0, toMs: 8.64e15, order: "asc" } as const;
type Reader = WorkspaceStore & { now(): Date };

export async function* checkObservations(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const reader = { store, workspaceId, now: () => new Date(ALL_TIME.toMs) };
  yield* checkBlocks(reader, PRODUCT_PACK);
  yield* checkBlocks(reader, COMPETITOR_PACK);
  yield* checkHeld(reader);
  const expected = new RowSums();
  yield* checkProducts(reader, expected);
  const listed = new RowSums();
  for await (const entry of walkAll(reader, COMPETITOR_PACK)) {
    listed.add(entry.ownerId, entryText(entry));
  }
  const marked = new Set(await listObservedCompetitors(reader));
  for (const id of listed.names()) {
    if (!marked.has(id)) yield `Competitor ${id} has observations, but is not marked`;
    if (!listed.isSame(id, expected)) yield* checkCompetitor(reader, id, expected.count(id));
  }
  for (const id of expected.names()) {
    if (listed.count(id) > 0) continue;
    yield `Competitor ${id} lists none of its ${expected.count(id)} observations`;
  }
}

async function* checkBlocks<T extends Position>(reader: Reader, pack: Pack<T>) {
  const table = pack.blocks.options.prefix;
  let [owner, last]: [string, Position | null] = ["", null];
  for await (const { ownerId, block } of walkBlocks(reader, pack)) {
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
  reader: Reader,
  pack: Pack<T>,
): AsyncGenerator<T & Owned> {
  const loose = async function* () {
    for await (const { row } of pack.loose.walk(reader)) yield row;
  };
  const packed = async function* () {
    for await (const { ownerId, block } of walkBlocks(reader, pack)) {
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

const entryText = ({ atMs, id, productId }: CompetitorEntry) => `${atMs} ${id} ${productId}`;

async function* checkProducts(reader: Reader, sums: RowSums): AsyncGenerator<string> {
  for await (const { ownerId, observation, ...position } of walkAll(reader, PRODUCT_PACK)) {
    if (comparePositions(positionOf(observation), position) !== 0) {
      yield `The observation ${position.id} of product ${ownerId} is stored under another id`;
    }
    sums.add(observation.competitorId, entryText({ ...position, productId: ownerId }));
  }
}

async function* checkHeld(reader: Reader): AsyncGenerator<string> {
  for await (const { id, productId } of walkHeld(reader)) {
    const { offers } = await findOffers(reader, productId);
    if (!heldIdsOf(offers).includes(id)) yield `No offer belongs to the held price ${id}`;
  }
  for await (const { productId, offers } of walkOffers(reader)) {
    const ids = heldIdsOf(offers);
    for (const [at, held] of (await findHeld(reader, ids)).entries()) {
      if (!held) yield `Product ${productId} lacks the held price ${ids[at]}`;
    }
  }
}

async function* checkCompetitor(reader: Reader, competitorId: string, expected: number) {
  let count = 0;
  for await (
    const page of ownedPages(reader, ofCompetitor(competitorId), ALL_TIME, ROWS_PER_READ)
  ) {
    for (const [at, observation] of (await readEntries(reader, page)).entries()) {
      if (observation?.competitorId === competitorId) count++;
      else yield `Competitor ${competitorId} lists ${page[at]?.id}, which is no observation of it`;
    }
  }
  if (count === expected) return;
  yield `Competitor ${competitorId} lists ${count} observations, there are ${expected}`;
}
