/** Stores the records, findings and report of an import; all keys contain the import's id. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { ReportEntry } from "./import_job.ts";
import { undoRows } from "./undo_store.ts";
import { sha256 } from "../../base/bytes.ts";
import {
  firstRow,
  idKey,
  packBytes,
  type PackedBytes,
  removeRows,
  unpackBytes,
} from "../../platform/store/rows.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { Finding } from "../files/source_file.ts";
import type { FileInfo } from "../upload/read_xml_file.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { type FileDay, joinedDays } from "../records/field_values.ts";
import type { RecordPatch, WrittenValues } from "../records/record_patch.ts";
import { hash as hashOnce } from "node:crypto";

type Owner = Pick<WorkspaceStore, "workspaceId">;

export const importFiles = defineTable<
  { readonly jobId: string; readonly n: number; readonly file: FileInfo },
  "jobId" | "n"
>({
  prefix: "ji",
  about: "file n of the upload of an import",
  key: { jobId: "id", n: "number" },
  value: "file",
});

export async function listFiles(workspace: WorkspaceStore, jobId: string): Promise<FileInfo[]> {
  return (await importFiles.list(workspace, { within: { jobId } })).map(({ row }) => row.file);
}

const SEVERITIES = ["error", "warning"] as const;
/**
 * The findings of a record are numbered: from 0 while the file is checked, and from `APPLY_FROM`
 * while changes are applied or undone.
 */
export const APPLY_FROM = 1_000;

interface StoredFinding {
  readonly jobId: string;
  readonly rank: number;
  readonly index: number;
  readonly n: number;
  readonly finding: Finding;
}

type FindingPlace = Pick<StoredFinding, "rank" | "index" | "n">;

export function placeOf({ rank, index, n }: StoredFinding): FindingPlace {
  return { rank, index, n };
}

const findings = defineTable<StoredFinding, "jobId" | "rank" | "index" | "n">({
  prefix: "jf",
  about: "a finding; `rank` is 0 for an error, 1 for a warning; `index` is the record, or -1 for " +
    "a file; `n` counts the findings of a record, from 1,000 on while records are applied",
  key: { jobId: "id", rank: "number", index: "number", n: "number" },
  value: "finding",
});

/** A repeated step saves its findings with the same `n`, so no finding is stored twice. */
export function saveFinding(
  write: Write,
  owner: Owner,
  jobId: string,
  finding: Finding,
  n: number,
): void {
  const rank = SEVERITIES.indexOf(finding.severity);
  findings.put(write, owner, { jobId, rank, index: finding.index ?? -1, n, finding });
}

/** Errors come before warnings; both are in the order of the records. */
export function walkFindings(
  workspace: WorkspaceStore,
  jobId: string,
  severity: Finding["severity"] | null,
  page: { readonly after?: FindingPlace | null; readonly limit?: number } = {},
) {
  const within = { jobId, ...(severity !== null && { rank: SEVERITIES.indexOf(severity) }) };
  return findings.walk(workspace, { within, ...page });
}

export async function listFindings(...asked: Parameters<typeof walkFindings>) {
  return await Array.fromAsync(walkFindings(...asked), ({ row }) => row);
}

const MARK_BYTES = 12;
const MARKS_PER_ROW = 5_000;

const excludedMarks = defineTable<
  { readonly jobId: string; readonly n: number; readonly marks: Uint8Array },
  "jobId" | "n"
>({
  prefix: "jn",
  about: `hashes of the SKUs that an import excludes: ${MARK_BYTES} bytes each, 5,000 per row`,
  key: { jobId: "id", n: "number" },
  value: "marks",
});

/** Collisions of the shortened hash are too rare to matter. */
export function excludedMark(sku: string): string {
  return sha256(sku).slice(0, MARK_BYTES).toHex();
}

