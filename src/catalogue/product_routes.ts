/**
 * Declares the routes of products, their price histories, and downloads of both as files
 * (docs/decisions/catalogue.md). The web client and the public API have separate routes.
 */
import { z } from "@hono/zod-openapi";
import { anyKey, keyWith, manager, viewer } from "../accounts/roles.ts";
import { bytesOf, custom, done, one, page, stored, whole } from "../platform/http/answer.ts";
import { dataPageOf, flagQuery, pageOf } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context } from "../platform/store/context.ts";
import {
  changeProduct,
  createProduct,
  deleteProduct,
  ProductBatch,
  ProductBatchQuery,
  ProductBatchResult,
  putProducts,
  restoreProduct,
} from "./changes/change_product.ts";
import {
  BulkChange,
  BulkOutcome,
  BulkPrices,
  BulkPricesOutcome,
  changeProducts,
  setPrices,
} from "./changes/change_products.ts";
import {
  boundMs,
  findPriceEvidence,
  LowestPriceQuery,
  markPrice,
  openEvidenceTable,
  PriceEvidence,
  PriceEvidenceQuery,
  priceHistoryPage,
  PriceHistoryQuery,
} from "./lists/price_evidence.ts";
import type { CatalogueCache } from "./lists/catalogue_cache.ts";
import {
  DEFAULT_COLUMNS,
  type MarketAsker,
  openProductTable,
  pageBytes,
  PRODUCT_COLUMNS,
  ProductQuery,
  publicPageBytes,
  PublicProductQuery,
  streamProductLines,
} from "./lists/product_page.ts";
import { findLowestPrice, LowestPriceAnswer } from "./lists/find_lowest_price.ts";
import {
  type BesideProduct,
  productInMarket,
  requireByIdOrSku,
  requireDocument,
  requireProduct,
  SingleProduct,
} from "./lists/find_product.ts";
import { FILTER_SHAPE } from "./lists/product_list.ts";
import { NewPriceMark, PriceHistoryEntry } from "./prices/price_rows.ts";
import { MARKET_SHAPE, MarketOffer, ProductMarket } from "./prices/product_market.ts";
import { ProductDocument } from "./products/product.ts";
import {
  allowLargeChange,
  NewProduct,
  ProductChange,
  READ_ONLY_FIELDS,
} from "./products/product_input.ts";
import { CSV_CONTENT, DialectQuery, tableResponse } from "../platform/tables/table_answer.ts";

interface ProductDeps extends BesideProduct {
  readonly cache: CatalogueCache;
}

const DeletedQuery = z.strictObject({ includeDeleted: flagQuery.meta({ type: "boolean" }) });
const LargeChangeQuery = z.strictObject({ allowLargeChange });

const ProductPage = pageOf(
  ProductDocument.extend({
    market: ProductMarket.nullable(),
    competitorOffers: z.array(MarketOffer).optional().describe("With `offers=true`"),
  }),
).extend({
  total: z.int().nullable()
    .describe("All matching products; null with deleted ones, and while the number is not known"),
  asOf: z.iso.datetime().describe("Time at which the market data was current"),
  moved: z.int()
    .describe("In a sorted list: matching products that have changed since the first page"),
});

const ProductInMarket = SingleProduct.extend({
  competitorOffers: z.array(MarketOffer).optional().describe(
    "With `offers=true`: all offers, those that rules compare with and those that they ignore",
  ),
});

const pathOf = (id: string) => `/api/products/${id}`;

export function productRoutes(deps: ProductDeps) {
  const products = resource("/products", {
    read: { people: viewer },
    change: { people: manager },
    readOnly: READ_ONLY_FIELDS,
  })
    .create({
      body: NewProduct,
      answer: stored(ProductDocument, "The new product"),
    }, ({ ctx, body }) => createProduct(ctx, body))
    .list({
      query: ProductQuery,
      answer: bytesOf(ProductPage, "One page, by id unless it is sorted"),
    }, ({ ctx, query }) => pageBytes(ctx, deps, query))
    .post("/bulk", {
      body: BulkChange,
      answer: one(BulkOutcome, "Number of products that got the settings"),
    }, ({ ctx, body }) => changeProducts(ctx, deps, body))
    .post("/bulk/prices", {
      query: LargeChangeQuery,
      body: BulkPrices,
      answer: one(BulkPricesOutcome, "The result for each price"),
    }, ({ ctx, body, query: { allowLargeChange: allowsLargeChange } }) => {
      return setPrices(ctx, body, { allowsLargeChange });
    })
    .read({
      query: DeletedQuery.extend({
        offers: flagQuery.meta({ type: "boolean", description: "Includes the product's offers" }),
      }),
      answer: stored(ProductInMarket, "The product with its competitor prices and its market"),
    }, async ({ ctx, id, query: { includeDeleted, offers } }) => {
      const document = await requireDocument(ctx, id, includeDeleted, deps.beside);
      return await productInMarket(ctx, deps, document, offers);
    })
    .change({
      query: LargeChangeQuery,
      body: ProductChange,
      answer: stored(ProductDocument, "The product after the change"),
    }, ({ ctx, id, query, body: { reason, ...patch }, expected }) => {
      const options = { expected, allowsLargeChange: query.allowLargeChange, reason };
      return changeProduct(ctx, id, patch, options);
    })
    .remove({
      answer: done("The product is soft-deleted; its record and history are kept"),
    }, ({ ctx, id, expected }) => deleteProduct(ctx, id, expected))
    .post("/{id}/restore", {
      answer: stored(ProductDocument, "The active product"),
    }, ({ ctx, id }) => restoreProduct(ctx, id, pathOf));
  return [...products.routes, ...productDataRoutes(deps)];
}

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

