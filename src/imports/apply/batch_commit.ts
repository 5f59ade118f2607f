import { checkCompetitorSet, type CompetitorSet } from "../../competitors/competitor_store.ts";
import { putLinks } from "../../competitors/matches/import_links.ts";
import { changesLinks, costOfLinks } from "../../competitors/matches/link_plan.ts";
import { createOfferTally, saveOfferTally } from "../../competitors/offers/offer_store.ts";
import { isJudgedAnew } from "../../catalogue/changes/announce_product.ts";
import type { PriceCause } from "../../catalogue/prices/price_history.ts";
import { findImportActor, saveImportActor } from "../../catalogue/prices/price_history_store.ts";
import { type Product, shard } from "../../catalogue/products/product.ts";
import { type CardMarks, putCardMarks } from "../../catalogue/products/card_store.ts";
import { type ProductChange, putProduct } from "../../catalogue/products/product_store.ts";
import type { KeptBlocks } from "../../catalogue/products/kept_blocks.ts";
import { createTally, touchShard } from "../../catalogue/products/product_tally.ts";
import { type HeldBlock, saveTallyTo } from "../../catalogue/products/save_tally.ts";
import { announce } from "../../events/announce.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Actor } from "../../platform/store/context.ts";
import { addCosts, type CommitCost, shareOfCommit, type Write } from "../../platform/store/kv.ts";
import type { ImportJob } from "../state/import_job.ts";
import { saveRefusedRecord } from "../state/import_row_store.ts";
import { patchXml } from "../records/house_xml.ts";
import { costOfNotes, type RecordNote, saveNotes } from "./record_note.ts";
import { type ResolvedRecord, writesRows } from "./resolve_record.ts";
import type { WrittenShards } from "./span_generations.ts";

/** The rows of the job, which join the commit last. */
const JOB = shareOfCommit(0.03);
/** A product that a full load lacks. */
const REMOVAL = { mutations: 30 };

/** Products, links and findings of one commit, with what they share. Says when it is full. */
export class BatchCommit {
  readonly #tools: StepTools<ImportJob>;
  readonly #job: ImportJob;
  readonly #write: Write;
  readonly #tally = createTally();
  readonly #offerTally = createOfferTally();
  readonly #notes: RecordNote[] = [];
  /** Products that rules may judge otherwise now. */
  readonly #touched: string[] = [];
  readonly #cause: PriceCause;
  readonly #blocks: KeptBlocks;
  readonly #touchedBlocks = new Set<HeldBlock | number>();
  /** What the blocks of fields will take. */
  #costOfBlocks = addCosts();
  readonly #firstActors = new Map<string, Actor>();
  #hasFirstPrices = false;
  #writes = false;

  /** `blocks` are those of the span. */
  constructor(tools: StepTools<ImportJob>, job: ImportJob, blocks: KeptBlocks) {
    this.#tools = tools;
    this.#job = job;
    this.#blocks = blocks;
    this.#write = tools.write;
    this.#cause = { source: "import", actor: job.createdBy, ref: job.jobId };
  }

  /** True when not even a finding finds room. */
  get isFull(): boolean {
    return !this.#fits({});
  }

