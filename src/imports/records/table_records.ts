/** Converts the rows of a table to raw records, by the columns of an import profile. */
import { fromKeys } from "../../base/collections.ts";
import { readFlag } from "../../base/german_values.ts";
import { type FindingCode, shortened } from "../files/source_file.ts";
import {
  type LinkName,
  type Place,
  placeOf as placeOfValue,
  RawRecord,
  type RowName,
  type RowTrouble,
  type Value,
  Values,
} from "./raw_record.ts";
import { foldedName, isGtin } from "../../base/codes.ts";
import { type TableRow, withTextsAsWritten } from "../files/table_row.ts";
import { type FieldName, PROFILE_FIELDS, type RecordTerms } from "../profiles/xml_profile.ts";
import {
  type Column,
  placeOf,
  type PriceColumns,
  type TableProfile,
} from "../profiles/table_profile.ts";
import {
  AMOUNT_FIELDS,
  amountAndCurrency,
  codeOf,
  datesOfRange,
  endsSale,
  SALE_TIER,
  tierKey,
} from "./price_rows.ts";

export function termsOf(profile: TableProfile): RecordTerms {
  const pathOf = (name: FieldName) => {
    const column = profile.fields[name];
    return column && { path: column.columns[0] ?? name, transform: column.transform };
  };
  const sku = pathOf("sku") ?? { path: "sku", transform: null };
  const { numberFormat, zeroIsEmpty, dateFormats, openEnd, matchBy } = profile;
  return {
    fields: { ...fromKeys(PROFILE_FIELDS, pathOf), sku },
    prices: {
      current: "today",
      defaultTier: null,
      firstTierCounts: true,
      alsoCostPrice: [],
      alsoTargetPrice: [],
      firstTier: SALE_TIER,
      otherTiers: profile.prices.flatMap(({ role, tier }) =>
        role === "tier" && typeof tier === "string" ? [tierKey(tier)] : []
      ),
      ...(profile.keepsTiers ? { keepsTiers: true } : {}),
    },
    ...(profile.amounts === "minor" ? { isMinor: true } : {}),
    numberFormat,
    zeroIsEmpty,
    dateFormats,
    openEnd,
    matchBy,
  };
}

export type TableRecord = Readonly<Reading>;

interface Reading {
  readonly raw: RawRecord;
  readonly troubles: RowTrouble[];
  inactive: Place | null;
  rows: TableRow[];
}

type Reader = (row: TableRow) => Value | null;

const DAMAGED = /^\d+(?:[.,]\d+)?[eE]\+?\d+$/;
const MONTHS = "jan|feb|m(?:ä|ae)?rz|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec";
const DATE = new RegExp(
  `^(?:\\d{1,2}[. -]{1,2}(?:${MONTHS})|(?:${MONTHS})[. -]{1,2}\\d{1,2})\\.?$`,
  "i",
);
const WHOLE_DATE = /^\d{4}-\d{2}-\d{2}$/;
const EAN_LENGTHS = [8, 12, 13, 14];

const NUMBER_FIELDS = [...AMOUNT_FIELDS, "vatRatePct", "stock", "units"] as const;

export class TableRecords {
  readonly #profile: TableProfile;
  readonly #listener: (record: TableRecord) => void;
  readonly #fields: readonly { readonly name: FieldName; readonly read: Reader }[];
  readonly #attributes: readonly { readonly name: string; readonly read: Reader }[];
  readonly #prices: readonly PriceReader[];
  readonly #links: readonly { readonly read: Reader; readonly name: Reader }[];
  readonly #active: Reader | null;
  readonly #handle: Reader | null;
  readonly #inherited: readonly { readonly at: number; readonly read: Reader }[];
  #undatedSale: Reader | null;
  readonly #width: number;
  readonly #isRagged: boolean;
  readonly #numbers: ReadonlySet<number>;
  #previous: Reading | null = null;
  /** The first of several rows with the same `handle`; the following rows inherit its values. */
  #first: { readonly handle: string; readonly row: TableRow } | null = null;