export function saveExcluded(
  write: Write,
  owner: Owner,
  jobId: string,
  marks: ReadonlySet<string>,
): void {
  const all = [...marks].sort();
  for (let at = 0, n = 0; at < all.length; at += MARKS_PER_ROW, n++) {
    const row = Uint8Array.fromHex(all.slice(at, at + MARKS_PER_ROW).join(""));
    excludedMarks.put(write, owner, { jobId, n, marks: row });
  }
}

export async function findExcluded(
  workspace: WorkspaceStore,
  jobId: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { row: { marks } } of excludedMarks.walk(workspace, { within: { jobId } })) {
    for (let at = 0; at < marks.length; at += MARK_BYTES) {
      found.add(marks.slice(at, at + MARK_BYTES).toHex());
    }
  }
  return found;
}

export const PARTITION_BYTES_MAX = 60_000;

export const partitions = defineTable<
  {
    readonly jobId: string;
    readonly shard: number;
    readonly n: number;
    readonly bytes: Uint8Array;
  },
  "jobId" | "shard" | "n"
>({
  prefix: "jp",
  about: "checked records as lines of UTF-8 text, at most 60,000 bytes, compressed if that saves " +
    "space",
  key: { jobId: "id", shard: "number", n: "number" },
  codec: {
    encode: ({ bytes }) => packBytes(bytes),
    decode: (packed: PackedBytes) => ({ bytes: unpackBytes(packed, PARTITION_BYTES_MAX) }),
  },
  // Only a few rows are read at once, because the rows of a shard may have tens of megabytes.
  batchSize: 16,
});

type ReportRow = ReportEntry & {
  readonly jobId: string;
  readonly n: number;
  /** Index of the record in the import; 0 for a product that the import removes. */
  readonly at: number;
};

export const reportRows = defineTable<ReportRow, "jobId" | "kind" | "n">({
  prefix: "jc",
  about: "a row of the report on a planned import: a change, an addition or a removal",
  key: { jobId: "id", kind: "text", n: "number" },
  codec: {
    encode: ({ row, at }) => ({ ...row, at }),
    decode: ({ at = 0, ...row }: ReportRow["row"] & { readonly at?: number }) =>
      Object({ row, at }),
  },
});

export interface RefusedRecord {
  readonly jobId: string;
  readonly index: number;
  readonly xml: string;
}

export const refusedRecords = defineTable<RefusedRecord, "jobId" | "index">({
  prefix: "jw",
  about: "a refused record as XML",
  key: { jobId: "id", index: "number" },
  value: "xml",
});

export type TextRow = readonly (string | null)[];

type RefusedRows = readonly [file: number, rows: readonly TextRow[]];

export type TableText =
  & { readonly jobId: string; readonly n: number }
  & ({ readonly kind: "head"; readonly text: TextRow } | {
    readonly kind: "row";
    readonly text: RefusedRows;
  });

export const tableTexts = defineTable<TableText, "jobId" | "kind" | "n">({
  prefix: "jy",
  about: "`head`: the columns of table file n; `row`: the file number of the refused record n, " +
    "and its rows as in the file",
  key: { jobId: "id", kind: "text", n: "number" },
  value: "text",
});

export const appliers = defineTable<
  { readonly jobId: string; readonly applierId: string },
  "jobId"
>({
  prefix: "ja",
  about: "id of the job that applied the file of a dry run or of a held import",
  key: { jobId: "id" },
  value: "applierId",
});

export async function findApplier(workspace: WorkspaceStore, jobId: string) {
  return (await appliers.find(workspace, { jobId }))?.row.applierId ?? null;
}

const CHECKED = [partitions, tableTexts, findings, importFiles, reportRows, refusedRecords];
const TABLES = { work: [partitions], check: CHECKED, whole: [...CHECKED, excludedMarks, undoRows] };

const ROWS_PER_COMMIT = 50;

export async function clearImport(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  part: keyof typeof TABLES,
  commit: (effects: (write: Write) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const { options } of TABLES[part]) {
    const prefix = idKey(options.prefix, workspaceId, jobId);
    while (await firstRow(store, { prefix })) {
      await commit(async (write) => void await removeRows(write, store, prefix, ROWS_PER_COMMIT));
    }
  }
}

