/** How products are answered: by their stored bytes, with versions for conditional requests. */
import { ProductDocument } from "./product.ts";
import { z } from "@hono/zod-openapi";
import { sha256Hex } from "../../base/sha256.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { expectedVersions } from "../../platform/http/http.ts";
import { CompetitorPrice } from "../prices/competitor_price.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { DocumentBeside, KeyBeside, StoredDocument } from "./product_store.ts";
import { appendField, type Envelope } from "./product_wire.ts";

/** A single product: the only answer with competitor prices (docs/decisions/catalogue.md). */
export const SingleProduct = ProductDocument.extend({
  competitorPrices: z.array(CompetitorPrice),
}).meta({ id: "SingleProduct" });

/** A product's newest prices at others: asked for single products, answered by whoever keeps competitors. */
export interface CompetitorPrices {
  /** The row that a product without such prices does not have. */
  readonly keyBeside: KeyBeside;
  /** What that row says, and those that it leads to, by display name. */
  of(
    workspace: WorkspaceStore,
    document: StoredDocument,
    beside: Uint8Array,
  ): Promise<readonly CompetitorPrice[]>;
}

/** The document that was found, with its competitor prices, in the envelope of its interface. */
export async function singleProduct(
  workspace: WorkspaceStore,
  competitorPrices: CompetitorPrices,
  { document, beside }: DocumentBeside<StoredDocument>,
  envelope?: Envelope,
): Promise<StoredDocument> {
  const prices = beside && await competitorPrices.of(workspace, document, beside);
  return withCompetitorPrices(document, prices ?? [], envelope);
}

/**
 * The document with its competitor prices. They change without the product, so their hash follows
 * the version in the ETag: a caller that has the old ones is never told "not modified".
 */
export function withCompetitorPrices(
  document: StoredDocument,
  prices: readonly CompetitorPrice[],
  envelope?: Envelope,
): StoredDocument {
  const bytes = appendField(document.bytes, "competitorPrices", prices, envelope);
  if (prices.length === 0) return { ...document, bytes };
  const hash = sha256Hex(JSON.stringify(prices)).slice(0, 16);
  return { ...document, bytes, etag: `${document.etag}-${hash}` };
}

/** `If-Match` without those hashes: a change is about the product alone. */
export function expectedProductVersions(c: AppContext): string | null {
  return expectedVersions(c)?.replace(/-[0-9a-f]{16}"/g, '"') ?? null;
}
