/**
 * Routes that export changes of our prices to the ERP, except changes made by an import
 * (docs/decisions/rules.md, "Prices for the ERP").
 */
import { z } from "@hono/zod-openapi";
import { keyWith, viewer } from "../../accounts/roles.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { batchesOf, firstOf } from "../../base/collections.ts";
import { startOfDay } from "../../base/german_values.ts";
import { exponentOf, formatDecimalComma, formatGerman } from "../../base/money.ts";
import { escapeXml } from "../../base/text.ts";
import { type ExportedChange, pricedAt } from "../../catalogue/prices/price_rows.ts";
import type { Product, TierPrice } from "../../catalogue/products/product.ts";
import { custom } from "../../platform/http/answer.ts";
import { type AppContext, openCursor, pageQuery, toPage } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import {
  CSV_CONTENT,
  CSV_DIALECTS,
  CSV_TYPE,
  csvChunks,
  type CsvDialect,
  tableResponse,
  XLSX_CONTENT,
} from "../../platform/tables/table_answer.ts";
import {
  EXCEL_HEAD,
  ExportRange,
  findOwners,
  openRange,
  placeOf,
  PriceChangeRow,
  priceChangeTable,
  sealNext,
  type Terms,
  toRow,
  walkRange,
} from "./export_range.ts";
import { noteExport } from "./judge_arrival.ts";

