import { HOUR_MS } from "../../src/base/time.ts";
import {
  foldTexts,
  NO_HISTORY,
  type Offer,
  type PricedProduct,
  type Situation,
} from "../../src/engine/pricing/situation.ts";
import { compileRules, type JudgedRule } from "../../src/engine/pricing/compile_rule.ts";
import { decideProduct } from "../../src/engine/pricing/decide.ts";
import { NewRule } from "../../src/engine/pricing/rule.ts";

/**
 * 100,000 products with 4 offers each and 10 rules make 1,000,000 decisions per pass, so the
 * milliseconds of a pass are the nanoseconds of a decision. Budget on two cores: 400 ns for a
 * decision that does not fire, including scope, references and offers.
 */
const PRODUCTS = 100_000;
const NOW_MS = Date.parse("2026-08-01T09:00:00Z");
const SETTINGS = {
  currency: "EUR",
  pricesIncludeVat: true,
  vatRatePct: 19,
  ownShippingCents: null,
  autoApply: false,
  stop: null,
};

function offersOf(index: number, ourPriceCents: number): Offer[] {
  return [4, 1, 3, 2].map((step) => ({
    matchId: `m${index}-${step}`,
    competitorId: `c${step}`,
    competitor: `Shop ${step}`,
    priceCents: ourPriceCents + step * 7,
    currency: "EUR",
    inStock: step !== 3,
    packFactor: 1,
    confidence: 0.9,
    observedAtMs: NOW_MS - step * HOUR_MS,
    previousPriceCents: null,
    priceSinceMs: NOW_MS - 100 * HOUR_MS,
    pricesIncludeVat: null,
    matchCreatedAtMs: NOW_MS - 1_000 * HOUR_MS,
  }));
}

function productOf(index: number): PricedProduct {
  const texts = { brand: `Brand ${index % 50}`, category: "Küche", tier: null, currency: "EUR" };
  return {
    id: String(index),
    sku: `SKU-${index}`,
    ...texts,
    folded: foldTexts(texts),
    ourPriceCents: 10_000 + index,
    costPriceCents: 6_000 + Math.floor(index / 2),
    targetPriceCents: null,
    minPriceCents: null,
    maxPriceCents: null,
    shippingCents: null,
    condition: null,
    vatRatePct: null,
    priceLocked: false,
    heldUntilMs: null,
    scrapeIntervalHours: 24,
  };
}

const situations: Situation[] = Array.from({ length: PRODUCTS }, (_, index) => {
  const product = productOf(index);
  return {
    product,
    offers: offersOf(index, product.ourPriceCents ?? 0),
    history: NO_HISTORY,
    settings: SETTINGS,
    nowMs: NOW_MS,
    mode: "live",
  };
});

function rulesOf(...terms: { readonly when: unknown; readonly scope?: unknown }[]): JudgedRule[] {
  return terms.map(({ when, scope }, index) => ({
    ...NewRule.parse({
      name: `Rule ${index}`,
      enabled: true,
      when,
      scope: scope ?? { mode: "all" },
      marginFloor: { pct: 10 },
      actions: [{ type: "propose_price", formula: "match_cheapest" }],
    }),
    id: index.toString(16).padStart(24, "0"),
    createdAt: "2026-01-01T00:00:00.000Z",
  }));
}

const brand = { mode: "attribute", matches: { brand: ["Brand 7", "Brand 8"] } };
const sleeping = rulesOf(
  { when: { trigger: "competitor_undercut" } },
  { when: { trigger: "competitor_undercut", competitorDeltaPct: 1.5, inStockOnly: false } },
  { when: { trigger: "competitor_undercut", reference: "second" }, scope: brand },
  { when: { trigger: "competitor_undercut", reference: "average", minCompetitors: 2 } },
  { when: { trigger: "competitor_overcut", competitorDeltaPct: 20 } },
  { when: { trigger: "margin_below", marginPct: 5 } },
  { when: { trigger: "margin_above", marginPct: 90 } },
  { when: { trigger: "market_index", indexAbove: 105, indexBelow: 80 } },
  { when: { trigger: "scrape_stale", staleHours: 72 } },
  { when: { trigger: "competitor_undercut", maxAgeHours: 6 }, scope: brand },
);
const elsewhere = sleeping.map((rule) => ({
  ...rule,
  scope: NewRule.shape.scope.parse({ mode: "attribute", matches: { brand: ["Bose", "Sony"] } }),
}));
const firing = rulesOf(
  ...Array.from({ length: 10 }, () => ({ when: { trigger: "competitor_overcut" } })),
);

function bench(name: string, rules: readonly JudgedRule[], each: (fired: number) => void): void {
  const compiled = compileRules(rules);
  Deno.bench(name, { n: 3, warmup: 1 }, () => {
    let fired = 0;
    for (const situation of situations) {
      fired += decideProduct(compiled, situation).decisions.length;
    }
    each(fired);
  });
}

function expect(wanted: number) {
  return (fired: number) => {
    if (fired !== wanted) throw new Error(`${fired} decisions fired, not ${wanted}`);
  };
}

bench("1,000,000 decisions out of scope", elsewhere, expect(0));
bench("1,000,000 decisions that do not fire", sleeping, expect(0));
bench("1,000,000 decisions that all fire", firing, expect(10 * PRODUCTS));
