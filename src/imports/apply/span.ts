/** A few neighbouring shards that a batch works on together, with their records and cards. */
import type { Card } from "../../catalogue/products/card.ts";
import type { KeptBlocks } from "../../catalogue/products/kept_blocks.ts";
import { SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import type { ImportCursor, ImportMode } from "../state/import_job.ts";
import type { SpanGenerations } from "./span_generations.ts";
import type { Winners } from "./winners.ts";

/** Two checks each (products, offers), one for the competitors, one for the job: all of a commit. */
const SHARDS_MAX = (COMMIT_MAX.checks - 2) / 2;
/** Beyond that many records a shard stands for itself. */
const LINES_MAX = 100;

export interface Span {
  readonly shards: readonly number[];
  readonly winners: Winners;
  /** By SKU; for few records only theirs. */
  readonly cards: ReadonlyMap<string, Card>;
  /** As they were before the cards were read, and all else that is read of the span. */
  readonly generations: SpanGenerations;
  /** Read when they are needed, and true as long as the cards are. */
  readonly blocks: KeptBlocks;
  /** Products that a commit writes. */
  readonly touchedMax: number;
}

/** The next shards to work on, from the cursor's on; none when all are done. */
export function spanAt(
  { shard: from, lines }: Pick<ImportCursor, "shard" | "lines">,
  mode: ImportMode,
): number[] {
  // What is missing from the file may lie in any shard.
  const wanted = SHARD_NUMBERS.filter((shard) =>
    shard >= from && (mode === "replace" || (lines[shard] ?? 0) > 0)
  );
  const span: number[] = [];
  let count = 0;
  for (const shard of wanted) {
    count += lines[shard] ?? 0;
    const isFull = span.length === SHARDS_MAX || (span.length > 0 && count > LINES_MAX);
    if (isFull) break;
    span.push(shard);
  }
  return span;
}
