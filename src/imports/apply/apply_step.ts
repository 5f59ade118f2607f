import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { requireCompetitors } from "../../shops/require_competitors.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { ImportDeps } from "./import_deps.ts";
import { NO_IMPACT } from "../state/import_figures.ts";
import { addStats, countOf, type ImportJob, type ImportStats } from "../state/import_job.ts";
import { addToImpact } from "./plan_impact.ts";
import { type Batch, readBatch } from "./batch.ts";
import { BatchCommit } from "./batch_commit.ts";
import { newIds } from "./new_ids.ts";
import { removeMissing } from "./remove_missing.ts";
import { noteSeenPrices } from "./seen_prices.ts";
import {
  countNotes,
  LINKS_PER_COMMIT,
  reportDuplicates,
  type ResolvedRecord,
  resolveRecord,
  salesLeftOf,
  soldDaysIn,
} from "./resolve_record.ts";
import type { Span } from "./span.ts";
import { afterRecords, requireCursor } from "./walk.ts";
import { TimeSlice } from "../../platform/time_slice.ts";

/**
 * One commit of pass 2: products with all their rows, links, findings, counts, and the place of the
 * job. Whoever wrote to one of its shards meanwhile makes it run again on fresh reads.
 */
export async function applyStep(
  deps: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
): Promise<StepResult<ImportJob>> {
  return requireCursor(job).removedUpTo === null
    ? await applyRecords(deps, job, tools, span)
    : await removeMissing(job, tools, span);
}

async function applyRecords(
  deps: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const { generations } = span;
  const batch = await readBatch(deps, job, tools, span, cursor.position);
  const competitors = await competitorsFor(tools, batch);
  const commit = new BatchCommit(tools, job, span.blocks);
  const idOf = newIds(job, tools);
  const linksMax = LINKS_PER_COMMIT;
  const terms = await requireWorkspace(tools);
  let stats: ImportStats = job.stats;
  let impact = cursor.impact ?? NO_IMPACT;
  let position = cursor.position;
  let isCounted = cursor.isCounted;
  const resolvedRecords: ResolvedRecord[] = [];
  // A batch takes some 20 ms of the thread, and a request has several turns: each would wait for one.
  using slice = new TimeSlice();
  for (const { winner, touched } of batch.records) {
    if (touched === null) {
      const sales = salesLeftOf(winner, span, batch);
      if (!commit.hasRoomForSales(sales)) break;
      commit.putSales(winner.sku, sales);
      stats = addStats(stats, { skipped: isCounted ? 0 : 1, soldDays: soldDaysIn(sales) });
    } else {
      // One that is looked at says itself what it takes.
      const rest = { isCounted, linksMax, warnsBeyondPct: cursor.warnsBeyondPct ?? null };
      const question = { job, tools, batch, competitors, idOf, ...rest };
      const resolved = await resolveRecord(question, touched);
      if (!commit.hasRoomFor(resolved)) break;
      await commit.put(resolved);
      resolvedRecords.push(resolved);
      if (resolved.outcome.kind === "updated" && !isCounted) {
        const { before, after } = resolved.outcome;
        impact = addToImpact(impact, before, after, terms);
      }
      stats = addStats(addStats(stats, resolved.stats), countNotes(resolved.notes));
      if (!resolved.isWhole) {
        isCounted = true;
        break;
      }
    }
    const duplicates = reportDuplicates(winner);
    commit.note(duplicates.notes);
    stats = addStats(addStats(stats, duplicates.stats), countNotes(duplicates.notes));
    isCounted = false;
    position++;
    await slice.yield();
  }
  await noteSeenPrices(job, tools, resolvedRecords);
  const written = await commit.close(competitors);
  const { undoRows: undo } = commit;
  const moved = { ...cursor, impact, ...(undo && { undo }) };
  const next = afterRecords(moved, span, position, job.args.mode === "replace");
  return {
    cursor: isCounted ? { ...next, isCounted } : next,
    checks: (last) => generations.check(tools.write, tools.workspaceId, written, last),
    // The record in hand is read again, and it is written by now.
    isNextIndependent: !isCounted,
    stats,
    progress: { processed: countOf(stats), total: cursor.records },
    ...(stats.errors > 0 ? { hasErrors: true } : {}),
  };
}

/** Shops that nobody knew are made first, in commits of their own. */
async function competitorsFor(
  tools: StepTools<ImportJob>,
  { records, competitors }: Batch,
): Promise<CompetitorSet | null> {
  if (competitors === null) return null;
  const wanted = records.flatMap(({ touched }) => touched?.wanted ?? []);
  if (wanted.every(({ domain }) => competitors.byDomain.has(domain))) return competitors;
  return await requireCompetitors(tools, wanted, () => {});
}
