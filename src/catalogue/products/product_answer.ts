/** Answers with a single product: its stored bytes, market data, and an ETag. */
import { appendFields, sha256Hex } from "../../base/bytes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { CompetitorPrice, type MarketOffer, ProductMarket } from "../prices/product_market.ts";
import { ProductDocument } from "./product.ts";
import type { DocumentBeside, KeyBeside, StoredDocument } from "./product_store.ts";
import { z } from "@hono/zod-openapi";

export const SingleProduct = ProductDocument.extend({
  competitorPrices: z.array(CompetitorPrice),
  market: ProductMarket.nullable(),
}).meta({ id: "SingleProduct" });

export interface CompetitorPrices {
  /** Key of a row that is read together with the product. */
  readonly keyBeside: KeyBeside;
  of(
    workspace: WorkspaceStore,
    document: StoredDocument,
    beside: Uint8Array,
  ): Promise<readonly CompetitorPrice[]>;
}

interface BesideProduct {
  readonly market: ProductMarket | null;
  readonly offers: readonly MarketOffer[] | null;
}

export async function productInMarket(
  workspace: WorkspaceStore,
  competitorPrices: CompetitorPrices,
  found: DocumentBeside<StoredDocument>,
  { market, offers }: BesideProduct,
): Promise<StoredDocument> {
  const { document, beside } = found;
  const prices = beside === null ? [] : await competitorPrices.of(workspace, document, beside);
  const fields = { competitorPrices: prices, market };
  const bytes = appendFields(
    document.bytes,
    offers === null ? fields : { ...fields, competitorOffers: offers },
  );
  const isPlain = offers === null && prices.length === 0 && (market === null || isSilent(market));
  if (isPlain) return { ...document, bytes };
  // The appended fields change without the document.
  const hash = sha256Hex(bytes.subarray(document.bytes.length)).slice(0, 16);
  return { ...document, bytes, etag: `${document.etag}-${hash}` };
}

function isSilent({ links, proposal, rule, marginPct }: ProductMarket): boolean {
  return links === 0 && proposal === null && rule === null && marginPct === null;
}