export const EXPORT_FORMATS = ["json", "csv", "xml"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const PriceExportQuery = z.strictObject({
  ...pageQuery(50, 200),
  since: z.string().optional()
    .describe("A time or a date (inclusive), or the `nextSince` of the previous export"),
  format: z.enum([...EXPORT_FORMATS, "xlsx"]).default("json").describe(
    "All formats except `json` return everything in one answer, with `nextSince` in the header " +
      "`X-Next-Since` and `pricesIncludeVat` in `X-Prices-Include-Vat`",
  ),
  dialect: z.enum(CSV_DIALECTS).default("rfc4180").describe(
    `For \`csv\`. \`rfc4180\`: names and minor units as in JSON. \`excel\`: a form that ` +
      `a German Excel opens directly, ${EXCEL_HEAD}; \`xlsx\` has the same columns`,
  ),
});

export type PriceExportQuery = z.output<typeof PriceExportQuery>;

const PriceChangePage = z.object({
  data: z.array(PriceChangeRow),
  nextCursor: z.string().nullable(),
  nextSince: z.string().nullable()
    .describe("The `since` for the next export, on the last page; null on other pages"),
  pricesIncludeVat: z.boolean().describe("True if prices include VAT"),
  count: z.int(),
}).meta({ id: "PriceChangePage" });

type PriceChangePage = z.infer<typeof PriceChangePage>;

const ROWS_AT_ONCE = 500;

const Position = z.tuple([
  ExportRange,
  z.tuple([z.number(), z.string(), z.string()]),
  // Number of rows already exported, and the time at which the export began.
  z.tuple([z.number(), z.number()]),
]);

type Asked = Pick<PriceExportQuery, "since" | "cursor">;

async function openChanges(ctx: Context, { since, cursor }: Asked) {
  const position = openCursor(ctx, cursor, Position);
  const range = position?.[0] ?? await openRange(ctx, since);
  const changes = walkRange(ctx, range, position?.[1] ?? null);
  return { range, changes, read: position?.[2] ?? [0, ctx.now().getTime()] as const };
}

/** Sorts changes by 10-second periods, and within a period by the order of commits. */
export async function pageOfChanges(
  ctx: Context,
  { limit, ...asked }: PriceExportQuery,
): Promise<PriceChangePage> {
  const { range, changes, read: [rowsBefore, begunMs] } = await openChanges(ctx, asked);
  const rows = await firstOf(changes, limit + 1);
  const rowCount = rowsBefore + Math.min(limit, rows.length);
  const positionOf = (row: ExportedChange) => [range, [...placeOf(row)], [rowCount, begunMs]];
  const { items, nextCursor, count } = toPage(ctx, { rows, limit, positionOf });
  const { timeZone, pricesIncludeVat } = await requireWorkspace(ctx);
  const data = await named(ctx, items, timeZone);
  if (nextCursor === null) {
    await noteExport(ctx, range, { format: "json", rows: rowCount, toMs: begunMs });
  }
  const nextSince = nextCursor === null ? sealNext(ctx, range) : null;
  return { data, nextCursor, nextSince, pricesIncludeVat, count };
}

async function openExport(ctx: Context, asked: Asked, format: PriceExportQuery["format"]) {
  const { range, changes } = await openChanges(ctx, asked);
  const toMs = ctx.now().getTime();
  const noteRows = (rows: number) => noteExport(ctx, range, { format, rows, toMs });
  return {
    nextSince: sealNext(ctx, range),
    batches: batchesOf(counted(changes, noteRows), ROWS_AT_ONCE),
    workspace: await requireWorkspace(ctx),
  };
}

export async function exportPrices(
  ctx: Context,
  { format, dialect, ...asked }: Asked & {
    readonly format: ExportFormat;
    readonly dialect: CsvDialect;
  },
): Promise<{ readonly nextSince: string; readonly chunks: AsyncGenerator<string> }> {
  const { nextSince, batches, workspace } = await openExport(ctx, asked, format);
  if (format === "xml") return { nextSince, chunks: xmlChunks(ctx, batches, workspace) };
  const rows = rowBatches(ctx, batches, workspace);
  if (format === "csv") {
    return { nextSince, chunks: csvChunks(priceChangeTable(rows, workspace, dialect), dialect) };
  }
  const { pricesIncludeVat } = workspace;
  return { nextSince, chunks: jsonChunks(rows, { nextCursor: null, nextSince, pricesIncludeVat }) };
}

async function* rowBatches(
  workspace: WorkspaceStore,
  batches: AsyncGenerator<ExportedChange[]>,
  { timeZone }: Terms,
): AsyncGenerator<PriceChangeRow[]> {
  for await (const batch of batches) yield await named(workspace, batch, timeZone);
}

async function* counted(
  rows: AsyncGenerator<ExportedChange>,
  atEnd: (count: number) => Promise<void>,
): AsyncGenerator<ExportedChange> {
  let count = 0;
  for await (const row of rows) {
    count++;
    yield row;
  }
  await atEnd(count);
}

async function* jsonChunks(
  batches: AsyncGenerator<PriceChangeRow[]>,
  rest: Omit<PriceChangePage, "data" | "count">,
): AsyncGenerator<string> {
  let count = 0;
  yield '{"data":[';
  for await (const rows of batches) {
    for (const row of rows) yield `${count++ === 0 ? "" : ","}\n${JSON.stringify(row)}`;
  }
  yield `],${JSON.stringify({ ...rest, count }).slice(1)}\n`;
}

/** Writes each changed product once, with its current price; skips deleted products. */
async function* xmlChunks(
  workspace: WorkspaceStore,
  batches: AsyncGenerator<ExportedChange[]>,
  { timeZone }: Terms,
): AsyncGenerator<string> {
  const known = new Set<string>();
  yield XML_HEAD;
  for await (const batch of batches) {
    const fresh = batch.filter(({ productId }) => !known.has(productId));
    const owners = await findOwners(workspace, fresh);
    for (const { productId } of fresh) {
      const product = known.has(productId) ? undefined : owners.get(productId);
      known.add(productId);
      const item = product ? itemXml(product, timeZone) : null;
      if (item !== null) yield item;
    }
  }
  yield XML_TAIL;
}

async function named(
  workspace: WorkspaceStore,
  changes: readonly ExportedChange[],
  timeZone: string,
): Promise<PriceChangeRow[]> {
  const owners = await findOwners(workspace, changes);
  return changes.map((change) => toRow(change, owners.get(change.productId) ?? null, timeZone));
}

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
const XML_TAIL = "</ITEMS>\n";

/**
 * Writes all price rows of the tier, because an import deletes rows that are missing in the file.
 */
function itemXml(product: Product, timeZone: string): string | null {
  const { sku, tier, currency, ourPriceCents, deletedAt } = product;
  const since = startOfDay(new Date(pricedAt(product)), timeZone);
  if (ourPriceCents === null || deletedAt !== null || sku !== xmlText(sku)) return null;
  const rows = rowsOf(product, ourPriceCents, since).map((row) => rowXml(row, timeZone));
  const head = element("SKU", sku) + element("CURRENCY", currency) + element("TIER", tier);
  return `  <ITEM>${head}${rows.join("")}</ITEM>\n`;
}

function rowsOf({ prices, tier, currency }: Product, amountCents: number, since: string) {
  const isOurs = (row: TierPrice) => row.currency === currency && (row.minQty ?? 1) <= 1;
  const rows = prices.filter((row) => row.tier === tier);
  const main = { tier, amountCents, currency, minQty: null, validFrom: since };
  if (!rows.some(isOurs)) return [main, ...rows];
  return rows.map((row) =>
    isOurs(row) && row.amountCents !== amountCents ? { ...row, amountCents, validFrom: since } : row
  );
}

function rowXml({ tier, amountCents, currency, minQty, validFrom }: TierPrice, timeZone: string) {
  const exponent = exponentOf(currency);
  // In a currency without decimals, `1.234` could be read as a decimal, so write `1234`.
  const format = exponent === 0 ? formatDecimalComma : formatGerman;
  const fields = [
    element("TIER", tier),
    element("PRICE", format(amountCents, exponent)),
    element("CURRENCY", currency),
    element("MINQTY", minQty === null ? null : String(minQty).replace(".", ",")),
    element("VALIDFROM", validFrom === null ? null : germanTime(validFrom, timeZone)),
  ];
  return `<SALESPRICE>${fields.join("")}<VALIDUNTIL/></SALESPRICE>`;
}

function germanTime(instant: string, timeZone: string): string {
  const { year, month, day, hour, minute, second } = Temporal.Instant.from(instant)
    .toZonedDateTimeISO(timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${two(day)}.${two(month)}.${String(year).padStart(4, "0")}`;
  const isMidnight = hour + minute + second === 0;
  return isMidnight ? date : `${date} ${two(hour)}:${two(minute)}:${two(second)}`;
}

function xmlText(text: string): string {
  return text.replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

function element(name: string, text: string | null): string {
  if (text === null) return "";
  return `<${name}>${escapeXml(xmlText(text))}</${name}>`;
}

const TYPES = { csv: CSV_TYPE, xml: "application/xml; charset=utf-8" };

export function priceExportRoutes() {
  return resource("/price-changes", {
    read: { people: viewer, keys: keyWith("proposals:read") },
    tags: ["Price export"],
  })
    .get("", {
      query: PriceExportQuery,
      answer: custom({
        200: {
          description:
            "Price changes that no import caused, in the order of commits. What a key reads " +
            "to the end is handed over: it is awaited in `/price-arrivals` until an import brings it",
          content: {
            "application/json": { schema: PriceChangePage },
            ...CSV_CONTENT,
            "application/xml": { schema: z.string() },
            ...XLSX_CONTENT,
          },
        },
      }),
    }, ({ c, query }) => answer(c, query)).routes;
}

async function answer(c: AppContext, query: PriceExportQuery) {
  const { ctx } = c.var;
  const { format } = query;
  if (format === "json") return c.json(await pageOfChanges(ctx, query), 200);
  const { pricesIncludeVat } = await requireWorkspace(ctx);
  const headersOf = (nextSince: string) => ({
    "X-Next-Since": nextSince,
    "X-Prices-Include-Vat": String(pricesIncludeVat),
  });
  if (format === "xlsx") {
    const { nextSince, batches, workspace } = await openExport(ctx, query, format);
    const table = priceChangeTable(rowBatches(ctx, batches, workspace), workspace, "excel");
    const response = tableResponse(table, { format, timeZone: workspace.timeZone });
    for (const [name, value] of Object.entries(headersOf(nextSince))) {
      response.headers.set(name, value);
    }
    return response;
  }
  const { nextSince, chunks } = await exportPrices(ctx, { ...query, format });
  const body = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
  return c.body(body, 200, {
    ...headersOf(nextSince),
    "Content-Type": TYPES[format],
    "Content-Disposition": `attachment; filename="price-changes.${format}"`,
  });
}
