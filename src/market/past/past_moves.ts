/** What a product's observations say of the moves of its competitors, newest first. */
import { type MoveKind, moveKindOf } from "../../shops/observations/move.ts";
import type { Observation, PlacedObservation } from "../../shops/observations/observation.ts";

/** A move, or the end of what was looked at for now. */
export type FoundMove =
  | {
    readonly is: "move";
    readonly kind: MoveKind;
    readonly seen: PlacedObservation;
    readonly before: Observation | null;
  }
  /** All moves later than this were found; somebody who wants more asks again from here on. */
  | { readonly is: "break"; readonly atMs: number };

/** So many observations are looked at behind one for the one before it of the same link. */
const AHEAD_MAX = 10_000;

interface Waiting {
  readonly row: PlacedObservation;
  /** Undefined while it is not known. */
  before: Observation | null | undefined;
}

/**
 * Goes through observations from the newest on. Of each link the next older one is what it has moved
 * from; where none comes for very long it was a new offer. Breaks off behind `most` of them.
 */
export async function* findMoves(
  newestFirst: AsyncIterable<PlacedObservation>,
  most: number,
  aheadMax = AHEAD_MAX,
): AsyncGenerator<FoundMove> {
  const unknown = new Map<string, Waiting>();
  const queue: Waiting[] = [];
  let head = 0;
  let count = 0;
  const known = function* (): Generator<FoundMove> {
    for (;; head++) {
      const first = queue[head];
      if (first === undefined) return;
      if (first.before === undefined && queue.length - head <= aheadMax) return;
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
