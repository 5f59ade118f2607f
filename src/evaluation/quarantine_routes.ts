/** Competitors' prices that look wrong and wait (docs/decisions/rules.md). */
import { manager, viewer } from "../identity/route_access.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import {
  decideHeld,
  HeldPriceDocument,
  pageOfHeld,
  QuarantineDecision,
  QuarantineOutcome,
  QuarantineQuery,
} from "./quarantine.ts";

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

const bulk = route({
  method: "post",
  path: "/api/quarantine/bulk",
  access: manager,
  tags,
  request: { body: jsonBody(QuarantineDecision) },
  responses: { 200: jsonAnswer(QuarantineOutcome, "What became of each") },
});

export function quarantineRoutes() {
  return room()
    .openapi(list, async (c) => c.json(await pageOfHeld(c.var.ctx, c.req.valid("query")), 200))
    .openapi(bulk, async (c) => c.json(await decideHeld(c.var.ctx, c.req.valid("json")), 200));
}
