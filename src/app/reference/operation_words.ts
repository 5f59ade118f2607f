/**
 * Summaries and examples of the most used operations of the external interface. A test holds each
 * example against its schema.
 */
import {
  applied,
  event,
  importJob,
  importResult,
  JOB_ID,
  LINK_ID,
  market,
  MORNING,
  newRule,
  newShop,
  NEXT,
  NIGHT,
  observation,
  ofProduct,
  one,
  page,
  priceChange,
  product,
  PRODUCT_ID,
  proposal,
  PROPOSAL_ID,
  RULE_ID,
  secret,
  shop,
  SHOP_ID,
  singleProduct,
  source,
  url,
  webhook,
  WEBHOOK_ID,
  whole,
} from "./example_documents.ts";

interface OperationWords {
  readonly summary: string;
  readonly ask?: unknown;
  readonly answer?: unknown;
}

/** By the name of the operation. */
export const OPERATION_WORDS: Readonly<Record<string, OperationWords>> = {
  listSettings: {
    summary: "Read the currency, the VAT and the time zone of the workspace",
    answer: one({
      name: "Muster GmbH",
      currency: "EUR",
      timeZone: "Europe/Berlin",
      pricesIncludeVat: true,
      vatRatePct: 19,
    }),
  },
  listMe: { summary: "Ask what this key may do" },
  listProducts: { summary: "List products", answer: page(product) },
  getProduct: { summary: "Read a product with its market", answer: one(singleProduct) },
  updateProduct: {
    summary: "Change a product",
    ask: { ourPrice: 899, stock: 7, reason: "New price list" },
    answer: one(singleProduct),
  },
  deleteProduct: { summary: "Delete a product", answer: one({ id: PRODUCT_ID }) },
  restoreProduct: { summary: "Restore a deleted product", answer: one(singleProduct) },
  batchProducts: {
    summary: "Create or change up to 1,000 products",
    ask: { items: [{ sku: "KS-300", title: "Kühlschrank KS 300", ourPrice: 899 }] },
    answer: whole({ index: 0, sku: "KS-300", id: PRODUCT_ID, outcome: "updated", error: null }),
  },
  getProductsNdjson: { summary: "Download all products, one a line" },
  importProducts: { summary: "Import a file of the ERP", answer: importResult },
  getProductsImport: { summary: "Read the progress and result of an import", answer: importResult },
  listProductsImportErrors: {
    summary: "List all findings of an import, or download its refused records",
    answer: page({
      severity: "error",
      index: 17,
      file: "products.csv",
      line: 19,
      sku: null,
      field: "Artikelnummer",
      code: "missing_sku",
      message: "The record has no SKU",
      value: null,
    }),
  },
  applyProductsImport: {
    summary: "Apply a held import or a dry run",
    ask: { force: true },
    answer: importResult,
  },
  undoProductsImport: { summary: "Undo an import", answer: importResult },
  listImports: { summary: "List imports, newest first", answer: page(importJob) },
  listImportSources: { summary: "List the senders of files", answer: page(source) },
  createImportSource: {
    summary: "Add a sender of files",
    ask: { id: "erp", name: "ERP, by night", mode: "replace", expected: source.expected },
    answer: one(source),
  },
  createSale: {
    summary: "Report units sold, by product and day",
    ask: { rows: [{ sku: "KS-300", date: "2026-03-01", units: 3 }] },
    answer: one({ accepted: 1, rejected: 0, errors: [] }),
  },
  listCompetitors: { summary: "List competitors", answer: page(shop) },
  createCompetitor: { summary: "Add a competitor", ask: newShop, answer: one(shop) },
  getCompetitor: { summary: "Read a competitor", answer: one(shop) },
  updateCompetitor: {
    summary: "Change a competitor",
    ask: { enabled: true, groups: ["Discounter"] },
    answer: one({ ...shop, groups: ["Discounter"] }),
  },
  deleteCompetitor: { summary: "Delete a competitor and its links", answer: one({ id: SHOP_ID }) },
  bulkCompetitorProducts: {
    summary: "Link up to 1,000 products to pages of competitors",
    ask: { links: [{ sku: "KS-300", url }] },
    answer: whole({
      index: 0,
      ok: true,
      status: "created",
      competitorProductId: LINK_ID,
      error: null,
    }),
  },
  createObservation: {
    summary: "Report observed prices of competitors",
    ask: { observations: [{ sku: "KS-300", url, price: 879, currency: "EUR", inStock: true }] },
    answer: one({ accepted: 1, rejected: 0, errors: [] }),
  },
  listObservations: { summary: "List observed prices, newest first", answer: page(observation) },
  listMarket: {
    summary: "Read our position in the market, product by product",
    answer: {
      ...page({ ...ofProduct, ourPriceCents: 89_900, currency: "EUR", ...market }),
      total: 1,
      asOf: MORNING,
      isFull: false,
      deleted: [],
    },
  },
  listPriceChanges: {
    summary: "Fetch changed prices for the ERP",
    answer: { ...page(priceChange), nextSince: NEXT, pricesIncludeVat: true },
  },
  listPriceArrivals: {
    summary: "List fetched prices that the ERP has not sent back",
    answer: page({
      ...ofProduct,
      tier: null,
      status: "waiting",
      expectedCents: 87_900,
      currency: "EUR",
      seenCents: null,
      seenCurrency: null,
      seenIn: null,
      fetchedAt: NIGHT,
    }),
  },
  listProposals: {
    summary: "List proposed prices",
    answer: { ...page(proposal), total: 1 },
  },
  getProposal: {
    summary: "Read a proposed price",
    answer: one({ ...proposal, offers: [], targetPriceCents: null }),
  },
  approveProposal: {
    summary: "Approve a proposed price, or set another one instead",
    ask: { reason: "Agreed with purchasing" },
    answer: one(applied),
  },
  rejectProposal: {
    summary: "Reject a proposed price",
    ask: { reason: "The offer of the shop ends today" },
    answer: one({ ...proposal, status: "rejected", decidedAt: MORNING }),
  },
  bulkProposals: {
    summary: "Decide on up to 500 proposed prices",
    ask: { action: "approve", filter: { ruleId: RULE_ID } },
    answer: one({ results: [{ id: PROPOSAL_ID, ok: true }], nextCursor: null }),
  },
  listRules: { summary: "List rules" },
  createRule: { summary: "Add a rule", ask: newRule },
  updateRule: { summary: "Change a rule, or switch it on or off", ask: { enabled: true } },
  deleteRule: { summary: "Delete a rule", answer: one({ id: RULE_ID }) },
  toggleRule: {
    summary: "Switch a rule on or off",
    answer: one({ ok: true, enabled: true }),
  },
  createSimulation: {
    summary: "Simulate a rule over the whole catalogue",
    ask: { rule: newRule },
    answer: one({ id: JOB_ID, status: "queued" }),
  },
  listAlerts: {
    summary: "List alerts",
    answer: page({
      id: JOB_ID,
      severity: "high",
      ruleId: null,
      productId: null,
      title: "Import products.csv failed",
      body: "Nothing of it was applied.",
      mail: "sent",
      createdAt: NIGHT,
      readAt: null,
    }),
  },
  createWebhook: {
    summary: "Add a receiver of events",
    ask: { url: webhook.url, events: webhook.events },
    answer: one({ ...webhook, secret }),
  },
  rotateWebhook: {
    summary: "Replace the secret of a webhook",
    ask: { overlapHours: 24 },
    answer: one({ id: WEBHOOK_ID, secret, previousUntil: "2026-03-03T08:30:00.000Z" }),
  },
  listWebhookDeliveries: { summary: "List the attempts to deliver events, newest first" },
  listEvents: {
    summary: "Fetch the events of the last 30 days",
    answer: { ...page(event), nextSince: NEXT, isComplete: true },
  },
  bulkMatchSuggestions: {
    summary: "Decide on many suggested links",
    ask: { action: "accept", ids: [LINK_ID] },
  },
};
