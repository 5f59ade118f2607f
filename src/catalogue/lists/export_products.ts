/** Writes the list of products as a CSV file, as a workbook, or as lines of JSON. */
import { joinDocuments } from "../../base/bytes.ts";
import { batchesOf, releasing } from "../../base/collections.ts";
import { exponentOf } from "../../base/money.ts";
import { type ColumnName, columnWords, isColumnName } from "../../engine/wording/column_words.ts";
import type { Language } from "../../base/codes.ts";
import type { Context } from "../../platform/store/context.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import {
  amountCell,
  type Cell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
import type { ProductMarket } from "../prices/product_market.ts";
import { parseProduct, type Product } from "../products/product.ts";
import {
  FIELD_NAMES,
  type FieldName,
  majorName,
  PRODUCT_FIELDS,
} from "../products/product_field_table.ts";
import { type Fitting, type MarketAsker, openFitting } from "./product_page.ts";

const ROWS_PER_CHUNK = 100;
const LINE_BREAK = 0x0a;

/** Reads the values of the products while the file is written. */
export async function openProductTable(
  ctx: Context,
  asker: MarketAsker,
  wanted: Fitting & { readonly columns: readonly string[] },
): Promise<OutgoingTable> {
  const fitting = await openFitting(ctx, asker, wanted);
  const { columns } = wanted;
  const asksMarket = columns.some((name) => MARKET_CELL_OF.has(name));
  async function* batches(): AsyncGenerator<Cell[][]> {
    for await (const part of batchesOf(fitting.documents(), ROWS_PER_CHUNK)) {
      const beside = asksMarket ? await asker.market.beside(ctx, part.map(({ id }) => id)) : null;
      yield part.map(({ id, bytes }) => {
        const market = beside?.markets.get(id) ?? null;
        return productCells({ product: parseProduct(bytes), market }, columns);
      });
    }
  }
  const headingsIn = (language: Language) =>
    columns.map((column) => productHeading(language, column));
  return { name: "products", columns, headingsIn, batches: releasing(batches(), fitting) };
}

export async function streamProductLines(
  ctx: Context,
  asker: MarketAsker,
  wanted: Fitting,
): Promise<ReadableStream<Uint8Array>> {
  const fitting = await openFitting(ctx, asker, wanted);
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const part of batchesOf(fitting.documents(), ROWS_PER_CHUNK)) {
      yield joinDocuments("", part.map(({ bytes }) => bytes), "\n", LINE_BREAK);
    }
  }
  return ReadableStream.from(releasing(lines(), fitting));
}

export interface ProductRow {
  readonly product: Product;
  readonly market: ProductMarket | null;
}

const FIELD_COLUMNS = [
  ...FIELD_NAMES.filter((name) => ["plain", "amount"].some((csv) => csv === csvOf(name))),
  ...FIELD_NAMES.filter((name) => csvOf(name) === "json"),
];
const FIELD_OF = new Map<string, FieldName>(FIELD_COLUMNS.map((name) => [majorName(name), name]));

type MarketCell = (market: ProductMarket, exponent: number) => Cell;

const MOMENTS: ReadonlySet<FieldName> = new Set([
  "heldUntil",
  "ourPriceUpdatedAt",
  "lastScrapedAt",
  "createdAt",
  "updatedAt",
  "deletedAt",
]);

const MARKET_CELLS = {
  state: ({ state }) => codeCell("marketStates", state),
  links: ({ links }) => links,
  offers: ({ offers }) => offers,
  cheapest: ({ cheapestCents }, exponent) => amountCell(cheapestCents, exponent),
  cheapestCompetitor: ({ cheapestCompetitor }) => cheapestCompetitor,
  cheapestMatchType: ({ cheapestMatchType }) => codeCell("matchTypes", cheapestMatchType),
  cheapestInStock: ({ cheapestInStock }) => cheapestInStock,
  cheapestCount: ({ cheapestCount }) => cheapestCount,
  gap: ({ gapCents }, exponent) => amountCell(gapCents, exponent),
  gapPct: ({ gapPct }) => gapPct,
  room: ({ roomPct }) => roomPct,
  rank: ({ rank }) => rank,
  of: ({ of }) => of,
  position: ({ position }) => codeCell("marketPositions", position),
  median: ({ medianCents }, exponent) => amountCell(medianCents, exponent),
  average: ({ averageCents }, exponent) => amountCell(averageCents, exponent),
  index: ({ indexPct }) => indexPct,
  newestAt: ({ newestAt }) => momentCell(newestAt),
  margin: ({ marginPct }) => marginPct,
  proposal: ({ proposal }, exponent) => amountCell(proposal?.proposedCents ?? null, exponent),
  proposalChange: ({ proposal }) => proposal?.changePct ?? null,
  rule: ({ rule }) => rule?.name ?? null,
  cheapestAt: ({ cheapestAt }) => momentCell(cheapestAt),
} satisfies { readonly [Name in ColumnName]?: MarketCell };

const MARKET_CELL_OF = new Map<string, MarketCell>(Object.entries(MARKET_CELLS));

export const DEFAULT_COLUMNS: readonly string[] = [...FIELD_OF.keys()];
export const PRODUCT_COLUMNS: readonly string[] = [...DEFAULT_COLUMNS, ...MARKET_CELL_OF.keys()];

function productHeading(language: Language, column: string): string {
  const field = FIELD_OF.get(column);
  if (field !== undefined) return PRODUCT_FIELDS[field].label[language];
  return isColumnName(column) ? columnWords(language)[column] : column;
}

function csvOf(name: FieldName) {
  return PRODUCT_FIELDS[name].csv;
}

export function productCells(
  { product, market }: ProductRow,
  columns: readonly string[],
): Cell[] {
  const exponent = exponentOf(product.currency);
  return columns.map((column) => {
    const field = FIELD_OF.get(column);
    if (field !== undefined) return fieldOf(product, field, exponent);
    return market && (MARKET_CELL_OF.get(column)?.(market, exponent) ?? null);
  });
}

function fieldOf(product: Product, name: FieldName, exponent: number): Cell {
  if (name === "condition") return codeCell("conditions", product.condition);
  const value = product[name];
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  if (typeof value === "number" && csvOf(name) === "amount") return amountCell(value, exponent);
  return typeof value === "string" && MOMENTS.has(name) ? momentCell(value) : value;
}
