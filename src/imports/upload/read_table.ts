/** Reads one table of an upload into evaluated records. */
import { foldedName } from "../../base/codes.ts";
import { type FileBytes, type FileFault, type ReadEvent, ReadPlan } from "../files/byte_source.ts";
import { fileWarning, findingOf, shortened } from "../files/finding.ts";
import type { TableRow } from "../files/json_row.ts";
import { type OpenTable, openTextTable } from "../files/open_table.ts";
import { namesPrice, suggestColumns } from "../files/suggest_columns.ts";
import { isTable } from "../profiles/profile.ts";
import { suggestProfile, type TableProfile } from "../profiles/table_profile.ts";
import { RecordEvaluator } from "../records/evaluate_record.ts";
import type { Place } from "../records/raw_record.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { type TableRecord, TableRecords, termsOf } from "../records/table_records.ts";
import { wholePriceOf } from "../records/written_amount.ts";
import { type FileReading, type FileSetting, itemsFault, type UploadRun } from "./file_event.ts";
import { columnTroubles } from "./table_columns.ts";
import { createHash } from "node:crypto";

const GERMAN = /(?:^|[^\d.,])\d{1,3}(?:\.\d{3})+,\d+|\d,\d{1,2}(?!\d)|\d,\d{4,}|\d,-|\.\d{3},/;
const ENGLISH = /(?:^|[^\d.,])\d{1,3}(?:,\d{3})+\.\d+|\d\.\d{1,2}(?!\d)|\d\.\d{4,}|\d\.-|,\d{3}\./;
const MAJORITY = 4;

/** With `auto`, numbers that both formats read differently are refused. */
function numberStyleOf(samples: readonly string[]): "de" | "en" | "auto" {
  const german = samples.filter((text) => GERMAN.test(text)).length;
  const english = samples.filter((text) => ENGLISH.test(text)).length;
  if (german > 0 && german >= MAJORITY * english) return "de";
  return english > 0 && english >= MAJORITY * german ? "en" : "auto";
}

const FOUND_OUT = ReadPlan.parse({});

export function planOf({ profile }: Pick<FileSetting, "profile">): ReadPlan {
  return profile !== null && isTable(profile) ? profile.read : FOUND_OUT;
}

export async function* readTextTable(file: FileBytes, run: UploadRun): FileReading {
  const table = yield* openTextTable(file, planOf(run.setting));
  return "code" in table ? table : yield* readTable(file, table, run);
}

/** `table` may be one of the sheets of `file`. */
export async function* readTable(file: FileBytes, table: OpenTable, run: UploadRun): FileReading {
  const { setting } = run;
  const { layout } = table;
  const { name } = file;
  const profile = profileOf(file, table, setting);
  const isSuggested = ![setting.profile, ...setting.profiles].includes(profile);
  yield { kind: "table", table: { layout, profile, isSuggested } };
  if (profile.fields[profile.matchBy] === null) return noSkuColumn(layout);
  for (const trouble of columnTroubles(layout, profile, setting)) yield fileWarning(name, trouble);
  const terms = { profile: termsOf(profile), file: name, categories: null };
  const evaluator = new RecordEvaluator({ ...setting, ...terms });
  let items = 0;
  let repeated = 0;
  let records: EvaluatedRecord[] = [];
  const judged = ({ raw, inactive, rows }: TableRecord, record: EvaluatedRecord) => {
    if (inactive !== null) return passedOver(record, name, inactive);
    const wholePrice = profile.amounts === "minor" ? undefined : wholePriceOf(raw);
    const kept = { ...record, rows: rows.map(({ cells }) => cells) };
    return wholePrice === undefined ? kept : { ...kept, wholePrice };
  };
  const reader = new TableRecords(profile, layout.header, layout.kind === "delimited", (record) => {
    records.push(judged(record, evaluator.evaluate(record.raw, run.items++, record.troubles)));
  });
  for await (const step of table.rows()) {
    if ("fault" in step) return step.fault;
    for (const row of step.rows) {
      if (!repeatsHeader(row, layout)) {
        items += 1;
        reader.take(row);
      } else if (repeated++ < REPEATED_SHOWN) {
        const message = `Line ${row.line} repeats the header: skipped`;
        yield fileWarning(name, { code: "header_repeated", line: row.line, message });
      }
    }
    const excess = itemsFault(run);
    if (excess) return excess;
    yield { kind: "records", file: name, bytes: step.bytes, records };
    records = [];
  }
  reader.end();
  const excess = itemsFault(run);
  if (excess) return excess;
  if (records.length > 0) yield { kind: "records", file: name, bytes: 0, records };
  const digest = yield* digestOf(file);
  const read = { encoding: layout.encoding ?? "binary", items, profile: profile.id };
  yield { kind: "file", info: { name, ...digest, ...read } };
  return setting.allowsNoPrices ? null : evaluator.prices.fault();
}

