/** Reads the price history, marks wrong prices in it, and proves the lowest price of 30 days. */
import { requireWorkspace } from "../../accounts/workspace.ts";
import { sha256Hex } from "../../base/bytes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import { pick } from "../../base/collections.ts";
import { parseBound } from "../../base/time.ts";
import {
  BOUND_FORMS,
  BoundText,
  flagQuery,
  openCursor,
  type Page,
  pageQuery,
  toPage,
} from "../../platform/http/http.ts";
import { type Columns, openListTable } from "./list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { momentCell, moneyCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import {
  examinePast,
  LowestPriceAnswer,
  pricesBefore,
  readVat,
  WINDOW_MS,
} from "./find_lowest_price.ts";
import {
  findNextChange,
  listPriceMarks,
  type NewPriceMark,
  type PriceChange,
  PriceHistoryEntry,
  type PriceMark,
  priceMarks,
  withMarks,
} from "../prices/price_rows.ts";
import { listPriceChanges } from "../products/product_store.ts";
import type { Product } from "../products/product.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireProduct } from "./find_product.ts";
import { exportsSince } from "../prices/awaited_price_store.ts";
import { z } from "@hono/zod-openapi";

const ROWS_MAX = 10_000;

const EvidenceRow = PriceHistoryEntry.extend({
  grossCents: z.int().nullable()
    .describe("What customers paid, with the VAT rate of that day; null without a price or a rate"),
  isCounted: z.boolean()
    .describe("False if the price is marked as never shown and no export contained it"),
  wasExported: z.boolean().describe("Whether an export contained the price while it was in force"),
}).meta({ id: "PriceEvidenceRow" });

export const PriceEvidence = z.object({
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  from: z.iso.datetime().describe("Start of the 30 days"),
  at: z.iso.datetime().describe("End of the 30 days (exclusive)"),
  pricesIncludeVat: z.boolean().describe("The workspace's current setting"),
  lowest: LowestPriceAnswer,
  rows: z.array(EvidenceRow).describe(
    "Prices in force in the 30 days, and earlier ones back to the last that counts; oldest first",
  ),
  sha256: z.string()
    .describe("SHA-256 of this document without this field, as JSON without blanks, in UTF-8"),
}).meta({ id: "PriceEvidence" });

export type PriceEvidence = Readonly<z.infer<typeof PriceEvidence>>;

export async function findPriceEvidence(
  ctx: Context,
  product: Product,
  atMs: number | null,
): Promise<PriceEvidence> {
  const [{ pricesIncludeVat }, vat] = [await requireWorkspace(ctx), await readVat(ctx, product)];
  const past = {
    isWhole: true,
    before: (ms: number) => pricesBefore(ctx, product.id, ms, vat, { asksForExports: true }),
  };
  const { answer: lowest, prices } = await examinePast(ctx, product, past, vat, atMs);
  if (prices.length > ROWS_MAX) {
    throw new Failure("payload_too_large", `The price changed more than ${ROWS_MAX} times`);
  }
  const rows = prices.map(({ change, isLeftOut, wasExported }) => ({
    ...change,
    grossCents: change.toCents === null ? null : vat.grossAt(change.toCents, Date.parse(change.at)),
    isCounted: !isLeftOut,
    wasExported,
  }));
  const { id: productId, sku, title } = product;
  const { at } = lowest;
  const from = new Date(Date.parse(at) - WINDOW_MS).toISOString();
  const document = { productId, sku, title, from, at, pricesIncludeVat, lowest, rows };
  return { ...document, sha256: sha256Hex(JSON.stringify(document)) };
}

interface Line {
  readonly evidence: PriceEvidence;
  readonly row: PriceEvidence["rows"][number] | null;
}

const COLUMNS: Columns<Line> = {
  sku: ({ evidence }) => evidence.sku,
  title: ({ evidence }) => evidence.title,
  windowFrom: ({ evidence }) => momentCell(evidence.from),
  windowTo: ({ evidence }) => momentCell(evidence.at),
  lowest: ({ evidence: { lowest } }) => moneyCell(lowest.lowestCents, lowest.currency),
  lowestGross: ({ evidence: { lowest, pricesIncludeVat } }) => {
    const gross = pricesIncludeVat ? lowest.lowestCents : lowest.lowestGrossCents ?? null;
    return moneyCell(gross, lowest.currency);
  },
  complete: ({ evidence }) => evidence.lowest.complete,
  at: ({ row }) => row && momentCell(row.at),
  price: ({ row }) => row && moneyCell(row.toCents, row.currency),
  currency: ({ row }) => row && row.currency,
  vatRatePct: ({ row }) => row && row.vatRatePct,
  gross: ({ row }) => row && moneyCell(row.grossCents, row.currency),
  source: ({ row }) => row && codeCell("priceSources", row.source),
  actor: ({ row }) => row && row.actor.name,
  ref: ({ row }) => row && row.ref,
  isCounted: ({ row }) => row && row.isCounted,
  wasExported: ({ row }) => row && row.wasExported,
  isError: ({ row }) => row && row.mark !== null,
  neverShown: ({ row }) => row && (row.mark?.neverShown ?? false),
  reason: ({ row }) => row?.mark?.reason ?? null,
  markedBy: ({ row }) => row?.mark?.by.name ?? null,
  markedAt: ({ row }) => momentCell(row?.mark?.markedAt ?? null),
  sha256: ({ evidence }) => evidence.sha256,
};

