/**
 * Reads a table of an upload into evaluated records. If no import profile fits, the header and the
 * values suggest what each column means.
 */
import { foldedName } from "../../base/codes.ts";
import { sumOf } from "../../base/collections.ts";
import {
  encodingGuessed,
  type FileBytes,
  FileError,
  type FileFault,
  fileWarning,
  findingOf,
  type Progress,
  ReadPlan,
  shortened,
} from "../files/source_file.ts";
import {
  createAbsenceReader,
  TABLE_LIMITS,
  type TableRow,
  withTextsAsWritten,
} from "../files/table_row.ts";
import { type OpenTable, openTextTable, type TableLayout } from "../files/text_table.ts";
import { guessRoles, namesPrice, suggestColumns } from "../files/columns.ts";
import {
  type Column,
  isTable,
  placeOf,
  type PriceColumns,
  suggestProfile,
  type TableProfile,
} from "../profiles/table_profile.ts";
import { RecordEvaluator } from "../records/evaluate_record.ts";
import type { Place } from "../records/raw_record.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";
import { wholePriceOf } from "../records/price_rows.ts";
import { type TableRecord, TableRecords, termsOf } from "../records/table_records.ts";
import {
  checkItems,
  countFile,
  type FileReading,
  type FileSetting,
  type KnownTable,
  type UploadRun,
} from "./read_xml_file.ts";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { PRICE_SIDES } from "../choices.ts";
import { z } from "@hono/zod-openapi";

const GERMAN = /(?:^|[^\d.,])\d{1,3}(?:\.\d{3})+,\d+|\d,\d{1,2}(?!\d)|\d,\d{4,}|\d,-|\.\d{3},/;
const ENGLISH = /(?:^|[^\d.,])\d{1,3}(?:,\d{3})+\.\d+|\d\.\d{1,2}(?!\d)|\d\.\d{4,}|\d\.-|,\d{3}\./;
const MAJORITY = 4;

/** `auto` refuses numbers such as `1.234`, which mean different amounts in German and English. */
function numberStyleOf(samples: readonly string[]): "de" | "en" | "auto" {
  const german = samples.filter((text) => GERMAN.test(text)).length;
  const english = samples.filter((text) => ENGLISH.test(text)).length;
  if (german > 0 && german >= MAJORITY * english) return "de";
  return english > 0 && english >= MAJORITY * german ? "en" : "auto";
}

const FOUND_OUT = ReadPlan.parse({});

type Open = (plan: ReadPlan) => AsyncGenerator<Progress, OpenTable>;

export async function* readTextTable(file: FileBytes, run: UploadRun): FileReading {
  yield* readTable(file, (plan) => openTextTable(file, plan), run);
}

/** Opens the table with the settings (`read`) of the given, recognised or suggested profile. */
async function* openAsProfile(
  { name }: FileBytes,
  open: Open,
  { profile, profiles, vat }: FileSetting,
): AsyncGenerator<Progress, readonly [OpenTable, TableProfile]> {
  if (profile !== null && isTable(profile)) return [yield* open(profile.read), profile];
  const table = yield* open(FOUND_OUT);
  const found = pickTableProfile(name, table, profiles.filter(isTable)) ??
    suggestionFor(table, vat.side);
  const isOther = !isDeepStrictEqual(found.read, FOUND_OUT);
  return [isOther ? yield* open(found.read) : table, found];
}

