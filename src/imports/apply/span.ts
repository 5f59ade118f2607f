/**
 * A span is a group of consecutive shards. It has the last record of each SKU in its shards, and
 * the index rows of the products with these SKUs.
 */
import assert from "node:assert/strict";
import type { Workspace } from "../../accounts/workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { joinedBytes, sha256 } from "../../base/bytes.ts";
import {
  findIndexRows,
  type IndexRow,
  listIndexRows,
} from "../../catalogue/products/index_row_store.ts";
import { SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { awaitedProducts } from "../../catalogue/prices/awaited_price_store.ts";
import { KeptBlocks } from "../../catalogue/products/field_block_store.ts";
import {
  countActiveProducts,
  offerVersions,
  productVersions,
} from "../../catalogue/products/product_mark_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, type Write } from "../../platform/store/kv.ts";
import type { ImportCursor, ImportJob, ImportMode } from "../state/import_job.ts";
import { readChunks } from "../state/import_row_store.ts";
import { headOf, type RecordLine, recordOf, withSoldOf } from "../records/record_patch.ts";

export type Winner = RecordLine;

const LINE_END = "\n".charCodeAt(0);
const LINES_PER_YIELD = 256;

interface Place {
  readonly sku: string;
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly losers: number;
  /** The record merged with earlier records of its SKU; null if merging changes nothing. */
  readonly joined: RecordLine | null;
}

/** The last record of each SKU in a span, in upload order, still encoded to save memory. */
export class Winners {
  readonly #bytes: Uint8Array;
  readonly #places: readonly Place[];
  /** For `replace`: all SKUs in the upload, including refused records; else empty. */
  readonly mentioned: ReadonlySet<string>;

  private constructor(bytes: Uint8Array, places: readonly Place[], mentioned: Set<string>) {
    this.#bytes = bytes;
    this.#places = places;
    this.mentioned = mentioned;
  }

  static async read(bytes: Uint8Array, isMentioning: boolean): Promise<Winners> {
    const bySku = new Map<string, Place>();
    const mentioned = new Set<string>();
    const slice = new TimeSlice();
    let lines = 0;
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(LINE_END, start);
      if (end < 0) throw new Error("A line of records breaks off before its end");
      const { sku, index, isPatch } = headOf(bytes, start);
      if (isMentioning) mentioned.add(sku);
      const place = { sku, index, start, end, losers: 0, joined: null };
      if (isPatch) bySku.set(sku, laterOf(bytes, bySku.get(sku), place));
      start = end + 1;
      if (++lines % LINES_PER_YIELD === 0) await slice.yield();
    }
    const places = [...bySku.values()].sort((one, other) => one.index - other.index);
    return new Winners(bytes, places, mentioned);
  }

  get length(): number {
    return this.#places.length;
  }

  at(position: number): Winner | undefined {
    const place = this.#places[position];
    return place && winnerAt(this.#bytes, place);
  }

  skus(): string[] {
    return this.#places.map(({ sku }) => sku);
  }
}

function laterOf(bytes: Uint8Array, before: Place | undefined, place: Place): Place {
  if (before === undefined) return place;
  const [later, earlier] = place.index > before.index ? [place, before] : [before, place];
  const winner = winnerAt(bytes, later);
  const both = withSoldOf(winner, winnerAt(bytes, earlier));
  const joined = both === winner ? later.joined : both;
  return { ...later, losers: before.losers + 1, joined };
}

function winnerAt(bytes: Uint8Array, { start, end, losers, joined }: Place): Winner {
  return { ...joined ?? recordOf(bytes.subarray(start, end)), losers };
}

export interface WrittenShards {
  readonly products: ReadonlySet<number>;
  readonly offers: ReadonlySet<number>;
}

const NOTHING: WrittenShards = { products: new Set(), offers: new Set() };

/** Makes a commit of the job fail if another writer has changed the shards of the span. */
export class SpanVersionCounters {
  readonly #products: Map<number, string | null>;
  readonly #offers: Map<number, string | null>;
  #written = NOTHING;

  private constructor(products: Map<number, string | null>, offers: Map<number, string | null>) {
    this.#products = products;
    this.#offers = offers;
  }

  /** Must be called before all other reads of these shards. */
  static async read(
    workspace: WorkspaceStore,
    shards: readonly number[],
  ): Promise<SpanVersionCounters> {
    const [products, offers] = await Promise.all([
      productVersions.find(workspace, shards),
      offerVersions.find(workspace, shards),
    ]);
    return new SpanVersionCounters(new Map(products), offers);
  }

  /** Must be called for every commit. `lastCommit`: versionstamp of the job's previous commit. */
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
    productVersions.check(write, workspaceId, this.#products);
    const offerOf = (shard: number) => [shard, this.#offers.get(shard) ?? null] as const;
    offerVersions.check(write, workspaceId, Array.from(written.offers, offerOf));
  }
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
  if (position < span.winners.length) return { ...cursor, position, isCounted: false };
  const moved = { ...cursor, position, isCounted: false };
  return isReplace ? { ...moved, removedUpTo: BEFORE_ALL_SKUS } : afterSpan(moved, span);
}

export function afterSpan(cursor: ImportCursor, span: Pick<Span, "shards">): ImportCursor {
  const shard = (span.shards.at(-1) ?? 63) + 1;
  return { ...cursor, shard, position: 0, isCounted: false, removedUpTo: null };
}

/** A shard costs two checks (products, offers). The competitors and the job cost one check each. */
const SHARDS_MAX = (COMMIT_MAX.checks - 2) / 2;

export interface Span {
  readonly shards: readonly number[];
  readonly winners: Winners;
  readonly indexRows: ReadonlyMap<string, IndexRow>;
  /** Must be read before all other data of the span. */
  readonly versionCounters: SpanVersionCounters;
  readonly blocks: KeptBlocks;
  /** Ids of products with an awaited price. */
  readonly awaited: ReadonlySet<string>;
  readonly rowsMax: number;
  readonly workspace: Workspace;
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

/** With `idSeconds`, ids are in file order, and do not change if a batch is repeated. */
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

/** Cost of reading one index row, relative to reading it within a range. */
const POINT_READ_COST = 6;
/** Maximum rows per batch. Batches are smaller while other writers cause conflicts. */
const ROWS_MAX = 900;
const ROWS_BESIDE_OTHERS = 240;

interface Loaded extends Span {
  /** Expected position of the next step; null if the span must be read again. */
  next: string | null;
}

export interface SpanLoader {
  load(job: ImportJob, tools: StepTools<ImportJob>, shards: readonly number[]): Promise<Span>;
  expect(job: ImportJob, cursor: ImportCursor | undefined): void;
  forget(jobId: string): void;
}

export function createSpanLoader(): SpanLoader {
  const kept = new Map<string, Loaded>();
  return {
    async load(job, tools, shards) {
      // Read once per job: a price that is exported now can only arrive in a later file.
      const awaited = kept.get(job.jobId)?.awaited ?? await awaitedProducts(tools);
      const known = takeKnown(kept, job, shards);
      if (known && known.next === placeOf(job, job.cursor)) {
        // A failed step leaves changed blocks in memory. With `next` null, its retry reads the
        // blocks again.
        known.next = null;
        return known;
      }
      const versionCounters = await SpanVersionCounters.read(tools, shards);
      const winners = known?.winners ?? await readWinners(job, tools, shards);
      const indexRows = await readIndexRows(job, tools, shards, winners);
      const { store, workspaceId } = tools;
      const blocks = new KeptBlocks({ store, workspaceId });
      const rowsMax = known ? ROWS_BESIDE_OTHERS : ROWS_MAX;
      const workspace = await requireWorkspace(tools);
      const read = { winners, indexRows, versionCounters, blocks, awaited, workspace };
      const loaded = { shards, ...read, rowsMax, next: null };
      kept.set(job.jobId, loaded);
      return loaded;
    },
    expect(job, cursor) {
      const loaded = kept.get(job.jobId);
      if (loaded) loaded.next = cursor?.isCounted === false ? placeOf(job, cursor) : null;
    },
    forget: (jobId) => void kept.delete(jobId),
  };
}

function placeOf({ lease, phase }: ImportJob, cursor: ImportCursor | null): string {
  return [lease?.token, phase, cursor?.shard, cursor?.position, cursor?.removedUpTo].join(" ");
}

/** Frees the previous span before the next one is read, because a large shard takes 15 MB. */
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
  const chunks: Uint8Array[] = [];
  for (const shard of shards) {
    for await (const chunk of readChunks(tools, jobId, shard)) chunks.push(chunk);
  }
  return await Winners.read(joinedBytes(chunks), args.mode === "replace");
}

async function readIndexRows(
  { args }: ImportJob,
  tools: StepTools<ImportJob>,
  shards: readonly number[],
  winners: Winners,
): Promise<Map<string, IndexRow>> {
  const inRange = await countActiveProducts(tools) / SHARD_NUMBERS.length * shards.length;
  if (args.mode !== "replace" && winners.length * POINT_READ_COST < inRange) {
    return await findIndexRows(tools, winners.skus());
  }
  const indexRows = new Map<string, IndexRow>();
  for (const shard of shards) {
    for await (const { sku, indexRow } of listIndexRows(tools, shard)) indexRows.set(sku, indexRow);
  }
  return indexRows;
}
