/**
 * A span is a group of shards (parts of the catalogue) that an import processes together. A commit
 * fails if another writer has meanwhile changed a shard of the commit's span.
 */
import assert from "node:assert/strict";
import { requireWorkspace, type Workspace } from "../../accounts/workspace.ts";
import {
  findIndexRows,
  type IndexRow,
  listIndexRows,
} from "../../catalogue/products/index_row_store.ts";
import { type Product, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { awaitedProducts } from "../../catalogue/prices/awaited_price_store.ts";
import {
  countActiveProducts,
  offerVersions,
  productVersions,
} from "../../catalogue/products/change_log_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import type { ImportCursor, ImportJob } from "../state/import_job.ts";
import type { ImportMode } from "../choices.ts";
import {
  excludedMark,
  findExcluded,
  listFiles,
  partitions,
  patchOf,
  readWinners,
  type RecordLine,
  soldOf,
  type Winners,
} from "../state/import_row_store.ts";
import type { RecordPatch } from "../records/record_patch.ts";
import { productsById } from "../../catalogue/products/product_store.ts";
import { findSalesChanges } from "../../catalogue/sales/sales.ts";
import type { SalesChange, SoldDay } from "../../catalogue/sales/sale.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { judgeLinks, type WantedLink } from "../../shops/matches/link_plan.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import type { UploadLimits } from "../upload/read_upload.ts";
import type { FileInfo } from "../upload/read_xml_file.ts";
import { isLeftOut, isSkipped } from "./decide_record.ts";

export interface WrittenShards {
  readonly products: ReadonlySet<number>;
  readonly offers: ReadonlySet<number>;
}

const NOTHING: WrittenShards = { products: new Set(), offers: new Set() };

type VersionCounters = Awaited<ReturnType<typeof readVersionCounters>>;

/** Call this before reading other data of the shards, so that a later change fails the commit. */
export async function readVersionCounters(workspace: WorkspaceStore, shards: readonly number[]) {
  const [products, offers] = await Promise.all([
    productVersions.find(workspace, shards),
    offerVersions.find(workspace, shards),
  ]);
  let before = NOTHING;
  return {
    /** `check` must run in every step, because it notes the versions that the last commit wrote. */
    check(
      { write, workspaceId, lastCommit }: Pick<StepTools, "write" | "workspaceId" | "lastCommit">,
      written: WrittenShards | null,
    ): void {
      for (const shard of before.products) products.set(shard, lastCommit);
      for (const shard of before.offers) offers.set(shard, lastCommit);
      before = written ?? NOTHING;
      if (written === null) return;
      productVersions.check(write, workspaceId, products);
      const offerOf = (shard: number) => [shard, offers.get(shard) ?? null] as const;
      offerVersions.check(write, workspaceId, Array.from(written.offers, offerOf));
    },
  };
}

const BEFORE_ALL_SKUS = "";

export function requireCursor({ cursor }: ImportJob): ImportCursor {
  assert(cursor, "An import is applied before it was checked");
  return cursor;
}

export function afterRecords(
  cursor: ImportCursor,
  span: Span,
  position: number,
  isReplace: boolean,
): ImportCursor {
  if (position < span.winners.records.length) return { ...cursor, position, isCounted: false };
  const moved = { ...cursor, position, isCounted: false };
  return isReplace ? { ...moved, removedUpTo: BEFORE_ALL_SKUS } : afterSpan(moved, span);
}

export function afterSpan(cursor: ImportCursor, span: Pick<Span, "shards">): ImportCursor {
  const shard = (span.shards.at(-1) ?? 63) + 1;
  return { ...cursor, shard, position: 0, isCounted: false, removedUpTo: null };
}

/** Each shard needs two of a commit's version checks; the competitors and the job need one each. */
const SHARDS_MAX = (COMMIT_MAX.checks - 2) / 2;

interface Span {
  readonly shards: readonly number[];
  readonly winners: Winners;
  readonly indexRows: ReadonlyMap<string, IndexRow>;
  readonly versionCounters: VersionCounters;
  /** Ids of the products whose exported price has not yet come back in an import from the ERP. */
  readonly awaited: ReadonlySet<string>;
  /** Shortened hashes of SKUs that are not to be imported; empty unless the mode is `replace`. */
  readonly excluded: ReadonlySet<string>;
  readonly rowsMax: number;
  readonly workspace: Workspace;
  readonly files: readonly FileInfo[];
}

export function spanAt(
  { shard: from, lines }: Pick<ImportCursor, "shard" | "lines">,
  mode: ImportMode,
): number[] {
  const wanted = SHARD_NUMBERS.filter((shard) =>
    shard >= from && (mode === "replace" || (lines[shard] ?? 0) > 0)
  );
  const span: number[] = [];
  let count = 0;
  for (const shard of wanted) {
    count += lines[shard] ?? 0;
    const isFull = span.length === SHARDS_MAX || (span.length > 0 && count > 100);
    if (isFull) break;
    span.push(shard);
  }
  return span;
}

/** Reading one index row by its key costs as much as reading this many rows in sequence. */
const POINT_READ_COST = 6;
const ROWS_ALONE_MAX = 900;
const ROWS_BESIDE_OTHERS_MAX = 240;

interface Loaded extends Span {
  next: string | null;
}

export class SpanLoader {
  readonly #kept = new Map<string, Loaded>();

  async load(
    job: ImportJob,
    tools: StepTools<ImportJob>,
    shards: readonly number[],
  ): Promise<Span> {
    let kept = this.#kept.get(job.jobId);
    const known = kept?.shards.join() === shards.join() ? kept : null;
    if (known && known.next === placeOf(job, job.cursor)) {
      // If this step fails, the next attempt must read the span again.
      known.next = null;
      return known;
    }
    const { awaited, excluded } = kept ?? {};
    // Frees the records of the previous span before reading the records of the next span.
    if (!known) {
      kept = undefined;
      this.#kept.delete(job.jobId);
    }
    const versionCounters = await readVersionCounters(tools, shards);
    const winners = known?.winners ?? await winnersOf(job, tools, shards);
    const isExcluding = job.args.mode === "replace" && job.args.excluded !== undefined;
    const loaded = {
      shards,
      winners,
      indexRows: await readIndexRows(job, tools, shards, winners),
      versionCounters,
      // Read once per job: a price exported after the upload cannot be in the uploaded file.
      awaited: awaited ?? await awaitedProducts(tools),
      excluded: excluded ??
        (isExcluding ? await findExcluded(tools, job.jobId) : new Set<string>()),
      rowsMax: known ? ROWS_BESIDE_OTHERS_MAX : ROWS_ALONE_MAX,
      workspace: await requireWorkspace(tools),
      files: await listFiles(tools, job.jobId),
      next: null,
    };
    this.#kept.set(job.jobId, loaded);
    return loaded;
  }

  expect(job: ImportJob, cursor: ImportCursor | undefined): void {
    const loaded = this.#kept.get(job.jobId);
    if (loaded) loaded.next = cursor?.isCounted === false ? placeOf(job, cursor) : null;
  }

  forget(jobId: string): void {
    this.#kept.delete(jobId);
  }
}

function placeOf({ lease, phase }: ImportJob, cursor: ImportCursor | null): string {
  return [lease?.token, phase, cursor?.shard, cursor?.position, cursor?.removedUpTo].join(" ");
}

async function winnersOf(
  { jobId, args }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
): Promise<Winners> {
  async function* chunks() {
    for (const shard of shards) {
      const rows = partitions.walk(tools, { within: { jobId, shard } });
      for await (const { row } of rows) yield row.bytes;
    }
  }
  return await readWinners(chunks(), args.mode === "replace");
}

async function readIndexRows(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
  { records }: Winners,
): Promise<Map<string, IndexRow>> {
  const inRange = await countActiveProducts(tools) / SHARD_NUMBERS.length * shards.length;
  if (args.mode !== "replace" && records.length * POINT_READ_COST < inRange) {
    return await findIndexRows(tools, records.map(({ sku }) => sku));
  }
  const indexRows = new Map<string, IndexRow>();
  for (const shard of shards) {
    for await (const { sku, indexRow } of listIndexRows(tools, shard)) indexRows.set(sku, indexRow);
  }
  return indexRows;
}

export interface BatchRecord {
  readonly winner: RecordLine;
  readonly indexRow: IndexRow | undefined;
  /**
   * Null if the record changes nothing, or only the units sold. Also null for a new product in
   * the pass that only counts changes for the guards (`isJudged`).
   */
  readonly patch: RecordPatch | null;
  readonly before: Product | null;
  readonly wanted: readonly WantedLink[];
  readonly refusedUrls: readonly string[];
  readonly sales: readonly SalesChange[];
}

export type Batch = Awaited<ReturnType<typeof readBatch>>;

export interface ImportStep {
  readonly deps: ImportDeps;
  readonly job: ImportJob;
  readonly tools: StepTools<ImportJob>;
  readonly span: Span;
}

export function isJudged({ phase, args }: ImportJob): boolean {
  return phase === "plan" && !args.isDryRun;
}

export async function readBatch(step: ImportStep) {
  const { job, tools } = step;
  const picked = pickWinners(step);
  const sold = picked.flatMap(({ winner, indexRow, hasSold }) =>
    hasSold && indexRow ? soldDaysOf(winner).map((day) => ({ productId: indexRow.id, day })) : []
  );
  const changes = sold.length === 0 ? [] : await findSalesChanges(tools, sold);
  const sales = Map.groupBy(changes, ({ productId }) => productId);
  const documents = await productsById(
    tools,
    picked.flatMap(({ indexRow, isTouched }) => indexRow && isTouched ? [indexRow.id] : []),
  );
  const records = picked.map(({ winner, indexRow, isTouched }): BatchRecord => {
    const id = indexRow?.id ?? "";
    const before = isTouched ? documents.get(id) ?? null : null;
    if (indexRow && isTouched && before === null) throw new StaleBatch();
    const patch = isTouched ? patchOf(winner) : null;
    const { wanted, refused: refusedUrls } = judgeLinks(patch?.links ?? [], step.deps.allowed);
    return { winner, indexRow, patch, before, wanted, refusedUrls, sales: sales.get(id) ?? [] };
  });
  const linked = isJudged(job) ? [] : records.filter(({ wanted }) => wanted.length > 0);
  const known = linked.flatMap(({ before }) => before?.id ?? []);
  const offers = known.length === 0 ? [] : await findOffersOf(tools, known);
  return {
    records,
    offers: new Map(offers.map((row) => [row.productId, row])),
    competitors: linked.length === 0 ? null : await readCompetitorSet(tools),
  };
}

interface PickedWinner extends Pick<BatchRecord, "winner" | "indexRow"> {
  readonly isTouched: boolean;
  readonly hasSold: boolean;
}

function pickWinners({ job, span }: ImportStep): PickedWinner[] {
  const { args } = job;
  const { position, isCounted } = requireCursor(job);
  const picked: PickedWinner[] = [];
  const forGuards = isJudged(job);
  const rowsMax = forGuards ? 2_000 : span.rowsMax;
  let rows = 0;
  for (const [n, winner] of span.winners.records.slice(position, position + 4_000).entries()) {
    const indexRow = span.indexRows.get(winner.sku);
    const isHalfDone = n === 0 && isCounted;
    const isAwaited = indexRow !== undefined && !forGuards && span.awaited.has(indexRow.id) &&
      !isLeftOut(args.mode, indexRow);
    const isWanted = isHalfDone || isAwaited || !isSkipped(args.mode, winner.hash, indexRow);
    const isTouched = isWanted && (indexRow !== undefined || !forGuards);
    const hasSold = winner.sold !== "" && !forGuards && !isLeftOut(args.mode, indexRow);
    // A new product adds about two rows to a commit, a changed product about four.
    if (isTouched || hasSold) rows += indexRow ? 4 : 2;
    if (rows > rowsMax) break;
    picked.push({ winner, indexRow, isTouched, hasSold });
  }
  return picked;
}

export function soldDaysOf(winner: RecordLine): SoldDay[] {
  return soldOf(winner).map(([date, units]) => ({
    date,
    units,
    revenueCents: null,
    currency: null,
  }));
}

export class StaleBatch extends Error {
  constructor() {
    super("A product was written while a batch was read");
    this.name = "StaleBatch";
  }
}

export interface ImportDeps {
  readonly limits: UploadLimits;
  readonly allowed: AddressAllowList;
  readonly answerMs: number;
  wake(kind: string): void;
}

export function isMadeBy(
  { isFromImport, importSource }: Pick<IndexRow, "isFromImport" | "importSource">,
  source: string | undefined,
): boolean {
  return isFromImport && importSource === (source ?? null);
}

export async function countMadeBy(workspace: WorkspaceStore, source: string): Promise<number> {
  let made = 0;
  const slice = new TimeSlice();
  for (const shard of SHARD_NUMBERS) {
    for await (const { indexRow } of listIndexRows(workspace, shard)) {
      if (isMadeBy(indexRow, source) && !indexRow.isDeleted) made++;
    }
    await slice.yield();
  }
  return made;
}

/** Finds the products that `replace` deletes: no record, even a refused one, has their SKU. */
export function missingFrom({ job: { args }, span }: ImportStep) {
  const made = [...span.indexRows].filter(([, indexRow]) =>
    isMadeBy(indexRow, args.source) && !indexRow.isDeleted
  ).map(([sku, indexRow]) => ({ sku, indexRow }));
  const { winners: { mentioned }, excluded } = span;
  const missing = made.filter(({ sku }) =>
    !mentioned.has(sku) && (excluded.size === 0 || !excluded.has(excludedMark(sku)))
  ).sort((a, b) => a.sku < b.sku ? -1 : 1);
  return { importMade: made.length, missing };
}
