/** Example documents of the public API (`/api/public/v1`), for its OpenAPI document. */

export const PRODUCT_ID = "64f0c2a1e4b0a1b2c3d4e5f6";
export const SHOP_ID = "64f0c2a1e4b0a1b2c3d4e5f7";
export const LINK_ID = "64f0c2a1e4b0a1b2c3d4e5f8";
export const RULE_ID = "64f0c2a1e4b0a1b2c3d4e5f9";
export const PROPOSAL_ID = "64f0c2a1e4b0a1b2c3d4e5fa";
export const JOB_ID = "64f0c2a1e4b0a1b2c3d4e5fb";
export const WEBHOOK_ID = "64f0c2a1e4b0a1b2c3d4e5fc";
const CHANGE_ID = "64f0c2a1e4b0a1b2c3d4e5fd";
const EVENING = "2026-03-01T18:00:00.000Z";
export const NIGHT = "2026-03-02T02:15:00.000Z";
export const MORNING = "2026-03-02T08:30:00.000Z";
export const NEXT = "iyPgE1ljKk6GcPHoA2iTz1swXQ";

export const ofProduct = { productId: PRODUCT_ID, sku: "KS-300" };
const ofShop = { competitorId: SHOP_ID, competitor: "Acme" };
export const url = "https://acme.example/p/ks-300";

export const one = (data: unknown) => ({ data });
export const page = (...data: readonly unknown[]) => ({
  data,
  count: data.length,
});
export const whole = (...data: readonly unknown[]) => ({ data, count: data.length });

export const product = {
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

export const market = {
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

export const singleProduct = {
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

export const importJob = {
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

export const importResult = {
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

export const source = {
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

export const newShop = { domain: "acme.example", displayName: "Acme", country: "DE" };
export const shop = {
  id: SHOP_ID,
  ...newShop,
  enabled: true,
  colour: 1,
  createdAt: EVENING,
  updatedAt: EVENING,
  trackedProducts: 1,
  health: { ok24h: 24, failed24h: 0, downSince: null, lastError: null, due: 0, perDayMax: 43_200 },
};

export const newRule = {
  name: "As the cheapest",
  when: { trigger: "competitor_undercut", competitorDeltaPct: 1 },
  scope: { mode: "all" },
  marginFloor: { pct: 10 },
  actions: [{ type: "propose_price", formula: "match_cheapest" }],
};

export const proposal = {
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
export const applied = { ...proposal, status: "applied", appliedCents: 87_900, decidedAt: MORNING };

export const observation = {
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

export const priceChange = {
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
export const event = {
  id: "64f0c2a1e4b0a1b2c3d4e5fe",
  type: "price.changed",
  timestamp: MORNING,
  data: { changeId: CHANGE_ID, ...priceData },
};

export const webhook = {
  id: WEBHOOK_ID,
  url: "https://erp.example/hooks/kurant",
  events: ["price.changed"],
  enabled: true,
  createdAt: EVENING,
  updatedAt: EVENING,
};
export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
