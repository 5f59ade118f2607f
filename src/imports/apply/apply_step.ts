/**
 * Applies the records of a span, in several commits. With `replace` it also deletes products that
 * the file lacks. Each commit checks the version counters of its shards and stores the position of
 * the job. After a conflict it is repeated with fresh reads. A crash loses nothing.
 */
import {
  awaitedPrices,
  awaitsAny,
  noteBrought,
} from "../../catalogue/prices/awaited_price_store.ts";
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { transact } from "../../platform/store/kv.ts";
import { addStats, countOf, type ImportJob } from "../state/import_job.ts";
import { type ImportDeps, StaleBatch } from "./batch.ts";
import { BatchCommit, type BroughtPrice } from "./batch_commit.ts";
import { deletedProduct } from "./decide_record.ts";
import { walkRecords } from "./resolve_record.ts";
import { afterRecords, afterSpan, requireCursor, type Span } from "./span.ts";

/** Products that the file lacks. The SKU of a refused record counts as present. */
export function missingFrom(
  { cards, winners }: Pick<Span, "cards" | "winners">,
  source: string | undefined,
): { readonly sku: string; readonly card: IndexRow }[] {
  return [...cards].filter(([sku, indexRow]) =>
    isMadeBy(indexRow, source) && !indexRow.isDeleted && !winners.mentioned.has(sku)
  ).map(([sku, card]) => ({ sku, card })).sort((one, other) => one.sku < other.sku ? -1 : 1);
}

/** True if an import of `source` created the product. Without it, imports that name none count. */
export function isMadeBy(
  { isFromImport, importSource }: Pick<IndexRow, "isFromImport" | "importSource">,
  source: string | undefined,
): boolean {
  return isFromImport && importSource === (source ?? null);
}

/** For `replace`: soft-deletes the products that the file lacks, in several commits. */
async function removeMissing(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const { generations } = span;
  const upTo = cursor.removedUpTo ?? "";
  const left = missingFrom(span, job.args.source).filter(({ sku }) => sku > upTo);
  const chosen = left.slice(0, 80);
  const documents = await findDocuments(tools, chosen.map(({ card }) => card.id));
  if (documents.length < chosen.length) throw new StaleBatch();
  const commit = new BatchCommit(tools, job, span);
  let removed = 0;
  for (const [position, { card }] of chosen.entries()) {
    const found = documents[position];
    if (!found || !commit.hasRoomForRemoval()) break;
    const before = parseProduct(found.bytes);
    await commit.open(before);
    commit.remove(before, deletedProduct(before, tools.now()), card);
    removed++;
  }
  const written = await commit.close();
  const isOver = removed === left.length;
  const last = chosen[removed - 1]?.sku ?? upTo;
  const { undoRows: undo } = commit;
  const moved = { ...cursor, undo };
  return {
    cursor: isOver ? afterSpan(moved, span) : { ...moved, removedUpTo: last },
    stats: addStats(job.stats, { removed }),
    checks: (last) => generations.check(tools.write, tools.workspaceId, written, last),
    isNextIndependent: true,
  };
}

const ROWS_PER_COMMIT = 100;

/** Stores awaited prices before the records are committed, to be judged at the end. Idempotent. */
async function noteSeenPrices(
  { jobId }: ImportJob,
  tools: StepTools<ImportJob>,
  brought: readonly BroughtPrice[],
): Promise<void> {
  if (brought.length === 0 || !await awaitsAny(tools)) return;
  const rows = await awaitedPrices.getMany(tools, brought);
  const awaited = brought.filter((_, n) => rows[n]);
  for (let at = 0; at < awaited.length; at += ROWS_PER_COMMIT) {
    const part = awaited.slice(at, at + ROWS_PER_COMMIT);
    await transact(tools, (write) => noteBrought(write, tools, jobId, part));
  }
}

/** One commit of pass 2, with the position of the job. Runs again after a conflict. */
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
  const commit = new BatchCommit(tools, job, span);
  const { position, isCounted, stats } = await walkRecords(deps, job, tools, span, commit);
  await noteSeenPrices(job, tools, commit.brought);
  const written = await commit.close();
  const { impact, undoRows: undo } = commit;
  const moved = { ...cursor, impact, undo };
  const next = afterRecords(moved, span, position, job.args.mode === "replace");
  return {
    cursor: isCounted ? { ...next, isCounted } : next,
    checks: (last) => generations.check(tools.write, tools.workspaceId, written, last),
    // If `isCounted`, the current record was written and must be read again.
    isNextIndependent: !isCounted,
    stats,
    progress: { processed: countOf(stats), total: cursor.records },
    ...(stats.errors > 0 ? { hasErrors: true } : {}),
  };
}
