/** Marks in the price history, by which a person declares a price an error. */
import { AuditReason } from "../../accounts/audit/audit.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { PriceChange } from "./price_history.ts";
import type { Stretch } from "./price_rows.ts";
import type { VatTimeline } from "./price_terms_store.ts";
import { z } from "@hono/zod-openapi";

interface PlacedMark {
  readonly productId: string;
  readonly atMs: number;
  readonly mark: PriceMark;
}

export const priceMarks = defineTable<PlacedMark, "productId" | "atMs">({
  prefix: "pm",
  about: "the mark of the price history's entry at that time",
  key: { productId: "id", atMs: "number" },
  value: "mark",
});

/** By the time of the marked entry in milliseconds. */
export async function listPriceMarks(
  workspace: WorkspaceStore,
  productId: string,
  { fromMs, beforeMs }: Stretch,
): Promise<Map<number, PriceMark>> {
  const marks = new Map<number, PriceMark>();
  const options = { within: { productId }, after: { atMs: fromMs - 1 } };
  for await (const { row: { atMs, mark } } of priceMarks.walk(workspace, options)) {
    if (atMs >= beforeMs) break;
    marks.set(atMs, mark);
  }
  return marks;
}

export const PriceMark = z.object({
  isError: z.literal(true),
  neverShown: z.boolean().describe(
    "No customer ever saw the price, so the lowest price of 30 days ignores it",
  ),
  reason: z.string().nullable(),
  by: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  markedAt: z.iso.datetime(),
}).meta({ id: "PriceMark" });

export type PriceMark = Readonly<z.infer<typeof PriceMark>>;

/** `isError` false removes the mark. */
export const NewPriceMark = z.strictObject({
  isError: z.boolean(),
  neverShown: z.boolean().default(false),
  reason: AuditReason.optional(),
}).refine(({ isError, neverShown }) => isError || !neverShown, {
  path: ["neverShown"],
  message: "Only an error was never shown",
}).refine(({ neverShown, reason }) => !neverShown || Boolean(reason), {
  path: ["reason"],
  message: "Must say why: it stands beside the lowest price of 30 days",
}).meta({
  id: "NewPriceMark",
  example: { isError: true, neverShown: true, reason: "Comma forgotten, shop was offline" },
});

export type NewPriceMark = z.infer<typeof NewPriceMark>;

export const PriceHistoryEntry = PriceChange.extend({
  mark: PriceMark.nullable(),
  vatRatePct: z.number().nullable().describe(
    "The VAT rate of its day, of the product or else of the workspace; null: not known",
  ),
}).meta({ id: "PriceHistoryEntry" });

export type PriceHistoryEntry = Readonly<z.infer<typeof PriceHistoryEntry>>;

/** `marks` has the time of the change in milliseconds as key. */
export function withMarks(
  changes: readonly PriceChange[],
  marks: ReadonlyMap<number, PriceMark>,
  vat: VatTimeline,
): PriceHistoryEntry[] {
  return changes.map((change) => {
    const atMs = Date.parse(change.at);
    return { ...change, mark: marks.get(atMs) ?? null, vatRatePct: vat.at(atMs).vatRatePct };
  });
}
