/**
 * The facts of each kind of alert: the values from which the text of an alert is built. Stored
 * alerts may come from earlier versions, so never remove a field, and make a new field optional.
 */
import { z } from "zod";
import { BROKEN_BOUNDS } from "../../base/price_doubts.ts";

const cents = z.int().nullable();

export const AlertFacts = z.discriminatedUnion("code", [
  z.object({
    code: z.literal("rule_fired"),
    ruleName: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    trigger: z.string().describe("The trigger of the rule"),
    outcome: z.enum(["rest", "alert", "propose", "apply"]),
    currency: z.string(),
    currentCents: cents,
    proposedCents: cents,
    marginPct: z.number().nullable(),
    competitor: z.string().nullable().describe("The competitor whose price was compared with ours"),
    competitorCents: cents.describe("Per piece, with or without VAT like our price"),
    guard: z.string().nullable().describe("The guard that forbade, raised or held the price"),
  }),
  z.object({
    code: z.literal("brake_closed"),
    ruleName: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    competitor: z.string().nullable().describe("The competitor whose cuts ours followed"),
    cuts: z.int().describe("Number of automatic cuts by the rule"),
    currency: z.string(),
    fromCents: z.int().describe("Our price before the first cut"),
    toCents: z.int().describe("Our price after the last cut"),
    until: z.iso.datetime().describe("The rule makes no cuts until this time"),
  }),
  z.object({
    code: z.enum(["import_failed", "import_held"]),
    label: z.string(),
    jobId: z.string(),
    errorCode: z.string().nullable(),
  }),
  z.object({
    code: z.literal("price_out_of_bounds"),
    sku: z.string(),
    productTitle: z.string(),
    currency: z.string(),
    cents: z.int().describe("The price that was set, in minor units"),
    bound: z.enum(BROKEN_BOUNDS).describe("The bound of the product"),
    limitCents: z.int().describe("The amount of the bound"),
    by: z.string().describe("The API key that set the price"),
  }),
  z.object({
    code: z.literal("import_out_of_bounds"),
    label: z.string(),
    jobId: z.string(),
    count: z.int().describe("Number of prices outside the bounds of their products"),
  }),
  z.object({ code: z.literal("hold_switched_on"), movePct: z.number(), sharePct: z.number() }),
  z.object({
    code: z.literal("import_overdue"),
    hours: z.number().describe("Hours without an import"),
    lastAt: z.iso.datetime(),
  }),
  z.object({
    code: z.literal("prices_not_arrived"),
    count: z.int().describe("Number of prices that have not arrived"),
    expected: z.int().describe("Number of prices that were expected"),
  }),
  z.object({
    code: z.literal("not_fetched"),
    sourceId: z.string(),
    name: z.string().describe("The name of the source"),
    errorCode: z.string(),
    message: z.string(),
  }),
  z.object({
    code: z.literal("source_silent"),
    sourceId: z.string(),
    name: z.string().describe("The name of the source"),
    expectedAt: z.iso.datetime(),
    lastAt: z.iso.datetime().nullable(),
  }),
  z.object({
    code: z.literal("domain_failing"),
    competitorId: z.string().optional().describe("Absent in older alerts"),
    competitor: z.string().optional().describe("The name of the shop; absent in older alerts"),
    domain: z.string(),
    since: z.iso.datetime().describe("The first failed fetch after the last successful one"),
    lastError: z.string().nullable(),
  }),
  z.object({
    code: z.literal("recipe_drifting"),
    competitorId: z.string(),
    domain: z.string(),
    competitor: z.string().describe("The name of the shop"),
  }),
  z.object({
    code: z.literal("shop_held"),
    competitorId: z.string(),
    competitor: z.string().describe("The name of the shop"),
    pattern: z.enum(["down", "up", "same"])
      .describe("The direction of its prices; `same`: all prices became equal"),
    count: z.int().describe("Number of products concerned"),
    seen: z.int().describe("Number of products that were observed"),
    priceCents: cents.describe("The common price; null for `down` and `up`"),
    currency: z.string().nullable(),
  }),
  z.object({
    code: z.literal("discovery_fell_back"),
    competitorId: z.string(),
    competitor: z.string().describe("The name of the shop"),
    takenBack: z.int().describe("Number of automatic links that people have undone"),
    of: z.int().describe("Number of recent automatic links"),
  }),
  z.object({
    code: z.literal("other_product"),
    competitorProductId: z.string(),
    competitorId: z.string(),
    competitor: z.string().describe("The name of the shop"),
    url: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    reason: z.object({
      code: z.string().describe("What was compared, and the result"),
      ours: z.string().nullable().describe("Our value; null: none"),
      theirs: z.string().nullable().describe("The page's value; null: none"),
    }).nullable().describe("The decisive reason"),
  }),
  z.object({
    code: z.literal("other_products"),
    count: z.int().describe("Number of links"),
    shops: z.int().describe("Number of competitors"),
    since: z.iso.datetime().describe("When the first one was seen"),
  }),
  z.object({
    code: z.literal("webhook_disabled"),
    host: z.string(),
    since: z.iso.datetime().nullable(),
  }),
]);

export type AlertFacts = z.infer<typeof AlertFacts>;
