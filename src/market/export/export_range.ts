/**
 * Decides which changes of our prices belong to an export. Each export continues after the last
 * commit of the one before, so no change is missed.
 */
import { z } from "@hono/zod-openapi";
import type { Workspace } from "../../accounts/workspace.ts";
import { firstOf } from "../../base/collections.ts";
import { refuseFields } from "../../base/failure.ts";
import { startOfDay } from "../../base/german_values.ts";
import { isId } from "../../base/id.ts";
import { languageOf } from "../../base/codes.ts";
import { exponentOf } from "../../base/money.ts";
import { compareTexts } from "../../base/text.ts";
import { parseBound } from "../../base/time.ts";
import {
  type ExportedChange,
  exportedChanges,
  PRICE_SOURCES,
  priceChangeId,
  walkExport,
} from "../../catalogue/prices/price_rows.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { productsById } from "../../catalogue/products/product_store.ts";
import { CODE_WORDS } from "../../engine/wording/code_words.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { amountCell, type Cell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { CsvDialect } from "../../platform/tables/table_answer.ts";

type Sealing = Pick<Context, "workspaceId" | "cursors">;
const COMMIT_DELAY_MS_MAX = 25 * 3_600_000;
const SORT_PERIOD_MS = 10_000;

const lowerBound = { fromMs: z.number(), afterVersion: z.string().nullable() };

/** `afterRow`: time and product id of the last exported change. */
const ExportStart = z.object({
  ...lowerBound,
  afterRow: z.tuple([z.number(), z.string()]).nullable().default(null),
});

/**
 * An export contains the changes since `fromMs` with a versionstamp above `afterVersion` (null: no
 * limit) and up to `upToVersion`. If `upToVersion` is null, the export is empty.
 */
export const ExportRange = z.object({
  ...lowerBound,
  upToVersion: z.string().nullable(),
  next: ExportStart,
});

type ExportStart = z.output<typeof ExportStart>;
export type ExportRange = z.output<typeof ExportRange>;

export async function openRange(
  ctx: WorkspaceStore & Sealing & Pick<Context, "now">,
  since: string | undefined,
): Promise<ExportRange> {
  const nowMs = ctx.now().getTime();
  const start = await ofThisTime(ctx, nowMs, await ofThisStore(ctx, parseSince(ctx, since)));
  const { fromMs, afterVersion } = start;
  const last = await findLastCommit(ctx, nowMs, start);
  const latestMs = afterVersion === null ? fromMs : Infinity;
  const next: ExportStart = last === null ? start : {
    fromMs: Math.max(
      0,
      Math.min(latestMs, last.atMs - COMMIT_DELAY_MS_MAX, nowMs - COMMIT_DELAY_MS_MAX),
    ),
    afterVersion: last.versionstamp,
    afterRow: [last.atMs, last.productId],
  };
  return { fromMs, afterVersion, upToVersion: last?.versionstamp ?? null, next };
}

/** If a restored backup lacks the last exported change, exports all changes since `fromMs`. */
async function ofThisStore(workspace: WorkspaceStore, start: ExportStart): Promise<ExportStart> {
  if (start.afterRow === null) return start;
  const [atMs, productId] = start.afterRow;
  const found = await exportedChanges.find(workspace, { atMs, productId });
  const isThere = (found?.versionstamp ?? null) === start.afterVersion;
  return isThere ? start : fromTime(start.fromMs);
}

/** Lowers `fromMs` if the clock was set back, because new changes may then have earlier times. */
async function ofThisTime(workspace: WorkspaceStore, nowMs: number, start: ExportStart) {
  const { afterVersion } = start;
  if (afterVersion === null || start.fromMs <= nowMs - COMMIT_DELAY_MS_MAX) return start;
  for await (const row of walkExport(workspace, { fromMs: 0, newest: true })) {
    if (row.atMs > nowMs || row.versionstamp > afterVersion) continue;
    return {
      ...start,
      fromMs: Math.max(0, Math.min(start.fromMs, row.atMs - COMMIT_DELAY_MS_MAX)),
    };
  }
  return { ...start, fromMs: 0 };
}

function fromTime(fromMs: number): ExportStart {
  return { fromMs, afterVersion: null, afterRow: null };
}

function parseSince(ctx: Sealing, since: string | undefined): ExportStart {
  if (since === undefined || since === "") return fromTime(0);
  const fromMs = parseBound(since, "start");
  if (fromMs !== null) return fromTime(fromMs);
  const opened = ctx.cursors.open(scopeOf(ctx), since);
  if (!Array.isArray(opened)) {
    throw refuseFields([{
      path: "since",
      message: 'Must be a time such as 2026-08-01T09:00:00Z, a date, or a "nextSince"',
    }]);
  }
  const [sealedMs, version, atMs, productId] = opened;
  const hasRow = typeof atMs === "number" && typeof productId === "string" && isId(productId);
  return {
    fromMs: Number(sealedMs),
    afterVersion: version === null ? null : String(version),
    afterRow: hasRow ? [atMs, productId] : null,
  };
}

export function sealNext(ctx: Sealing, { next }: ExportRange): string {
  const { fromMs, afterVersion, afterRow } = next;
  return ctx.cursors.seal(scopeOf(ctx), [fromMs, afterVersion, ...afterRow ?? []]);
}

function scopeOf({ workspaceId }: Sealing): string {
  return `${workspaceId} price-changes since`;
}

