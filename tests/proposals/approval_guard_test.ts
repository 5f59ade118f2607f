import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { blankProduct } from "../../src/catalogue/product.ts";
import { type Approval, objectionTo } from "../../src/proposals/approval_guard.ts";
import { openProposal } from "../../src/proposals/proposal.ts";

const now = new Date("2026-08-01T09:00:00Z");
const id = "0123456789abcdef01234567";
const product = {
  ...blankProduct({ id, sku: "A", title: "A", currency: "EUR", createdAt: now.toISOString() }),
  ourPriceCents: 10_000,
  costPriceCents: 8_100,
};
const approval: Approval = {
  proposal: openProposal({
    id,
    rule: { id, name: "R" },
    product,
    currentCents: 10_000,
    proposedCents: 9_000,
    reason: "",
    now,
  }),
  trace: null,
  product,
  offers: [],
  limits: { floorPct: 10, maxAgeHours: null },
  settings: { pricesIncludeVat: false, vatRatePct: null, autoApply: false },
  now,
};

const CASES: [string, Partial<Approval>, string | null][] = [
  ["nothing speaks against it, the margin at the floor included", {}, null],
  ["the rule is deleted", { limits: null }, "rule_deleted"],
  ["the price has moved", { product: { ...product, ourPriceCents: 9_999 } }, "price_changed"],
  ["the price is gone", { product: { ...product, ourPriceCents: null } }, "price_changed"],
  ["the currency is another", { product: { ...product, currency: "CHF" } }, "price_changed"],
  ["the price is locked", { product: { ...product, priceLocked: true } }, "price_locked"],
  ["the cost is gone", { product: { ...product, costPriceCents: null } }, "cost_unknown"],
  ["the cost has grown", { product: { ...product, costPriceCents: 8_101 } }, "margin_floor"],
  ["VAT is unknown", {
    settings: { pricesIncludeVat: true, vatRatePct: null, autoApply: false },
  }, "vat_unknown"],
  ["VAT is in the price", {
    settings: { pricesIncludeVat: true, vatRatePct: 19, autoApply: false },
  }, "margin_floor"],
  ["without a floor the cost says nothing", {
    limits: { floorPct: null, maxAgeHours: null },
    product: { ...product, costPriceCents: null },
  }, null],
];

for (const [name, changes, guard] of CASES) {
  Deno.test(`objectionTo(): ${name}`, () => {
    assertEquals(objectionTo({ ...approval, ...changes })?.guard ?? null, guard);
  });
}
