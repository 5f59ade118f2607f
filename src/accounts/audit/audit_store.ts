/**
 * Stores a workspace's audit log, ordered by time. Lists, counts and downloads use the same
 * filters. With several filters, reads the index that probably has the fewest matching rows.
 */
import { refuseFields } from "../../base/failure.ts";
import { hasWords, searchForm, searchQuery, splitList, wordSearchOf } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import { BOUND_FORMS, pageQuery } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { actionsOf, AUDIT_TAGS, type AuditTag } from "./audit_actions.ts";
import { z } from "@hono/zod-openapi";
import { fromKeys, mergeSorted } from "../../base/collections.ts";
import { idBytes } from "../../base/id.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { aboutOf, type AuditEntry, type AuditRow, tagsOf } from "./audit.ts";
import { type AuditPlace, noteUnsealed, placeAt, placeHex } from "./audit_seal_store.ts";

const FILTER_CHARACTERS_MAX = 300;
const filter = (description: string, example: string) =>
  z.string().max(FILTER_CHARACTERS_MAX).optional().meta({ description, example });
const ID_EXAMPLE = "64f0c2a1e4b0a1b2c3d4e5f6";
const bound = (description: string, example: string) =>
  z.string().max(FILTER_CHARACTERS_MAX).optional()
    .meta({ anyOf: [...BOUND_FORMS], description, example });

/** An empty text means no filter (docs/decisions/http.md). */
const FILTER_SHAPE = {
  action: filter("The action", "product.update"),
  resource: filter("The resource: a type, or a type and an id", `rule:${ID_EXAMPLE}`),
  actor: filter("Id of the user or key that did it", ID_EXAMPLE),
  key: filter("Id of the API key that did it", ID_EXAMPLE),
  from: bound("From this instant on, or from the start of this day in UTC", "2026-08-01"),
  to: bound("Up to this instant, or to the end of this day in UTC", "2026-08-31"),
  product: filter("About this product, by its id, and about its proposals and links", ID_EXAMPLE),
  sku: filter("About the product with exactly this SKU", "SKU-1"),
  rule: filter("About this rule, by its id, and about changes that it caused", ID_EXAMPLE),
  only: z.string().max(FILTER_CHARACTERS_MAX)
    .refine(
      (text) => splitList(text).every(isTag),
      `Must be some of ${AUDIT_TAGS.join(", ")}, with commas between`,
    ).optional().meta({
      description: "`price`: changes of own prices; `people`: actions of people; `rules`: " +
        "changes of rules; `reason`: with a reason; `beyond`: " +
        "prices outside the bounds of their products; `undone`: undone changes. Several need commas and must all apply",
      example: "price,reason",
    }),
  q: filter(
    "Resource, actor and reason contain all these words, in any order; compared as in searches for products",
    "jana SKU-1",
  ),
};

export const AuditQuery = z.strictObject({
  ...pageQuery(50, 200),
  ...FILTER_SHAPE,
  order: z.enum(["asc", "desc"]).default("asc").describe("`desc` is newest first"),
});

export const AuditFilters = z.strictObject(FILTER_SHAPE);

const isTag = (text: string): text is AuditTag => AUDIT_TAGS.some((tag) => tag === text);

export type AuditFilter = Partial<Awaited<ReturnType<typeof parseAuditFilter>>>;

export type ProductIdOf = (workspace: WorkspaceStore, sku: string) => Promise<string | null>;

/**
 * `fromMs` and `toMs` are inclusive. An audit row matches only if it concerns all resources in
 * `about`, in the form `type:id`.
 */
