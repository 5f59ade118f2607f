/** What people say of an entry of the price history: that it is an error, and was seen by nobody. */
import { z } from "@hono/zod-openapi";
import { AuditReason } from "../../accounts/audit/audit.ts";
import { PriceChange } from "./price_history.ts";
import type { VatTimeline } from "./vat_timeline.ts";

/** An entry that somebody has marked as an error. */
export const PriceMark = z.object({
  isError: z.literal(true),
  neverShown: z.boolean().meta({
    description: "No customer ever saw the price: the lowest price of 30 days leaves it out",
  }),
  reason: z.string().nullable(),
  by: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  markedAt: z.iso.datetime(),
}).meta({ id: "PriceMark" });

export type PriceMark = Readonly<z.infer<typeof PriceMark>>;

/** What is sent to mark an entry; `isError` false takes the mark away. */
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

/** A change of the price as the history answers it. */
export const PriceHistoryEntry = PriceChange.extend({
  mark: PriceMark.nullable(),
  vatRatePct: z.number().nullable().meta({
    description: "The VAT of its day, the product's own or that of the workspace; null: not known",
  }),
}).meta({ id: "PriceHistoryEntry" });

export type PriceHistoryEntry = Readonly<z.infer<typeof PriceHistoryEntry>>;

/** The changes with their marks, which are known by the time of the change in milliseconds. */
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
