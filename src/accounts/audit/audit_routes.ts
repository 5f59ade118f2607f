/**
 * Routes that list, count and download the rows of the audit log. If a request searches for words,
 * a page may have fewer rows than `limit`, even if more rows follow. A download ends with a hash,
 * with which `kurant audit verify` can later check the log.
 */
import { z } from "@hono/zod-openapi";
import { batchesOf } from "../../base/collections.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import { columnHeadings } from "../../engine/wording/column_words.ts";
import { one, page } from "../../platform/http/answer.ts";
import { cursorAt, openCursor, type Page, toPage } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Cell, OutgoingTable } from "../../platform/tables/cell.ts";
import { keyWith, viewer } from "../roles.ts";
import { aboutOf, AuditRow } from "./audit.ts";
import {
  type AuditFilter,
  AuditFilters,
  AuditQuery,
  countAuditRows,
  listAuditRows,
  parseAuditFilter,
  type ProductIdOf,
  walkAuditRows,
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
  const position = Position.parse(openCursor(ctx, cursor));
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

const ROWS_PER_CHUNK = 200;
const COLUMNS = [
  "at",
  "actorType",
  "actor",
  "action",
  "resourceType",
  "resource",
  "before",
  "after",
  "currency",
  "reason",
  "requestId",
] as const;

type Naming = (rows: readonly AuditRow[]) => Promise<readonly AuditRow[]>;

function auditTable(workspace: WorkspaceStore, filter: AuditFilter, named: Naming): OutgoingTable {
  return {
    name: "audit-log",
    columns: COLUMNS,
    headingsIn: (language) => columnHeadings(language, "audit-log", COLUMNS),
    batches: rowBatches(workspace, filter, named),
  };
}

async function* rowBatches(
  workspace: WorkspaceStore,
  filter: AuditFilter,
  named: Naming,
): AsyncGenerator<Cell[][]> {
  const seal = await findLastSeal(workspace);
  for await (const rows of batchesOf(walkAuditRows(workspace, filter), ROWS_PER_CHUNK)) {
    yield (await named(rows)).map(cellsOf);
  }
  if (seal !== null) yield [sealCells(seal)];
}

function sealCells({ at, number, hash }: AuditSeal): Cell[] {
  return [
    { at },
    codeCell("actors", "system"),
    "Kurant",
    { ...codeCell("auditVerbs", "seal"), plain: "audit.seal" },
    codeCell("audited", "audit"),
    String(number),
    "",
    JSON.stringify({ hash }),
    "",
    "",
    "",
  ];
}

function actionCell({ action, after }: AuditRow): Cell {
  const isUnmarked = action === "product.mark" && after?.isError === false;
  const cell = storedCodeCell("auditVerbs", isUnmarked ? "unmark" : action.split(".").at(-1) ?? "");
  return cell && { ...cell, plain: action };
}

function cellsOf(row: AuditRow): Cell[] {
  const { at, actor, resource, before, after, currency = "", reason = "" } = row;
  const side = (fields: AuditRow["before"]) => fields === null ? "" : JSON.stringify(fields);
  return [
    { at },
    codeCell("actors", actor.type),
    actor.name,
    actionCell(row),
    storedCodeCell("audited", resource.type),
    resource.label,
    side(before),
    side(after),
    currency,
    reason,
    row.requestId,
  ];
}
