/**
 * Keys: `au W at id` → row; `aux W dimension value at id` → empty, for the dimensions `type`
 * (resource type), `res` (type:id), `act` (action), `who` (actor id), `of` (type:id of the products
 * and rules that it is about) and `tag` (`audit_tags.ts`).
 */

import { fromKeys } from "../../base/collections.ts";
import { idBytes } from "../../base/id.ts";
import { hasWords, searchForm, type WordSearch, wordSearchOf } from "../../base/search_words.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { GET_MANY_MAX } from "../../platform/store/rows.ts";
import type { AuditEntry, AuditRow } from "./audit.ts";
import { AUDIT_TAGS, type AuditTag } from "./audit_actions.ts";
import { aboutOf, type AuditFilter, tagsOf } from "./audit_query.ts";

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
  { reason, ...entry }: AuditEntry,
): void {
  putAuditRow(write, ctx.workspaceId, {
    id: ctx.newId(),
    at: ctx.now().toISOString(),
    actor: ctx.actor,
    ...entry,
    ...(reason && { reason }),
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
  for (const [dimension, value] of [...dimensions, ...derivedOf(row)]) {
    write.set([...indexPrefix(workspaceId, dimension, value), ...place], EMPTY);
  }
}

/** Index rows that follow from what the row says. */
function derivedOf(row: AuditRow): Index[] {
  return [
    ...aboutOf(row).map((value) => ["of", value] as const),
    ...tagsOf(row).map((value) => ["tag", value] as const),
  ];
}

type Index = readonly [dimension: string, value: string];

/** Where a row stands: rows are in the order of these two. */
export interface AuditPlace {
  readonly atMs: number;
  readonly id: string;
}

/** Rows, and where the next look begins that did not come to an end. */
export interface AuditRows {
  readonly rows: AuditRow[];
  /** Behind this place nothing was looked at, because enough had been; null else. */
  readonly brokenOffAt: AuditPlace | null;
}

/** Words stand in no index: so many rows are looked at for a page. */
const LOOKED_AT_MAX = 5_000;

/** Up to `limit` rows that the filter wants, from behind `after` on, in the filter's order. */
export async function listAuditRows(
  workspace: WorkspaceStore,
  { filter, after, limit }: { filter: AuditFilter; after: AuditPlace | null; limit: number },
): Promise<AuditRows> {
  const rows: AuditRow[] = [];
  const isWanted = wantedBy(filter);
  let left = filter.q !== null ? LOOKED_AT_MAX : Infinity;
  for await (const row of readRows(workspace, filter, after)) {
    if (isWanted(row)) rows.push(row);
    if (rows.length === limit) break;
    if (--left === 0) return { rows, brokenOffAt: { atMs: Date.parse(row.at), id: row.id } };
  }
  return { rows, brokenOffAt: null };
}

/** Every row that the filter wants, in its order. */
export async function* walkAuditRows(
  workspace: WorkspaceStore,
  filter: AuditFilter,
): AsyncGenerator<AuditRow> {
  const isWanted = wantedBy(filter);
  for await (const row of readRows(workspace, filter, null)) if (isWanted(row)) yield row;
}

/** How many rows of each kind the filter wants. */
export interface AuditCounts extends Readonly<Record<AuditTag, number>> {
  readonly total: number;
  /** True where there are more: only so many were looked at. */
  readonly isCut: boolean;
}

/** Looks at 5,000 rows at most. */
export async function countAuditRows(
  workspace: WorkspaceStore,
  filter: AuditFilter,
): Promise<AuditCounts> {
  const counts = { ...fromKeys(AUDIT_TAGS, () => 0), total: 0, isCut: false };
  const isWanted = wantedBy(filter);
  let left = LOOKED_AT_MAX;
  for await (const row of readRows(workspace, filter, null)) {
    if (left-- === 0) return { ...counts, isCut: true };
    if (!isWanted(row)) continue;
    counts.total++;
    for (const tag of tagsOf(row)) counts[tag]++;
  }
  return counts;
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

/** From the narrowest to the widest. */
function chooseIndex(filter: AuditFilter): Index | null {
  const { resource, about, actor, action, tags } = filter;
  if (resource !== null && resource.includes(":")) return ["res", resource];
  const [first] = about;
  if (first !== undefined) return ["of", first];
  if (actor !== null) return ["who", actor];
  const rare = NARROW_TAGS.find((tag) => tags.includes(tag));
  if (rare) return ["tag", rare];
  if (action !== null) return ["act", action];
  if (resource !== null) return ["type", resource];
  const wide = tags[0];
  return wide === undefined ? null : ["tag", wide];
}

const NARROW_TAGS = ["undone", "beyond", "reason", "rules"] as const satisfies readonly AuditTag[];

function rangeOf(prefix: Deno.KvKey, filter: AuditFilter, after: AuditPlace | null) {
  const { fromMs, toMs, order } = filter;
  const start = [...prefix, fromMs ?? 0];
  const end = [...prefix, toMs === null ? Number.MAX_SAFE_INTEGER : toMs + 1];
  if (after === null) return { start, end };
  const place = [...prefix, after.atMs, idBytes(after.id)];
  return order === "asc" ? { start: [...place, 0], end } : { start, end: place };
}

/** Says of a row whether the filter wants it; what is searched for is read once. */
function wantedBy(filter: AuditFilter): (row: AuditRow) => boolean {
  const { action, resource, actor, about, tags, q } = filter;
  const search = q === null ? null : wordSearchOf(q);
  return (row) => {
    const { type, id } = row.resource;
    return (action === null || row.action === action) &&
      (actor === null || row.actor.id === actor) &&
      (resource === null || resource === type || resource === `${type}:${id}`) &&
      (about.length === 0 || about.every((one) => aboutOf(row).includes(one))) &&
      (tags.length === 0 || tags.every((tag) => tagsOf(row).includes(tag))) &&
      (search === null || isSaid(row, search));
  };
}

function isSaid({ actor, resource, reason = "" }: AuditRow, search: WordSearch): boolean {
  return hasWords(search, searchForm(`${resource.label}\n${actor.name}\n${reason}`));
}
