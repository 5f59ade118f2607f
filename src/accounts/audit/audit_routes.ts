import { z } from "@hono/zod-openapi";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { cursorAt, openCursor, type Page, toPage } from "../../platform/http/page.ts";
import { keyWith, viewer } from "../route_access.ts";
import { AuditRow } from "./audit.ts";
import { auditTable } from "./audit_table.ts";
import {
  aboutOf,
  AuditFilters,
  AuditQuery,
  parseAuditFilter,
  type ProductIdOf,
} from "./audit_query.ts";
import type { AuditPlace } from "./audit_seal_store.ts";
import { countAuditRows, listAuditRows } from "./audit_store.ts";

export interface AuditDeps {
  readonly productIdOf: ProductIdOf;
  /** Current names by `type:id`. Deleted and unnamed resources are absent. */
  namesOf(
    workspace: WorkspaceStore,
    things: readonly { readonly type: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, string>>;
}

const Names = z.record(z.string(), z.string()).meta({
  description: "Names of the products and rules that the rows concern, by `type:id`",
});

const AuditCounts = z.object({
  total: z.int().meta({ description: "All matching rows" }),
  price: z.int().meta({ description: "Rows that changed an own price" }),
  people: z.int().meta({ description: "Rows of people" }),
  rules: z.int().meta({ description: "Rows about rules" }),
  reason: z.int().meta({ description: "Rows with a reason" }),
  beyond: z.int().meta({
    description: "Rows that set prices outside the bounds of their products",
  }),
  undone: z.int().meta({ description: "Rows that undid something" }),
  isCut: z.boolean().meta({
    description: "True if there are more, because only 5,000 rows were counted",
  }),
}).meta({ id: "AuditCounts" });

/** The audit log on both interfaces (docs/decisions/identity.md). */
export function auditRoutes(deps: AuditDeps) {
  return resource("/audit-logs", { look: { people: viewer } })
    .list({
      query: AuditQuery,
      answer: page(
        AuditRow,
        "What happened, in its order; with `q` a page may be short, or empty, before the last one",
        { inApp: "AuditPage", extra: { names: Names } },
      ),
    }, async ({ ctx, query }) => {
      const found = await listPage(ctx, deps, query);
      return { ...found, names: await namesAbout(ctx, deps, found.items) };
    })
    .get("/counts", {
      query: AuditFilters,
      answer: one(AuditCounts, "Number of matching rows, in total and for each kind of `only`"),
    }, async ({ ctx, query }) => {
      return await countAuditRows(ctx, await parseAuditFilter(ctx, query, deps.productIdOf));
    })
    .files("", {
      query: AuditFilters,
      words:
        "All matching rows, newest first; the last line is the newest seal of the log, with its hash",
      open: async (ctx, query) => {
        const filter = await parseAuditFilter(ctx, query, deps.productIdOf);
        return auditTable(ctx, filter, (rows) => withPeople(ctx, deps, rows));
      },
    })
    .list({
      callers: { keys: keyWith("audit:read") },
      query: AuditQuery,
      answer: page(AuditRow, "Audit rows in the order of time", { external: "AuditData" }),
    }, ({ ctx, query }) => listPage(ctx, deps, query)).routes;
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

/** Replaces the names of people by their current ones. */
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