/** Concatenated files and printed lists repeat the header. */
function repeatsHeader({ cells }: TableRow, { header, headerRow }: OpenTable["layout"]): boolean {
  const [first] = cells;
  if (headerRow === null || first?.trim() !== header.cells[0]?.trim()) return false;
  const textOf = (row: TableRow["cells"], at: number) => row[at]?.trim() ?? "";
  const width = Math.max(cells.length, header.cells.length);
  for (let at = 0; at < width; at++) {
    if (textOf(cells, at) !== textOf(header.cells, at)) return false;
  }
  return true;
}

const REPEATED_SHOWN = 20;

/** Returns an already refused record unchanged. */
function passedOver(record: EvaluatedRecord, file: string, place: Place): EvaluatedRecord {
  if (record.patch === null) return record;
  const { index, sku } = record;
  const message = `"${shortened(place.value ?? "")}": not for sale, so it is skipped`;
  const inactive = findingOf("warning", "inactive", message, { index, file, sku, ...place });
  const { byEan: _key, ...rest } = record;
  return { ...rest, patch: null, findings: [inactive], isPassedOver: true };
}

async function* digestOf(
  file: FileBytes,
): AsyncGenerator<ReadEvent, { bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of file.chunks()) {
    hash.update(chunk);
    bytes += chunk.length;
    yield { kind: "progress", bytes: chunk.length };
  }
  return { bytes, sha256: hash.digest("hex") };
}

function profileOf(file: FileBytes, table: OpenTable, setting: FileSetting): TableProfile {
  const { profile } = setting;
  if (profile !== null && isTable(profile)) return profile;
  return pickTableProfile(file.name, table, setting.profiles.filter(isTable)) ??
    suggestionFor(table, setting.vat.side);
}

function noSkuColumn({ header, headerRow }: OpenTable["layout"]): FileFault {
  const names = header.cells.slice(0, 20).map((name) => `"${name ?? ""}"`).join(", ");
  const message = `No column was recognised as the SKU: map one of ${names.slice(0, 400)}`;
  return { code: "missing_sku_column", line: headerRow, message };
}

/** Of the profiles whose columns are all in the file, chooses the one with most columns. */
function pickTableProfile(
  fileName: string,
  { layout }: OpenTable,
  profiles: readonly TableProfile[],
): TableProfile | null {
  const names = new Set(layout.header.cells.map((cell) => foldedName(cell ?? "")));
  const fits = profiles.filter(({ detect }) =>
    detect.columns.length > 0 && detect.columns.every((name) => names.has(foldedName(name))) &&
    (detect.fileName === null || fileName.includes(detect.fileName))
  );
  const most = Math.max(...fits.map(({ detect }) => detect.columns.length));
  return fits.find(({ detect }) => detect.columns.length === most) ?? null;
}

function suggestionFor({ layout }: OpenTable, side: "net" | "gross"): TableProfile {
  const { header, rows } = layout;
  const columns = suggestColumns(header, rows, side);
  const prices = columns.flatMap(({ name, samples }) => namesPrice(name) ? samples : []);
  const at = columns.find(({ field }) => field === "sku")?.at;
  const isGrouped = at !== undefined &&
    rows.some(({ cells }, n) => cells[at] && cells[at] === rows[n - 1]?.cells[at]);
  return suggestProfile(columns, numberStyleOf(prices), isGrouped);
}