export async function parseAuditFilter(
  workspace: WorkspaceStore,
  query: z.infer<typeof AuditFilters> & { readonly order?: "asc" | "desc" },
  productIdOf: ProductIdOf,
) {
  const { from, to, product, sku, rule, only = "", q = "", order = "desc", ...texts } = query;
  const [fromMs, toMs] = [boundOf("from", from), boundOf("to", to)];
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  }
  const productId = sku && (await productIdOf(workspace, sku) ?? UNKNOWN_PRODUCT);
  return {
    ...texts,
    order,
    fromMs,
    toMs,
    about: [
      ...(product ? [`product:${product}`] : []),
      ...(productId ? [`product:${productId}`] : []),
      ...(rule ? [`rule:${rule}`] : []),
    ],
    tags: splitList(only).filter(isTag),
    q: searchQuery(q),
  };
}

const UNKNOWN_PRODUCT = "none";

function boundOf(path: "from" | "to", text: string | undefined): number | undefined {
  if (!text) return undefined;
  const ms = parseBound(text, path === "from" ? "start" : "end");
  if (ms !== null) return ms;
  const message = 'Must be an instant of ISO 8601 such as "2026-08-01T09:00:00Z", or a date';
  throw refuseFields([{ path, message }]);
}

interface Index {
  readonly dimension: "res" | "act" | "who" | "of" | "tag";
  readonly value: string;
}

export const auditRows = defineTable<AuditRow & AuditPlace, "atMs" | "id", "dimension">({
  prefix: "au",
  about: "an action and its actor; never changed, deleted only by age",
  key: { atMs: "number", id: "id" },
  valueHasKey: true,
  codec: {
    encode: ({ atMs: _, ...row }) => row,
    decode: (row: AuditRow) => ({ ...row, atMs: Date.parse(row.at) }),
  },
  indexes: {
    dimension: { prefix: "aux", key: { dimension: "text", value: "text" }, of: dimensionsOf },
  },
});

function dimensionsOf(row: AuditRow): Index[] {
  const { type, id } = row.resource;
  return [
    { dimension: "act", value: row.action },
    { dimension: "who", value: row.actor.id },
    ...(type === "product" ? [] : [resourceIndex(`${type}:${id}`)]),
    ...aboutOf(row).map((value): Index => ({ dimension: "of", value })),
    ...tagsOf(row).map((value): Index => ({ dimension: "tag", value })),
  ];
}

function resourceIndex(value: string): Index {
  return { dimension: value.startsWith("product:") ? "of" : "res", value };
}

const ROWS_PER_STEP = 100;

/** Removes index rows that older versions of Kurant wrote, and that no list uses any more. */
export async function removeUnusedIndexRows(
  write: Write,
  workspace: WorkspaceStore,
  after: string | null,
): Promise<string | null> {
  const range = { after: after === null ? null : placeAt(after), limit: ROWS_PER_STEP };
  const rows = await auditRows.list(workspace, range);
  for (const { row: { resource: { type, id }, ...row } } of rows) {
    const dropped = [["type", type], ...(type === "product" ? [["res", `${type}:${id}`]] : [])];
    for (const index of dropped) {
      const place = [...index, row.atMs, idBytes(row.id)];
      write.delete(["aux", idBytes(workspace.workspaceId), ...place]);
    }
  }
  const last = rows.at(-1);
  return last ? placeHex(last.row) : null;
}

export function putAuditRow(
  write: Write,
  owner: Pick<WorkspaceStore, "workspaceId">,
  row: AuditRow & AuditPlace,
): void {
  auditRows.put(write, owner, row);
  noteUnsealed(write, owner.workspaceId, row);
}

export function addAuditRow(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "requestId" | "now" | "newId">,
  { action, resource, before = null, after = null, reason, ...more }: AuditEntry,
): void {
  const at = ctx.now();
  putAuditRow(write, ctx, {
    id: ctx.newId(),
    at: at.toISOString(),
    atMs: at.getTime(),
    actor: ctx.actor,
    action,
    resource,
    before,
    after,
    ...more,
    ...(reason && { reason }),
    requestId: ctx.requestId,
  });
}

const SCANNED_MAX = 5_000;

