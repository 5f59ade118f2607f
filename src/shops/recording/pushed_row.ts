import { AHEAD_MS_MAX } from "../../base/time.ts";
import { CONDITIONS } from "../../base/codes.ts";
import { currencyExponent, parseMajor } from "../../base/money.ts";
import { shown } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { normaliseSku } from "../../base/text.ts";
import { parseProduct, shard } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type MatchTarget, parseMatchUrl } from "../domain.ts";
import type { Seen } from "../observations/observation.ts";
import { NO_OLD_PRICES, type SaleTerms, saleTerms } from "../offers/offer.ts";
import { z } from "@hono/zod-openapi";

const SELLER_CHARACTERS_MAX = 200;

export const PUSH_CODES = [
  "not_found",
  "validation_failed",
  "invalid_currency",
  "invalid_url",
  "future_observation",
] as const;

export interface RowRefusal {
  readonly code: (typeof PUSH_CODES)[number];
  readonly message: string;
}

const Row = z.strictObject({
  sku: z.string().optional(),
  productId: z.string().optional(),
  url: z.string().optional(),
  competitorProductId: z.string().optional(),
  price: z.union([z.number(), z.string().max(40)]),
  currency: z.string(),
  inStock: z.boolean().nullish(),
  observedAt: z.iso.datetime({ offset: true }).nullish(),
  condition: z.enum(CONDITIONS).nullish(),
  seller: z.string().trim().min(1).max(SELLER_CHARACTERS_MAX).nullish(),
  shipping: z.union([z.number(), z.string().max(40)]).nullish(),
}).refine(
  ({ sku, productId }) => (sku === undefined) !== (productId === undefined),
  "Must have either sku or productId",
).refine(
  ({ url, competitorProductId }) => (url === undefined) !== (competitorProductId === undefined),
  "Must have either url or competitorProductId",
);

export const PushBody = z.strictObject({
  observations: z.array(
    z.unknown().meta({
      type: "object",
      properties: {
        sku: { type: "string", description: "Alternative: productId" },
        productId: { type: "string" },
        url: { type: "string", format: "uri", description: "Alternative: competitorProductId" },
        competitorProductId: { type: "string" },
        price: { type: ["number", "string"], maxLength: 40, description: "Major units" },
        currency: { type: "string" },
        inStock: { type: ["boolean", "null"], description: "Default: unknown" },
        observedAt: { type: ["string", "null"], format: "date-time", description: "Default: now" },
        condition: {
          enum: [...CONDITIONS, null],
          description: "Condition of the article; null: unknown; absent: unchanged",
        },
        seller: {
          type: ["string", "null"],
          minLength: 1,
          maxLength: SELLER_CHARACTERS_MAX,
          description: "The seller; null: unknown, or the shop itself; absent: unchanged",
        },
        shipping: {
          type: ["number", "string", "null"],
          maxLength: 40,
          description:
            "Shipping cost of one parcel, in major units of `currency`; null: unknown; " +
            "absent: unchanged",
        },
      },
      required: ["price", "currency"],
    }),
  ).min(1).max(1_000),
}).meta({
  id: "PushedObservations",
  example: {
    observations: [{
      sku: "SKU-1",
      url: "https://www.mediamarkt.de/p/1.html",
      price: 289.99,
      currency: "EUR",
      inStock: true,
    }],
  },
});
export type PushBody = z.infer<typeof PushBody>;

export interface PushedRow {
  readonly index: number;
  readonly product: { readonly sku: string } | { readonly id: string };
  readonly match: { readonly target: MatchTarget } | { readonly id: string };
  readonly seen: Seen;
  readonly sale: Partial<SaleTerms>;
}

export class InvalidRow extends Error {
  readonly code: RowRefusal["code"];

  constructor(message: string, code: RowRefusal["code"] = "validation_failed") {
    super(message);
    this.code = code;
  }
}