const HASH_CHARACTERS = 22;

export interface RecordLine {
  readonly hash: string;
  readonly index: number;
  readonly line: number;
  readonly file: number;
  readonly sku: string;
  /** The patch as JSON; empty for a refused or skipped record. */
  readonly patch: string;
  /** The record's rows in the file, as JSON; empty if the record can no longer be refused. */
  readonly rows: string;
  /** The units sold per day as JSON; they are not part of `hash`. */
  readonly sold: string;
  readonly written?: string;
  /** Number of earlier records with the same SKU, which this record replaces. */
  readonly losers: number;
}

/** Fields are separated by tabs, because neither SKUs nor JSON contain tabs. */
export function lineOf(
  patch: RecordPatch,
  { index, line, file, rows = "", sold = [], written }:
    & Pick<RecordLine, "index" | "line" | "file">
    & {
      readonly rows?: string;
      readonly sold?: readonly FileDay[];
      readonly written?: WrittenValues | undefined;
    },
): string {
  const json = JSON.stringify(patch);
  const hash = hashOnce("sha256", json, "base64url").slice(0, HASH_CHARACTERS);
  const days = sold.length > 0 ? JSON.stringify(sold) : "";
  const texts = written ? JSON.stringify(written) : "";
  const fields = `${hash}\t${index}\t${line}\t${file}\t${patch.sku}\t${json}`;
  return `${`${fields}\t${rows}\t${days}\t${texts}`.trimEnd()}\n`;
}

export function seenLine(sku: string, index: number): string {
  return `-\t${index}\t0\t0\t${sku}\t\n`;
}

function recordOf(text: string): RecordLine {
  const fields = text.split("\t", 9);
  const [hash = "", index = "", line = "", file = "", sku = "", patch = ""] = fields;
  const [rows = "", sold = "", written = ""] = fields.slice(6);
  return {
    hash,
    index: Number(index),
    line: Number(line),
    file: Number(file),
    sku,
    patch,
    rows,
    sold,
    written,
    losers: 0,
  };
}

/** Finds only property names, because JSON escapes the quotes inside values. */
export function bringsPrice({ patch }: RecordLine): boolean {
  return /"(?:our|cost)PriceCents":\d/.test(patch);
}

export function patchOf({ patch }: RecordLine): RecordPatch {
  return JSON.parse(patch);
}

export function writtenOf({ written }: RecordLine): WrittenValues {
  return written ? JSON.parse(written) : {};
}

export function soldOf({ sold }: Pick<RecordLine, "sold">): readonly FileDay[] {
  return sold === "" ? [] : JSON.parse(sold);
}

export type Winners = Awaited<ReturnType<typeof readWinners>>;

/**
 * Returns each SKU's last valid record, in upload order, with the sales of all its valid records.
 * `mentioned` has the SKUs of all records, even refused ones; it is empty unless `isMentioning`.
 */
export async function readWinners(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  isMentioning: boolean,
) {
  const bySku = new Map<string, RecordLine>();
  const mentioned = new Set<string>();
  const slice = new TimeSlice();
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const record of lines.map(recordOf)) {
      const { sku } = record;
      if (isMentioning) mentioned.add(sku);
      if (record.patch !== "") bySku.set(sku, laterOf(bySku.get(sku), record));
    }
    await slice.yield();
  }
  if (rest !== "") throw new Error("A line of records breaks off before its end");
  const records = [...bySku.values()].sort((one, other) => one.index - other.index);
  return { records, mentioned };
}

function laterOf(before: RecordLine | undefined, record: RecordLine): RecordLine {
  if (before === undefined) return record;
  const [later, earlier] = record.index > before.index ? [record, before] : [before, record];
  const sold = earlier.sold === ""
    ? later.sold
    : JSON.stringify(joinedDays(soldOf(earlier), soldOf(later)));
  return { ...later, sold, losers: before.losers + 1 };
}
