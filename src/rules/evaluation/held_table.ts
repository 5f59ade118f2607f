import { exponentOf } from "../../base/currency.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  amountCell,
  codeCell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
import { type HeldPriceDocument, pageOfHeld, type QuarantineFilter } from "./quarantine.ts";

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
  // Another currency is told of by the price in the one before.
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

/** Every price that waits and fits, in the order of the list, and what the rules would make of it. */
export async function openHeldTable(
  ctx: Context,
  filter: QuarantineFilter,
): Promise<OutgoingTable> {
  return await openListTable(
    "quarantine",
    COLUMNS,
    (page) => pageOfHeld(ctx, { ...filter, ...page }),
  );
}