  constructor(
    profile: TableProfile,
    header: TableRow,
    isRagged: boolean,
    listener: (record: TableRecord) => void,
  ) {
    const names = header.cells.map((cell) => cell?.trim() ?? "");
    const columns = columnReaders(names, profile.keepsTiers);
    this.#profile = profile;
    this.#listener = listener;
    this.#width = names.length;
    this.#isRagged = isRagged;
    this.#numbers = placesOfNumbers(profile, names);
    const readers = <Name>(wanted: readonly (readonly [Name, Column | null])[]) =>
      wanted.flatMap(([name, column]) => {
        const read = columns.find(column);
        return read ? [{ name, read }] : [];
      });
    this.#fields = readers(PROFILE_FIELDS.map((name) => [name, profile.fields[name]] as const));
    this.#attributes = readers(profile.attributes.map(({ name, from }) => [name, from] as const));
    this.#links = readers(
      profile.competitors.map(({ url, name }) => [columns.of(name), url] as const),
    );
    this.#prices = profile.prices.flatMap((price) =>
      priceReader(price, columns, profile.zeroIsEmpty) ?? []
    );
    this.#active = columns.find(profile.active?.from ?? null);
    this.#handle = columns.find(profile.inherit?.by ?? null);
    const inheritable = { ...profile.fields, active: profile.active?.from ?? null };
    this.#inherited = Object.entries(inheritable).flatMap(([name, column]) => {
      const at = profile.inherit?.fields.includes(name) ? placeOf(column, names) : undefined;
      const read = columns.find(column);
      return at !== undefined && read ? [{ at, read }] : [];
    });
    const undated = profile.prices.find(({ role, validFrom, validUntil, range }) =>
      role === "sale" && [validFrom, validUntil, range].every((one) => columns.find(one) === null)
    );
    this.#undatedSale = columns.find(undated?.from ?? null);
  }

  take(written: TableRow): void {
    const row = withTextsAsWritten(written, this.#numbers);
    const raw = new RawRecord(row.line);
    const reading: Reading = { raw, troubles: [], inactive: null, rows: [] };
    this.#readRow(row, reading);
    const sku = raw.item.text("sku");
    const previous = this.#previous;
    const isSame = this.#profile.groupRows && !!sku &&
      previous?.raw.item.text("sku") === sku;
    if (isSame && previous) {
      const isKept = [previous.raw, raw].some(({ item }) => item.text("mode") === null);
      previous.raw.absorb(raw);
      if (isKept) previous.raw.item.delete("mode");
      previous.troubles.push(...reading.troubles);
      if (reading.inactive === null) previous.inactive = null;
      previous.rows.push(row);
      return;
    }
    this.end();
    this.#previous = reading;
  }

  end(): void {
    if (this.#previous) this.#listener(this.#previous);
    this.#previous = null;
  }

  #readRow(row: TableRow, reading: Reading): void {
    const { raw, troubles } = reading;
    if (this.#isRagged) troubles.push(...raggedness(row, this.#width));
    const whole = this.#withInherited(row);
    // Store inherited values, too: a file of refused rows may lack the row that contains them.
    reading.rows = [whole];
    for (const { name, read } of this.#fields) {
      const cell = read(whole);
      if (cell) this.#putField(name, cell, reading);
    }
    for (const { name, read } of this.#attributes) {
      const cell = read(whole);
      if (cell) raw.attributes.set(name, cell.text);
    }
    for (const price of this.#prices) price(whole, raw);
    this.#noteUndatedSale(whole, troubles);
    for (const { read, name } of this.#links) {
      const url = read(whole);
      if (!url?.text) continue;
      const link = new Values<LinkName>();
      link.put("url", url);
      const named = name(whole);
      if (named?.text) link.put("name", named);
      raw.links.push(link);
    }
    const active = this.#active?.(whole);
    if (!active || this.#isActive(active.text)) return;
    if (this.#profile.active?.else === "delete") {
      raw.item.put("mode", { ...active, text: "delete" });
    } else reading.inactive = placeOfValue(active);
  }

  #noteUndatedSale(row: TableRow, troubles: RowTrouble[]): void {
    const cell = this.#undatedSale?.(row);
    if (!cell?.text) return;
    this.#undatedSale = null;
    const message =
      `The prices of "${cell.source}" have no dates in the file, so they are valid now`;
    troubles.push({
      severity: "warning",
      code: "undated_sale",
      message,
      place: placeOfValue(cell),
    });
  }

  #isActive(text: string): boolean {
    const { yes = [], not = false } = this.#profile.active ?? {};
    // If `not` is set, the column marks blocked products, for example with `ja` or a reason. So
    // only an empty cell or a word such as `nein` means active.
    if (not) return readFlag(text) === false;
    return yes.map(foldedName).includes(foldedName(text)) || readFlag(text) === true;
  }

  #withInherited(row: TableRow): TableRow {
    const handle = this.#handle?.(row)?.text ?? "";
    if (handle === "" || this.#first?.handle !== handle) {
      this.#first = handle === "" ? null : { handle, row };
      return row;
    }
    const { row: first } = this.#first;
    const cells = [...row.cells];
    for (const { at, read } of this.#inherited) {
      if (!read(row)?.text && read(first)?.text) cells[at] = first.cells[at] ?? null;
    }
    return { line: row.line, cells };
  }

  #putField(name: FieldName, cell: Value, { raw, troubles }: Reading): void {
    const { text } = cell;
    const shown = `"${shortened(text)}"`;
    const report = (severity: "error" | "warning", code: FindingCode, message: string) => {
      troubles.push({ severity, code, message: `${shown} ${message}`, place: placeOfValue(cell) });
    };
    if ((name === "sku" || name === "ean") && DAMAGED.test(text)) {
      const severity = name === "sku" ? "error" : "warning";
      report(severity, "damaged_number", "has lost its digits: export the column as text");
      return;
    }
    if (name === "sku" && (DATE.test(text) || WHOLE_DATE.test(text))) {
      report("warning", "excel_date", "looks like a date that a spreadsheet made of it");
    }
    const restored = name === "ean" ? restoredEan(text) : null;
    if (restored !== null) {
      const message = `is read as ${restored}: a spreadsheet cut its zeros`;
      report("warning", "leading_zeros_restored", message);
    }
    const read = name === "currency" ? codeOf(text) : restored ?? text;
    raw.item.put(name, { ...cell, text: read });
  }
}

