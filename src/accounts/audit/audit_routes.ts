/**
 * Declares routes that list, count and download the rows of the audit log. A search for words may
 * return fewer rows than `limit`, even if more rows follow. A download ends with the newest seal (a
 * hash of audit rows), with which `kurant audit verify` can later check the log.
 */
import { z } from "@hono/zod-openapi";
import type { Language } from "../../base/codes.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import { columnHeadings, isColumnName } from "../../engine/wording/column_words.ts";
import { one, page } from "../../platform/http/answer.ts";
import { cursorAt, openCursor, type Page, toPage } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { openPagedTable } from "../../platform/http/paged_table.ts";
import { type Cell, momentCell } from "../../platform/tables/cell.ts";
import { keyWith, viewer } from "../roles.ts";
import { aboutOf, AuditRow } from "./audit.ts";
import {
  AuditFilters,
  AuditQuery,
  countAuditRows,
  listAuditRows,
  parseAuditFilter,
  type ProductIdOf,
} from "./audit_store.ts";
import { type AuditSeal, findLastSeal } from "./audit_seal_store.ts";

export interface AuditDeps {
  readonly productIdOf: ProductIdOf;
  namesOf(
    workspace: WorkspaceStore,
    things: readonly { readonly type: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  readonly importState: z.ZodType<object>;
  importsOf(
    workspace: WorkspaceStore & Pick<Context, "now">,
    ids: readonly string[],
  ): Promise<Record<string, object>>;
}

const Names = z.record(z.string(), z.string())
  .describe("Names of the products, rules and webhooks that the rows concern, by `type:id`");

const AuditCounts = z.object({
  total: z.int().describe("All matching rows"),
  price: z.int().describe("Rows that changed an own price"),
  people: z.int().describe("Rows of people"),
  rules: z.int().describe("Rows about rules"),
  reason: z.int().describe("Rows with a reason"),
  beyond: z.int().describe("Rows that set prices outside the bounds of their products"),
  undone: z.int().describe("Rows that undid something"),
  isCut: z.boolean().describe("True if there are more, because only 5,000 rows were counted"),
}).meta({ id: "AuditCounts" });

export function auditRoutes(deps: AuditDeps) {
  const imports = z.record(z.string(), deps.importState).describe(
    "The imports that the rows end, by `jobId`: whether they can be undone, and why they are held",
  );
  return resource("/audit-logs", { read: { people: viewer } })
    .list({
      query: AuditQuery,
      answer: page(
        AuditRow,
        "Audit rows in the order of time; with `q`, a page before the last may be short or empty",
        { inApp: "AuditPage", extra: { names: Names, imports } },
      ),
    }, async ({ ctx, query }) => {
      const found = await listPage(ctx, deps, query);
      const ended = found.items.filter(({ action }) => action === "import.finish");
      return {
        ...found,
        names: await namesAbout(ctx, deps, found.items),
        imports: await deps.importsOf(ctx, ended.map(({ resource }) => resource.id)),
      };
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
        const seal = await findLastSeal(ctx);
        return await openPagedTable(TABLE, Object.values(COLUMNS), async (at) => {
          const page = await listPage(ctx, deps, { ...query, ...at, order: "desc" });
          const isLast = page.nextCursor === null && seal !== null;
          return isLast ? { ...page, items: [...page.items, sealRow(seal)] } : page;
        });
      },
    })
    .list({
      callers: { keys: keyWith("audit:read") },
      query: AuditQuery,
      answer: page(AuditRow, "Audit rows in the order of time", { external: "AuditData" }),
    }, ({ ctx, query }) => listPage(ctx, deps, query)).routes;
}

const Position = z.tuple([z.number(), z.string()]);

async function listPage(
  ctx: Context,
  deps: AuditDeps,
  query: z.infer<typeof AuditQuery>,
): Promise<Page<AuditRow>> {
  const { limit, cursor } = query;
  const filter = await parseAuditFilter(ctx, query, deps.productIdOf);
  const position = openCursor(ctx, cursor, Position);
  const after = position && { atMs: position[0], id: position[1] };
  const { rows, brokenOffAt } = await listAuditRows(ctx, { filter, after, limit: limit + 1 });
  const page = toPage(ctx, { rows, limit, positionOf });
  const items = await withPeople(ctx, deps, page.items);
  if (brokenOffAt === null || page.nextCursor !== null) return { ...page, items };
  return { ...page, items, nextCursor: cursorAt(ctx, positionOf(brokenOffAt)) };
}

const positionOf = ({ at, id }: AuditRow) => [Date.parse(at), id];

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
  const webhooks = rows.flatMap(({ resource: { type, id } }) =>
    type === "webhook" ? [`${type}:${id}`] : []
  );
  const about = [...new Set([...rows.flatMap(aboutOf), ...webhooks])].map((text) => {
    const [type = "", id = ""] = text.split(":");
    return { type, id };
  });
  return Object.fromEntries(await namesOf(ctx, about));
}

const sideCell = (fields: AuditRow["before"]) => fields === null ? "" : JSON.stringify(fields);

const COLUMNS: Readonly<Record<string, (row: AuditRow) => Cell>> = {
  at: ({ at }) => momentCell(at),
  actorType: ({ actor }) => codeCell("actors", actor.type),
  actor: ({ actor }) => actor.name,
  action: actionCell,
  resourceType: ({ resource }) => storedCodeCell("audited", resource.type),
  resource: ({ resource }) => resource.label,
  before: ({ before }) => sideCell(before),
  after: ({ after }) => sideCell(after),
  currency: ({ currency = "" }) => currency,
  reason: ({ reason = "" }) => reason,
  requestId: ({ requestId }) => requestId,
};

const NAMES = Object.keys(COLUMNS).filter(isColumnName);
const TABLE = {
  name: "audit-log",
  columns: NAMES,
  headingsIn: (language: Language) => columnHeadings(language, "audit-log", NAMES),
};

function sealRow({ at, number, hash }: AuditSeal): AuditRow {
  const actor = { type: "system", id: "", name: "Kurant" } as const;
  const resource = { type: "audit", id: "", label: String(number) };
  const row = { id: "", at, actor, action: "audit.seal", resource, requestId: "" };
  return { ...row, before: null, after: { hash } };
}

function actionCell({ action, after }: AuditRow): Cell {
  const isUnmarked = action === "product.mark" && after?.isError === false;
  const cell = storedCodeCell("auditVerbs", isUnmarked ? "unmark" : action.split(".").at(-1) ?? "");
  return cell && { ...cell, plain: action };
}
