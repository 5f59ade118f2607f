/**
 * Finds contradictions between the rows of a workspace's competitors and links
 * (docs/decisions/keys.md). The result is valid only if nothing writes to the store meanwhile.
 */
import { batchesOf, mergeSorted } from "../base/collections.ts";
import { documentsById } from "../catalogue/products/product_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { type Competitor, leavingCompetitors, listCompetitors } from "./competitor_store.ts";
import { countingVerdict, findIdentities, identities } from "./matches/match_identity.ts";
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
  type FailingPage,
  failingPages,
  listFailingCounts,
  placeOf,
} from "./offers/failing_page_store.ts";
import { type Offer, trackingCompetitors } from "./offers/offer.ts";
import { findOffers, trackedProducts, walkOffers } from "./offers/offer_store.ts";

const PRODUCTS_AT_ONCE = 200;
const ROWS_PER_READ = 1_000;

interface Counters {
  readonly matches: Map<string, number>;
  readonly tracked: Map<string, number>;
  failing: number;
}

export async function* checkCompetitors(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const competitors = await listCompetitors(workspace, null, null);
  const known = new Set(competitors.map(({ id }) => id));
  yield* checkColours(competitors);
  for (const { row: { id } } of await leavingCompetitors.list(workspace)) {
    known.add(id);
    yield `The deletion of competitor ${id} has not ended`;
  }
  const counters: Counters = {
    matches: new Map(),
    tracked: new Map(),
    failing: 0,
  };
  for await (const linked of batchesOf(byProduct(workspace), PRODUCTS_AT_ONCE)) {
    yield* checkLinked(workspace, linked, counters);
    const placed = linked.flatMap((one) => one.placed);
    yield* checkIds(workspace, placed);
    for (const { match } of placed) {
      if (known.has(match.competitorId)) continue;
      yield `Match ${match.id} belongs to the unknown competitor ${match.competitorId}`;
    }
  }
  yield* checkPlaces(workspace, counters.matches);
  yield* checkIdentities(workspace);
  const tracked = new Map<string, number>();
  for await (const { row } of trackedProducts.walk(workspace)) {
    tracked.set(row.competitorId, row.count);
  }
  yield* miscounts(
    counters.tracked,
    tracked,
    (id, count, there) => `Competitor ${id} counts ${count} tracked products, but has ${there}`,
  );
  yield* checkFailing(workspace, counters.failing);
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
  const judged = linked.flatMap(({ offers }) =>
    (offers ?? []).filter(({ verdict }) => verdict !== null).map(({ matchId }) => matchId)
  );
  const identified = await findIdentities(workspace, judged);
  for (const matchId of judged) {
    if (identified.has(matchId)) continue;
    yield `The offer of match ${matchId} has a verdict, but the content of its page is not stored`;
  }
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
      else if (competitorId !== null) {
        if (competitorId !== match.competitorId) {
          yield `Match ${matchId} is listed with the wrong competitor ${competitorId}`;
        } else left.set(competitorId, (left.get(competitorId) ?? 0) - 1);
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
    if (offer?.competitorId === competitorId && isPlace(offer, page)) continue;
    yield `Match ${page.matchId} is listed as failing (${page.cause}), but does not fail`;
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
