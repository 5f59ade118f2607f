/**
 * Checks that the rows of one workspace's observations agree with each other
 * (docs/decisions/keys.md). Run it only while nothing writes to the store. Memory holds a number
 * per competitor.
 */

import { listObservedCompetitors } from "./observations/shop_mark_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { pagesOf } from "../platform/store/pages_of.ts";
import { comparePositions, type Position, positionOf } from "./observations/observation.ts";
import { COMPETITOR_PACK, type Pack, PRODUCT_PACK, walkBlocks } from "./observations/pack_store.ts";
import { walkObserved } from "./observations/product_batch.ts";
import { productPages, readCompetitor, readEntries } from "./observations/read_stretch.ts";
import { findHeld, heldIdsOf, walkHeld } from "./offers/held_price_store.ts";
import { findOffers, walkOffers } from "./offers/offer_store.ts";

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
  for await (const id of walkObserved(reader, ["ob", "op"])) {
    yield* checkProduct(reader, id, counts);
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

/**
 * Checks that the observations of a product are stored under their ids, and that none is newer than
 * the offer of its match.
 */
async function* checkProduct(reader: Reader, productId: string, counts: Map<string, number>) {
  const newest = new Map<string, number>();
  for await (const row of rowsOf(productPages(reader, productId, ALL_TIME, ROWS_PER_READ))) {
    const { matchId, competitorId, observedAtMs } = row.observation;
    if (comparePositions(positionOf(row.observation), row) !== 0) {
      yield `The observation ${row.id} of product ${productId} lies under another id than its own`;
    }
    counts.set(competitorId, (counts.get(competitorId) ?? 0) + 1);
    newest.set(matchId, observedAtMs);
  }
  const { offers } = await findOffers(reader, productId);
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
  for await (const entry of rowsOf(entries)) {
    const [observation] = await readEntries(reader, [entry]);
    if (observation?.competitorId === competitorId) count++;
    else yield `Competitor ${competitorId} lists ${entry.id}, which is no observation of it`;
  }
  if (count === expected) return;
  yield `Competitor ${competitorId} lists ${count} observations, there are ${expected}`;
}

async function* rowsOf<T>(pages: AsyncGenerator<readonly T[]>): AsyncGenerator<T> {
  for await (const rows of pages) yield* rows;
}
