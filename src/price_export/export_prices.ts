/** Changes of own prices that no import caused, as a page of JSON or as a whole file. */
import { z } from "@hono/zod-openapi";
import { stringify } from "csv-stringify/sync";
import { harmless } from "../catalogue/lists/product_csv.ts";
import type { ExportedChange } from "../catalogue/prices/price_history_store.ts";
import { requireWorkspace } from "../identity/workspace_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { pageQuery } from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import {
  type ExportPlace,
  type ExportRange,
  openRange,
  placeOf,
  sealNext,
  walkRange,
} from "./export_range.ts";
import { findOwners, PriceChangeRow, toRow } from "./price_change_row.ts";
import { itemXml, XML_HEAD, XML_TAIL } from "./price_xml.ts";

export const EXPORT_FORMATS = ["json", "csv", "xml"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const PriceExportQuery = z.strictObject({
  ...pageQuery(50, 200),
  since: z.string().optional().meta({
    description: "A time or a date (inclusive), or the `nextSince` of the export before",
  }),
  format: z.enum(EXPORT_FORMATS).default("json").meta({
    description: "`csv` and `xml` answer everything at once; `X-Next-Since` is their `nextSince`",
  }),
});

export type PriceExportQuery = z.output<typeof PriceExportQuery>;

export const PriceChangePage = z.object({
  data: z.array(PriceChangeRow),
  nextCursor: z.string().nullable(),
  nextSince: z.string().nullable().meta({
    description: "The `since` of the next export, on the last page; null on the others",
  }),
  count: z.int(),
}).meta({ id: "PriceChangePage" });

export type PriceChangePage = z.infer<typeof PriceChangePage>;

const ROWS_AT_ONCE = 500;

const Position = z.tuple([
  z.object({
    fromMs: z.number(),
    afterVersion: z.string().nullable(),
    upToVersion: z.string().nullable(),
    next: z.object({
      fromMs: z.number(),
      afterVersion: z.string().nullable(),
      afterRow: z.tuple([z.number(), z.string()]).nullable().default(null),
    }),
  }),
  z.tuple([z.number(), z.string(), z.string()]),
]).nullable();

/** One page in the order of commits; the first one fixes where the export ends. */
export async function pageOfChanges(
  ctx: Context,
  { limit, cursor, since }: PriceExportQuery,
): Promise<PriceChangePage> {
  const list = `price-changes ${since ?? ""}`;
  const position = Position.parse(openCursor(ctx, list, cursor));
  const range = position?.[0] ?? await openRange(ctx, since);
  const rows = await take(walkRange(ctx, range, position?.[1] ?? null), limit + 1);
  const sealed = { ...range, next: { ...range.next } };
  const positionOf = (row: ExportedChange) => [sealed, [...placeOf(row)]];
  const { items, nextCursor, count } = toPage(ctx, { list, rows, limit, positionOf });
  const data = await named(ctx, items);
  return { data, nextCursor, nextSince: nextCursor === null ? sealNext(ctx, range) : null, count };
}

/** A whole export as text, with where the next one begins. */
export interface PriceFile {
  readonly nextSince: string;
  readonly chunks: AsyncGenerator<string>;
}

export async function exportPrices(
  ctx: Context,
  { since, cursor, format }: Pick<PriceExportQuery, "since" | "cursor" | "format">,
): Promise<PriceFile> {
  const list = `price-changes ${since ?? ""}`;
  const position = Position.parse(openCursor(ctx, list, cursor));
  const range = position?.[0] ?? await openRange(ctx, since);
  const rows = batches(walkRange(ctx, range, position?.[1] ?? null));
  const nextSince = sealNext(ctx, range);
  switch (format) {
    case "csv":
      return { nextSince, chunks: csvChunks(ctx, rows) };
    case "xml":
      return { nextSince, chunks: xmlChunks(ctx, range, position?.[1] ?? null) };
    case "json":
      return { nextSince, chunks: jsonChunks(ctx, rows, nextSince) };
  }
}

async function* jsonChunks(
  workspace: WorkspaceStore,
  rows: AsyncGenerator<ExportedChange[]>,
  nextSince: string,
): AsyncGenerator<string> {
  let count = 0;
  yield '{"data":[';
  for await (const batch of rows) {
    for (const row of await named(workspace, batch)) {
      yield `${count++ === 0 ? "" : ","}\n${JSON.stringify(row)}`;
    }
  }
  const tail = JSON.stringify({ nextCursor: null, nextSince, count }).slice(1);
  yield `],${tail}\n`;
}

const COLUMNS = [
  "sku",
  "productId",
  "fromCents",
  "toCents",
  "currency",
  "at",
  "source",
  "ref",
] as const;

async function* csvChunks(
  workspace: WorkspaceStore,
  rows: AsyncGenerator<ExportedChange[]>,
): AsyncGenerator<string> {
  yield render([[...COLUMNS]]);
  for await (const batch of rows) {
    const lines = await named(workspace, batch);
    yield render(lines.map((line) => COLUMNS.map((name) => cell(line[name]))));
  }
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : harmless(value);
}

function render(rows: string[][]): string {
  return stringify(rows, { quoted: true, quoted_empty: true, record_delimiter: "windows" });
}

/** Every product once, with its price of today: what a later import has moved is not set back. */
async function* xmlChunks(
  workspace: WorkspaceStore,
  range: ExportRange,
  after: ExportPlace | null,
): AsyncGenerator<string> {
  const { timeZone } = await requireWorkspace(workspace);
  const told = new Set<string>();
  yield XML_HEAD;
  for await (const batch of batches(walkRange(workspace, range, after))) {
    const fresh = batch.filter(({ productId }) => !told.has(productId));
    for (const [id, product] of await findOwners(workspace, fresh)) {
      told.add(id);
      const item = itemXml(product, timeZone);
      if (item !== null) yield item;
    }
  }
  yield XML_TAIL;
}

async function named(
  workspace: WorkspaceStore,
  changes: readonly ExportedChange[],
): Promise<PriceChangeRow[]> {
  const owners = await findOwners(workspace, changes);
  return changes.map((change) => toRow(change, owners.get(change.productId)?.sku ?? ""));
}

async function* batches(rows: AsyncGenerator<ExportedChange>): AsyncGenerator<ExportedChange[]> {
  let batch: ExportedChange[] = [];
  for await (const row of rows) {
    if (batch.push(row) < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function take<T>(items: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}
