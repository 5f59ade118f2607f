/** Price changes for the ERP on the external interface (docs/decisions/rules.md). */
import { z } from "@hono/zod-openapi";
import { jsonAnswer, room, route } from "../platform/http/http.ts";
import { exportPrices, pageOfChanges, PriceChangePage, PriceExportQuery } from "./export_prices.ts";

const read = route({
  method: "get",
  path: "/api/public/v1/price-changes",
  access: { by: "key", scopes: ["proposals:read"] },
  tags: ["Price export"],
  request: { query: PriceExportQuery },
  responses: {
    200: {
      ...jsonAnswer(PriceChangePage, "Changes that no import caused, in the order of commits"),
      content: {
        "application/json": { schema: PriceChangePage },
        "text/csv": { schema: z.string() },
        "application/xml": { schema: z.string() },
      },
    },
  },
});

const TYPES = { csv: "text/csv; charset=utf-8", xml: "application/xml; charset=utf-8" };

export function priceExportRoutes() {
  return room().openapi(read, async (c) => {
    const query = c.req.valid("query");
    const { format } = query;
    if (format === "json") return c.json(await pageOfChanges(c.var.ctx, query), 200);
    const { nextSince, chunks } = await exportPrices(c.var.ctx, query);
    const body = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
    return c.body(body, 200, {
      "Content-Type": TYPES[format],
      "Content-Disposition": `attachment; filename="price-changes.${format}"`,
      "X-Next-Since": nextSince,
    });
  });
}
