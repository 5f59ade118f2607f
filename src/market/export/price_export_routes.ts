/** Price changes for the ERP and for people, the same on both interfaces (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { viewer } from "../../accounts/route_access.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { jsonAnswer, room, route } from "../../platform/http/http.ts";
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

const FACES = [
  { path: "/api/public/v1/price-changes", access: { by: "key", scopes: ["proposals:read"] } },
  { path: "/api/price-changes", access: viewer },
] as const;

function declared({ path, access }: (typeof FACES)[number]) {
  return route({
    method: "get",
    path,
    access,
    tags: ["Price export"],
    request: { query: PriceExportQuery },
    responses: {
      200: {
        ...jsonAnswer(PriceChangePage, "Changes that no import caused, in the order of commits"),
        content: {
          "application/json": { schema: PriceChangePage },
          ...CSV_CONTENT,
          "application/xml": { schema: z.string() },
          ...XLSX_CONTENT,
        },
      },
    },
  });
}

const TYPES = { csv: CSV_TYPE, xml: "application/xml; charset=utf-8" };

export function priceExportRoutes() {
  return FACES.map((face) =>
    room().openapi(declared(face), (c) => answer(c, c.req.valid("query")))
  );
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
