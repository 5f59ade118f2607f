import { idAt } from "../../base/id.ts";
import { z } from "@hono/zod-openapi";

export const PRICE_SOURCES = ["api", "import", "rule", "proposal", "rollback"] as const;

/** A change of `ourPrice`. A product's first price is a change too. Changes are kept forever. */
export const PriceChange = z.object({
  at: z.iso.datetime(),
  fromCents: z.int().nullable().describe("Null for the first price"),
  toCents: z.int().nullable().describe("Null if the price was removed"),
  currency: z.string(),
  source: z.enum(PRICE_SOURCES).describe("What changed the price"),
  actor: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  ref: z.string().nullable()
    .describe("Id of the import job, proposal or rule that changed the price"),
}).meta({ id: "PriceChange" });

export type PriceChange = Readonly<z.infer<typeof PriceChange>>;

export function priceChangeId(productId: string, at: string): string {
  return idAt(Date.parse(at), `price ${productId} ${at}`);
}

export interface PriceCause {
  readonly source: (typeof PRICE_SOURCES)[number];
  readonly actor: PriceChange["actor"];
  readonly ref: string | null;
}

interface OwnPrice {
  readonly ourPriceCents: number | null;
  readonly currency: string;
  readonly ourPriceUpdatedAt: string | null;
  readonly updatedAt: string;
}

/** Null if price and currency are unchanged. */
export function priceChangeOf(
  before: OwnPrice | null,
  after: OwnPrice,
  cause: PriceCause,
): PriceChange | null {
  const fromCents = before?.ourPriceCents ?? null;
  const toCents = after.ourPriceCents;
  if (fromCents === null && toCents === null) return null;
  if (fromCents === toCents && before?.currency === after.currency) return null;
  return { at: pricedAt(after), fromCents, toCents, currency: after.currency, ...cause };
}

export function pricedAt({ ourPriceUpdatedAt, updatedAt }: OwnPrice): string {
  return ourPriceUpdatedAt ?? updatedAt;
}

export function firstPriceOf(
  product: OwnPrice,
  jobId: string,
  actor: PriceChange["actor"],
): PriceChange | null {
  return priceChangeOf(null, product, { source: "import", actor, ref: jobId });
}
