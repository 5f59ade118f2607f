/** Shows how the first 16 MiB of an upload would be imported, without importing anything. */
import { Failure } from "../base/failure.ts";
import { TimeSlice } from "../platform/event_loop.ts";
import type { Context } from "../platform/store/context.ts";
import { openBlob } from "../platform/store/spool_store.ts";
import type { ImportDeps } from "./apply/span.ts";
import { uploadSetting } from "./apply/check_step.ts";
import { createEanFinder, readUpload } from "./upload/read_upload.ts";
import { Finding, FINDING_CODES } from "./files/source_file.ts";
import { settingOf } from "./jobs/start_import.ts";
import { profilesFor, requireProfile } from "./profiles/import_profiles.ts";
import { type AnyProfile, TableShape } from "./profiles/table_profile.ts";
import type { EvaluatedRecord } from "./records/record_patch.ts";
import type { KnownTable, KnownXml, UploadSetting } from "./upload/read_xml_file.ts";
import { readParts, type ReceivedUpload } from "./upload/receive_upload.ts";
import { columnsOf, confidenceOf, TableColumn } from "./upload/read_table.ts";
import { z } from "@hono/zod-openapi";

const RECORDS_MAX = 20;
const WARNINGS_MAX = 100;

const FileLook = z.object({
  kind: z.enum(["xml", "delimited", "xlsx", "json", "ndjson"]),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  root: z.string().nullable().describe("XML: name of the root element"),
  headerRow: z.int().nullable()
    .describe("Line of the header; null if each record names its fields"),
  sheet: z.string().nullable(),
  sheets: z.array(z.string()).describe("Names of the visible sheets"),
  list: z.string().nullable().describe("JSON, XML: path of the records"),
  rows: z.int().nullable().describe(
    "Number of rows after the header, or of records; null if the file is too long to count",
  ),
  firstRows: z.array(z.object({ line: z.int(), cells: z.array(z.string().nullable()) }))
    .describe(`Tables: the first ${RECORDS_MAX} rows as in the file`),
}).meta({ id: "ImportLook" });

const FindingCounters = z.object({
  severity: z.enum(["error", "warning"]),
  code: z.enum(FINDING_CODES),
  field: z.string().nullable().describe("The column or element; null if none"),
  count: z.int().describe("Number of such findings"),
  line: z.int().nullable().describe("Line of the first of them"),
  value: z.string().nullable().describe("The value there"),
}).meta({ id: "ImportFindingTally" });

const NO_TABLE = { look: null, confidence: null, reading: null, suggestion: null } as const;

export const Preview = z.object({
  look: FileLook.nullable()
    .describe("What was detected about the first file; null: nothing"),
  confidence: z.number().nullable().describe(
    "Confidence in the meaning of the columns, from 0 to 1; null if the file is no table",
  ),
  columns: z.array(TableColumn).describe("The columns of a table, in order"),
  reading: TableShape.nullable()
    .describe("How the first table is read, with its profile or the suggested one; null: no table"),
  suggestion: TableShape.nullable().describe(
    "A suggested profile for a table without a matching one, to be named and saved. " +
      "If it has no SKU column, a person must choose one",
  ),
  profile: z.string().nullable().describe("Id of the profile that read the first file"),
  records: z.array(z.object({
    index: z.int(),
    line: z.int(),
    sku: z.string().nullable(),
    fields: z.record(z.string(), z.unknown()).nullable()
      .describe(
        "The values that would be imported, `sold` with `{date, units}` per day; null if " +
          "the record is refused",
      ),
    findings: z.array(Finding),
  })).describe(`The first ${RECORDS_MAX} records`),
  warnings: z.array(Finding).describe("The first warnings"),
  tallies: z.array(FindingCounters)
    .describe("Counts of all findings in the part that was read, by kind and column, errors first"),
  error: Finding.nullable()
    .describe("The error because of which the file would be refused; null: none"),
}).meta({ id: "ImportPreview" });
export type Preview = z.infer<typeof Preview>;

