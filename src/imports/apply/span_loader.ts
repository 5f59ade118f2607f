/** Loads the records and cards of a span, and keeps them between the steps of a job. */

import { type Card, findCards, listCards } from "../../catalogue/products/index_row_store.ts";
import { SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { KeptBlocks } from "../../catalogue/products/save_tally.ts";
import { countActiveProducts } from "../../catalogue/products/version_counter_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { ImportCursor, ImportJob } from "../state/import_job.ts";
import { readChunks } from "../state/import_row_store.ts";
import { type Span, SpanGenerations } from "./span.ts";
import { Winners } from "./winners.ts";

/** A card costs six times as much when it is asked for alone (design: range or point reads). */
const POINT_READ_COST = 6;
/** A commit writes so many products, fewer where others write to the same shards and are quicker. */
const TOUCHED_MAX = 300;
const TOUCHED_BESIDE_OTHERS = 60;

interface Loaded extends Span {
  /** Where the job goes on when all goes well; null when the span is to be read again. */
  next: string | null;
}

/** Keeps the span in hand of each job between its steps, as long as it is proven to be true. */
export interface SpanLoader {
  load(job: ImportJob, tools: StepTools<ImportJob>, shards: readonly number[]): Promise<Span>;
  /** The job goes on at `cursor` when the commit of its step succeeds. */
  expect(job: ImportJob, cursor: ImportCursor | undefined): void;
  forget(jobId: string): void;
}

/**
 * Cards stay true while only the job itself writes to their shards, which its generations see
 * to. The job writes each SKU once, so its own writes make no card stale that it still needs. A step
 * that is not the expected one follows a lost race, or another worker: its cards are read again.
 */
export function createSpanLoader(): SpanLoader {
  const kept = new Map<string, Loaded>();
  return {
    async load(job, tools, shards) {
      const known = takeKnown(kept, job, shards);
      if (known && known.next === placeOf(job, job.cursor)) {
        // A step that breaks off has changed the blocks in hand: it is taken again with others.
        known.next = null;
        return known;
      }
      const generations = await SpanGenerations.read(tools, shards);
      const winners = known?.winners ?? await readWinners(job, tools, shards);
      const cards = await readCards(job, tools, shards, winners);
      const { store, workspaceId } = tools;
      const blocks = new KeptBlocks({ store, workspaceId });
      const touchedMax = known ? TOUCHED_BESIDE_OTHERS : TOUCHED_MAX;
      const read = { winners, cards, generations, blocks };
      const loaded = { shards, ...read, touchedMax, next: null };
      kept.set(job.jobId, loaded);
      return loaded;
    },
    expect(job, cursor) {
      const loaded = kept.get(job.jobId);
      // A record that is half written has made its own card since.
      if (loaded) loaded.next = cursor?.isCounted === false ? placeOf(job, cursor) : null;
    },
    forget: (jobId) => void kept.delete(jobId),
  };
}

/** New with every claim of the job and every step that gets further. */
function placeOf({ lease, phase }: ImportJob, cursor: ImportCursor | null): string {
  return [lease?.token, phase, cursor?.shard, cursor?.position, cursor?.removedUpTo].join(" ");
}

/** A span that is done is let go before the next one is read: a large shard takes 15 MB. */
function takeKnown(
  kept: Map<string, Loaded>,
  { jobId }: ImportJob,
  shards: readonly number[],
): Loaded | null {
  const held = kept.get(jobId);
  if (held?.shards.join() === shards.join()) return held;
  kept.delete(jobId);
  return null;
}

async function readWinners(
  { jobId, args }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
): Promise<Winners> {
  const winners = new Winners(args.mode === "replace");
  const slice = new TimeSlice();
  for (const shard of shards) {
    for await (const chunk of readChunks(tools, jobId, shard)) {
      winners.add(chunk);
      await slice.yield();
    }
  }
  return winners.end();
}

async function readCards(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
  winners: Winners,
): Promise<Map<string, Card>> {
  const inRange = await countActiveProducts(tools) / SHARD_NUMBERS.length * shards.length;
  if (args.mode !== "replace" && winners.length * POINT_READ_COST < inRange) {
    return await findCards(tools, winners.skus());
  }
  const cards = new Map<string, Card>();
  for (const shard of shards) {
    for await (const { sku, card } of listCards(tools, shard)) cards.set(sku, card);
  }
  return cards;
}