function placesOfNumbers({ fields, prices }: TableProfile, names: readonly string[]): Set<number> {
  const columns = [
    ...NUMBER_FIELDS.map((name) => fields[name]),
    ...prices.flatMap(({ from, minQty, per }) => [from, minQty, per]),
  ];
  return new Set(
    columns.flatMap((column) => typeof column === "object" ? placeOf(column, names) ?? [] : []),
  );
}

type PriceReader = (row: TableRow, raw: RawRecord) => void;

type ColumnReaders = ReturnType<typeof columnReaders>;

/** `isExact` means that Kurant wrote the file, so cells are only trimmed. */
function columnReaders(names: readonly string[], isExact: boolean) {
  const find = (column: Column | null): Reader | null => {
    if (column === null) return null;
    const at = placeOf(column, names);
    const { constant } = column;
    if (at === undefined) return constant === null ? null : always(constant);
    const source = names[at] ?? "";
    return ({ cells, line }) => {
      const cell = cells[at]?.trim() ?? null;
      const text = (isExact ? cell : plainText(cell)) ?? constant;
      const isAbsent = text === null || cells[at] === undefined && constant === null;
      return isAbsent ? null : { text, line, source };
    };
  };
  const of = (written: string | Column | null): Reader =>
    typeof written === "string" ? always(written) : find(written) ?? (() => null);
  return { find, of };
}

function always(text: string): Reader {
  return ({ line }) => ({ text, line, source: "" });
}

/** Returns `00471` for `="00471"` and `'00471`, which programs write to keep leading zeros. */
function plainText(cell: string | null): string | null {
  if (cell === null || !/^(?:=|')/.test(cell)) return cell;
  const formula = /^="((?:[^"]|"")*)"$/.exec(cell)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"').trim();
  return /^'[\d=+@-]/.test(cell) ? cell.slice(1).trim() : cell;
}

function priceReader(
  price: PriceColumns,
  columns: ColumnReaders,
  zeroIsEmpty: boolean,
): PriceReader | null {
  const amount = columns.find(price.from);
  if (amount === null) return null;
  if (price.role === "cost" || price.role === "target") {
    const name = price.role === "cost" ? "costPrice" : "targetPrice";
    return (row, raw) => {
      const cell = amount(row);
      if (cell) raw.item.put(name, cell);
    };
  }
  const isSale = price.role === "sale" && price.tier === null;
  const currency = columns.of(price.currency);
  const quantity = price.minQty === 1 ? null : price.minQty;
  const readers = [
    ["tier", columns.of(isSale ? SALE_TIER : price.tier)],
    ["minQty", columns.of(typeof quantity === "number" ? String(quantity) : quantity)],
    ["validFrom", columns.of(price.validFrom)],
    ["validUntil", columns.of(price.validUntil)],
    ["quantity", columns.of(price.per)],
    ["side", columns.of(price.side)],
  ] as const;
  const range = columns.of(price.range);
  return (row, raw) => {
    const cell = amount(row);
    if (isSale && cell && endsSale(cell.text, zeroIsEmpty)) {
      raw.hasEmptySale = true;
      return;
    }
    if (!cell?.text) return;
    const values = new Values<RowName>();
    const split = amountAndCurrency(cell.text);
    values.put("amount", { ...cell, text: split.amount });
    const written = split.currency ?? currency(row)?.text ?? "";
    if (written !== "") values.put("currency", { ...cell, text: codeOf(written) });
    for (const [name, read] of readers) {
      const found = read(row);
      if (found?.text) values.put(name, found);
    }
    const dates = range(row);
    const days = dates && datesOfRange(dates.text);
    if (days) {
      values.put("validFrom", { ...dates, text: days.from });
      values.put("validUntil", { ...dates, text: days.until });
    }
    raw.rows.push(values);
  };
}

/** Restores the leading zeros of a GTIN; null if the text has them or cannot become a GTIN. */
function restoredEan(text: string): string | null {
  if (!/^\d{4,13}$/.test(text) || isGtin(text)) return null;
  const whole = EAN_LENGTHS.filter((length) => length > text.length)
    .map((length) => text.padStart(length, "0"));
  return whole.find(isGtin) ?? null;
}

function raggedness({ line, cells }: TableRow, width: number): RowTrouble[] {
  const extra = cells.slice(width).find((cell) => cell?.trim());
  const isShort = cells.length * 2 < width;
  if (extra === undefined && !isShort) return [];
  const message = isShort
    ? `The row has ${cells.length} of ${width} cells`
    : `The row has ${cells.length} cells for ${width} columns: is a delimiter within a cell?`;
  const place = { line, field: null, value: extra ?? null };
  return [{ severity: "error", code: "ragged_row", message, place }];
}
