/** The query of a list of products, and its page as bytes. */
import { z } from "@hono/zod-openapi";
import type { Context } from "../../platform/store/context.ts";
import { flagQuery } from "../../platform/http/flag_query.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import type { CatalogueMemory } from "./catalogue_memory.ts";
import { FILTER_SHAPE, filterOf, isNoFilter } from "./product_filter.ts";
import { listProducts } from "./product_list.ts";
import { countActiveProducts } from "../products/product_count_store.ts";
import type { StoredDocument } from "../products/product_store.ts";
import { joinDocuments } from "../products/product_wire.ts";

export const PublicProductQuery = z.strictObject({ ...pageQuery(50, 200), ...FILTER_SHAPE });

export const ProductQuery = PublicProductQuery.extend({
  includeDeleted: flagQuery.meta({ type: "boolean", description: "Soft-deleted products too" }),
});

type Query = z.output<typeof PublicProductQuery> & { readonly includeDeleted?: boolean };

interface ProductPage {
  readonly documents: readonly StoredDocument[];
  readonly nextCursor: string | null;
  readonly isFiltered: boolean;
}

async function readPage(
  ctx: Context,
  memory: CatalogueMemory,
  query: Query,
): Promise<ProductPage> {
  const { limit, cursor, includeDeleted = false, ...texts } = query;
  const filter = filterOf(texts);
  const list = `products ${JSON.stringify({ filter, includeDeleted })}`;
  const position = openCursor(ctx, list, cursor);
  const after = position === null ? null : String(position);
  const rows = await listProducts(ctx, memory, { filter, includeDeleted, after, limit: limit + 1 });
  const page = toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
  return {
    documents: page.items,
    nextCursor: page.nextCursor,
    isFiltered: includeDeleted || !isNoFilter(filter),
  };
}

/** `{data, nextCursor, count}` (docs/decisions/catalogue.md). */
export async function publicPageBytes(ctx: Context, memory: CatalogueMemory, query: Query) {
  const page = await readPage(ctx, memory, query);
  return join('{"data":[', page, "");
}

/**
 * `{items, nextCursor, count, total}`; the total of a narrowed list is unknown, hence null. Whoever
 * opens the list may search in it next.
 */
export async function pageBytes(ctx: Context, memory: CatalogueMemory, query: Query) {
  if (query.cursor === undefined) memory.warm(ctx);
  const page = await readPage(ctx, memory, query);
  const total = page.isFiltered ? null : await countActiveProducts(ctx);
  return join('{"items":[', page, `,"total":${total}`);
}

function join(head: string, { documents, nextCursor }: ProductPage, more: string) {
  const tail = `],"nextCursor":${JSON.stringify(nextCursor)},"count":${documents.length}${more}}`;
  return joinDocuments(head, documents.map(({ bytes }) => bytes), tail);
}
