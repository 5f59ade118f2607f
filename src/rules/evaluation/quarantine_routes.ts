/** Routes for suspicious prices of competitors, in quarantine (docs/decisions/rules.md). */
import { exponentOf } from "../../base/money.ts";
import { type Columns, fields, moments, openListTable } from "../../catalogue/lists/list_file.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { amountCell } from "../../platform/tables/cell.ts";
import { manager, viewer } from "../../accounts/roles.ts";
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
    read: { people: viewer },
    change: { people: manager },
    tags: ["Quarantine"],
  })
    .get("/shops", {
      answer: one(HeldShops, "Competitors with prices that are held because of a pattern"),
    }, async ({ ctx }) => ({ items: await listHeldShops(ctx) }))
    .post("/shops/{competitorId}", {
      body: ShopDecision,
      answer: one(ShopOutcome, "Numbers of decided prices and of prices that are still held"),
    }, ({ ctx, competitorId, body }) => decideShop(ctx, competitorId, body))
    .list({
      query: QuarantineQuery,
      answer: page(
        HeldPriceDocument,
        "Held prices, the longest wait first, with the decisions that accepting would cause",
        { inApp: "HeldPricePage" },
      ),
    }, ({ ctx, query }) => pageOfHeld(ctx, query))
    .files("", {
      tags: ["Quarantine"],
      query: QuarantineFilter,
      words: "All matching held prices, the longest wait first",
      open: (ctx, filter) =>
        openListTable("quarantine", COLUMNS, (page) => pageOfHeld(ctx, { ...filter, ...page })),
    })
    .post("/bulk", {
      body: QuarantineDecision,
      answer: one(QuarantineOutcome, "The result for each price"),
    }, ({ ctx, body }) => decideHeld(ctx, body)).routes;
}

const COLUMNS: Columns<HeldPriceDocument> = {
  ...moments("heldAt", "observedAt"),
  ...fields("sku", "title", "competitor"),
  seen: ({ price, currency }) => amountCell(price, exponentOf(currency)),
  ...fields("currency", "inStock"),
  accepted: ({ acceptedPrice, acceptedCurrency, currency }) =>
    amountCell(acceptedPrice, exponentOf(acceptedCurrency ?? currency)),
  acceptedCurrency: ({ acceptedCurrency }) => acceptedCurrency,
  code: ({ code }) => codeCell("suspicions", code),
  against: ({ against, code, currency, acceptedCurrency }) =>
    amountCell(against, exponentOf((code === "currency" ? acceptedCurrency : null) ?? currency)),
  rule: ({ would }) => would?.ruleName ?? null,
  outcome: ({ would }) => codeCell("decisionOutcomes", would?.outcome ?? null),
  current: ({ would }) => would && amountCell(would.currentCents, exponentOf(would.currency)),
  proposed: ({ would }) => would && amountCell(would.proposedCents, exponentOf(would.currency)),
  ruleId: ({ would }) => would?.ruleId ?? null,
  ...fields("productId", "competitorId", "competitorProductId", "id"),
};
