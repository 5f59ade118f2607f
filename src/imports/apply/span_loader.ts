import { type Card, findCards, findGenerations, listCards } from "../../catalogue/product_store.ts";
import { countActiveProducts } from "../../catalogue/dictionary_store.ts";
import { SHARD_NUMBERS } from "../../catalogue/product.ts";
import type { StepTools } from "../../platform/job.ts";
import { findStoredJob } from "../../platform/job_store.ts";
import type { ImportJob } from "../import_job.ts";
import { readChunks } from "../jobs/partition_store.ts";
import { parseLines, type RecordLine } from "../record_line.ts";
import { pickWinners, type Span } from "./span.ts";

/** A card costs six times as much when it is asked for alone (design: range or point reads). */
const POINT_READ_COST = 6;

interface Loaded extends Span {
  readonly jobId: string;
}

/** Keeps the span in hand of each job between its steps, as long as it is proven to be true. */
export interface SpanLoader {
  load(job: ImportJob, tools: StepTools<ImportJob>, shards: readonly number[]): Promise<Span>;
  forget(jobId: string): void;
}

/**
 * Cards stay true while nobody but the job itself writes to their shards. That is so when each
 * generation is the one that was read before, or the one of the job's own last commit, whose rows
 * all carry one versionstamp. The job settles each SKU once, so its own writes make no card stale
 * that it still needs.
 */
export function createSpanLoader(): SpanLoader {
  const kept = new Map<string, Loaded>();
  return {
    async load(job, tools, shards) {
      const known = takeKnown(kept, job, shards);
      const [generations, stored] = await Promise.all([
        findGenerations(tools, shards),
        findStoredJob(tools.store, job),
      ]);
      const own = stored?.versionstamp;
      // A record that is half written has made its own card since.
      const isWhole = job.cursor?.isCounted !== true;
      const isTrue = known !== null && isWhole &&
        generations.every(([, generation], position) =>
          generation === own || generation === known.generations[position]?.[1]
        );
      const records = known ?? await readRecords(job, tools, shards);
      const cards = isTrue ? known.cards : await readCards(job, tools, shards, records);
      const { winners, mentioned } = records;
      const loaded = { jobId: job.jobId, shards, winners, mentioned, cards, generations };
      kept.set(job.jobId, loaded);
      return loaded;
    },
    forget: (jobId) => void kept.delete(jobId),
  };
}

/** A span that is done is let go before the next one is read: a large shard takes 30 MB. */
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

async function readRecords(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
): Promise<Pick<Span, "winners" | "mentioned">> {
  const lines = await readLines(job, tools, shards);
  const isReplace = job.args.mode === "replace";
  const mentioned = new Set(isReplace ? lines.map(({ sku }) => sku) : []);
  return { winners: pickWinners(lines), mentioned };
}

async function readLines(
  { jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
): Promise<RecordLine[]> {
  const lines: RecordLine[] = [];
  for (const shard of shards) {
    const chunks = await readChunks(tools, jobId, shard);
    const decoder = new TextDecoder();
    let text = "";
    // A line and even a character may span chunks.
    for (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
    for (const line of parseLines(text)) lines.push(line);
  }
  return lines;
}

async function readCards(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
  { winners }: Pick<Span, "winners">,
): Promise<Map<string, Card>> {
  const inRange = await countActiveProducts(tools) / SHARD_NUMBERS.length * shards.length;
  if (args.mode !== "replace" && winners.length * POINT_READ_COST < inRange) {
    return await findCards(tools, winners.map(({ sku }) => sku));
  }
  const cards = new Map<string, Card>();
  for (const shard of shards) {
    for await (const { sku, card } of listCards(tools, shard)) cards.set(sku, card);
  }
  return cards;
}
