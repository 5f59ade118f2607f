/**
 * Keys: `ji W jobId n` → file n of the upload; `jc W jobId "change"|"addition"|"removal" n` → row of a
 * plan's report; `jw W jobId index` → a refused record as XML; `jy W jobId "head" n` → columns of the table
 * that file n is, `jy W jobId "row" index` → `[n, rows]`, the rows of a refused record as file n has
 * them; `ja W jobId` → id of the job that applied it.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { keyOfJob, remover } from "../job_rows.ts";
import type { ReportRows } from "./report_row.ts";
import type { FileInfo } from "../upload/file_event.ts";

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

/** What is longer as JSON is not kept: a value holds 64 KiB. */
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

/** Takes files, report and refused records away. */
export const removeImportRows = remover("ji", "jc", "jw", "jy");
