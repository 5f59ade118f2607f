/** Competitors' prices that look wrong and wait (docs/decisions/rules.md). */

import { listFiles, manager, viewer } from "../../accounts/route_access.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../../platform/http/http.ts";
import { openHeldTable } from "./held_table.ts";
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