async function findLastCommit(workspace: WorkspaceStore, nowMs: number, start: ExportStart) {
  const isShort = start.afterVersion !== null;
  let newestMs: number | null = null;
  let last: ExportedChange | null = null;
  const fromMs = isShort ? start.fromMs : 0;
  for await (const row of walkExport(workspace, { fromMs, newest: true })) {
    if (row.atMs <= nowMs) newestMs ??= row.atMs;
    // Changes that are an hour older but were committed later are left to the next export.
    if (!isShort && newestMs !== null && row.atMs < newestMs - 3_600_000) break;
    if (last === null || row.versionstamp > last.versionstamp) last = row;
  }
  return last;
}

type ExportPlace = readonly [stretch: number, version: string, productId: string];

export function placeOf({ atMs, versionstamp, productId }: ExportedChange): ExportPlace {
  return [Math.floor(atMs / SORT_PERIOD_MS), versionstamp, productId];
}

export async function* walkRange(
  workspace: WorkspaceStore,
  range: ExportRange,
  after: ExportPlace | null,
): AsyncGenerator<ExportedChange> {
  const fromMs = Math.max(range.fromMs, after === null ? 0 : after[0] * SORT_PERIOD_MS);
  let stretch: ExportedChange[] = [];
  const sorted = () => stretch.sort((a, b) => comparePlaces(placeOf(a), placeOf(b)));
  for await (const row of walkExport(workspace, { fromMs, newest: false })) {
    if (!isIn(range, row) || (after && comparePlaces(placeOf(row), after) <= 0)) continue;
    const [first] = stretch;
    if (first && placeOf(first)[0] !== placeOf(row)[0]) {
      yield* sorted();
      stretch = [];
    }
    stretch.push(row);
  }
  yield* sorted();
}

export async function beginOf(workspace: WorkspaceStore, range: ExportRange): Promise<number> {
  if (range.afterVersion === null) return range.fromMs;
  const [first] = await firstOf(walkRange(workspace, range, null), 1);
  return Math.max(range.fromMs, first ? placeOf(first)[0] * SORT_PERIOD_MS : 0);
}

function isIn({ afterVersion, upToVersion }: ExportRange, { versionstamp }: ExportedChange) {
  return upToVersion !== null && versionstamp <= upToVersion &&
    (afterVersion === null || versionstamp > afterVersion);
}

function comparePlaces(a: ExportPlace, b: ExportPlace): number {
  return a[0] - b[0] || compareTexts(a[1], b[1]) || compareTexts(a[2], b[2]);
}

/** Programs read the exported columns, so add new columns only at the end. */
const NAMES = [
  "sku",
  "productId",
  "fromCents",
  "toCents",
  "currency",
  "at",
  "source",
  "ref",
  "tier",
  "validFrom",
  "id",
] as const satisfies readonly (keyof PriceChangeRow)[];

const ERP_COLUMNS = [
  "Artikelnummer",
  "Preisgruppe",
  "Preis",
  "Währung",
  "Gültig ab",
  "Alter Preis",
  "Quelle",
];
export const EXCEL_HEAD = `\`${ERP_COLUMNS.join(";")}\``;

export type Terms = Pick<Workspace, "timeZone" | "locale">;

export function priceChangeTable(
  rows: AsyncIterable<readonly PriceChangeRow[]>,
  terms: Terms,
  dialect: CsvDialect,
): OutgoingTable {
  const isForPeople = dialect === "excel";
  return {
    name: "price-changes",
    columns: isForPeople ? ERP_COLUMNS : NAMES,
    batches: cellBatches(
      rows,
      (row) => isForPeople ? shownCells(row, terms) : NAMES.map((name) => row[name]),
    ),
  };
}

async function* cellBatches(
  batches: AsyncIterable<readonly PriceChangeRow[]>,
  cellsOf: (row: PriceChangeRow) => Cell[],
): AsyncGenerator<Cell[][]> {
  for await (const rows of batches) yield rows.map(cellsOf);
}

function shownCells(row: PriceChangeRow, { timeZone, locale }: Terms): Cell[] {
  const exponent = exponentOf(row.currency);
  const day = Temporal.Instant.from(row.validFrom).toZonedDateTimeISO(timeZone).toPlainDate();
  return [
    row.sku,
    row.tier,
    amountCell(row.toCents, exponent),
    row.currency,
    { day: day.toString() },
    amountCell(row.fromCents, exponent),
    CODE_WORDS[languageOf(locale)].priceSources[row.source],
  ];
}

const cents = z.int().nullable().describe("Minor units of `currency`");

export const PriceChangeRow = z.object({
  sku: z.string().describe("The current SKU of the product"),
  productId: z.string(),
  fromCents: cents,
  toCents: cents,
  currency: z.string(),
  at: z.iso.datetime(),
  source: z.enum(PRICE_SOURCES).describe("What changed the price"),
  ref: z.string().nullable(),
  tier: z.string().nullable().describe("The current price tier of the product"),
  validFrom: z.iso.datetime()
    .describe("The start of the day of the change, in the workspace's time zone"),
  id: z.string().describe("The same for this change in every export"),
}).meta({ id: "PriceChangeRow" });

export type PriceChangeRow = z.infer<typeof PriceChangeRow>;

export function toRow(
  { productId, change }: ExportedChange,
  owner: Pick<Product, "sku" | "tier"> | null,
  timeZone: string,
): PriceChangeRow {
  const { fromCents, toCents, currency, at, source, ref } = change;
  const { sku, tier } = owner ?? { sku: "", tier: null };
  const validFrom = startOfDay(new Date(at), timeZone);
  const id = priceChangeId(productId, at);
  return { sku, productId, fromCents, toCents, currency, at, source, ref, tier, validFrom, id };
}

export async function findOwners(workspace: WorkspaceStore, changes: readonly ExportedChange[]) {
  return await productsById(workspace, changes.map(({ productId }) => productId));
}
