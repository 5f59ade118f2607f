/**
 * Routes that export our prices to the ERP and show whether they arrived (docs/decisions/rules.md,
 * "Prices for the ERP").
 */
import { z } from "@hono/zod-openapi";
import { keyWith, viewer } from "../../accounts/route_access.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { exponentOf } from "../../base/money.ts";
import { type Columns, openListTable } from "../../catalogue/lists/list_file.ts";
import {
  ARRIVAL_STATUSES,
  type AwaitedPrice,
  awaitedPrices,
} from "../../catalogue/prices/awaited_price_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { custom, page } from "../../platform/http/answer.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context } from "../../platform/store/context.ts";
import { amountCell, momentCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import {
  CSV_CONTENT,
  CSV_TYPE,
  tableResponse,
  XLSX_CONTENT,
} from "../../platform/tables/table_answer.ts";
import {
  exportPrices,
  openPriceTable,
  pageOfChanges,
  PriceChangePage,
  PriceExportQuery,
} from "./export_prices.ts";

const TYPES = { csv: CSV_TYPE, xml: "application/xml; charset=utf-8" };

export function priceExportRoutes() {
  return resource("/price-changes", {
    read: { people: viewer, keys: keyWith("proposals:read") },
    tags: ["Price export"],
  })
    .get("", {
      query: PriceExportQuery,
      answer: custom({
        200: {
          description:
            "Price changes that no import caused, in the order of commits. What a key reads " +
            "to the end is handed over: it is awaited in `/price-arrivals` until an import brings it",
          content: {
            "application/json": { schema: PriceChangePage },
            ...CSV_CONTENT,
            "application/xml": { schema: z.string() },
            ...XLSX_CONTENT,
          },
        },
      }),
    }, ({ c, query }) => answer(c, query)).routes;
}

async function answer(c: AppContext, query: PriceExportQuery) {
  const { ctx } = c.var;
  const { format } = query;
  if (format === "json") return c.json(await pageOfChanges(ctx, query), 200);
  const { pricesIncludeVat, timeZone } = await requireWorkspace(ctx);
  const headersOf = (nextSince: string) => ({
    "X-Next-Since": nextSince,
    "X-Prices-Include-Vat": String(pricesIncludeVat),
  });
  if (format === "xlsx") {
    const { table, nextSince } = await openPriceTable(ctx, query);
    const response = tableResponse(table, { format, timeZone });
    for (const [name, value] of Object.entries(headersOf(nextSince))) {
      response.headers.set(name, value);
    }
    return response;
  }
  const { nextSince, chunks } = await exportPrices(ctx, { ...query, format });
  const body = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
  return c.body(body, 200, {
    ...headersOf(nextSince),
    "Content-Type": TYPES[format],
    "Content-Disposition": `attachment; filename="price-changes.${format}"`,
  });
}

const cents = z.int().nullable();

const PriceArrival = z.object({
  productId: z.string(),
  sku: z.string(),
  tier: z.string().nullable(),
  status: z.enum(ARRIVAL_STATUSES).describe(
    "`not_arrived`: an import contained another price; `missing`: two full loads with prices, or " +
      "all imports of 48 hours, contained none",
  ),
  expectedCents: z.int().describe("The price as fetched, in minor units of `currency`"),
  currency: z.string(),
  seenCents: cents.describe("The price in the import, in minor units of `seenCurrency`"),
  seenCurrency: z.string().nullable().describe("Null if no import contained a price"),
  seenIn: z.string().nullable().describe("Id of the import"),
  fetchedAt: z.iso.datetime().describe("When the export was fetched"),
}).meta({ id: "PriceArrival" });

type PriceArrival = z.infer<typeof PriceArrival>;

const Filter = z.strictObject({
  status: z.enum(ARRIVAL_STATUSES).optional().describe("Default: all"),
});
const Query = z.strictObject({ ...pageQuery(50, 200), ...Filter.shape });

const COLUMNS: Columns<PriceArrival> = {
  sku: ({ sku }) => sku,
  tier: ({ tier }) => tier,
  status: ({ status }) => codeCell("arrivals", status),
  expected: ({ expectedCents, currency }) => amountCell(expectedCents, exponentOf(currency)),
  currency: ({ currency }) => currency,
  seen: ({ seenCents, seenCurrency, currency }) =>
    amountCell(seenCents, exponentOf(seenCurrency ?? currency)),
  seenCurrency: ({ seenCurrency }) => seenCurrency,
  seenIn: ({ seenIn }) => seenIn,
  fetchedAt: ({ fetchedAt }) => momentCell(fetchedAt),
  productId: ({ productId }) => productId,
};

function openArrivalTable(ctx: Context, filter: z.output<typeof Filter>): Promise<OutgoingTable> {
  return openListTable(
    "price-arrivals",
    COLUMNS,
    (page) => pageOfArrivals(ctx, { ...filter, ...page }),
  );
}

const Position = z.tuple([z.string(), z.string().nullable()]).nullable();

async function pageOfArrivals(ctx: Context, { limit, cursor, status }: z.output<typeof Query>) {
  const list = `price-arrivals ${status ?? ""}`;
  const position = Position.parse(openCursor(ctx, list, cursor));
  const after = position && { productId: position[0], tier: position[1] ?? "" };
  const rows: AwaitedPrice[] = [];
  for await (const { row } of awaitedPrices.walk(ctx, { after })) {
    if (status !== undefined && row.status !== status) continue;
    if (rows.push(row) > limit) break;
  }
  const positionOf = ({ productId, tier }: AwaitedPrice) => [productId, tier];
  const { items, ...page } = toPage(ctx, { list, rows, limit, positionOf });
  const documents = await findDocuments(ctx, items.map(({ productId }) => productId));
  const skus = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes).sku]));
  return { ...page, items: items.map((price) => rowOf(price, skus.get(price.productId) ?? "")) };
}

function rowOf(price: AwaitedPrice, sku: string): PriceArrival {
  const { productId, tier, status, cents, currency, seen, toldAtMs } = price;
  return {
    productId,
    sku,
    tier: tier || null,
    status,
    expectedCents: cents,
    currency,
    seenCents: seen?.cents ?? null,
    seenCurrency: seen?.currency ?? null,
    seenIn: seen?.jobId ?? null,
    fetchedAt: new Date(toldAtMs).toISOString(),
  };
}

export function arrivalRoutes() {
  const tags = ["Price export"];
  return resource("/price-arrivals", {
    read: { people: viewer, keys: keyWith("proposals:read") },
    tags,
  })
    .list({
      query: Query,
      answer: page(
        PriceArrival,
        "Prices that exports have told and no import has brought, by product",
      ),
    }, ({ ctx, query }) => pageOfArrivals(ctx, query))
    .files("", {
      tags,
      query: Filter,
      words: "Every price that exports have told and no import has brought, by product",
      open: openArrivalTable,
    }).routes;
}
