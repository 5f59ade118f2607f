/**
 * Keys: `au W at id` → row; `aux W dimension value at id` → empty, for the dimensions `type`
 * (resource type), `res` (type:id), `act` (action) and `who` (actor id).
 */
import { idBytes } from "../base/id.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { GET_MANY_MAX } from "../platform/store/rows.ts";
import type { AuditEntry, AuditRow } from "./audit.ts";
import type { AuditFilter } from "./audit_query.ts";

const EMPTY = new Uint8Array();
const BATCH_SIZE = 500;

const rowPrefix = (workspaceId: string) => ["au", idBytes(workspaceId)];
const indexPrefix = (workspaceId: string, dimension: string, value: string) => [
  "aux",
  idBytes(workspaceId),
  dimension,
  value,
];

/** Adds the row to the commit of the change that it records. */
export function addAuditRow(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "requestId" | "now" | "newId">,
  entry: AuditEntry,
): void {
  putAuditRow(write, ctx.workspaceId, {
    id: ctx.newId(),
    at: ctx.now().toISOString(),
    actor: ctx.actor,
    ...entry,
    requestId: ctx.requestId,
  });
}

/** Adds a row that there was before, in another store. */
export function putAuditRow(write: Write, workspaceId: string, row: AuditRow): void {
  const { type, id } = row.resource;
  const place = [Date.parse(row.at), idBytes(row.id)];
  write.set([...rowPrefix(workspaceId), ...place], row);
  const dimensions = [
    ["type", type],
    ["res", `${type}:${id}`],
    ["act", row.action],
    ["who", row.actor.id],
  ] as const;
  for (const [dimension, value] of dimensions) {
    write.set([...indexPrefix(workspaceId, dimension, value), ...place], EMPTY);
  }
}

type Index = readonly [dimension: string, value: string];

/** Where a row stands: rows are in the order of these two. */
export interface AuditPlace {
  readonly atMs: number;
  readonly id: string;
}

/** Up to `limit` rows that the filter wants, from behind `after` on, in the filter's order. */
export async function listAuditRows(
  workspace: WorkspaceStore,
  { filter, after, limit }: { filter: AuditFilter; after: AuditPlace | null; limit: number },
): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of readRows(workspace, filter, after)) {
    if (!isWanted(row, filter)) continue;
    rows.push(row);
    if (rows.length === limit) break;
  }
  return rows;
}

/** The narrowest index that the filter allows leads; the other filters are judged on its rows. */
async function* readRows(
  { store: { kv }, workspaceId }: WorkspaceStore,
  filter: AuditFilter,
  after: AuditPlace | null,
): AsyncGenerator<AuditRow> {
  const rowsPrefix = rowPrefix(workspaceId);
  const index = chooseIndex(filter);
  const prefix = index ? indexPrefix(workspaceId, ...index) : rowsPrefix;
  const options = { reverse: filter.order === "desc", batchSize: BATCH_SIZE };
  const range = kv.list<AuditRow | Uint8Array>(rangeOf(prefix, filter, after), options);
  let places: Deno.KvKey[] = [];
  const fetchRows = async () => {
    const found = await kv.getMany<AuditRow[]>(places.map((place) => [...rowsPrefix, ...place]));
    places = [];
    return found.flatMap(({ value }) => value === null ? [] : [value]);
  };
  for await (const { key, value } of range) {
    if (!(value instanceof Uint8Array)) yield value;
    else if (places.push(key.slice(-2)) === GET_MANY_MAX) yield* await fetchRows();
  }
  if (places.length > 0) yield* await fetchRows();
}

function chooseIndex({ resource, actor, action }: AuditFilter): Index | null {
  if (resource !== null && resource.includes(":")) return ["res", resource];
  if (actor !== null) return ["who", actor];
  if (action !== null) return ["act", action];
  return resource === null ? null : ["type", resource];
}

function rangeOf(prefix: Deno.KvKey, filter: AuditFilter, after: AuditPlace | null) {
  const { fromMs, toMs, order } = filter;
  const start = [...prefix, fromMs ?? 0];
  const end = [...prefix, toMs === null ? Number.MAX_SAFE_INTEGER : toMs + 1];
  if (after === null) return { start, end };
  const place = [...prefix, after.atMs, idBytes(after.id)];
  return order === "asc" ? { start: [...place, 0], end } : { start, end: place };
}

function isWanted(row: AuditRow, { action, resource, actor }: AuditFilter): boolean {
  const { type, id } = row.resource;
  return (action === null || row.action === action) && (actor === null || row.actor.id === actor) &&
    (resource === null || resource === type || resource === `${type}:${id}`);
}