/** Throws `InvalidRow`. */
export function readPushedRow(
  input: unknown,
  index: number,
  { now, allowed }: { readonly now: Date; readonly allowed: AddressAllowList },
): PushedRow {
  const parsed = Row.safeParse(input);
  if (!parsed.success) throw new InvalidRow(messageOf(parsed.error.issues[0]));
  const { sku, productId = "", url, competitorProductId = "", inStock } = parsed.data;
  const price = readPrice(parsed.data);
  const observedAtMs = readTime(parsed.data.observedAt ?? null, now);
  const sale = readSale(parsed.data);
  const match = url === undefined ? { id: competitorProductId } : readUrl(url, allowed);
  const product = sku === undefined ? { id: productId } : { sku: normaliseSku(sku) };
  const seen: Seen = {
    ...price,
    observedAtMs,
    availability: inStock ? "in_stock" : inStock === false ? "out_of_stock" : "unknown",
    listPriceCents: null,
    shippingCents: sale.shippingCents ?? null,
    method: null,
    confidence: 1,
    source: "push",
    runId: null,
  };
  return { index, product, match, seen, sale };
}

function readSale(
  { condition, seller, shipping, currency }: z.infer<typeof Row>,
): Partial<SaleTerms> {
  const parsed = shipping === undefined || shipping === null
    ? null
    : parseMajor(shipping, currencyExponent(currency) ?? 0);
  if (parsed && "reason" in parsed) throw new InvalidRow(`shipping: ${parsed.reason}`);
  const all = saleTerms({
    condition: condition ?? null,
    seller: seller ?? null,
    shippingCents: parsed?.minor ?? null,
    ...NO_OLD_PRICES,
  });
  return {
    ...NO_OLD_PRICES,
    ...condition !== undefined && { condition: all.condition },
    ...seller !== undefined && { seller: all.seller },
    ...shipping !== undefined && { shippingCents: all.shippingCents },
  };
}

function messageOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") {
    const names = issue.keys.map((name) => `"${shown(name)}"`).join(", ");
    return `Unknown field ${names.slice(0, 500).toWellFormed()}`;
  }
  const place = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return `${place}${issue?.message ?? "Is not an observation"}`;
}

function readPrice({ price, currency }: z.infer<typeof Row>) {
  const exponent = currencyExponent(currency);
  if (exponent === null) {
    const message = `"${shown(currency)}" is not an upper-case currency code of ISO 4217`;
    throw new InvalidRow(message, "invalid_currency");
  }
  const parsed = parseMajor(price, exponent);
  if ("reason" in parsed) throw new InvalidRow(`price: ${parsed.reason}`);
  if (parsed.minor === 0) throw new InvalidRow("price: 0 is no price");
  return { priceCents: parsed.minor, currency };
}

function readTime(observedAt: string | null, now: Date): number {
  const observedAtMs = observedAt === null ? now.getTime() : Date.parse(observedAt);
  // The id of an observation contains the time as unsigned seconds since 1970.
  if (!(observedAtMs >= 0)) throw new InvalidRow("observedAt: Must not be before 1970");
  if (observedAtMs <= now.getTime() + AHEAD_MS_MAX) return observedAtMs;
  const message = `"${observedAt}" is more than 5 minutes in the future`;
  throw new InvalidRow(message, "future_observation");
}

function readUrl(url: string, allowed: AddressAllowList): { target: MatchTarget } {
  const parsed = parseMatchUrl(url, allowed);
  if ("target" in parsed) return parsed;
  throw new InvalidRow(`url: ${parsed.reason}`, "invalid_url");
}

export interface PlacedRow {
  readonly row: PushedRow;
  readonly sku: string | null;
  readonly shard: number;
}

export async function placeRows(
  workspace: WorkspaceStore,
  rows: readonly PushedRow[],
): Promise<PlacedRow[]> {
  const ids = new Set(rows.flatMap(({ product }) => "id" in product ? [product.id] : []));
  const documents = await findDocuments(workspace, [...ids].filter(isId));
  const skus = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes).sku]));
  return rows.map((row) => {
    const { product } = row;
    const sku = "sku" in product ? product.sku : skus.get(product.id) ?? null;
    return { row, sku, shard: sku === null ? 0 : shard(sku) };
  });
}
