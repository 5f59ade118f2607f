/** The query of a list of products, and its page as bytes. */
import { z } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import type { Context } from "../platform/context.ts";
import { pageQuery } from "../platform/http.ts";
import type { CatalogueMemory } from "./catalogue_memory.ts";
import { countActiveProducts } from "./dictionary_store.ts";
import { FILTER_SHAPE, filterOf, isNoFilter } from "./product_filter.ts";
import { type DocumentPage, listProducts } from "./product_list.ts";
import { joinDocuments } from "./product_wire.ts";

/** A flag of a query: `true` or `false`. */
export const flagQuery = z.enum(["true", "false"]).optional()
  .transform((text) => text === "true");

export const PublicProductQuery = z.strictObject({ ...pageQuery(50, 200), ...FILTER_SHAPE });

export const ProductQuery = PublicProductQuery.extend({
  includeDeleted: flagQuery.meta({ type: "boolean", description: "Soft-deleted products too" }),
});

type Query = z.output<typeof PublicProductQuery> & { readonly includeDeleted?: boolean };

interface Page extends DocumentPage {
  readonly nextCursor: string | null;
  readonly isFiltered: boolean;
}

/** Refuses with `invalid_cursor` a cursor of another workspace or other filters. */
async function readPage(ctx: Context, memory: CatalogueMemory, query: Query): Promise<Page> {
  const { limit, cursor, includeDeleted = false, ...texts } = query;
  const filter = filterOf(texts);
  const scope = `products ${ctx.workspaceId} ${JSON.stringify({ filter, includeDeleted })}`;
  const after = cursor === undefined ? null : openCursor(ctx, scope, cursor);
  const page = await listProducts(ctx, memory, { filter, includeDeleted, after, limit });
  const nextCursor = page.next === null ? null : ctx.cursors.seal(scope, page.next);
  return { ...page, nextCursor, isFiltered: includeDeleted || !isNoFilter(filter) };
}

function openCursor(ctx: Context, scope: string, cursor: string): string {
  const position = ctx.cursors.open(scope, cursor);
  if (typeof position === "string") return position;
  throw new Failure(
    "invalid_cursor",
    "The cursor is not one of this list and these filters: start without one",
  );
}

/** `{data, nextCursor, count}` (spec §4.1). */
export async function publicPageBytes(ctx: Context, memory: CatalogueMemory, query: Query) {
  const page = await readPage(ctx, memory, query);
  return join('{"data":[', page, "");
}

/** `{items, nextCursor, count, total}`; the total of a narrowed list is unknown, hence null. */
export async function pageBytes(ctx: Context, memory: CatalogueMemory, query: Query) {
  const page = await readPage(ctx, memory, query);
  const total = page.isFiltered ? null : await countActiveProducts(ctx);
  return join('{"items":[', page, `,"total":${total}`);
}

function join(head: string, { documents, nextCursor }: Page, more: string) {
  const tail = `],"nextCursor":${JSON.stringify(nextCursor)},"count":${documents.length}${more}}`;
  return joinDocuments(head, documents.map(({ bytes }) => bytes), tail);
}
