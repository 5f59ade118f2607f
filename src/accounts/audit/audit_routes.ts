import { dataPageOf, jsonAnswer, pageOf, room, route } from "../../platform/http/http.ts";
import { fileRoutes } from "../../platform/http/list_file.ts";
import { cursorAt, openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { AuditRow } from "./audit.ts";
import {
  aboutOf,
  AuditFilters,
  AuditQuery,
  parseAuditFilter,
  type ProductIdOf,
} from "./audit_query.ts";
import { type AuditPlace, countAuditRows, listAuditRows } from "./audit_store.ts";
import { auditTable } from "./audit_table.ts";
import { z } from "@hono/zod-openapi";

/** What the room needs and does not keep itself. */
export interface AuditDeps {
  readonly productIdOf: ProductIdOf;
  /** What things are called today, by `type:id`; what is gone or has no name is absent. */
  namesOf(
    workspace: WorkspaceStore,
    things: readonly { readonly type: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  /** The clock of a workspace. */
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
}

const Names = z.record(z.string(), z.string()).meta({
  description: "What the products and rules that rows are about are called, by `type:id`",
});

const inApp = route({
  method: "get",
  path: "/api/audit-logs",
  access: { by: "session", role: "viewer" },
  request: { query: AuditQuery },
  responses: {
    200: jsonAnswer(
      pageOf(AuditRow).extend({ names: Names }).meta({ id: "AuditPage" }),
      "What happened, in its order; with `q` a page may be short, or empty, before the last one",
    ),
  },
});

const counts = route({
  method: "get",
  path: "/api/audit-logs/counts",
  access: { by: "session", role: "viewer" },
  request: { query: AuditFilters },
  responses: {
    200: jsonAnswer(
      z.object({
        total: z.int().meta({ description: "All that fit" }),
        price: z.int().meta({ description: "Those that changed an own price" }),
        people: z.int().meta({ description: "Those of people" }),
        rules: z.int().meta({ description: "Those about rules" }),
        reason: z.int().meta({ description: "Those of which somebody said why" }),
        beyond: z.int().meta({
          description: "Those that set prices beyond the bounds of their products",
        }),
        undone: z.int().meta({ description: "Those that took something back" }),
        isCut: z.boolean().meta({ description: "There are more: only 5,000 were looked at" }),
      }).meta({ id: "AuditCounts" }),
      "How many rows fit, in all and of each kind that `only` names",
    ),
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
export function auditRoutes(deps: AuditDeps) {
  const files = fileRoutes({
    path: "/api/audit-logs",
    access: { by: "session", role: "viewer" },
    query: AuditFilters,
    describes: "Every row that fits, newest first",
    open: async (ctx, query) => {
      const filter = await parseAuditFilter(ctx, query, deps.productIdOf);
      return auditTable(ctx, filter, (rows) => withPeople(ctx, deps, rows));
    },
  }, deps.timeZoneOf);
  return room()
    .openapi(inApp, async (c) => {
      const page = await listPage(c.var.ctx, deps, c.req.valid("query"));
      return c.json({ ...page, names: await namesAbout(c.var.ctx, deps, page.items) }, 200);
    })
    .openapi(counts, async (c) => {
      const { ctx } = c.var;
      const filter = await parseAuditFilter(ctx, c.req.valid("query"), deps.productIdOf);
      return c.json(await countAuditRows(ctx, filter), 200);
    })
    .route("/", files)
    .openapi(external, async (c) => {
      const { items, ...page } = await listPage(c.var.ctx, deps, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    });
}

const Position = z.tuple([z.number(), z.string()]).nullable();

async function listPage(
  ctx: Context,
  deps: AuditDeps,
  query: z.infer<typeof AuditQuery>,
): Promise<Page<AuditRow>> {
  const { limit, cursor } = query;
  const filter = await parseAuditFilter(ctx, query, deps.productIdOf);
  const list = `audit ${JSON.stringify(filter)}`;
  const position = Position.parse(openCursor(ctx, list, cursor));
  const after = position && { atMs: position[0], id: position[1] };
  const { rows, brokenOffAt } = await listAuditRows(ctx, { filter, after, limit: limit + 1 });
  const page = toPage(ctx, { list, rows, limit, positionOf: (row) => placeOf(row) });
  const items = await withPeople(ctx, deps, page.items);
  if (brokenOffAt === null || page.nextCursor !== null) return { ...page, items };
  return { ...page, items, nextCursor: cursorAt(ctx, list, positionText(brokenOffAt)) };
}

const placeOf = ({ at, id }: AuditRow) => positionText({ atMs: Date.parse(at), id });
const positionText = ({ atMs, id }: AuditPlace) => [atMs, id];

/** People who have a name are called by it, also where a row was written before they had one. */
async function withPeople(
  ctx: WorkspaceStore,
  { namesOf }: AuditDeps,
  rows: readonly AuditRow[],
): Promise<AuditRow[]> {
  const people = new Map(
    rows.filter(({ actor }) => actor.type === "user").map(({ actor }) => [actor.id, actor]),
  );
  const names = await namesOf(ctx, [...people.values()]);
  return rows.map((row) => {
    const name = names.get(`user:${row.actor.id}`);
    return name === undefined ? row : { ...row, actor: { ...row.actor, name } };
  });
}

async function namesAbout(
  ctx: WorkspaceStore,
  { namesOf }: AuditDeps,
  rows: readonly AuditRow[],
): Promise<Record<string, string>> {
  const about = [...new Set(rows.flatMap(aboutOf))].map((text) => {
    const [type = "", id = ""] = text.split(":");
    return { type, id };
  });
  return Object.fromEntries(await namesOf(ctx, about));
}
