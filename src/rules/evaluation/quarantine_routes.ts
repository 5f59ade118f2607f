/** Competitors' prices that look wrong and wait (docs/decisions/rules.md). */

import { listFiles, manager, viewer } from "../../accounts/route_access.ts";
import { exponentOf } from "../../base/currency.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../../platform/http/http.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  amountCell,
  codeCell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
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
import { z } from "@hono/zod-openapi";

const tags = ["Quarantine"];

const list = route({
  method: "get",
  path: "/api/quarantine",
  access: viewer,
  tags,
  request: { query: QuarantineQuery },
  responses: {
    200: jsonAnswer(
      pageOf(HeldPriceDocument).meta({ id: "HeldPricePage" }),
      "Prices that wait, the longest first, and what the rules would have made of them",
    ),
  },
});

const files = listFiles({
  path: "/api/quarantine",
  access: viewer,
  tags,
  query: QuarantineFilter,
  describes: "Every price that waits and fits, the longest first",
  open: openHeldTable,
});

const bulk = route({
  method: "post",
  path: "/api/quarantine/bulk",
  access: manager,
  tags,
  request: { body: jsonBody(QuarantineDecision) },
  responses: { 200: jsonAnswer(QuarantineOutcome, "What became of each") },
});

const shops = route({
  method: "get",
  path: "/api/quarantine/shops",
  access: viewer,
  tags,
  request: {},
  responses: { 200: jsonAnswer(HeldShops, "Competitors whose prices wait together, and why") },
});

const decide = route({
  method: "post",
  path: "/api/quarantine/shops/{competitorId}",
  access: manager,
  tags,
  request: {
    params: z.object({ competitorId: z.string() }),
    body: jsonBody(ShopDecision),
  },
  responses: { 200: jsonAnswer(ShopOutcome, "How many were decided on, and how many are left") },
});

export function quarantineRoutes() {
  return room()
    .openapi(shops, async (c) => c.json({ items: await listHeldShops(c.var.ctx) }, 200))
    .openapi(decide, async (c) => {
      const { competitorId } = c.req.valid("param");
      return c.json(await decideShop(c.var.ctx, competitorId, c.req.valid("json")), 200);
    })
    .openapi(list, async (c) => c.json(await pageOfHeld(c.var.ctx, c.req.valid("query")), 200))
    .route("/", files)
    .openapi(bulk, async (c) => c.json(await decideHeld(c.var.ctx, c.req.valid("json")), 200));
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
