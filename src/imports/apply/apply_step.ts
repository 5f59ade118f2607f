/**
 * Applies a checked import in steps. The commit of a step also stores how far the job has come. The
 * commit fails if another writer has meanwhile changed the same shards (parts of the catalogue).
 */
import { refusedRecords, soldOf, tableTexts } from "../state/import_row_store.ts";
import { type BroughtPrice, noteBrought } from "../../catalogue/prices/awaited_price_store.ts";
import { importActors, type PriceCause, priceChangeOf } from "../../catalogue/prices/price_rows.ts";
import {
  type IndexRowMarks,
  marksOf,
  NO_MARKS,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import {
  isJudgedAnew,
  parseProduct,
  type Product,
  shard,
} from "../../catalogue/products/product.ts";
import {
  findDocuments,
  type ProductChange,
  putProduct,
} from "../../catalogue/products/product_store.ts";
import { createCounters, saveCounters } from "../../catalogue/products/change_log_store.ts";
import { putSalesChange } from "../../catalogue/sales/sales.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitorSet, type CompetitorSet } from "../../shops/competitor_store.ts";
import { changesLinks, putLinks, requireCompetitors } from "../../shops/matches/link_plan.ts";
import { movedOffer } from "../../shops/offers/offer_store.ts";
import { patchXml } from "../records/record_patch.ts";
import {
  addStats,
  countOf,
  type ImportImpact,
  type ImportJob,
  NO_IMPACT,
  type QueuedImport,
  type UndoRows,
} from "../state/import_job.ts";
import { UndoLog } from "../state/undo_store.ts";
import {
  afterRecords,
  afterSpan,
  type Batch,
  type ImportStep,
  missingFrom,
  requireCursor,
  StaleBatch,
  type WrittenShards,
} from "./span.ts";
import { addToImpact } from "./hold.ts";
import {
  hasRoom,
  productOf,
  type RecordSink,
  type ResolvedRecord,
  walkRecords,
} from "./resolve_record.ts";
import { batchesOf } from "../../base/collections.ts";
import { deletedProduct } from "./decide_record.ts";

export class ProductWrites {
  readonly counters = createCounters();
  readonly #offerShards = new Set<number>();
  readonly touched = new Set<string>();
  readonly #tools: StepTools<QueuedImport>;
  readonly #jobId: string;
  readonly #cause: PriceCause;
  #setsPrices = false;

  constructor(
    tools: StepTools<QueuedImport>,
    { createdBy, jobId }: Pick<QueuedImport, "createdBy" | "jobId">,
  ) {
    this.#tools = tools;
    this.#jobId = jobId;
    this.#cause = { source: "import", actor: createdBy, ref: jobId };
  }

  put(change: Omit<ProductChange, "cause">): void {
    const { write, workspaceId } = this.#tools;
    const before = change.before?.product ?? null;
    const after = change.after.product;
    putProduct(write, workspaceId, { ...change, cause: this.#cause }, this.counters);
    this.#setsPrices ||= priceChangeOf(before, after, this.#cause) !== null;
    if (isJudgedAnew(before, after)) this.touched.add(after.id);
  }

  noteLinks(
    { id, sku }: Pick<Product, "id" | "sku">,
    both: Parameters<typeof movedOffer>[0],
  ): void {
    if (movedOffer(both) !== null) this.touched.add(id);
    this.touchShard(sku);
    this.#offerShards.add(shard(sku));
  }

  touchShard(sku: string): void {
    this.counters.shards.add(shard(sku));
  }

  close(): WrittenShards | null {
    const { shards } = this.counters;
    if (shards.size === 0) return null;
    const { write, workspaceId } = this.#tools;
    const data = { cause: "import" as const, ref: this.#jobId, productIds: [...this.touched] };
    publish(write, this.#tools, [{ type: "products.touched", data }]);
    if (this.#setsPrices) {
      const sender = { jobId: this.#jobId, actor: this.#cause.actor };
      importActors.put(write, { workspaceId }, sender);
    }
    saveCounters(write, workspaceId, this.counters);
    return { products: shards, offers: this.#offerShards };
  }
}

class BatchCommit implements RecordSink {
  readonly #step: ImportStep;
  readonly #write: Write;
  readonly #products: ProductWrites;
  readonly #undo = new UndoLog();
  #competitors: CompetitorSet | null = null;
  undoRows: UndoRows;
  readonly brought: BroughtPrice[] = [];
  readonly impact: ImportImpact;

  constructor(step: ImportStep) {
    const { job, tools } = step;
    const cursor = requireCursor(job);
    this.#step = step;
    this.#write = tools.write;
    this.#products = new ProductWrites(tools, job);
    this.undoRows = cursor.undo;
    this.impact = { ...cursor.impact ?? NO_IMPACT };
  }

  async competitorsOf({ records, competitors }: Batch): Promise<CompetitorSet | null> {
    if (competitors === null) return null;
    const wanted = records.flatMap((record) => record.wanted);
    const areKnown = wanted.every(({ domain }) => competitors.byDomain.has(domain));
    this.#competitors = areKnown
      ? competitors
      : await requireCompetitors(this.#step.tools, wanted, () => {});
    return this.#competitors;
  }

  get pendingBytes(): number {
    return this.#undo.bytes;
  }

  async put(resolved: ResolvedRecord): Promise<void> {
    const { winner, patch, outcome, links, sales, indexRow } = resolved;
    const { before, after } = outcome;
    const product = productOf(outcome);
    const { tools, span } = this.#step;
    const written = after && this.#putProduct(resolved, after);
    if (sales.length > 0) {
      for (const change of sales) putSalesChange(this.#write, tools.workspaceId, change);
      this.#products.touchShard(winner.sku);
    }
    const moved = links && changesLinks(links) ? links : null;
    if (product && moved) {
      await putLinks(this.#write, tools, product, moved);
      this.#products.noteLinks(product, moved);
    }
    const id = after?.id ?? indexRow?.id;
    if (id && (written || moved || sales.length > 0)) {
      this.#undo.add(id, { before, after: written, sales, links: moved });
    }
    if (outcome.kind === "refused") this.#keepRefused(resolved);
    if (before === null || after === null) return;
    addToImpact(this.impact, before, after, span.workspace);
    if (product === null || patch?.ourPriceCents === undefined) return;
    const { ourPriceCents: cents, currency } = product;
    this.brought.push({ productId: before.id, tier: before.tier ?? "", cents, currency });
  }

  remove(before: Product, after: Product, marks: IndexRowMarks): void {
    this.#products.put({
      before: { product: before, marks },
      after: { product: after, marks: { ...BARE, importSource: marks.importSource ?? null } },
    });
    this.#undo.add(after.id, { before, after });
  }

  async close(): Promise<WrittenShards | null> {
    const shards = this.#products.close();
    const { job: { jobId }, tools } = this.#step;
    this.undoRows = await this.#undo.save(this.#write, tools, jobId, this.undoRows);
    if (shards && shards.offers.size > 0 && this.#competitors) {
      checkCompetitorSet(this.#write, tools.workspaceId, this.#competitors);
    }
    return shards;
  }

  /** Returns null if the product is unchanged; only its index row is then written. */
  #putProduct(
    { outcome, isWhole, indexRow, winner }: ResolvedRecord,
    after: Product,
  ): Product | null {
    const { kind, before } = outcome;
    const { args: { source: importSource = null }, jobId } = this.#step.job;
    const old: IndexRowMarks = indexRow ? marksOf(indexRow) : { ...BARE, importSource };
    const isRevived = before !== null && before.deletedAt !== null && after.deletedAt === null;
    const marks = {
      ...old,
      // `importHash` stays null until all links of the record are written, so that the next import
      // does not skip the record.
      importHash: isWhole && kind !== "deleted" ? winner.hash : null,
      ...(kind === "inserted" && { firstPriceJob: jobId }),
      ...(isRevived && { importSource }),
    };
    if (kind === "unchanged") {
      putIndexRowMarks(this.#write, this.#step.tools.workspaceId, after, marks);
      this.#products.touchShard(after.sku);
      return null;
    }
    this.#products.put({
      before: before && { product: before, marks: old },
      after: { product: after, marks },
      ...(indexRow && { textBefore: indexRow.text }),
    });
    return after;
  }

  #keepRefused({ winner, patch }: ResolvedRecord): void {
    const { index, file, rows } = winner;
    const { jobId } = this.#step.job;
    if (rows !== "") {
      const row = { jobId, kind: "row", n: index, text: [file, JSON.parse(rows)] } as const;
      tableTexts.put(this.#write, this.#step.tools, row);
    }
    const xml = patch && patchXml(patch, soldOf(winner));
    if (xml !== null) refusedRecords.put(this.#write, this.#step.tools, { jobId, index, xml });
  }
}

const BARE: IndexRowMarks = { ...NO_MARKS, isFromImport: true };

async function removeMissing(step: ImportStep): Promise<StepResult<ImportJob>> {
  const { job, tools, span } = step;
  const cursor = requireCursor(job);
  const upTo = cursor.removedUpTo ?? "";
  const left = missingFrom(step).missing.filter(({ sku }) => sku > upTo);
  const chosen = left.slice(0, 80);
  const documents = await findDocuments(tools, chosen.map(({ indexRow }) => indexRow.id));
  if (documents.length < chosen.length) throw new StaleBatch();
  const commit = new BatchCommit(step);
  let removed = 0;
  for (const [position, { indexRow }] of chosen.entries()) {
    const found = documents[position];
    if (!found || !hasRoom(tools.write, { bytes: commit.pendingBytes })) break;
    const before = parseProduct(found.bytes);
    commit.remove(before, deletedProduct(before, tools.now()), indexRow);
    removed++;
  }
  span.versionCounters.check(tools, await commit.close());
  const isOver = removed === left.length;
  const last = chosen[removed - 1]?.sku ?? upTo;
  const { undoRows: undo } = commit;
  const moved = { ...cursor, undo };
  return {
    cursor: isOver ? afterSpan(moved, span) : { ...moved, removedUpTo: last },
    stats: addStats(job.stats, { removed }),
  };
}

const ROWS_PER_COMMIT = 100;

/** Stores the file's price for each product whose exported price has not yet come back. */
async function noteSeenPrices(
  { job: { jobId }, tools, span }: ImportStep,
  brought: readonly BroughtPrice[],
): Promise<void> {
  const awaited = brought.filter(({ productId }) => span.awaited.has(productId));
  for await (const part of batchesOf(awaited, ROWS_PER_COMMIT)) {
    await transact(tools, (write) => noteBrought(write, tools, jobId, part));
  }
}

export async function applyStep(step: ImportStep): Promise<StepResult<ImportJob>> {
  const isRemoving = requireCursor(step.job).removedUpTo !== null;
  return await (isRemoving ? removeMissing(step) : applyRecords(step));
}

async function applyRecords(step: ImportStep): Promise<StepResult<ImportJob>> {
  const { job, tools, span } = step;
  const cursor = requireCursor(job);
  const commit = new BatchCommit(step);
  const { position, isCounted, stats } = await walkRecords(step, commit);
  await noteSeenPrices(step, commit.brought);
  span.versionCounters.check(tools, await commit.close());
  const { impact, undoRows: undo } = commit;
  const moved = { ...cursor, impact, undo };
  const next = afterRecords(moved, span, position, job.args.mode === "replace");
  return {
    cursor: isCounted ? { ...next, isCounted } : next,
    stats,
    progress: { processed: countOf(stats), total: cursor.records },
    ...(stats.errors > 0 ? { hasErrors: true } : {}),
  };
}
