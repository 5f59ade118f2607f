/** Changes of own prices as a table: JSON values for programs, words and amounts for people. */

import { exponentOf } from "../../base/currency.ts";
import { startOfDay } from "../../base/german_values.ts";
import { PRICE_SOURCES, priceChangeId } from "../../catalogue/prices/price_history.ts";
import type { ExportedChange } from "../../catalogue/prices/price_rows.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { findDeletedProduct, findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { PRICE_SOURCE_WORDS } from "../../engine/wording/code_words.ts";
import { languageOf } from "../../base/language.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { amountCell, type Cell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { CsvDialect } from "../../platform/tables/csv_table.ts";
import { z } from "@hono/zod-openapi";

/** Columns for programs. New columns must come last. */
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
  "id",
] as const satisfies readonly (keyof PriceChangeRow)[];

/** Columns for people, with the usual names of German ERPs. */
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

const cents = z.int().nullable().describe("Minor units of `currency`");

/** A change of an own price, for the system that stores prices (docs/decisions/rules.md). */
export const PriceChangeRow = z.object({
  sku: z.string().describe("The current SKU of the product"),
  productId: z.string(),
  fromCents: cents,
  toCents: cents,
  currency: z.string(),
  at: z.iso.datetime(),
  source: z.enum(PRICE_SOURCES).describe("What changed the price"),
  ref: z.string().nullable(),
  tier: z.string().nullable().describe("The current price tier of the product"),
  validFrom: z.iso.datetime().describe(
    "The start of the day of the change, in the workspace's time zone",
  ),
  id: z.string().describe("The same for this change in every export"),
}).meta({ id: "PriceChangeRow" });

export type PriceChangeRow = z.infer<typeof PriceChangeRow>;

/** `owner` is the product of today. Null if it no longer exists. */
export function toRow(
  { productId, change }: ExportedChange,
  owner: Pick<Product, "sku" | "tier"> | null,
  timeZone: string,
): PriceChangeRow {
  const { fromCents, toCents, currency, at, source, ref } = change;
  const { sku, tier } = owner ?? { sku: "", tier: null };
  const validFrom = startOfDay(new Date(at), timeZone);
  const id = priceChangeId(productId, at);
  return { sku, productId, fromCents, toCents, currency, at, source, ref, tier, validFrom, id };
}

export async function findOwners(
  workspace: WorkspaceStore,
  changes: readonly ExportedChange[],
): Promise<Map<string, Product>> {
  const ids = [...new Set(changes.map(({ productId }) => productId))];
  const owners = new Map<string, Product>();
  for (const { id, bytes } of await findDocuments(workspace, ids)) {
    owners.set(id, parseProduct(bytes));
  }
  for (const id of ids.filter((one) => !owners.has(one))) {
    const deleted = await findDeletedProduct(workspace, id);
    if (deleted) owners.set(id, deleted.product);
  }
  return owners;
}
