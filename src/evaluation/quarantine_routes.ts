/** Competitors' prices that look wrong and wait (docs/decisions/rules.md). */
import { answerCsv, answerWorkbook } from "../identity/answer_table.ts";
import { manager, viewer } from "../identity/route_access.ts";
import { jsonAnswer, jsonBody, pageOf, room, route } from "../platform/http/http.ts";
import { fileRoutes } from "../platform/http/list_file.ts";
import { openHeldTable } from "./held_table.ts";
import {
  decideHeld,
  HeldPriceDocument,
  pageOfHeld,
  QuarantineDecision,
  QuarantineFilter,
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

const files = fileRoutes({
  path: "/api/quarantine",
  access: viewer,
  tags,
  query: QuarantineFilter,
  describes: "Every price that waits, the longest first",
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
    .openapi(files.csv, async (c) => {
      return answerCsv(await openHeldTable(c.var.ctx), c.req.valid("query"));
    })
    .openapi(files.xlsx, async (c) => {
      const { lang } = c.req.valid("query");
      return await answerWorkbook(c.var.ctx, await openHeldTable(c.var.ctx), lang);
    })
    .openapi(bulk, async (c) => c.json(await decideHeld(c.var.ctx, c.req.valid("json")), 200));
}
