/**
 * Keys: `ji W jobId n` → file n of the upload;
 * `jp W jobId shard n` → UTF-8 text of record lines, at most 60,000 bytes, packed where that pays
 * (`packed_bytes.ts`): the checked records, dealt out by the shard of their SKU (design: an import is
 * a hash join); `jf W jobId severity index n` → finding, `severity` 0 error, 1 warning, `index` of the
 * record, -1 for a file, `n` within the record, from 1,000 on for what applying it found; `jc W jobId
 * "change"|"addition"|"removal" n` → row of a plan's report; `jw W jobId index` → a refused record as
 * XML; `jy W jobId "head" n` → columns of the table that file n is, `jy W jobId "row" index` →
 * `[n, rows]`, the rows of a refused record as file n has them; `jn W jobId n` → 12 bytes for each SKU
 * that the import leaves out, up to 5,000 of them; `ja W jobId` → id of the job that applied it. The
 * rows of an undo (`undo_store.ts`) go with the others.
 */

import { sha256 } from "../../base/bytes.ts";
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { firstRow, removeRows } from "../../platform/store/rows.ts";
import { packBytes, type PackedBytes, unpackBytes } from "../../platform/store/value_bytes.ts";
import type { Finding } from "../files/finding.ts";
import type { FileInfo } from "../upload/file_event.ts";
import type { ReportRows } from "./import_figures.ts";

const SEVERITIES = ["error", "warning"] as const;
/** Below: found by the check; from here on: found while applying. */
export const APPLY_FROM = 1_000;

/** A place in the list: severity, index and n of the last finding that was told. */
export type FindingPlace = readonly [severity: number, index: number, n: number];

interface StoredFinding {
  readonly finding: Finding;
  readonly place: FindingPlace;
}

/** The same finding of the same record lands on the same key, however often a step is repeated. */
export function saveFinding(
  write: Write,
  workspaceId: string,
  jobId: string,
  finding: Finding,
  n: number,
): void {
  const severity = SEVERITIES.indexOf(finding.severity);
  write.set([...keyOfJob("jf", workspaceId, jobId), severity, finding.index ?? -1, n], finding);
}

/** Errors before warnings, each in the order of the records; of one severity, or (null) of both. */
export async function listFindings(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  { severity, after, limit }: {
    readonly severity: Finding["severity"] | null;
    readonly after: FindingPlace | null;
    readonly limit: number;
  },
): Promise<StoredFinding[]> {
  const all = keyOfJob("jf", workspaceId, jobId);
  const prefix = severity === null ? all : [...all, SEVERITIES.indexOf(severity)];
  // `true` sorts behind every number: the first row that is not the one named.
  const selector = after === null ? { prefix } : { prefix, start: [...all, ...after, true] };
  const found: StoredFinding[] = [];
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  for await (const { key, value } of store.kv.list<Finding>(selector, options)) {
    const [at, index, n] = key.slice(3).map(Number);
    found.push({ finding: value, place: [at ?? 0, index ?? 0, n ?? 0] });
  }
  return found;
}

const MARK_BYTES = 12;
const MARKS_PER_ROW = 5_000;

/** Short hash of a SKU; collisions are as rare as those of file hashes. */
export function excludedMark(sku: string): string {
  return sha256(sku).slice(0, MARK_BYTES).toHex();
}

/** At most two rows. */
export function saveExcluded(
  write: Write,
  workspaceId: string,
  jobId: string,
  marks: ReadonlySet<string>,
): void {
  const all = [...marks].sort();
  for (let at = 0, n = 0; at < all.length; at += MARKS_PER_ROW, n++) {
    const row = Uint8Array.fromHex(all.slice(at, at + MARKS_PER_ROW).join(""));
    write.set([...keyOfJob("jn", workspaceId, jobId), n], row);
  }
}

