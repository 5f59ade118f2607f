import { z } from "zod";

const cents = z.int().nullable();

/**
 * What an alert tells of, for programs: who shows it in another language words it anew from these.
 * Additions only.
 */
export const AlertFacts = z.discriminatedUnion("code", [
  z.object({
    code: z.literal("rule_fired"),
    ruleName: z.string(),
    sku: z.string(),
    productTitle: z.string(),
    trigger: z.string(),
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
    code: z.enum(["import_failed", "import_held"]),
    label: z.string(),
    jobId: z.string(),
    errorCode: z.string().nullable(),
  }),
  z.object({ code: z.literal("hold_switched_on"), movePct: z.number(), sharePct: z.number() }),
  z.object({ code: z.literal("import_overdue"), hours: z.number(), lastAt: z.iso.datetime() }),
  z.object({
    code: z.literal("domain_failing"),
    domain: z.string(),
    since: z.iso.datetime(),
    lastError: z.string().nullable(),
  }),
  z.object({
    code: z.literal("webhook_disabled"),
    host: z.string(),
    since: z.iso.datetime().nullable(),
  }),
]);

export type AlertFacts = z.infer<typeof AlertFacts>;
