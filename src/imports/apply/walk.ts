/** How the cursor of an import moves: span by span, records first, then what is missing. */
import assert from "node:assert/strict";
import type { ImportCursor, ImportJob } from "../state/import_job.ts";
import type { Span } from "./span.ts";

/** Before everything that `replace` removes. */
const BEFORE_ALL_SKUS = "";

/** The check sets a cursor before anything is planned or applied. */
export function requireCursor({ cursor }: ImportJob): ImportCursor {
  assert(cursor, "An import is applied before it was checked");
  return cursor;
}

/** The cursor when `position` records of the span are dealt with. */
export function afterRecords(
  cursor: ImportCursor,
  span: Span,
  position: number,
  isReplace: boolean,
): ImportCursor {
  if (position < span.winners.length) return { ...cursor, position, isCounted: false };
  const moved = { ...cursor, position, isCounted: false };
  return isReplace ? { ...moved, removedUpTo: BEFORE_ALL_SKUS } : afterSpan(moved, span);
}

/** The cursor when nothing is left to do in the span. */
export function afterSpan(cursor: ImportCursor, span: Pick<Span, "shards">): ImportCursor {
  const shard = (span.shards.at(-1) ?? 63) + 1;
  return { ...cursor, shard, position: 0, isCounted: false, removedUpTo: null };
}
