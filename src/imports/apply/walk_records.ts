/**
 * The one walk over the records of a batch. A sink says what is done with each: an application writes
 * them, a dry run reports them, the guards of an import count them; so all three decide alike.
 */
import type { SalesChange } from "../../catalogue/sales/change_sales.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import { addStats, type ImportJob, type ImportStats } from "../state/import_job.ts";
import type { Batch } from "./batch.ts";
import {
  countNotes,
  duplicatesNote,
  type RecordNote,
  type ResolvedRecord,
  resolveRecord,
  soldDaysIn,
} from "./resolve_record.ts";
import { newIds, requireCursor, type Span } from "./span.ts";
import type { Winner } from "./winners.ts";

/** Takes the records of a batch one by one. */
export interface RecordSink {
  /** False when the record had better come with the next step. */
  hasRoomFor(resolved: ResolvedRecord): boolean;
  put(resolved: ResolvedRecord): void | Promise<void>;
  hasRoomForSales(sales: readonly SalesChange[]): boolean;
  /** The record leaves its product as it is, but for what was sold of it. */
  pass(winner: Winner, sales: readonly SalesChange[]): void;
  note(notes: readonly RecordNote[]): void;
}

/** How far a walk came. */
export interface Walk {
  /** Records of the span that are dealt with. */
  readonly position: number;
  /** True when only links of the record at `position` are left. */
  readonly isCounted: boolean;
  readonly stats: ImportStats;
  readonly resolved: readonly ResolvedRecord[];
}

/** Begins at the cursor of the job and adds to `before`; `competitors` is null without any link. */
export async function walkRecords(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  { span, batch, competitors, linksMax, before }: {
    readonly span: Span;
    readonly batch: Batch;
    readonly competitors: CompetitorSet | null;
    readonly linksMax: number;
    readonly before: ImportStats;
  },
  sink: RecordSink,
): Promise<Walk> {
  const idOf = newIds(job, tools);
  const resolvedRecords: ResolvedRecord[] = [];
  let { position, isCounted } = requireCursor(job);
  let stats = before;
  const passed = { skipped: 0, soldDays: 0 };
  // A batch takes some 20 ms of the thread, and a request has several turns: each would wait for one.
  const slice = new TimeSlice();
  for (const { winner, touched } of batch.records) {
    if (touched === null) {
      const sales = batch.sales.get(span.cards.get(winner.sku)?.id ?? "") ?? [];
      if (!sink.hasRoomForSales(sales)) break;
      sink.pass(winner, sales);
      passed.skipped += isCounted ? 0 : 1;
      passed.soldDays += soldDaysIn(sales);
    } else {
      const question = { job, tools, batch, competitors, idOf, isCounted, linksMax };
      const resolved = await resolveRecord(question, touched);
      if (!sink.hasRoomFor(resolved)) break;
      await sink.put(resolved);
      resolvedRecords.push(resolved);
      stats = addStats(stats, { ...resolved.stats, ...countNotes(resolved.notes) });
      isCounted = !resolved.isWhole;
      if (isCounted) break;
    }
    if (winner.losers > 0) {
      const note = duplicatesNote(winner);
      sink.note([note]);
      stats = addStats(stats, { skipped: winner.losers, ...countNotes([note]) });
    }
    isCounted = false;
    position++;
    await slice.yield();
  }
  return { position, isCounted, stats: addStats(stats, passed), resolved: resolvedRecords };
}