export async function listAuditRows(
  workspace: WorkspaceStore,
  { filter, after, limit }: { filter: AuditFilter; after: AuditPlace | null; limit: number },
) {
  const rows: AuditRow[] = [];
  const isWanted = wantedBy(filter);
  let left = filter.q ? SCANNED_MAX : Infinity;
  for await (const row of readRows(workspace, filter, after)) {
    if (isWanted(row)) rows.push(row);
    if (rows.length === limit) break;
    if (--left === 0) return { rows, brokenOffAt: row };
  }
  return { rows, brokenOffAt: null };
}

export async function* walkAuditRows(
  workspace: WorkspaceStore,
  filter: AuditFilter,
): AsyncGenerator<AuditRow> {
  const isWanted = wantedBy(filter);
  for await (const row of readRows(workspace, filter, null)) if (isWanted(row)) yield row;
}

export type AuditCounts = Awaited<ReturnType<typeof countAuditRows>>;

export async function countAuditRows(workspace: WorkspaceStore, filter: AuditFilter) {
  const counts = { ...fromKeys(AUDIT_TAGS, () => 0), total: 0, isCut: false };
  const isWanted = wantedBy(filter);
  let left = SCANNED_MAX;
  for await (const row of readRows(workspace, filter, null)) {
    if (left-- === 0) return { ...counts, isCut: true };
    if (!isWanted(row)) continue;
    counts.total++;
    for (const tag of tagsOf(row)) counts[tag]++;
  }
  return counts;
}

async function* readRows(
  workspace: WorkspaceStore,
  filter: AuditFilter,
  after: AuditPlace | null,
): AsyncGenerator<AuditRow> {
  const { order = "asc", fromMs = 0, toMs = Number.MAX_SAFE_INTEGER - 1 } = filter;
  const beginning = { atMs: order === "asc" ? fromMs - 1 : toMs + 1 };
  const range = { order, after: after ?? beginning };
  const rows =
    chooseIndexes(filter)?.map((index) => auditRows.walkBy(workspace, "dimension", index, range)) ??
      [auditRows.walk(workspace, range)];
  for await (
    const { row: { atMs, ...row } } of mergeSorted(rows, ({ row }) => placeHex(row), order)
  ) {
    if (order === "asc" ? atMs > toMs : atMs < fromMs) return;
    yield row;
  }
}

function chooseIndexes(filter: AuditFilter): Index[] | null {
  const { resource, about: [first] = [], action, tags = [] } = filter;
  const actor = filter.actor || filter.key;
  if (resource?.includes(":")) return [resourceIndex(resource)];
  if (first !== undefined) return [{ dimension: "of", value: first }];
  if (actor) return [{ dimension: "who", value: actor }];
  const rare = NARROW_TAGS.find((tag) => tags.includes(tag));
  if (rare) return [{ dimension: "tag", value: rare }];
  if (action) return [{ dimension: "act", value: action }];
  if (resource) {
    return actionsOf(resource).map((value): Index => ({ dimension: "act", value }));
  }
  const [wide] = tags;
  return wide === undefined ? null : [{ dimension: "tag", value: wide }];
}

const NARROW_TAGS = ["undone", "beyond", "reason", "rules"] as const satisfies readonly AuditTag[];

function wantedBy(filter: AuditFilter): (row: AuditRow) => boolean {
  const { action, resource, actor, key, about = [], tags = [], q } = filter;
  const search = q ? wordSearchOf(q) : null;
  return (row) => {
    const { type, id } = row.resource;
    return (!action || row.action === action) &&
      (!actor || row.actor.id === actor) &&
      (!key || (row.actor.id === key && row.actor.type === "api_key")) &&
      (!resource || resource === type || resource === `${type}:${id}`) &&
      (about.length === 0 || about.every((one) => aboutOf(row).includes(one))) &&
      (tags.length === 0 || tags.every((tag) => tagsOf(row).includes(tag))) &&
      (search === null || hasWords(search, searchForm(textOf(row))));
  };
}

const textOf = ({ actor, resource, reason = "" }: AuditRow) =>
  `${resource.label}\n${actor.name}\n${reason}`;