export async function* readTable(file: FileBytes, open: Open, run: UploadRun): FileReading {
  countFile(run);
  const { setting } = run;
  const [table, profile] = yield* openAsProfile(file, open, setting);
  if (table.guess !== null) yield encodingGuessed(file, table.guess);
  const { layout } = table;
  const { header, headerRow } = layout;
  const { name } = file;
  const { storedChars } = TABLE_LIMITS;
  if (JSON.stringify(header.cells).length > storedChars) {
    const message = `The header has more than ${storedChars} characters`;
    throw new FileError("too_large", message, { line: headerRow });
  }
  const isSuggested = ![setting.profile, ...setting.profiles].includes(profile);
  yield { kind: "table", table: { layout, profile, isSuggested } };
  if (profile.fields[profile.matchBy] === null) throw noSkuColumn(layout);
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
  const reader = new TableRecords(profile, header, layout.kind === "delimited", (record) => {
    records.push(judged(record, evaluator.evaluate(record.raw, run.items++, record.troubles)));
  });
  const withAbsence = createAbsenceReader(header);
  for await (const { rows, bytes } of table.rows()) {
    for (const row of rows) {
      if (!repeatsHeader(row, layout)) {
        items += 1;
        reader.take(withAbsence(row));
      } else if (repeated++ < REPEATED_SHOWN) {
        const message = `Line ${row.line} repeats the header: skipped`;
        yield fileWarning(name, { code: "header_repeated", line: row.line, message });
      }
    }
    checkItems(run);
    yield { kind: "records", file: name, bytes, records };
    records = [];
  }
  reader.end();
  checkItems(run);
  if (records.length > 0) yield { kind: "records", file: name, bytes: 0, records };
  const digest = yield* digestOf(file);
  const read = { encoding: layout.encoding ?? "binary", items, profile: profile.id };
  yield { kind: "file", info: { name, ...digest, ...read } };
  if (!setting.allowsNoPrices) evaluator.prices.check();
}

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

function passedOver(record: EvaluatedRecord, file: string, place: Place): EvaluatedRecord {
  if (record.patch === null) return record;
  const { index, sku } = record;
  const message = `"${shortened(place.value ?? "")}": not for sale, so it is skipped`;
  const inactive = findingOf("warning", "inactive", message, { index, file, sku, ...place });
  return { ...record, patch: null, findings: [inactive], isPassedOver: true };
}

async function* digestOf(
  file: FileBytes,
): AsyncGenerator<Progress, { bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of file.chunks()) {
    hash.update(chunk);
    bytes += chunk.length;
    yield { kind: "progress", bytes: chunk.length };
  }
  return { bytes, sha256: hash.digest("hex") };
}

function noSkuColumn({ header, headerRow }: OpenTable["layout"]): FileError {
  const names = header.cells.slice(0, 20).map((name) => `"${name ?? ""}"`).join(", ");
  const message = `No column was recognised as the SKU: map one of ${names.slice(0, 400)}`;
  return new FileError("missing_sku_column", message, { line: headerRow });
}

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

export const TableColumn = z.object({
  column: z.string(),
  samples: z.array(z.string()),
  field: z.string().nullable()
    .describe("The field as which it is read, or a guess (`isGuess`); null: neither"),
  side: z.enum(PRICE_SIDES).nullable(),
  currency: z.string().nullable(),
  confidence: z.number().describe("From 0 to 1; below 0.7 a person should check it"),
  isGuess: z.boolean().describe(
    "True if the field is a guess from values or an abbreviation. The column is not " +
      "read before a person confirms the guess",
  ),
}).meta({ id: "ImportTableColumn" });
export type TableColumn = Readonly<z.infer<typeof TableColumn>>;

const SHOWN_SAMPLES = 5;
const PRICE_FIELDS: Readonly<Record<PriceColumns["role"], string>> = {
  own: "price",
  tier: "price",
  cost: "costPrice",
  target: "targetPrice",
  sale: "sale",
};

export function columnsOf(
  { layout, profile, isSuggested }: KnownTable,
  side: "net" | "gross",
): TableColumn[] {
  const rows = layout.rows.map((row) => withTextsAsWritten(row, new Set()));
  const suggested = suggestColumns(layout.header, rows, side);
  const read = readColumns(profile, suggested.map(({ name }) => name));
  const columns = suggested.map(({ name, at, samples, ...found }): TableColumn => {
    const shown = { column: name, samples: samples.slice(0, SHOWN_SAMPLES), isGuess: false };
    if (isSuggested) {
      const { field, side, currency, confidence } = found;
      return { ...shown, field, side, currency, confidence };
    }
    const one = read.get(at);
    return one
      ? { ...shown, ...one, confidence: 1 }
      : { ...shown, field: null, side: null, currency: null, confidence: 0 };
  });
  const unread = suggested.filter(({ at }) => columns[at]?.field === null && !read.has(at));
  const guesses = guessRoles(unread, new Set(columns.map(({ field }) => field)));
  return columns.map((column, at) => ({ ...column, ...guesses.get(at), isGuess: guesses.has(at) }));
}

