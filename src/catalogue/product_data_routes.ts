/**
 * Parts of a product on the in-app interface: its files, the history of its own price and its
 * lowest price.
 */
import { z } from "@hono/zod-openapi";
import { one, page } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import { markPrice } from "./changes/mark_price.ts";
import { DEFAULT_COLUMNS, openProductTable, PRODUCT_COLUMNS } from "./lists/export_products.ts";
import { findLowestPrice, LowestPriceAnswer } from "./lists/find_lowest_price.ts";
import { requireProduct } from "./lists/find_product.ts";
import { apart, type MarketAsker } from "./lists/product_page.ts";
import {
  boundMs,
  findPriceEvidence,
  LowestPriceQuery,
  openEvidenceTable,
  PriceEvidence,
  PriceEvidenceQuery,
  priceHistoryPage,
  PriceHistoryQuery,
} from "./lists/price_evidence.ts";
import { NewPriceMark, PriceHistoryEntry } from "./prices/price_mark.ts";
import { FILTER_SHAPE, filterOf } from "./lists/product_filter.ts";
import { MARKET_SHAPE } from "./prices/product_market.ts";
import { flagQuery } from "../platform/http/flag_query.ts";
import { manager, viewer } from "../accounts/route_access.ts";

/** Distinct names, separated by commas. */
const Columns = z.string().max(2_000).transform((text, check) => {
  const names = text.split(",");
  const strange = names.find((name, at) =>
    !PRODUCT_COLUMNS.includes(name) || names.indexOf(name) !== at
  );
  if (strange === undefined) return names;
  const message = `Must be some of ${PRODUCT_COLUMNS.join(",")}`;
  check.addIssue({ code: "custom", message });
  return [];
}).optional();

const TableQuery = z.strictObject({
  ...FILTER_SHAPE,
  ...MARKET_SHAPE,
  includeDeleted: flagQuery.meta({ type: "boolean" }),
  columns: Columns.meta({
    description: `Some of ${PRODUCT_COLUMNS.join(", ")}; if absent, all fields of a product`,
    example: "sku,title,ourPrice,cheapest,gapPct,rank",
  }),
});

export function productDataRoutes(asker: MarketAsker) {
  return resource("/products", {
    look: { people: viewer },
    change: { people: manager },
  })
    .files("", {
      tags: ["Products"],
      query: TableQuery,
      words: "Every product that fits in the order of the call, prices in major units",
      open: (ctx, { includeDeleted, columns = DEFAULT_COLUMNS, ...texts }) => {
        const { filterTexts, marketTexts } = apart(texts);
        const fitting = { filter: filterOf(filterTexts), texts: marketTexts, includeDeleted };
        return openProductTable(ctx, asker, { ...fitting, columns });
      },
    })
    .get("/{id}/price-history", {
      query: PriceHistoryQuery,
      answer: page(PriceHistoryEntry, "Changes of the own price, newest first"),
    }, async ({ ctx, id, query }) => {
      const product = await requireProduct(ctx, id, query.includeDeleted);
      return await priceHistoryPage(ctx, product, query);
    })
    .post("/{id}/price-history/{at}/mark", {
      params: { at: z.string().meta({ format: "date-time" }) },
      body: NewPriceMark,
      answer: one(PriceHistoryEntry, "The entry with its mark, or without one if it was removed"),
    }, ({ ctx, id, at, body }) => markPrice(ctx, id, at, body))
    .get("/{id}/lowest-price", {
      query: LowestPriceQuery,
      answer: one(
        LowestPriceAnswer,
        "The lowest own price of the 30 days before a reduction: an aid, no legal advice",
      ),
    }, async ({ ctx, id, query: { at, tier, includeDeleted } }) => {
      const product = await requireProduct(ctx, id, includeDeleted);
      return await findLowestPrice(ctx, product, { atMs: boundMs(at, "start"), tier });
    })
    .get("/{id}/price-evidence", {
      query: PriceEvidenceQuery,
      answer: one(
        PriceEvidence,
        "The lowest own price of the 30 days with every entry that it was made of, and their sum",
      ),
    }, ({ ctx, id, query }) => evidenceOf(ctx, id, query))
    .files("/{id}/price-evidence", {
      tags: ["Products"],
      query: PriceEvidenceQuery,
      words: "The same as a table, prices in major units",
      open: async (ctx, query, { id }) => openEvidenceTable(await evidenceOf(ctx, id, query)),
    }).routes;
}

async function evidenceOf(
  ctx: Context,
  id: string,
  { at, includeDeleted }: z.output<typeof PriceEvidenceQuery>,
): Promise<PriceEvidence> {
  const product = await requireProduct(ctx, id, includeDeleted);
  return await findPriceEvidence(ctx, product, boundMs(at, "start"));
}
