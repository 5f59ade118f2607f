/** What the lowest price of 30 days was made of, as somebody who has to prove it needs it. */
import { z } from "@hono/zod-openapi";
import { exponentOf } from "../../base/currency.ts";
import { Failure } from "../../base/failure.ts";
import { sha256Hex } from "../../base/sha256.ts";
import { requireWorkspace } from "../../identity/workspace_store.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  amountCell,
  type Cell,
  codeCell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
import { columnHeadings } from "../../wording/column_words.ts";
import { WINDOW_MS } from "../prices/lowest_price.ts";
import { PriceHistoryEntry } from "../prices/price_mark.ts";
import type { Product } from "../products/product.ts";
import { examinePast, LowestPriceAnswer } from "./find_lowest_price.ts";
import { pricesBefore, readVat } from "./price_past.ts";

/** Nobody changes a price so often in 30 days but by mistake. */
const ROWS_MAX = 10_000;

const EvidenceRow = PriceHistoryEntry.extend({
  grossCents: z.int().nullable().meta({
    description: "What customers paid, by the VAT of its day; null without a price or a rate",
  }),
  isCounted: z.boolean().meta({
    description: "False for one that is marked as never shown and that no export told",
  }),
  wasExported: z.boolean().meta({
    description: "Whether an export told it while it was in force",
  }),
}).meta({ id: "PriceEvidenceRow" });

/** The answer of `GET /api/products/{id}/price-evidence` (docs/decisions/catalogue.md). */
export const PriceEvidence = z.object({
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  from: z.iso.datetime().meta({ description: "Start of the 30 days" }),
  at: z.iso.datetime().meta({ description: "End of the 30 days, itself not among them" }),
  pricesIncludeVat: z.boolean().meta({ description: "Of the settings of now" }),
  lowest: LowestPriceAnswer,
  rows: z.array(EvidenceRow).meta({
    description:
      "Prices in force in the 30 days, and before them up to one that counts; oldest first",
  }),
  sha256: z.string().meta({
    description: "Of this document without this field, as JSON without blanks, in UTF-8",
  }),
}).meta({ id: "PriceEvidence" });

export type PriceEvidence = Readonly<z.infer<typeof PriceEvidence>>;

/**
 * As `findLowestPrice` of the own price, with every entry that it was made of. The same past gives the
 * same document, and the same sum. Refuses with `payload_too_large` more than 10,000 entries.
 */
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
    throw new Failure("payload_too_large", `Its price changed more than ${ROWS_MAX} times`);
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

const COLUMNS = [
  "sku",
  "title",
  "windowFrom",
  "windowTo",
  "lowest",
  "lowestGross",
  "complete",
  "at",
  "price",
  "currency",
  "vatRatePct",
  "gross",
  "source",
  "actor",
  "ref",
  "isCounted",
  "wasExported",
  "isError",
  "neverShown",
  "reason",
  "markedBy",
  "markedAt",
  "sha256",
] as const;

/** The same as a table, one line an entry; without any there is one line that says so. */
export function evidenceTable(evidence: PriceEvidence): OutgoingTable {
  const name = `price-evidence-${evidence.productId}-${evidence.at.slice(0, 10)}`;
  return {
    name,
    columns: COLUMNS,
    headingsIn: (language) => columnHeadings(language, name, COLUMNS),
    batches: ReadableStream.from([linesOf(evidence)]),
  };
}

function linesOf({ sku, title, from, at, lowest, rows, pricesIncludeVat, sha256 }: PriceEvidence) {
  const exponent = exponentOf(lowest.currency);
  const gross = pricesIncludeVat ? lowest.lowestCents : lowest.lowestGrossCents ?? null;
  const head = [
    sku,
    title,
    momentCell(from),
    momentCell(at),
    amountCell(lowest.lowestCents, exponent),
    amountCell(gross, exponent),
    lowest.complete,
  ];
  const lines = rows.map((row): Cell[] => {
    const decimals = exponentOf(row.currency);
    return [
      ...head,
      momentCell(row.at),
      amountCell(row.toCents, decimals),
      row.currency,
      row.vatRatePct,
      amountCell(row.grossCents, decimals),
      codeCell("priceSources", row.source),
      row.actor.name,
      row.ref,
      row.isCounted,
      row.wasExported,
      row.mark !== null,
      row.mark?.neverShown ?? false,
      row.mark?.reason ?? null,
      row.mark?.by.name ?? null,
      momentCell(row.mark?.markedAt ?? null),
      sha256,
    ];
  });
  if (lines.length > 0) return lines;
  const blanks = COLUMNS.slice(head.length, -1).map(() => null);
  return [[...head, ...blanks, sha256]];
}