function productDataRoutes(asker: MarketAsker) {
  return resource("/products", { read: { people: viewer }, change: { people: manager } })
    .files("", {
      tags: ["Products"],
      query: TableQuery,
      words: "All matching products in the requested order, with prices in major units",
      open: (ctx, { columns = DEFAULT_COLUMNS, ...wanted }) =>
        openProductTable(ctx, asker, { ...wanted, columns }),
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
        "The lowest own price of the 30 days, the entries it is computed from, and their SHA-256",
      ),
    }, ({ ctx, id, query }) => evidenceOf(ctx, id, query))
    .files("/{id}/price-evidence", {
      tags: ["Products"],
      query: PriceEvidenceQuery,
      words: "The same data as a table, with prices in major units",
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

const NDJSON_CONTENT = { "application/x-ndjson": { schema: z.string() } };

const fileOf = (holds: string, content: typeof CSV_CONTENT | typeof NDJSON_CONTENT) =>
  custom({ 200: { description: `${holds}; an import of the file changes nothing`, content } });

const idOrSku = z.string().describe(
  "An id or a SKU, percent-encoded; the prefixes `sku:` and `id:` say which one is meant",
);

const DeletedProduct = z.object({ id: z.string() });

const BATCH_WORDS = "The result of each item, in the order of the request";

export function publicProductRoutes(deps: ProductDeps) {
  const products = publicLists(deps)
    .post("/batch", {
      takesLines: true,
      description: `${BATCH_WORDS}. As \`application/x-ndjson\` the body has one item per line`,
      query: ProductBatchQuery,
      body: ProductBatch,
      answer: whole(ProductBatchResult, BATCH_WORDS, { external: "ProductBatchAnswer" }),
    }, ({ ctx, query, body }) => putProducts(ctx, body.items, query))
    .post("/{idOrSku}/restore", {
      params: { idOrSku },
      answer: stored(SingleProduct, "The active product, even if it was not deleted"),
    }, async ({ ctx, idOrSku }) => {
      const { id } = await requireByIdOrSku(ctx, idOrSku, true);
      await restoreProduct(ctx, id, (id) => `/api/public/v1/products/${id}`);
      return await readAgain(ctx, deps, id);
    })
    .patch("/{idOrSku}", {
      params: { idOrSku },
      versioned: true,
      isDocument: true,
      query: LargeChangeQuery,
      body: ProductChange,
      answer: stored(SingleProduct, "The product after the change"),
    }, async ({ ctx, idOrSku, query, body: { reason, ...patch }, expected }) => {
      const { id } = await requireByIdOrSku(ctx, idOrSku, true);
      const options = { expected, allowsLargeChange: query.allowLargeChange, reason };
      await changeProduct(ctx, id, patch, options);
      return await readAgain(ctx, deps, id);
    })
    .delete("/{idOrSku}", {
      params: { idOrSku },
      versioned: true,
      answer: one(DeletedProduct, "The product is soft-deleted; its record and history are kept", {
        words: "Id of the product",
      }),
    }, async ({ ctx, idOrSku, expected }) => {
      const { id } = await requireByIdOrSku(ctx, idOrSku, true);
      await deleteProduct(ctx, id, expected);
      return { id };
    })
    .get("/{idOrSku}", {
      params: { idOrSku },
      answer: stored(SingleProduct, "The product with its competitor prices and its market"),
    }, async ({ ctx, idOrSku }) => {
      const document = await requireByIdOrSku(ctx, idOrSku, false, deps.beside);
      return await productInMarket(ctx, deps, document);
    });
  return products.routes;
}

function publicLists(deps: ProductDeps) {
  return resource("/products", {
    read: { keys: anyKey },
    change: { keys: keyWith("products:write") },
    readOnly: READ_ONLY_FIELDS,
  })
    .get(".csv", {
      tags: ["Products"],
      query: z.strictObject({ ...FILTER_SHAPE, dialect: DialectQuery }),
      answer: fileOf("All matching products by id, with prices in major units", CSV_CONTENT),
    }, async ({ ctx, query: { dialect, ...texts } }) => {
      const table = await openProductTable(ctx, deps, { ...texts, columns: DEFAULT_COLUMNS });
      return tableResponse(table, { format: "csv", dialect });
    })
    .get(".ndjson", {
      tags: ["Products"],
      query: z.strictObject(FILTER_SHAPE),
      answer: fileOf("All matching products by id, one per line, as in lists", NDJSON_CONTENT),
    }, async ({ c, ctx, query }) => {
      return c.body(await streamProductLines(ctx, deps, query), 200, {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": 'attachment; filename="products.ndjson"',
      });
    })
    .list({
      query: PublicProductQuery,
      answer: bytesOf(dataPageOf(ProductDocument), "One page by id"),
    }, ({ ctx, query }) => publicPageBytes(ctx, deps.cache, query));
}

async function readAgain(ctx: Context, deps: ProductDeps, id: string) {
  return await productInMarket(ctx, deps, await requireDocument(ctx, id, false, deps.beside));
}
