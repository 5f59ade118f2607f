import { comparePositions, type Position } from "./observation.ts";

/** Which way a list runs; `desc` is the newest first. */
export const ORDERS = ["desc", "asc"] as const;
export type Order = (typeof ORDERS)[number];

/** A stretch of time with a direction: both ends inclusive, behind `after` (null: from its beginning). */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: Order;
  readonly after: Position | null;
}

/** The times between which its positions lie, both inclusive; null when nothing can lie in it. */
export function boundsOf(
  { fromMs, toMs, order, after }: Stretch,
): { readonly lowMs: number; readonly highMs: number } | null {
  const lowMs = order === "asc" && after ? after.atMs : fromMs;
  const highMs = order === "desc" && after ? after.atMs : toMs;
  return lowMs > highMs ? null : { lowMs, highMs };
}

/** Whether a position lies in the stretch. */
export function isIn({ fromMs, toMs, order, after }: Stretch, position: Position): boolean {
  if (position.atMs < fromMs || position.atMs > toMs) return false;
  if (after === null) return true;
  const side = comparePositions(position, after);
  return order === "asc" ? side > 0 : side < 0;
}

/** The part of the stretch up to a position that it comes to, inclusive. */
export function upTo(stretch: Stretch, { atMs }: Position): Stretch {
  return stretch.order === "asc" ? { ...stretch, toMs: atMs } : { ...stretch, fromMs: atMs };
}

/** Compares positions as a list in this order has them. */
export function comparingIn(order: Order): (a: Position, b: Position) => number {
  return order === "asc" ? comparePositions : (a, b) => comparePositions(b, a);
}

/** Two lists of the same stretch as one, each position once, at most `limit`. */
export function mergeLists<T extends Position>(
  first: readonly T[],
  second: readonly T[],
  { order }: Stretch,
  limit: number,
): T[] {
  if (second.length === 0) return first.slice(0, limit);
  const sorted = [...first, ...second].sort(comparingIn(order));
  const merged: T[] = [];
  for (const row of sorted) {
    const last = merged.at(-1);
    if (last && comparePositions(last, row) === 0) continue;
    if (merged.length === limit) break;
    merged.push(row);
  }
  return merged;
}
