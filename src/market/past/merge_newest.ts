/**
 * Merges lists that are sorted newest first, and finds moves (`MoveKind`) in observations. Items of
 * the same time are sorted by id, the greatest first.
 */
import { mergeSorted } from "../../base/collections.ts";
import { compareTexts } from "../../base/text.ts";
import { type MoveKind, moveKindOf } from "../../shops/observations/move_store.ts";
import type { Observation, PlacedObservation } from "../../shops/observations/observation.ts";

export interface TimelinePlace {
  readonly atMs: number;
  readonly id: string;
}

export const NEWEST: TimelinePlace = { atMs: Infinity, id: "" };

export function compareNewest(a: TimelinePlace, b: TimelinePlace): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  return compareTexts(b.id, a.id);
}

/** `source` may yield items of the same time in any order. */
async function* inOrder<T extends TimelinePlace>(
  source: AsyncIterable<T>,
  after: TimelinePlace,
): AsyncGenerator<T> {
  let equal: T[] = [];
  for await (const item of source) {
    if (compareNewest(item, after) <= 0) continue;
    if (equal[0] !== undefined && equal[0].atMs !== item.atMs) {
      yield* equal.sort(compareNewest);
      equal = [];
    }
    equal.push(item);
  }
  yield* equal.sort(compareNewest);
}

export async function* mergeNewest<T extends TimelinePlace>(
  sources: readonly AsyncIterable<T>[],
  after: TimelinePlace,
): AsyncGenerator<T> {
  const sorted = sources.map((source) => inOrder(source, after));
  try {
    yield* mergeSorted(sorted, ({ atMs, id }) => `${String(atMs).padStart(16, "0")} ${id}`, "desc");
  } finally {
    await Promise.all(sorted.map((source) => source.return(undefined)));
  }
}

export type FoundMove =
  | {
    readonly is: "move";
    readonly kind: MoveKind;
    readonly seen: PlacedObservation;
    readonly before: Observation | null;
  }
  /** All moves after `atMs` were found, and the next search must begin at `atMs`. */
  | { readonly is: "break"; readonly atMs: number };

interface Waiting {
  readonly row: PlacedObservation;
  before: Observation | null | undefined;
}

export async function* findMoves(
  newestFirst: AsyncIterable<PlacedObservation>,
  most: number,
  observationsAheadMax = 10_000,
): AsyncGenerator<FoundMove> {
  const unknown = new Map<string, Waiting>();
  const queue: Waiting[] = [];
  let head = 0;
  let count = 0;
  const known = function* (): Generator<FoundMove> {
    for (;; head++) {
      const first = queue[head];
      if (first === undefined) return;
      if (first.before === undefined && queue.length - head <= observationsAheadMax) return;
      const { row, before = null } = first;
      if (first.before === undefined) unknown.delete(row.observation.matchId);
      const kind = moveKindOf(before, row.observation);
      if (kind !== null) yield { is: "move", kind, seen: row, before };
    }
  };
  for await (const row of newestFirst) {
    const { matchId } = row.observation;
    const newer = unknown.get(matchId);
    if (newer !== undefined) newer.before = row.observation;
    const waiting: Waiting = { row, before: undefined };
    unknown.set(matchId, waiting);
    queue.push(waiting);
    yield* known();
    if (++count < most) continue;
    const first = queue[head] ?? waiting;
    yield { is: "break", atMs: first.row.atMs };
    return;
  }
  for (const waiting of unknown.values()) waiting.before = null;
  yield* known();
}
