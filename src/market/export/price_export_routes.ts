/** Price changes for the ERP and for people, the same on both interfaces (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { keyWith, viewer } from "../../accounts/route_access.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { custom } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
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
    look: { people: viewer, keys: keyWith("proposals:read") },
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
