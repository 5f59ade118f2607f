/**
 * Keys: `ji W jobId n` → file n of the upload; `jc W jobId "change"|"addition"|"removal" n` → row of a
 * plan's report; `jw W jobId index` → a refused record as XML; `jy W jobId "head" n` → columns of the table
 * that file n is, `jy W jobId "row" index` → `[n, rows]`, the rows of a refused record as file n has
 * them; `ja W jobId` → id of the job that applied it.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { removeRows } from "../../platform/store/rows.ts";
import type { FileInfo } from "../upload/file_event.ts";

const ofJob = (table: "ji" | "jc" | "jw" | "jy" | "ja", workspaceId: string, jobId: string) => [
  table,
  idBytes(workspaceId),
  idBytes(jobId),
];

/** A field of an existing product that an import would change, named and valued as on read. */
export interface FieldChange {
  readonly sku: string;
  readonly field: string;
  /** Of units sold: their day. */
  readonly date?: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Of prices alone: what their minor units are of, before and after. */
  readonly fromCurrency?: string;
  readonly toCurrency?: string;
  /** What the file says of `to`, where that reads otherwise. */
  readonly written?: string;
  /** Of our price and the cost alone: the product's margin in percent; null where it is not known. */
  readonly fromMarginPct?: number | null;
  readonly toMarginPct?: number | null;
}

/** A product that an import would make. */
export interface Addition {
  readonly sku: string;
  readonly title: string;
  /** Our price in minor units of `currency`; null: it would have none. */
  readonly priceCents: number | null;
  readonly currency: string;
}

/** A product that `replace` would delete. */
export interface Removal {
  readonly sku: string;
  readonly productId: string;
}

export function saveFile(
  write: Write,
  workspaceId: string,
  jobId: string,
  n: number,
  file: FileInfo,
): void {
  write.set([...ofJob("ji", workspaceId, jobId), n], file);
}

/** The files in their order: the entries of an archive stand for themselves. */
export async function listFiles(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<FileInfo[]> {
  const prefix = ofJob("ji", workspaceId, jobId);
  const rows = await Array.fromAsync(store.kv.list<FileInfo>({ prefix }, { batchSize: 200 }));
  return rows.map(({ value }) => value);
}

export function saveReportRow(
  write: Write,
  workspaceId: string,
  jobId: string,
  n: number,
  row:
    | { readonly change: FieldChange }
    | { readonly addition: Addition }
    | { readonly removal: Removal },
): void {
  const prefix = ofJob("jc", workspaceId, jobId);
  if ("change" in row) write.set([...prefix, "change", n], row.change);
  else if ("addition" in row) write.set([...prefix, "addition", n], row.addition);
  else write.set([...prefix, "removal", n], row.removal);
}

export async function listChanges(
  workspace: WorkspaceStore,
  jobId: string,
): Promise<FieldChange[]> {
  return await listReport(workspace, jobId, "change");
}

export async function listAdditions(
  workspace: WorkspaceStore,
  jobId: string,
): Promise<Addition[]> {
  return await listReport(workspace, jobId, "addition");
}

export async function listRemovals(workspace: WorkspaceStore, jobId: string): Promise<Removal[]> {
  return await listReport(workspace, jobId, "removal");
}

async function listReport<Row>(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  kind: "change" | "addition" | "removal",
): Promise<Row[]> {
  const prefix = [...ofJob("jc", workspaceId, jobId), kind];
  return (await Array.fromAsync(store.kv.list<Row>({ prefix }))).map(({ value }) => value);
}

export function saveRefusedRecord(
  write: Write,
  workspaceId: string,
  jobId: string,
  index: number,
  xml: string,
): void {
  write.set([...ofJob("jw", workspaceId, jobId), index], xml);
}

/** The refused records as XML, in their order. */
export async function* walkRefusedRecords(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): AsyncGenerator<string> {
  const prefix = ofJob("jw", workspaceId, jobId);
  for await (const { value } of store.kv.list<string>({ prefix })) yield value;
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
  write.set([...ofJob("jy", workspaceId, jobId), "head", file], columns);
}

/** Columns of the tables of an upload, by the number of the file, in its order. */
export async function listTableHeads(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<ReadonlyMap<number, TextRow>> {
  const prefix = [...ofJob("jy", workspaceId, jobId), "head"];
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
  write.set([...ofJob("jy", workspaceId, jobId), "row", index], [file, rows]);
}

/** The refused rows, in the order of the upload. */
export async function* walkRefusedRows(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): AsyncGenerator<RefusedRows> {
  const prefix = [...ofJob("jy", workspaceId, jobId), "row"];
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
  return (await store.kv.get<string>(ofJob("ja", workspaceId, jobId))).value;
}

/** The commit fails when another job applied the file meanwhile. */
export function saveApplier(
  write: Write,
  workspaceId: string,
  jobId: string,
  applierId: string,
): void {
  const key = ofJob("ja", workspaceId, jobId);
  write.check(key, null);
  write.set(key, applierId);
}

/** Takes away up to `limit` rows of files, report and refused records; answers how many. */
export async function removeImportRows(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  limit: number,
): Promise<number> {
  let count = 0;
  for (const table of ["ji", "jc", "jw", "jy"] as const) {
    if (count === limit) break;
    count += await removeRows(write, store, ofJob(table, workspaceId, jobId), limit - count);
  }
  return count;
}
