/**
 * Keys: `ji W jobId n` → file n of the upload; `jc W jobId "change"|"removal" n` → row of a plan's
 * report; `jw W jobId index` → a refused record as XML; `ja W jobId` → id of the job that applied it.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { removeRows } from "../../platform/store/rows.ts";
import type { FileInfo } from "../upload/file_event.ts";

const ofJob = (table: "ji" | "jc" | "jw" | "ja", workspaceId: string, jobId: string) => [
  table,
  idBytes(workspaceId),
  idBytes(jobId),
];

/** A field of an existing product that an import would change, named and valued as on read. */
export interface FieldChange {
  readonly sku: string;
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Of prices alone: what their minor units are of, before and after. */
  readonly fromCurrency?: string;
  readonly toCurrency?: string;
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
  row: { readonly change: FieldChange } | { readonly removal: Removal },
): void {
  const prefix = ofJob("jc", workspaceId, jobId);
  if ("change" in row) write.set([...prefix, "change", n], row.change);
  else write.set([...prefix, "removal", n], row.removal);
}

export async function listChanges(
  workspace: WorkspaceStore,
  jobId: string,
): Promise<FieldChange[]> {
  return await listReport(workspace, jobId, "change");
}

export async function listRemovals(workspace: WorkspaceStore, jobId: string): Promise<Removal[]> {
  return await listReport(workspace, jobId, "removal");
}

async function listReport<Row>(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  kind: "change" | "removal",
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
  for (const table of ["ji", "jc", "jw"] as const) {
    if (count === limit) break;
    count += await removeRows(write, store, ofJob(table, workspaceId, jobId), limit - count);
  }
  return count;
}
