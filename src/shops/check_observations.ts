/**
 * Finds contradictions between the rows that store observed prices (docs/decisions/keys.md). The
 * check is valid only while nothing writes to the store.
 */
import { mergeSorted } from "../base/collections.ts";
import { RowSums } from "../base/id.ts";
import { AHEAD_MS_MAX } from "../base/time.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
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
import { competitorPages, readEntries } from "./observations/read_stretch.ts";
import { findMatchAt, type MatchPlace } from "./matches/match_store.ts";
import { findHeld, heldIdsOf, walkHeld } from "./offers/held_price_store.ts";
import type { Offer } from "./offers/offer.ts";
import { findOffers, walkOffers } from "./offers/offer_store.ts";

const ROWS_PER_READ = 1_000;
const ALL_TIME = { fromMs: 0, toMs: 8.64e15, order: "asc" } as const;
const END_OF_TIME = new Date(8.64e15);

type Reader = WorkspaceStore & { now(): Date };

export async function* checkObservations(
  store: Store,
  workspaceId: string,
): AsyncGenerator<string> {
  const reader = { store, workspaceId, now: () => END_OF_TIME };
  yield* checkBlocks(reader, PRODUCT_PACK);
  yield* checkBlocks(reader, COMPETITOR_PACK);
  for await (const { id, productId } of walkHeld(reader)) {
    const { offers } = await findOffers(reader, productId);
    if (!heldIdsOf(offers).includes(id)) yield `No offer belongs to the held price ${id}`;
  }
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
  let before: { ownerId: string; position: Position } | null = null;
  for await (const { ownerId, block } of walkBlocks(reader, pack)) {
    if (block.rows.length === 0) yield `A block of ${ownerId} in "${table}" is empty`;
    for (const position of [block.start, ...block.rows]) {
      const side: number = before?.ownerId === ownerId
        ? comparePositions(before.position, position)
        : -1;
      const isKey = position === block.start;
      const isTwin = side === 0 && !(before?.position === block.start && !isKey);
      if (side > 0 || isTwin) yield `The blocks of ${ownerId} in "${table}" are not in order`;
      before = { ownerId, position };
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

function entryText({ atMs, id, productId }: CompetitorEntry): string {
  return `${atMs} ${id} ${productId}`;
}

async function* checkProducts(reader: Reader, sums: RowSums): AsyncGenerator<string> {
  const offers = walkOffers(reader);
  let row = await offers.next();
  let productId = "";
  let newest = new Map<string, number>();
  const finish = async function* () {
    for (; !row.done && row.value.productId <= productId; row = await offers.next()) {
      const isSeen = row.value.productId === productId;
      yield* checkOffers(reader, row.value, isSeen ? newest : new Map());
    }
  };
  for await (const { ownerId, observation, ...position } of walkAll(reader, PRODUCT_PACK)) {
    if (ownerId !== productId) {
      yield* finish();
      productId = ownerId;
      newest = new Map();
    }
    if (comparePositions(positionOf(observation), position) !== 0) {
      yield `The observation ${position.id} of product ${productId} is stored under another id`;
    }
    sums.add(observation.competitorId, entryText({ ...position, productId }));
    newest.set(observation.matchId, observation.observedAtMs);
  }
  yield* finish();
  for (; !row.done; row = await offers.next()) yield* checkOffers(reader, row.value, new Map());
}

/**
 * A match that moves to another page has an empty offer until that page is visited. A price that a
 * client sent before the move may have a time up to `AHEAD_MS_MAX` after the move.
 */
async function mayHaveMovedSince(workspace: WorkspaceStore, place: MatchPlace, seenMs: number) {
  const match = await findMatchAt(workspace, place);
  return match !== null && Date.parse(match.updatedAt) + AHEAD_MS_MAX >= seenMs;
}

async function* checkOffers(
  workspace: WorkspaceStore,
  { productId, offers }: { readonly productId: string; readonly offers: readonly Offer[] },
  newest: ReadonlyMap<string, number>,
) {
  const ids = heldIdsOf(offers);
  for (const [at, held] of (ids.length > 0 ? await findHeld(workspace, ids) : []).entries()) {
    if (!held) yield `Product ${productId} lacks the held price ${ids[at]}`;
  }
  for (const { matchId, urlHash, observedAtMs, checkedAtMs } of offers) {
    const seenMs = newest.get(matchId);
    // A price that goes into quarantine changes only the field `checkedAtMs` of the offer.
    if (seenMs === undefined || Math.max(observedAtMs ?? -1, checkedAtMs ?? -1) >= seenMs) continue;
    const place = { matchId, productId, urlHash };
    if (checkedAtMs === null && await mayHaveMovedSince(workspace, place, seenMs)) continue;
    yield `The offer of match ${matchId} is older than its newest observation`;
  }
}

async function* checkCompetitor(reader: Reader, competitorId: string, expected: number) {
  let count = 0;
  for await (const page of competitorPages(reader, competitorId, ALL_TIME, ROWS_PER_READ)) {
    for (const [at, observation] of (await readEntries(reader, page)).entries()) {
      if (observation?.competitorId === competitorId) count++;
      else yield `Competitor ${competitorId} lists ${page[at]?.id}, which is no observation of it`;
    }
  }
  if (count === expected) return;
  yield `Competitor ${competitorId} lists ${count} observations, there are ${expected}`;
}