export async function previewUpload(
  ctx: Context,
  deps: ImportDeps,
  upload: ReceivedUpload,
  named: string | null,
): Promise<Preview> {
  const unsaved = unsavedProfile(upload);
  const terms = await settingOf(ctx);
  const known = unsaved ? { profile: unsaved, profiles: [unsaved] } : await profilesFor(ctx, named);
  const setting = uploadSetting(deps, terms, { ...known, tier: null, allowsNoPrices: false });
  const parts = await readParts(await openBlob(ctx, upload.blobId), upload.manifestAt);
  const preview: Preview = {
    ...NO_TABLE,
    profile: null,
    columns: [],
    records: [],
    warnings: [],
    tallies: [],
    error: null,
  };
  const tallies: Tallies = new Map();
  const findByEan = createEanFinder(ctx);
  const slice = new TimeSlice();
  let bytes = 0;
  for await (const event of readUpload(parts, setting)) {
    await slice.yield();
    if (event.kind === "refused") preview.error = event.finding;
    if (event.kind === "warning") note(preview, tallies, event.finding);
    if (event.kind === "table") noteTable(preview, event.table, setting);
    if (event.kind === "xml") noteXml(preview, event.xml);
    if (event.kind === "file") {
      preview.profile ??= event.info.profile;
      if (preview.look) preview.look.rows ??= event.info.items;
    }
    if (event.kind !== "records") continue;
    for (const record of await findByEan(event.records, event.file)) {
      show(preview, record);
      for (const finding of record.findings) note(preview, tallies, finding);
    }
    bytes += event.bytes;
    if (bytes > 16 * 1_048_576) break;
  }
  preview.tallies = [...tallies.values()].sort((one, other) =>
    one.severity === other.severity ? other.count - one.count : one.severity === "error" ? -1 : 1
  );
  return preview;
}

function show(preview: Preview, record: EvaluatedRecord): void {
  const { index, line, sku, patch, sold, findings } = record;
  if (preview.records.length === RECORDS_MAX) return;
  const days = sold?.map(([date, units]) => ({ date, units }));
  const fields = patch && { ...patch, ...(days && { sold: days }) };
  preview.records.push({ index, line, sku, fields, findings: [...findings] });
}

function note(preview: Preview, tallies: Tallies, finding: Finding): void {
  const { warnings } = preview;
  const at = finding.index === null
    ? warnings.findLastIndex(({ index }) => index === null) + 1
    : warnings.length;
  if (at < WARNINGS_MAX) warnings.splice(at, 0, finding);
  warnings.length = Math.min(warnings.length, WARNINGS_MAX);
  const { severity, code, field, line, value } = finding;
  const first = { severity, code, field, count: 0, line, value };
  tallies.getOrInsert(`${severity} ${code} ${field ?? ""}`, first).count += 1;
}

type Tallies = Map<string, z.infer<typeof FindingCounters>>;

const NO_LOOK = { delimiter: null, root: null, headerRow: null, sheet: null, rows: null };

function noteXml(preview: Preview, { encoding, root, itemPath, profile }: KnownXml): void {
  if (preview.look !== null) return;
  preview.profile = profile;
  const found = { encoding, root, list: itemPath, sheets: [], firstRows: [] };
  preview.look = { ...NO_LOOK, kind: "xml", ...found };
}

function noteTable(preview: Preview, table: KnownTable, { vat }: UploadSetting): void {
  if (preview.look !== null) return;
  const { layout: { dialect, header: _, rows, ...found }, profile, isSuggested } = table;
  preview.look = {
    ...NO_LOOK,
    ...found,
    delimiter: dialect?.delimiter ?? null,
    sheets: [...found.sheets],
    firstRows: rows.slice(0, RECORDS_MAX).map(({ line, cells }) => ({ line, cells: [...cells] })),
  };
  preview.profile = profile.id;
  preview.columns = columnsOf(table, vat.side);
  preview.confidence = confidenceOf(preview.columns);
  preview.reading = profile;
  preview.suggestion = isSuggested ? profile : null;
}

function unsavedProfile({ fields }: ReceivedUpload): AnyProfile | null {
  const text = fields.get("profile");
  if (text === undefined) return null;
  try {
    return requireProfile(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const message = 'The part "profile" is not JSON';
    throw new Failure("invalid_json", message, undefined, { cause });
  }
}
