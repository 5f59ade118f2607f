import { z } from "@hono/zod-openapi";
import type { PublicEventType } from "./public_events.ts";

const id = z.string().meta({ example: "64f0c2a1e4b0a1b2c3d4e5f6" });
const cents = z.int().meta({ description: "Minor units of `currency`" });
const ofProduct = { productId: id, sku: z.string() };

/** Type and `data` of each event that webhooks can be subscribed to. */
export const PUBLIC_EVENTS = {
  "rule.fired": z.object({
    ruleId: id,
    ...ofProduct,
    outcome: z.enum(["alert", "proposal", "applied", "none"]).meta({
      description: "`none` when a guard has forbidden the price of a rule that only makes a price",
    }),
    severity: z.string().nullable(),
    proposalId: id.nullable(),
    reason: z.string(),
  }),
  "proposal.created": z.object({
    proposalId: id,
    ruleId: id,
    ...ofProduct,
    currentCents: cents,
    proposedCents: cents,
    currency: z.string(),
  }),
  "proposal.decided": z.object({
    proposalId: id,
    ruleId: id,
    ...ofProduct,
    status: z.enum(["applied", "rejected", "expired", "superseded", "rolled_back"]),
  }),
  "price.changed": z.object({
    ...ofProduct,
    at: z.iso.datetime(),
    fromCents: cents.nullable(),
    toCents: cents.nullable(),
    currency: z.string(),
    source: z.enum(["api", "rule", "proposal", "rollback"]),
    ref: z.string().nullable().meta({ description: "The proposal or rule behind it" }),
  }),
  "observation.changed": z.object({
    observationId: id,
    ...ofProduct,
    competitorProductId: id,
    competitorId: id,
    price: cents,
    previousPrice: cents.nullable(),
    currency: z.string(),
    inStock: z.boolean().nullable(),
    previousInStock: z.boolean().nullable(),
    source: z.enum(["scrape", "push"]),
    observedAt: z.iso.datetime(),
  }),
  "import.finished": z.object({
    jobId: id,
    status: z.enum(["succeeded", "failed", "cancelled"]),
    hasErrors: z.boolean(),
    label: z.string().meta({ description: "Name of the file" }),
    mode: z.string(),
    stats: z.record(z.string(), z.int()),
    errorCode: z.string().nullable(),
  }),
  "scrape_run.finished": z.object({
    runId: id,
    ...ofProduct,
    status: z.enum(["succeeded", "failed", "cancelled"]),
    hasErrors: z.boolean(),
    counts: z.record(z.string(), z.int()),
  }),
} as const satisfies Record<PublicEventType, z.ZodObject>;

type PublicEvents = typeof PUBLIC_EVENTS;

/** What webhooks may hear of. */
export type PublicEvent = {
  [T in PublicEventType]: { readonly type: T; readonly data: z.infer<PublicEvents[T]> };
}[PublicEventType];

/** Why products are to be judged anew; `ref` in the event is the job, run or request behind it. */
export const TOUCH_CAUSES = ["write", "import", "push", "scrape_run", "match", "clock"] as const;
export type TouchCause = (typeof TOUCH_CAUSES)[number];

/**
 * Products whose price, cost, references or existence changed. Any number of ids: `announce` cuts.
 */
export interface ProductsTouched {
  readonly type: "products.touched";
  readonly data: {
    readonly cause: TouchCause;
    readonly ref: string | null;
    readonly productIds: readonly string[];
  };
}

/**
 * A domain that answered no fetch for 24 h (docs/decisions/scraping.md). Announced once per
 * failure.
 */
export interface DomainFailing {
  readonly type: "domain.failing";
  readonly data: {
    readonly domain: string;
    readonly since: string;
    readonly lastError: string | null;
  };
}

/** Everything that a commit may announce: what is only for rooms of this service included. */
export type NewsEvent = PublicEvent | ProductsTouched | DomainFailing;

/** True for what may leave the service. */
export function isPublicEvent(event: NewsEvent): event is PublicEvent {
  return event.type in PUBLIC_EVENTS;
}
