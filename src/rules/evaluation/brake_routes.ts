/** Brakes that hold cuts back (docs/decisions/rules.md). */

import { listFiles, manager, viewer } from "../../accounts/route_access.ts";
import { exponentOf } from "../../base/currency.ts";
import { jsonAnswer, Ok, optionalJsonBody, pageOf, room, route } from "../../platform/http/http.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  type Amount,
  amountCell,
  momentCell,
  type OutgoingTable,
} from "../../platform/tables/cell.ts";
import {
  BrakeDocument,
  BrakeFilter,
  BrakeQuery,
  BrakeRelease,
  pageOfBrakes,
  releaseBrake,
} from "./brakes.ts";
import { z } from "@hono/zod-openapi";

const tags = ["Brakes"];

const list = route({
  method: "get",
  path: "/api/brakes",
  access: viewer,
  tags,
  request: { query: BrakeQuery },
  responses: {
    200: jsonAnswer(
      pageOf(BrakeDocument).meta({ id: "BrakePage" }),
      "Rules that make no cuts for a while, by when they may again",
    ),
  },
});

const files = listFiles({
  path: "/api/brakes",
  access: viewer,
  tags,
  query: BrakeFilter,
  describes: "Every brake that is closed and fits, by when it opens",
  open: openBrakeTable,
});

const release = route({
  method: "post",
  path: "/api/brakes/{productId}/{ruleId}/release",
  access: manager,
  tags,
  request: {
    params: z.object({ productId: z.string(), ruleId: z.string() }),
    body: optionalJsonBody(BrakeRelease),
  },
  responses: { 200: jsonAnswer(Ok, "The rule may cut the price again; it is asked at once") },
});

export function brakeRoutes() {
  return room()
    .openapi(list, async (c) => c.json(await pageOfBrakes(c.var.ctx, c.req.valid("query")), 200))
    .route("/", files)
    .openapi(release, async (c) => {
      const { productId, ruleId } = c.req.valid("param");
      const { reason = null } = c.req.valid("json");
      await releaseBrake(c.var.ctx, productId, ruleId, reason);
      return c.json({ ok: true as const }, 200);
    });
}

const COLUMNS: Columns<BrakeDocument> = {
  sku: ({ sku }) => sku,
  title: ({ title }) => title,
  rule: ({ ruleName }) => ruleName,
  competitor: ({ war }) => war?.competitor ?? null,
  cuts: ({ cuts }) => cuts.length,
  firstCutAt: ({ cuts }) => momentCell(cuts[0]?.at ?? null),
  before: (brake) => amountOf(brake, brake.cuts[0]?.fromCents),
  after: (brake) => amountOf(brake, brake.cuts.at(-1)?.toCents),
  reference: (brake) => amountOf(brake, brake.cuts.at(-1)?.referenceCents),
  currency: ({ currency }) => currency,
  closedAt: ({ closedAt }) => momentCell(closedAt),
  until: ({ until }) => momentCell(until),
  competitorId: ({ war }) => war?.competitorId ?? null,
  productId: ({ productId }) => productId,
  ruleId: ({ ruleId }) => ruleId,
};

function amountOf({ currency }: BrakeDocument, cents: number | null | undefined): Amount | null {
  return amountCell(cents ?? null, exponentOf(currency));
}

/** Every brake that is closed and fits, in the order of the list. */
export async function openBrakeTable(ctx: Context, filter: BrakeFilter): Promise<OutgoingTable> {
  return await openListTable(
    "brakes",
    COLUMNS,
    (page) => pageOfBrakes(ctx, { ...filter, ...page }),
  );
}