export async function openEvidenceTable(evidence: PriceEvidence): Promise<OutgoingTable> {
  const name = `price-evidence-${evidence.productId}-${evidence.at.slice(0, 10)}`;
  const rows = evidence.rows.length > 0 ? evidence.rows : [null];
  const items = rows.map((row) => ({ evidence, row }));
  const page = { items, nextCursor: null, count: items.length };
  return await openListTable(name, COLUMNS, () => Promise.resolve(page));
}

export const PriceHistoryQuery = z.strictObject({
  ...pageQuery(50, 200),
  from: BoundText,
  to: BoundText,
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

const AT = {
  at: BoundText.meta({
    anyOf: [...BOUND_FORMS],
    description: "Default: start of the current uninterrupted reduction, else now",
  }),
  includeDeleted: flagQuery.meta({ type: "boolean" }),
};

export const LowestPriceQuery = z.strictObject({
  ...AT,
  tier: z.string().min(1).max(64).optional().describe(
    "The tier whose price for one piece is examined, as far as its history is kept; default: the own price",
  ),
});

export const PriceEvidenceQuery = z.strictObject(AT);

export function boundMs(text: string | undefined, edge: "start" | "end"): number | null {
  return text ? parseBound(text, edge) : null;
}

export async function priceHistoryPage(
  ctx: Context,
  product: Pick<Product, "id" | "vatRatePct">,
  { limit, cursor, from, to }: z.output<typeof PriceHistoryQuery>,
): Promise<Page<PriceHistoryEntry>> {
  const fromMs = boundMs(from, "start") ?? 0;
  const toMs = boundMs(to, "end") ?? Infinity;
  const productId = product.id;
  if (toMs < fromMs) throw refuseFields([{ path: "from", message: 'Must not be after "to"' }]);
  const beforeMs = openCursor(ctx, cursor, z.number()) ?? toMs + 1;
  const stretch = { fromMs, beforeMs };
  const changes = await listPriceChanges(ctx, productId, stretch, limit + 1);
  const oldest = changes.at(-1);
  const marked = { ...stretch, fromMs: oldest ? Date.parse(oldest.at) : beforeMs };
  const marks = await listPriceMarks(ctx, productId, marked);
  const rows = withMarks(changes, marks, await readVat(ctx, product));
  return toPage(ctx, { rows, limit, positionOf: ({ at }) => Date.parse(at) });
}

/**
 * Marks an entry of the price history as an error, or removes the mark. Throws `conflict` if
 * `neverShown` is true although an export contained the price.
 */
export async function markPrice(
  ctx: Context,
  id: string,
  at: string,
  asked: NewPriceMark,
): Promise<PriceHistoryEntry> {
  const product = await requireProduct(ctx, id, true);
  const { sku } = product;
  const { neverShown, reason = null } = asked;
  const by = pick(ctx.actor, ["type", "id", "name"]);
  const markedAt = ctx.now().toISOString();
  const change = await requireChange(ctx, id, at);
  if (neverShown) await refuseExported(ctx, id, change);
  const { vatRatePct } = (await readVat(ctx, product)).at(Date.parse(change.at));
  return await transact(ctx, async (write) => {
    const place = { productId: id, atMs: Date.parse(change.at) };
    const found = await priceMarks.find(ctx, place);
    const before = found?.row.mark ?? null;
    const said = { isError: true, neverShown, reason, by, markedAt } as const;
    const mark: PriceMark | null = asked.isError ? said : null;
    if (saysTheSame(before, mark)) return { ...change, mark: before, vatRatePct };
    if (mark !== null) priceMarks.save(write, ctx, found, { ...place, mark });
    else if (found) priceMarks.remove(write, ctx, found);
    addAuditRow(write, ctx, {
      action: "product.mark",
      resource: { type: "product", id, label: sku },
      before: auditFields(change, before),
      after: auditFields(change, mark),
      currency: change.currency,
      reason,
    });
    return { ...change, mark, vatRatePct };
  });
}

async function requireChange(ctx: Context, id: string, at: string): Promise<PriceChange> {
  const atMs = parseBound(at, "start");
  const stretch = atMs === null ? null : { fromMs: atMs, beforeMs: atMs + 1 };
  const [change] = stretch ? await listPriceChanges(ctx, id, stretch, 1) : [];
  if (change) return change;
  const text = at.slice(0, 40).toWellFormed();
  throw new Failure("not_found", `The price of the product did not change at "${text}"`);
}

async function refuseExported(ctx: Context, id: string, change: PriceChange): Promise<void> {
  const atMs = Date.parse(change.at);
  const hasReported = await exportsSince(ctx, atMs);
  const endedMs = await findNextChange(ctx, id, atMs);
  if (!hasReported(change, endedMs ?? Infinity)) return;
  const message =
    "An export contained the price while it was valid, so customers may have seen it: " +
    "mark it without `neverShown`";
  throw new Failure("conflict", message, { guard: "exported" });
}

function saysTheSame(one: PriceMark | null, other: PriceMark | null): boolean {
  if (one === null || other === null) return one === other;
  return one.neverShown === other.neverShown && one.reason === other.reason;
}

function auditFields({ at, toCents }: PriceChange, mark: PriceMark | null) {
  return {
    at,
    ourPriceCents: toCents,
    isError: mark !== null,
    neverShown: mark?.neverShown ?? false,
  };
}
