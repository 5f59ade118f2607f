/** Declares summaries and examples of the most important operations of the public API. */

const PRODUCT_ID = "64f0c2a1e4b0a1b2c3d4e5f6";
const SHOP_ID = "64f0c2a1e4b0a1b2c3d4e5f7";
const LINK_ID = "64f0c2a1e4b0a1b2c3d4e5f8";
const RULE_ID = "64f0c2a1e4b0a1b2c3d4e5f9";
const PROPOSAL_ID = "64f0c2a1e4b0a1b2c3d4e5fa";
const JOB_ID = "64f0c2a1e4b0a1b2c3d4e5fb";
const WEBHOOK_ID = "64f0c2a1e4b0a1b2c3d4e5fc";
const CHANGE_ID = "64f0c2a1e4b0a1b2c3d4e5fd";
const EVENING = "2026-03-01T18:00:00.000Z";
const NIGHT = "2026-03-02T02:15:00.000Z";
const MORNING = "2026-03-02T08:30:00.000Z";
const NEXT = "iyPgE1ljKk6GcPHoA2iTz1swXQ";

const ofProduct = { productId: PRODUCT_ID, sku: "KS-300" };
const ofShop = { competitorId: SHOP_ID, competitor: "Acme" };
const url = "https://acme.example/p/ks-300";

const one = (data: unknown) => ({ data });
const page = (...data: readonly unknown[]) => ({ data, count: data.length });

const product = {
  id: PRODUCT_ID,
  sku: "KS-300",
  title: "Kühlschrank KS 300",
  brand: "Bosch",
  category: "Kühlschränke",
  ourPrice: 89_900,
  ourPriceCents: 89_900,
  ourPriceUpdatedAt: EVENING,
  costPrice: 61_240,
  costPriceCents: 61_240,
  currency: "EUR",
  ean: "4006381333931",
  mpn: "KS300",
  url: "https://shop.example/ks-300",
  vatRatePct: 19,
  condition: "new",
  stock: 7,
  attributes: { colour: "weiß" },
  scrapeEnabled: true,
  scrapeIntervalHours: 24,
  lastScrapedAt: MORNING,
  createdAt: EVENING,
  updatedAt: EVENING,
};

const market = {
  state: "ok",
  links: 1,
  offers: 1,
  cheapestCents: 87_900,
  cheapestCompetitorId: SHOP_ID,
  cheapestCompetitor: "Acme",
  cheapestMatchType: "exact",
  cheapestInStock: true,
  cheapestAt: MORNING,
  comparedCents: 89_900,
  cheapestCount: 1,
  gapCents: 2_000,
  gapPct: 2.28,
  roomPct: -2.22,
  rank: 2,
  of: 2,
  position: "dearest",
  medianCents: 87_900,
  averageCents: 87_900,
  indexPct: 102.28,
  newestAt: MORNING,
  marginPct: 18.94,
  proposal: { id: PROPOSAL_ID, proposedCents: 87_900, changePct: -2.22 },
  rule: { id: RULE_ID, name: "As the cheapest" },
};

const singleProduct = {
  ...product,
  competitorPrices: [{
    competitor: "Acme",
    domain: "acme.example",
    url,
    price: 87_900,
    unitPrice: 87_900,
    packFactor: 1,
    currency: "EUR",
    inStock: true,
    lastCheckedAt: MORNING,
  }],
  market,
};

const importJob = {
  jobId: JOB_ID,
  label: "products.csv",
  status: "succeeded",
  phase: "apply",
  mode: "upsert",
  source: "erp",
  undoableUntil: "2026-03-09T02:15:00.000Z",
  stats: { inserted: 2, updated: 14, skipped: 8_198, errors: 0, competitorsLinked: 0 },
  count: 8_214,
  progress: { processed: 8_214, total: 8_214 },
  createdAt: NIGHT,
  startedAt: NIGHT,
  finishedAt: NIGHT,
  createdBy: { type: "api_key", id: WEBHOOK_ID, name: "ERP, by night" },
};

const importResult = {
  data: {
    ...importJob,
    impact: {
      priceChanges: 14,
      up: 9,
      down: 5,
      raisedCents: 12_300,
      loweredCents: 4_500,
    },
    titles: {},
  },
  count: 8_214,
};

