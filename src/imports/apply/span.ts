/** A few neighbouring shards that a batch works on together, with their records and cards. */

import assert from "node:assert/strict";
import { sha256 } from "../../base/bytes.ts";
import type { Card } from "../../catalogue/products/index_row_store.ts";
import { SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import type { KeptBlocks } from "../../catalogue/products/save_tally.ts";
import {
  checkGeneration,
  checkOfferGeneration,
  findGenerations,
  findOfferGenerations,
} from "../../catalogue/products/version_counter_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, type Write } from "../../platform/store/kv.ts";
import type { ImportCursor, ImportJob, ImportMode } from "../state/import_job.ts";
import type { Winners } from "./winners.ts";

/** Shards that a commit writes products and offers of. */
export interface WrittenShards {
  readonly products: ReadonlySet<number>;
  readonly offers: ReadonlySet<number>;
}

const NOTHING: WrittenShards = { products: new Set(), offers: new Set() };

/**
 * Vouches for what was read of a few shards, from commit to commit of the one job that reads it: each
 * generation is the one that was read at first, or the versionstamp of the job's own last commit.
 * Any other writer makes the next commit fail, and the span is read again.
 */
export class SpanGenerations {
  readonly #products: Map<number, string | null>;
  readonly #offers: Map<number, string | null>;
  #written = NOTHING;

  private constructor(
    products: Map<number, string | null>,
    offers: Map<number, string | null>,
  ) {
    this.#products = products;
    this.#offers = offers;
  }

  /** Comes before everything that it is to vouch for. */
  static async read(
    workspace: WorkspaceStore,
    shards: readonly number[],
  ): Promise<SpanGenerations> {
    const [products, offers] = await Promise.all([
      findGenerations(workspace, shards),
      findOfferGenerations(workspace, shards),
    ]);
    return new SpanGenerations(new Map(products), offers);
  }

  /**
   * The checks of a commit that writes `written`, null for no product; `lastCommit` is that of the
   * job's commit before. Called for every commit of the job.
   */
  check(
    write: Write,
    workspaceId: string,
    written: WrittenShards | null,
    lastCommit: string,
  ): void {
    for (const shard of this.#written.products) this.#products.set(shard, lastCommit);
    for (const shard of this.#written.offers) this.#offers.set(shard, lastCommit);
    this.#written = written ?? NOTHING;
    if (written === null) return;
    for (const [shard, generation] of this.#products) {
      checkGeneration(write, workspaceId, shard, generation);
    }
    for (const shard of written.offers) {
      checkOfferGeneration(write, workspaceId, shard, this.#offers.get(shard) ?? null);
    }
  }
}

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
  // Products missing from the file may lie in any shard.
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

/**
 * Gives new products their ids: in the order of the file for a small import, else in the order of
 * application, which the store writes twice as fast (docs/decisions/http.md). The former are made
 * of the job and the record's index, so a repeated batch gives the same.
 */
export function newIds(
  job: ImportJob,
  { newId }: Pick<Context, "newId">,
): (index: number) => string {
  const { idSeconds } = requireCursor(job);
  if (idSeconds === null) return () => newId();
  const source = hex(idSeconds, 8) + sha256(job.jobId).slice(0, 5).toHex();
  return (index) => source + hex(index, 6);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
