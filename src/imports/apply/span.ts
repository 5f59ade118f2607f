/** A few neighbouring shards that a batch works on together, with their records and cards. */
import type { Card } from "../../catalogue/products/card.ts";
import type { KeptBlocks } from "../../catalogue/products/kept_blocks.ts";
import { SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import type { ImportCursor, ImportMode } from "../state/import_job.ts";
import { type RecordLine, withSoldOf } from "../records/record_line.ts";
import type { SpanGenerations } from "./span_generations.ts";

/** Two checks each (products, offers), one for the competitors, one for the job: all of a commit. */
const SHARDS_MAX = (COMMIT_MAX.checks - 2) / 2;
/** Beyond that many records a shard stands for itself. */
const LINES_MAX = 100;

/** The record that counts for its SKU: the last one of the upload. */
export type Winner = RecordLine;

export interface Span {
  readonly shards: readonly number[];
  /** In the order of the upload. */
  readonly winners: readonly Winner[];
  /** `replace`: SKUs that stand in the upload, with refused records too. */
  readonly mentioned: ReadonlySet<string>;
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

/** One winner per SKU; a line without a patch only mentions its SKU. */
export function pickWinners(lines: readonly RecordLine[]): Winner[] {
  const bySku = new Map<string, Winner>();
  for (const line of lines) {
    if (line.patch === "") continue;
    const before = bySku.get(line.sku);
    if (!before) {
      bySku.set(line.sku, line);
      continue;
    }
    const [later, earlier] = line.index > before.index ? [line, before] : [before, line];
    bySku.set(line.sku, { ...withSoldOf(later, earlier), losers: before.losers + 1 });
  }
  return [...bySku.values()].sort((one, other) => one.index - other.index);
}