const source = {
  id: "erp",
  name: "ERP, by night",
  kind: "api",
  mode: "replace",
  options: { strict: false },
  hold: {
    movePct: 50,
    sharePct: 20,
    costMovePct: 50,
    changedPct: 60,
    deletedPct: 20,
    newPct: 50,
    currencyPct: 1,
  },
  expected: { by: "06:00", days: ["mon", "tue", "wed", "thu", "fri"] },
  createdAt: EVENING,
  updatedAt: EVENING,
};

const newShop = { domain: "acme.example", displayName: "Acme", country: "DE" };
const shop = {
  id: SHOP_ID,
  ...newShop,
  enabled: true,
  colour: 1,
  createdAt: EVENING,
  updatedAt: EVENING,
  trackedProducts: 1,
  health: { ok24h: 24, failed24h: 0, downSince: null, lastError: null, due: 0, perDayMax: 43_200 },
};

const newRule = {
  name: "As the cheapest",
  when: { trigger: "competitor_undercut", competitorDeltaPct: 1 },
  scope: { mode: "all" },
  marginFloor: { pct: 10 },
  actions: [{ type: "propose_price", formula: "match_cheapest" }],
};

const proposal = {
  id: PROPOSAL_ID,
  ruleId: RULE_ID,
  ruleName: "As the cheapest",
  ...ofProduct,
  productTitle: "Kühlschrank KS 300",
  currentCents: 89_900,
  proposedCents: 87_900,
  currency: "EUR",
  status: "open",
  reason: "Acme asks 879.00 EUR, which is below our 899.00 EUR",
  createdAt: MORNING,
  expiresAt: "2026-03-09T08:30:00.000Z",
  marginPct: 18.94,
  marginAfterPct: 17.09,
  units30d: 12,
  hasMarketMoved: false,
};
const applied = { ...proposal, status: "applied", appliedCents: 87_900, decidedAt: MORNING };

const observation = {
  id: JOB_ID,
  ...ofProduct,
  competitorProductId: LINK_ID,
  ...ofShop,
  domain: "acme.example",
  url,
  price: 87_900,
  currency: "EUR",
  inStock: true,
  availability: "in_stock",
  method: "json_ld",
  confidence: 1,
  source: "scrape",
  runId: JOB_ID,
  observedAt: MORNING,
};

const priceChange = {
  id: CHANGE_ID,
  ...ofProduct,
  fromCents: 89_900,
  toCents: 87_900,
  currency: "EUR",
  at: MORNING,
  source: "proposal",
  ref: PROPOSAL_ID,
  validFrom: "2026-03-01T23:00:00.000Z",
};

const { id: _, validFrom: _validFrom, ...priceData } = priceChange;
const event = {
  id: "64f0c2a1e4b0a1b2c3d4e5fe",
  type: "price.changed",
  timestamp: MORNING,
  data: { changeId: CHANGE_ID, ...priceData },
};

const webhook = {
  id: WEBHOOK_ID,
  url: "https://erp.example/hooks/kurant",
  events: ["price.changed"],
  enabled: true,
  createdAt: EVENING,
  updatedAt: EVENING,
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export const OPERATION_WORDS: Readonly<
  Record<string, { readonly summary: string; readonly ask?: unknown; readonly answer?: unknown }>
> = {
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
    answer: page({ index: 0, sku: "KS-300", id: PRODUCT_ID, outcome: "updated", error: null }),
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
      field: "Artikelnummer",
      code: "missing_sku",
      message: "The record has no SKU",
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
    answer: page({
      ok: true,
      status: "created",
      competitorProductId: LINK_ID,
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
      status: "waiting",
      expectedCents: 87_900,
      currency: "EUR",
      fetchedAt: NIGHT,
    }),
  },
  listProposals: { summary: "List proposed prices", answer: { ...page(proposal), total: 1 } },
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
  toggleRule: { summary: "Switch a rule on or off", answer: one({ ok: true, enabled: true }) },
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
      title: "Import products.csv failed",
      body: "Nothing of it was applied.",
      mail: "sent",
      createdAt: NIGHT,
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