export function confidenceOf(columns: readonly TableColumn[]): number {
  const read = columns.filter(({ field, isGuess }) => field !== null && !isGuess);
  const sum = sumOf(read, ({ confidence }) => confidence);
  return read.length === 0 ? 0 : Math.round(sum / read.length * 100) / 100;
}

type ReadColumn = Pick<TableColumn, "field" | "side" | "currency">;

function readColumns(
  profile: KnownTable["profile"],
  names: readonly string[],
): Map<number, ReadColumn> {
  const found = new Map<number, ReadColumn>();
  const say = (column: Column | null, field: string, more: Partial<ReadColumn> = {}) => {
    const at = placeOf(column, names);
    if (at !== undefined) found.set(at, { field, side: null, currency: null, ...more });
  };
  for (const price of profile.prices) {
    for (const [part, field] of PRICE_PARTS) {
      const column = price[part];
      if (typeof column === "object") say(column, field);
    }
  }
  say(profile.inherit?.by ?? null, "inherit");
  for (const [field, column] of Object.entries(profile.fields)) say(column, field);
  for (const { name, from } of profile.attributes) say(from, `attributes.${name}`);
  for (const { from, role, side, currency } of profile.prices) {
    const code = typeof currency === "string" ? currency : null;
    say(from, PRICE_FIELDS[role], { side, currency: code });
  }
  for (const { url, name } of profile.competitors) {
    if (typeof name === "object") say(name, "competitorName");
    say(url, "competitorUrl");
  }
  say(profile.active?.from ?? null, "active");
  return found;
}

const PRICE_PARTS = [
  ["tier", "tier"],
  ["currency", "currency"],
  ["minQty", "minQty"],
  ["validFrom", "validFrom"],
  ["validUntil", "validUntil"],
  ["range", "saleRange"],
  ["per", "per"],
] as const;

function columnTroubles(
  layout: Pick<TableLayout, "header" | "headerRow" | "rows">,
  profile: TableProfile,
  { tier }: Pick<FileSetting, "tier">,
): FileFault[] {
  const names = layout.header.cells.map((cell) => cell?.trim() ?? "");
  const read = readColumns(profile, names);
  const place = { line: layout.headerRow };
  const compared = names.map((name) => foldedName(name) || name);
  const twice = names.filter((name, at) => {
    const key = compared[at] ?? "";
    return name !== "" && compared.indexOf(key) < at && compared.lastIndexOf(key) === at;
  });
  const troubles = twice.map((name): FileFault => ({
    ...place,
    code: "duplicate_header",
    field: name,
    message: `Several columns are called "${name}": by that name the first one is read`,
  }));
  if (!hasOwnPrice(profile, names, tier)) {
    const message = "The file has no column with our price, so our prices stay as they are";
    troubles.push({ ...place, code: "no_price_column", message });
  }
  const ignored = profile.keepsTiers ? [] : names.flatMap((name, at) => {
    const isEmpty = name === "" && layout.rows.every(({ cells }) => !cells[at]?.trim());
    return read.has(at) || isEmpty ? [] : [name || `#${at + 1}`];
  });
  if (ignored.length > 0) {
    const value = ignored.join(", ");
    const message = `${ignored.length} of ${names.length} columns are not read`;
    troubles.push({ ...place, code: "columns_ignored", message, value });
  }
  return troubles;
}

/** A tier price counts only if the import or the file names our tier. Bulk prices do not count. */
function hasOwnPrice(
  { prices, fields }: TableProfile,
  names: readonly string[],
  tier: string | null,
): boolean {
  const isThere = (column: Column | null) =>
    column !== null && (column.constant !== null || placeOf(column, names) !== undefined);
  const isTierNamed = tier !== null || isThere(fields.tier);
  return prices.some(({ role, from, minQty }) =>
    isThere(from) && (minQty === 1 || typeof minQty === "object") &&
    (role === "own" || role === "sale" || role === "tier" && isTierNamed)
  );
}
