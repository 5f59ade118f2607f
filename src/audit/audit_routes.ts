import { z } from "@hono/zod-openapi";
import type { Context } from "../platform/store/context.ts";
import { dataPageOf, jsonAnswer, pageOf, room, route } from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import { AuditRow } from "./audit.ts";
import { AuditQuery, parseAuditFilter } from "./audit_query.ts";
import { listAuditRows } from "./audit_store.ts";

const inApp = route({
  method: "get",
  path: "/api/audit-logs",
  access: { by: "session", role: "viewer" },
  request: { query: AuditQuery },
  responses: {
    200: jsonAnswer(pageOf(AuditRow).meta({ id: "AuditPage" }), "What happened, in its order"),
  },
});

const external = route({
  method: "get",
  path: "/api/public/v1/audit-logs",
  access: { by: "key", scopes: ["audit:read"] },
  request: { query: AuditQuery },
  responses: {
    200: jsonAnswer(dataPageOf(AuditRow).meta({ id: "AuditData" }), "What happened, in its order"),
  },
});

/** The audit log on both interfaces (docs/decisions/identity.md). */
export function auditRoutes() {
  return room()
    .openapi(inApp, async (c) => c.json(await listPage(c.var.ctx, c.req.valid("query")), 200))
    .openapi(external, async (c) => {
      const { items, ...page } = await listPage(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    });
}

const Position = z.tuple([z.number(), z.string()]).nullable();

async function listPage(ctx: Context, query: z.infer<typeof AuditQuery>) {
  const { limit, cursor } = query;
  const filter = parseAuditFilter(query);
  const list = `audit ${JSON.stringify(filter)}`;
  const position = Position.parse(openCursor(ctx, list, cursor));
  const after = position && { atMs: position[0], id: position[1] };
  const rows = await listAuditRows(ctx, { filter, after, limit: limit + 1 });
  return toPage(ctx, { list, rows, limit, positionOf: ({ at, id }) => [Date.parse(at), id] });
}
