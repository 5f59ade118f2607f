/** Changes of own prices as a table: for programs as in JSON, for people in words and major units. */

import { exponentOf } from "../../base/currency.ts";
import { PRICE_SOURCE_WORDS } from "../../engine/wording/code_words.ts";
import { languageOf } from "../../engine/wording/show.ts";
import { amountCell, type Cell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { CsvDialect } from "../../platform/tables/csv_table.ts";
import type { PriceChangeRow } from "./price_change_row.ts";

/** Columns of programs; new ones come last. */
const NAMES = [
  "sku",
  "productId",
  "fromCents",
  "toCents",
  "currency",
  "at",
  "source",
  "ref",
  "tier",
  "validFrom",
] as const satisfies readonly (keyof PriceChangeRow)[];

/** Columns of people, which every German ERP knows by these names. */
const COLUMNS = [
  "Artikelnummer",
  "Preisgruppe",
  "Preis",
  "Währung",
  "Gültig ab",
  "Alter Preis",
  "Quelle",
];
export const EXCEL_HEAD = `\`${COLUMNS.join(";")}\``;

/** What a workspace says of the words and days of its files. */
interface Terms {
  readonly timeZone: string;
  readonly locale: string;
}

export function priceChangeTable(
  rows: AsyncIterable<readonly PriceChangeRow[]>,
  terms: Terms,
  dialect: CsvDialect,
): OutgoingTable {
  const isForPeople = dialect === "excel";
  return {
    name: "price-changes",
    columns: isForPeople ? COLUMNS : NAMES,
    batches: cellBatches(rows, isForPeople ? (row) => shownCells(row, terms) : plainCells),
  };
}

async function* cellBatches(
  batches: AsyncIterable<readonly PriceChangeRow[]>,
  cellsOf: (row: PriceChangeRow) => Cell[],
): AsyncGenerator<Cell[][]> {
  for await (const rows of batches) yield rows.map(cellsOf);
}

function plainCells(row: PriceChangeRow): Cell[] {
  return NAMES.map((name) => row[name]);
}

function shownCells(row: PriceChangeRow, { timeZone, locale }: Terms): Cell[] {
  const exponent = exponentOf(row.currency);
  const day = Temporal.Instant.from(row.validFrom).toZonedDateTimeISO(timeZone).toPlainDate();
  return [
    row.sku,
    row.tier,
    amountCell(row.toCents, exponent),
    row.currency,
    { day: day.toString() },
    amountCell(row.fromCents, exponent),
    PRICE_SOURCE_WORDS[languageOf(locale)][row.source],
  ];
}