export async function findExcluded(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<ReadonlySet<string>> {
  const marks = new Set<string>();
  const rows = store.kv.list<Uint8Array>({ prefix: keyOfJob("jn", workspaceId, jobId) });
  for await (const { value } of rows) {
    for (let at = 0; at < value.length; at += MARK_BYTES) {
      marks.add(value.slice(at, at + MARK_BYTES).toHex());
    }
  }
  return marks;
}

export const PARTITION_BYTES_MAX = 60_000;

export function saveChunk(
  write: Write,
  workspaceId: string,
  jobId: string,
  chunk: { readonly shard: number; readonly n: number; readonly bytes: Uint8Array },
): void {
  const key = [...keyOfJob("jp", workspaceId, jobId), chunk.shard, chunk.n];
  write.set(key, packBytes(chunk.bytes));
}

/** Read side by side: a shard of a large file has tens of megabytes. */
const CHUNKS_AT_ONCE = 16;

/** All chunks of one shard, in their order, a few at a time. */
export async function* readChunks(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  shard: number,
): AsyncGenerator<Uint8Array> {
  const prefix = [...keyOfJob("jp", workspaceId, jobId), shard];
  const rows = store.kv.list<PackedBytes>({ prefix }, { batchSize: CHUNKS_AT_ONCE });
  for await (const { value } of rows) yield unpackBytes(value, PARTITION_BYTES_MAX);
}

export function saveFile(
  write: Write,
  workspaceId: string,
  jobId: string,
  n: number,
  file: FileInfo,
): void {
  write.set([...keyOfJob("ji", workspaceId, jobId), n], file);
}

/** The files in their order: the entries of an archive stand for themselves. */
export async function listFiles(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<FileInfo[]> {
  const prefix = keyOfJob("ji", workspaceId, jobId);
  const rows = store.kv.list<FileInfo>({ prefix }, { batchSize: 200 });
  return await Array.fromAsync(rows, ({ value }) => value);
}

/** `n` counts the rows of a kind. */
export function saveReportRow<Kind extends keyof ReportRows>(
  write: Write,
  workspaceId: string,
  jobId: string,
  { kind, n, row }: { readonly kind: Kind; readonly n: number; readonly row: ReportRows[Kind] },
): void {
  write.set([...keyOfJob("jc", workspaceId, jobId), kind, n], row);
}

/** The rows of a kind, in their order. */
export async function listReport<Kind extends keyof ReportRows>(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  kind: Kind,
): Promise<ReportRows[Kind][]> {
  const prefix = [...keyOfJob("jc", workspaceId, jobId), kind];
  return await Array.fromAsync(
    store.kv.list<ReportRows[Kind]>({ prefix }),
    ({ value }) => value,
  );
}

export function saveRefusedRecord(
  write: Write,
  workspaceId: string,
  jobId: string,
  index: number,
  xml: string,
): void {
  write.set([...keyOfJob("jw", workspaceId, jobId), index], xml);
}

/** A refused record in the house format. */
export interface RefusedRecord {
  readonly index: number;
  readonly xml: string;
}

/** The refused records as XML, in their order. */
export async function* walkRefusedRecords(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): AsyncGenerator<RefusedRecord> {
  const prefix = keyOfJob("jw", workspaceId, jobId);
  for await (const { key, value } of store.kv.list<string>({ prefix })) {
    yield { index: Number(key[3]), xml: value };
  }
}

/** Longer JSON is not kept: a value holds 64 KiB. */
export const TABLE_TEXT_CHARS_MAX = 20_000;

/** The cells of a row; null: it does not have that one. */
export type TextRow = readonly (string | null)[];

/** The rows of a refused record of a table, one or those of one SKU. */
export interface RefusedRows {
  readonly index: number;
  /** Number of the file within the upload. */
  readonly file: number;
  readonly rows: readonly TextRow[];
}

/** Not kept where it is longer than `TABLE_TEXT_CHARS_MAX`. */
export function saveTableHead(
  write: Write,
  workspaceId: string,
  jobId: string,
  file: number,
  columns: TextRow,
): void {
  if (JSON.stringify(columns).length > TABLE_TEXT_CHARS_MAX) return;
  write.set([...keyOfJob("jy", workspaceId, jobId), "head", file], columns);
}

/** Columns of the tables of an upload, by the number of the file, in its order. */
export async function listTableHeads(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<ReadonlyMap<number, TextRow>> {
  const prefix = [...keyOfJob("jy", workspaceId, jobId), "head"];
  const rows = await Array.fromAsync(store.kv.list<TextRow>({ prefix }, { batchSize: 200 }));
  return new Map(rows.map(({ key, value }) => [Number(key[4]), value]));
}

/** `rows` are JSON of at most `TABLE_TEXT_CHARS_MAX` characters. */
export function saveRefusedRows(
  write: Write,
  workspaceId: string,
  jobId: string,
  { index, file, rows }: RefusedRows,
): void {
  write.set([...keyOfJob("jy", workspaceId, jobId), "row", index], [file, rows]);
}

/** The refused rows, in the order of the upload. */
export async function* walkRefusedRows(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): AsyncGenerator<RefusedRows> {
  const prefix = [...keyOfJob("jy", workspaceId, jobId), "row"];
  const rows = store.kv.list<[number, TextRow[]]>({ prefix }, { batchSize: 100 });
  for await (const { key, value: [file, cells] } of rows) {
    yield { index: Number(key[4]), file, rows: cells };
  }
}

/** The job that applied this one's file; null when none did. */
export async function findApplier(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<string | null> {
  return (await store.kv.get<string>(keyOfJob("ja", workspaceId, jobId))).value;
}

/** The commit fails when another job applied the file meanwhile. */
export function saveApplier(
  write: Write,
  workspaceId: string,
  jobId: string,
  applierId: string,
): void {
  const key = keyOfJob("ja", workspaceId, jobId);
  write.check(key, null);
  write.set(key, applierId);
}

export function keyOfJob(table: string, workspaceId: string, jobId: string) {
  return [table, idBytes(workspaceId), idBytes(jobId)];
}

const CHECKED = ["jp", "jf", "ji", "jc", "jw", "jy"] as const;

/** Tables of an import: those of a job at work, of a check, of the undo, and all of them. */
const TABLES = { work: ["jp"], check: CHECKED, undo: ["jv"], whole: [...CHECKED, "jn", "jv"] };
export type RowsPart = keyof typeof TABLES;

export async function hasImportRows(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  part: RowsPart,
): Promise<boolean> {
  for (const table of TABLES[part]) {
    if (await firstRow(store, { prefix: keyOfJob(table, workspaceId, jobId) })) return true;
  }
  return false;
}

/** Takes away up to `limit` rows of an import; answers how many. */
export async function removeImportRows(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  { part, limit }: { readonly part: RowsPart; readonly limit: number },
): Promise<number> {
  let count = 0;
  for (const table of TABLES[part]) {
    if (count === limit) break;
    count += await removeRows(write, store, keyOfJob(table, workspaceId, jobId), limit - count);
  }
  return count;
}
