/** The list of products as a CSV stream: one page of it in memory at a time. */
import type { Context } from "../../platform/store/context.ts";
import type { CatalogueMemory } from "./catalogue_memory.ts";
import type { Product } from "../products/product.ts";
import { type CsvDialect, csvHead, csvRows } from "./product_csv.ts";
import type { ProductFilter } from "./product_filter.ts";
import { walkProducts } from "./product_list.ts";
import { parseProduct } from "../products/product_wire.ts";

const ROWS_PER_CHUNK = 500;

export interface ProductExport {
  readonly filter: ProductFilter;
  readonly includeDeleted: boolean;
  readonly dialect: CsvDialect;
}

/** Reads on only as fast as the stream is taken. */
export function streamProductCsv(
  ctx: Context,
  memory: CatalogueMemory,
  wanted: ProductExport,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(csvChunks(ctx, memory, wanted)).pipeThrough(new TextEncoderStream());
}

async function* csvChunks(
  ctx: Context,
  memory: CatalogueMemory,
  { filter, includeDeleted, dialect }: ProductExport,
): AsyncGenerator<string> {
  yield csvHead(dialect);
  const request = { filter, includeDeleted, after: null, limit: ROWS_PER_CHUNK };
  let rows: Product[] = [];
  for await (const { bytes } of walkProducts(ctx, memory, request)) {
    if (rows.push(parseProduct(bytes)) < ROWS_PER_CHUNK) continue;
    yield csvRows(rows, dialect);
    rows = [];
  }
  if (rows.length > 0) yield csvRows(rows, dialect);
}
