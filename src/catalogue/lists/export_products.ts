/** The list of products as a file: one part of it in memory at a time. */

import { batchesOf, releasing } from "../../base/collections.ts";
import type { Language } from "../../engine/wording/show.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Cell, OutgoingTable } from "../../platform/tables/cell.ts";
import { joinDocuments, parseProduct } from "../products/product_wire.ts";
import { type Fitting, type FittingProducts, openFitting } from "./fitting_products.ts";
import type { MarketAsker } from "./market_page.ts";
import { needsMarket, productCells, productHeading } from "./product_rows.ts";

const ROWS_PER_CHUNK = 500;
const LINE_BREAK = 0x0a;

export interface ProductExport extends Fitting {
  /** Of `PRODUCT_COLUMNS`. */
  readonly columns: readonly string[];
}

/**
 * The products and their order are those of the call, what the rows say of them is read when it is
 * written.
 */
export async function openProductTable(
  ctx: Context,
  asker: MarketAsker,
  wanted: ProductExport,
): Promise<OutgoingTable> {
  const fitting = await openFitting(ctx, asker, wanted);
  const { columns } = wanted;
  const batches = releasing(rowBatches(ctx, asker, fitting, columns), fitting);
  const headingsIn = (language: Language) =>
    columns.map((column) => productHeading(language, column));
  return { name: "products", columns, headingsIn, batches };
}

async function* rowBatches(
  ctx: Context,
  { market }: MarketAsker,
  fitting: FittingProducts,
  columns: readonly string[],
): AsyncGenerator<Cell[][]> {
  const asksMarket = needsMarket(columns);
  for await (const part of batchesOf(fitting.documents(), ROWS_PER_CHUNK)) {
    const beside = asksMarket ? await market.beside(ctx, part.map(({ id }) => id)) : null;
    yield part.map(({ id, bytes }) => {
      const market = beside?.markets.get(id) ?? null;
      return productCells({ product: parseProduct(bytes), market }, columns);
    });
  }
}

/** Each product that fits as its document, on a line of its own. */
export async function streamProductLines(
  ctx: Context,
  asker: MarketAsker,
  wanted: Fitting,
): Promise<ReadableStream<Uint8Array>> {
  const fitting = await openFitting(ctx, asker, wanted);
  return ReadableStream.from(releasing(lines(fitting), fitting));
}

async function* lines(fitting: FittingProducts): AsyncGenerator<Uint8Array> {
  for await (const part of batchesOf(fitting.documents(), ROWS_PER_CHUNK)) {
    yield joinDocuments("", part.map(({ bytes }) => bytes), "\n", LINE_BREAK);
  }
}
