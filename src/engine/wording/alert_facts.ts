import { z } from "zod";
import { BROKEN_BOUNDS } from "../../base/price_doubts.ts";

const cents = z.int().nullable();

/** Facts of an alert for programs, from which its text is made in any language. Additions only. */
export const AlertFacts = z.discriminatedUnion("code", [
  z.object({
    code: z.literal("rule_fired"),
    ruleName: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    trigger: z.string().meta({ description: "The trigger of the rule" }),
    outcome: z.enum(["rest", "alert", "propose", "apply"]),
    currency: z.string(),
    currentCents: cents,
    proposedCents: cents,
    marginPct: z.number().nullable(),
    competitor: z.string().nullable().meta({ description: "Whose price was compared with" }),
    competitorCents: cents.meta({ description: "Per piece of ours, on our side of VAT" }),
    guard: z.string().nullable().meta({ description: "What forbade, lifted or held the price" }),
  }),
  z.object({
    code: z.literal("brake_closed"),
    ruleName: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    competitor: z.string().nullable().meta({ description: "Whose cuts ours answered" }),
    cuts: z.int().meta({ description: "How many cuts the rule made by itself" }),
    currency: z.string(),
    fromCents: z.int().meta({ description: "Before the first of them" }),
    toCents: z.int().meta({ description: "After the last" }),
    until: z.iso.datetime().meta({ description: "The rule makes no cut until then" }),
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
    cents: z.int().meta({ description: "The price that was set, in minor units" }),
    bound: z.enum(BROKEN_BOUNDS).meta({ description: "Which bound of the product" }),
    limitCents: z.int().meta({ description: "The bound that the price is beyond" }),
    by: z.string().meta({ description: "The key that has set it" }),
  }),
  z.object({
    code: z.literal("import_out_of_bounds"),
    label: z.string(),
    jobId: z.string(),
    count: z.int().meta({ description: "How many prices are beyond bounds of their products" }),
  }),
  z.object({ code: z.literal("hold_switched_on"), movePct: z.number(), sharePct: z.number() }),
  z.object({
    code: z.literal("import_overdue"),
    hours: z.number().meta({ description: "After so many hours without an import" }),
    lastAt: z.iso.datetime(),
  }),
  z.object({
    code: z.literal("prices_not_arrived"),
    count: z.int().meta({ description: "How many prices have not arrived" }),
    expected: z.int().meta({ description: "Of so many that were awaited" }),
  }),
  z.object({
    code: z.literal("not_fetched"),
    sourceId: z.string(),
    name: z.string().meta({ description: "What people call the source" }),
    errorCode: z.string(),
    message: z.string(),
  }),
  z.object({
    code: z.literal("source_silent"),
    sourceId: z.string(),
    name: z.string().meta({ description: "What people call the source" }),
    expectedAt: z.iso.datetime(),
    lastAt: z.iso.datetime().nullable(),
  }),
  z.object({
    code: z.literal("domain_failing"),
    domain: z.string(),
    since: z.iso.datetime(),
    lastError: z.string().nullable(),
  }),
  z.object({
    code: z.literal("recipe_drifting"),
    competitorId: z.string(),
    domain: z.string(),
    competitor: z.string().meta({ description: "What people call the shop" }),
  }),
  z.object({
    code: z.literal("shop_held"),
    competitorId: z.string(),
    competitor: z.string().meta({ description: "What people call the shop" }),
    pattern: z.enum(["down", "up", "same"]).meta({
      description: "The way that its prices jumped; `same`: they became one and the same",
    }),
    count: z.int().meta({ description: "How many products" }),
    seen: z.int().meta({ description: "Of so many that were seen" }),
    priceCents: cents.meta({ description: "The price that they all got; null for jumps" }),
    currency: z.string().nullable(),
  }),
  z.object({
    code: z.literal("discovery_fell_back"),
    competitorId: z.string(),
    competitor: z.string().meta({ description: "What people call the shop" }),
    takenBack: z.int().meta({ description: "How many automatic links people took back" }),
    of: z.int().meta({ description: "Of so many that were made last" }),
  }),
  z.object({
    code: z.literal("other_product"),
    competitorProductId: z.string(),
    competitorId: z.string(),
    competitor: z.string().meta({ description: "What people call the shop" }),
    url: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    reason: z.object({
      code: z.string().meta({ description: "What was compared, and how it came out" }),
      ours: z.string().nullable().meta({ description: "What we have; null: nothing" }),
      theirs: z.string().nullable().meta({ description: "What the page has; null: nothing" }),
    }).nullable().meta({ description: "What decided it" }),
  }),
  z.object({
    code: z.literal("other_products"),
    count: z.int().meta({ description: "How many links" }),
    shops: z.int().meta({ description: "At how many competitors" }),
    since: z.iso.datetime().meta({ description: "When the first of them was seen" }),
  }),
  z.object({
    code: z.literal("webhook_disabled"),
    host: z.string(),
    since: z.iso.datetime().nullable(),
  }),
]);

export type AlertFacts = z.infer<typeof AlertFacts>;
