/** Routes for closed brakes (docs/decisions/rules.md). */
import { exponentOf } from "../../base/currency.ts";
import { type Columns, openListTable } from "../../catalogue/lists/list_file.ts";
import { type Amount, amountCell, momentCell } from "../../platform/tables/cell.ts";
import { manager, viewer } from "../../accounts/route_access.ts";
import { done, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import {
  BrakeDocument,
  BrakeFilter,
  BrakeQuery,
  BrakeRelease,
  pageOfBrakes,
  releaseBrake,
} from "./brakes.ts";

export function brakeRoutes() {
  return resource("/brakes", {
    look: { people: viewer },
    change: { people: manager },
    tags: ["Brakes"],
  })
    .list({
      query: BrakeQuery,
      answer: page(BrakeDocument, "Rules that make no cuts for a while, by when they may again", {
        inApp: "BrakePage",
      }),
    }, ({ ctx, query }) => pageOfBrakes(ctx, query))
    .files("", {
      tags: ["Brakes"],
      query: BrakeFilter,
      words: "Every brake that is closed and fits, by when it opens",
      open: (ctx, filter) =>
        openListTable("brakes", COLUMNS, (page) => pageOfBrakes(ctx, { ...filter, ...page })),
    })
    .post("/{productId}/{ruleId}/release", {
      sensitive: true,
      optionalBody: BrakeRelease,
      answer: done("The rule may cut the price again; it is asked at once"),
    }, async ({ ctx, productId, ruleId, body: { reason = null } }) => {
      await releaseBrake(ctx, productId, ruleId, reason);
    }).routes;
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