  /** False when the record had better come with the next commit. */
  hasRoomFor(resolved: ResolvedRecord): boolean {
    if (!this.#writes && this.#notes.length === 0) return true;
    return this.#fits(costOf(resolved));
  }

  async put(resolved: ResolvedRecord): Promise<void> {
    if (writesRows(resolved)) {
      this.#writes = true;
      await this.#putProduct(resolved);
      await this.#putLinks(resolved);
    }
    if (resolved.outcome.kind === "refused") this.#keepRefused(resolved);
    this.note(resolved.notes);
  }

  note(notes: readonly RecordNote[]): void {
    this.#notes.push(...notes);
  }

  /** Soft-deletes a product that the file lacks. */
  async remove(before: Product, after: Product, marks: CardMarks): Promise<void> {
    this.#writes = true;
    this.#touched.push(after.id);
    const change = { before: { product: before, marks }, after: { product: after, marks: BARE } };
    await this.#put({ ...change, cause: this.#cause });
  }

  hasRoomForRemoval(): boolean {
    return this.#fits(REMOVAL);
  }

  /** Adds counts and findings, and answers which shards must still be checked; null for none. */
  async close(competitors: CompetitorSet | null): Promise<WrittenShards | null> {
    const { workspaceId } = this.#tools;
    await saveNotes(this.#write, this.#tools, this.#job.jobId, this.#notes);
    if (!this.#writes) return null;
    const data = { cause: "import" as const, ref: this.#job.jobId, productIds: this.#touched };
    announce(this.#write, this.#tools, [{ type: "products.touched", data }]);
    if (this.#hasFirstPrices) {
      saveImportActor(this.#write, workspaceId, this.#job.jobId, this.#cause.actor);
    }
    await saveTallyTo(this.#write, this.#tools, this.#tally, this.#blocks);
    const written = { products: this.#tally.shards, offers: this.#offerTally.shards };
    if (written.offers.size === 0) return written;
    if (competitors) checkCompetitorSet(this.#write, workspaceId, competitors);
    saveOfferTally(this.#write, workspaceId, this.#offerTally);
    return written;
  }

  async #putProduct({ record, outcome, isWhole }: ResolvedRecord): Promise<void> {
    const { workspaceId } = this.#tools;
    const { card, winner } = record;
    const old: CardMarks = card ?? BARE;
    // While links are left, the next run must look at the record again.
    const importHash = isWhole ? winner.hash : null;
    const marks = { ...old, importHash };
    if (outcome.kind === "unchanged") {
      putCardMarks(this.#write, workspaceId, outcome.before, marks);
      touchShard(this.#tally, outcome.before.sku);
    }
    this.#noteTouched(outcome);
    if (outcome.kind === "inserted") {
      const { jobId } = this.#job;
      // A price that may never change has no row of the history until it does.
      const after = { product: outcome.after, marks: { ...marks, firstPriceJob: jobId } };
      this.#hasFirstPrices ||= outcome.after.ourPriceCents !== null;
      await this.#put({ before: null, after, cause: this.#cause });
    }
    if (outcome.kind === "updated" || outcome.kind === "deleted") {
      const after = outcome.kind === "deleted" ? { ...marks, importHash: null } : marks;
      await this.#put({
        before: { product: outcome.before, marks: old },
        after: { product: outcome.after, marks: after },
        cause: this.#cause,
      });
    }
  }

  async #put(change: ProductChange): Promise<void> {
    const firstJob = change.before?.marks.firstPriceJob ?? null;
    const firstActor = firstJob === null ? undefined : await this.#firstActor(firstJob);
    putProduct(this.#write, this.#tools.workspaceId, { ...change, firstActor }, this.#tally);
    const { id, sku } = change.after.product;
    const fields = this.#tally.fields.get(shard(sku))?.get(id);
    if (fields === undefined) return;
    const cost = await this.#blocks.costOf(shard(sku), id, fields, this.#touchedBlocks);
    this.#costOfBlocks = addCosts(this.#costOfBlocks, cost);
  }

  async #firstActor(jobId: string): Promise<Actor> {
    const actor = this.#firstActors.get(jobId) ?? await findImportActor(this.#tools, jobId);
    this.#firstActors.set(jobId, actor);
    return actor;
  }

  #noteTouched(outcome: ResolvedRecord["outcome"]): void {
    const isWritten = outcome.kind === "updated" || outcome.kind === "deleted";
    const before = isWritten ? outcome.before : null;
    if (!isWritten && outcome.kind !== "inserted") return;
    if (isJudgedAnew(before, outcome.after)) this.#touched.push(outcome.after.id);
  }

  #keepRefused({ record }: ResolvedRecord): void {
    const { index } = record.winner;
    const xml = patchXml(record.patch);
    if (xml !== null) {
      saveRefusedRecord(this.#write, this.#tools.workspaceId, this.#job.jobId, index, xml);
    }
  }

  async #putLinks({ outcome, links }: ResolvedRecord): Promise<void> {
    if (!links || !changesLinks(links)) return;
    if (outcome.kind === "refused" || outcome.kind === "skipped") return;
    const product = outcome.kind === "unchanged" ? outcome.before : outcome.after;
    await putLinks(this.#write, this.#tools, product, links, this.#offerTally);
    touchShard(this.#tally, product.sku);
  }

  #fits(cost: Partial<CommitCost>): boolean {
    return this.#write.fits(addCosts(this.#pending(), JOB, cost));
  }

  /** What the shared rows will take when the commit is closed. */
  #pending(): CommitCost {
    const mutations = 6 + this.#tally.shards.size + this.#tally.searched.size +
      this.#offerTally.shards.size + this.#offerTally.tracked.size;
    const keyBytes = 200 + 60 * this.#offerTally.tracked.size;
    const bytes = keyBytes + 8 * mutations + 30 * this.#touched.length;
    const shared = { mutations, keyBytes, bytes };
    return addCosts(shared, this.#costOfBlocks, costOfNotes(this.#notes.length));
  }
}

/** Of a product that is deleted: an import that meets it again looks at it. */
const BARE: CardMarks = { importHash: null, isFromImport: true, firstPriceJob: null };

/** An upper bound of what a record adds to a commit. */
function costOf({ record, outcome, links, notes }: ResolvedRecord): CommitCost {
  const added = links ? links.added.length + links.switched.length : 0;
  const products = [
    record.before,
    outcome.kind === "inserted" || outcome.kind === "updated" ? outcome.after : null,
  ];
  const mutations = 10 + added;
  let keyBytes = 300;
  const refusedBytes = outcome.kind === "refused" ? 3 * record.winner.patch.length + 500 : 0;
  let bytes = 500 + Math.min(refusedBytes, 45_000);
  for (const product of products) {
    if (!product) continue;
    const { sku, title, prices, attributes } = product;
    keyBytes += 3 * sku.length + 200;
    bytes += 2_500 + 6 * title.length + 150 * prices.length +
      3 * JSON.stringify(attributes).length;
  }
  const rows = { mutations, keyBytes, bytes: bytes + keyBytes };
  return addCosts(rows, costOfNotes(notes.length), links ? costOfLinks(links) : {});
}
