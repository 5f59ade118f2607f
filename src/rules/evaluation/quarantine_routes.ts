/** Routes for competitors' prices in quarantine (docs/decisions/rules.md). */
import { exponentOf } from "../../base/money.ts";
import { type Columns, openListTable } from "../../catalogue/lists/list_file.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { amountCell, momentCell } from "../../platform/tables/cell.ts";
import { manager, viewer } from "../../accounts/route_access.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import {
  decideHeld,
  decideShop,
  HeldPriceDocument,
  HeldShops,
  listHeldShops,
  pageOfHeld,
  QuarantineDecision,
  QuarantineFilter,
  QuarantineOutcome,
  QuarantineQuery,
  ShopDecision,
  ShopOutcome,
} from "./quarantine.ts";

export function quarantineRoutes() {
  return resource("/quarantine", {
    look: { people: viewer },
    change: { people: manager },
    tags: ["Quarantine"],
  })
    .get("/shops", {
      answer: one(HeldShops, "Competitors whose prices wait together, and why"),
    }, async ({ ctx }) => ({ items: await listHeldShops(ctx) }))
    .post("/shops/{competitorId}", {
      body: ShopDecision,
      answer: one(ShopOutcome, "How many were decided on, and how many are left"),
    }, ({ ctx, competitorId, body }) => decideShop(ctx, competitorId, body))
    .list({
      query: QuarantineQuery,
      answer: page(
        HeldPriceDocument,
        "Prices that wait, the longest first, and what the rules would have made of them",
        { inApp: "HeldPricePage" },
      ),
    }, ({ ctx, query }) => pageOfHeld(ctx, query))
    .files("", {
      tags: ["Quarantine"],
      query: QuarantineFilter,
      words: "Every price that waits and fits, the longest first",
      open: (ctx, filter) =>
        openListTable("quarantine", COLUMNS, (page) => pageOfHeld(ctx, { ...filter, ...page })),
    })
    .post("/bulk", {
      body: QuarantineDecision,
      answer: one(QuarantineOutcome, "What became of each"),
    }, ({ ctx, body }) => decideHeld(ctx, body)).routes;
}

const COLUMNS: Columns<HeldPriceDocument> = {
  heldAt: ({ heldAt }) => momentCell(heldAt),
  observedAt: ({ observedAt }) => momentCell(observedAt),
  sku: ({ sku }) => sku,
  title: ({ title }) => title,
  competitor: ({ competitor }) => competitor,
  seen: ({ price, currency }) => amountCell(price, exponentOf(currency)),
  currency: ({ currency }) => currency,
  inStock: ({ inStock }) => inStock,
  accepted: ({ acceptedPrice, acceptedCurrency, currency }) =>
    amountCell(acceptedPrice, exponentOf(acceptedCurrency ?? currency)),
  acceptedCurrency: ({ acceptedCurrency }) => acceptedCurrency,
  code: ({ code }) => codeCell("suspicions", code),
  // If the currency changed, the compared price is in the previous currency.
  against: ({ against, code, currency, acceptedCurrency }) =>
    amountCell(against, exponentOf((code === "currency" ? acceptedCurrency : null) ?? currency)),
  rule: ({ would }) => would?.ruleName ?? null,
  outcome: ({ would }) => codeCell("decisionOutcomes", would?.outcome ?? null),
  current: ({ would }) => would && amountCell(would.currentCents, exponentOf(would.currency)),
  proposed: ({ would }) => would && amountCell(would.proposedCents, exponentOf(would.currency)),
  ruleId: ({ would }) => would?.ruleId ?? null,
  productId: ({ productId }) => productId,
  competitorId: ({ competitorId }) => competitorId,
  competitorProductId: ({ competitorProductId }) => competitorProductId,
  id: ({ id }) => id,
};
