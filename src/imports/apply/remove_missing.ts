import type { Card } from "../../catalogue/products/card.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { addStats, type ImportJob } from "../state/import_job.ts";
import { StaleBatch } from "./batch.ts";
import { BatchCommit } from "./batch_commit.ts";
import { deletedProduct } from "./decide_record.ts";
import type { Span } from "./span.ts";
import { afterSpan, requireCursor } from "./walk.ts";

const REMOVED_MAX = 80;

/** An active product that the source made and that the upload does not mention. */
export interface MissingProduct {
  readonly sku: string;
  readonly card: Card;
}

/** By SKU; a SKU whose record was refused is mentioned all the same. */
export function missingFrom(
  { cards, winners }: Pick<Span, "cards" | "winners">,
  source: string | undefined,
): MissingProduct[] {
  return [...cards].filter(([sku, card]) =>
    isMadeBy(card, source) && !card.isDeleted && !winners.mentioned.has(sku)
  ).map(([sku, card]) => ({ sku, card })).sort((one, other) => one.sku < other.sku ? -1 : 1);
}

/** True for a product of the named source; without one, for what files made that name none. */
export function isMadeBy(
  { isFromImport, importSource }: Pick<Card, "isFromImport" | "importSource">,
  source: string | undefined,
): boolean {
  return isFromImport && importSource === (source ?? null);
}

/** `replace`: soft-deletes what the full load lacks, a commit at a time. */
export async function removeMissing(
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
): Promise<StepResult<ImportJob>> {
  const cursor = requireCursor(job);
  const { generations } = span;
  const upTo = cursor.removedUpTo ?? "";
  const left = missingFrom(span, job.args.source).filter(({ sku }) => sku > upTo);
  const chosen = left.slice(0, REMOVED_MAX);
  const documents = await findDocuments(tools, chosen.map(({ card }) => card.id));
  if (documents.length < chosen.length) throw new StaleBatch();
  const commit = new BatchCommit(tools, job, span.blocks);
  let removed = 0;
  for (const [position, { card }] of chosen.entries()) {
    const found = documents[position];
    if (!found || !commit.hasRoomForRemoval()) break;
    const before = parseProduct(found.bytes);
    await commit.remove(before, deletedProduct(before, tools.now()), card);
    removed++;
  }
  const written = await commit.close(null);
  const isOver = removed === left.length;
  const last = chosen[removed - 1]?.sku ?? upTo;
  const { undoRows: undo } = commit;
  const moved = undo ? { ...cursor, undo } : cursor;
  return {
    cursor: isOver ? afterSpan(moved, span) : { ...moved, removedUpTo: last },
    stats: addStats(job.stats, { removed }),
    checks: (last) => generations.check(tools.write, tools.workspaceId, written, last),
    isNextIndependent: true,
  };
}
