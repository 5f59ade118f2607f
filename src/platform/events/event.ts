/**
 * Webhooks and `GET /events` deliver public events. A later version may add fields, but removes
 * none. Internal events stay within this service.
 */
import { SEVERITIES } from "../../base/codes.ts";
import type { BrokenBound } from "../../base/price_doubts.ts";
import { z } from "@hono/zod-openapi";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { PublicEventType } from "./public_events.ts";

export const SUGGESTED_TOGETHER_MAX = 20;

const id = z.string().meta({ example: "64f0c2a1e4b0a1b2c3d4e5f6" });
const cents = z.int().describe("Minor units of `currency`");
const ofProduct = { productId: id, sku: z.string() };

export const PUBLIC_EVENTS = {
  "rule.fired": z.object({
    ruleId: id,
    ...ofProduct,
    outcome: z.enum(["alert", "proposal", "applied", "none"])
      .describe("`none`: a guard has forbidden the price, and the rule has no alert"),
    severity: z.string().nullable().describe("Severity of the alert; null if there is none"),
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
    status: z.enum(["applied", "rejected", "expired", "superseded", "rolled_back"])
      .describe("What happened to the proposal"),
  }),
  "price.changed": z.object({
    changeId: id.describe("The `id` of the change in `price-changes`"),
    ...ofProduct,
    at: z.iso.datetime(),
    fromCents: cents.nullable(),
    toCents: cents.nullable(),
    currency: z.string(),
    source: z.enum(["api", "rule", "proposal", "rollback"]).describe("What changed the price"),
    ref: z.string().nullable().describe("The proposal or rule that caused the change"),
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
    source: z.enum(["scrape", "push"])
      .describe("`scrape`: the page was visited; `push`: a program sent the price"),
    observedAt: z.iso.datetime(),
  }),
  "import.finished": z.object({
    jobId: id,
    status: z.enum(["succeeded", "failed", "cancelled"]),
    hasErrors: z.boolean(),
    label: z.string().describe("Name of the file"),
    mode: z.string().describe("What the import was allowed to do"),
    stats: z.record(z.string(), z.int()).describe("Numbers of records by result"),
    errorCode: z.string().nullable(),
    undoes: id.nullable().optional()
      .describe("The import that this one undoes; null or absent: none"),
  }),
  "scrape_run.finished": z.object({
    runId: id,
    ...ofProduct,
    status: z.enum(["succeeded", "failed", "cancelled"]),
    hasErrors: z.boolean(),
    counts: z.record(z.string(), z.int()).describe("Numbers of pages by result"),
  }),
  "match.suggested": z.object({
    competitorId: id,
    competitor: z.string().describe("The competitor's display name"),
    suggestions: z.array(z.object({
      suggestionId: id.describe("The `id` of the suggestion"),
      ...ofProduct,
      verdict: z.enum(VERDICTS).describe("Whether the page shows our product"),
      score: z.number().describe("Probability that the titles name one article, from 0 to 1"),
    })).describe(`New suggestions of a batch, at most ${SUGGESTED_TOGETHER_MAX}`),
  }),
  "match.linked": z.object({
    competitorProductId: id,
    ...ofProduct,
    competitorId: id,
    competitor: z.string().describe("The competitor's display name"),
    url: z.string(),
    isAutomatic: z.boolean()
      .describe("True: discovery linked it automatically; false: a person or a key did"),
  }),
  "match.mismatch": z.object({
    competitorProductId: id,
    ...ofProduct,
    competitorId: id,
    competitor: z.string().describe("The competitor's display name"),
    url: z.string(),
    reasons: z.array(IdentityEvidence)
      .describe("Why the page shows another product, with the decisive reason first"),
    isFirstCheck: z.boolean().describe("True: this is the first check of an older link"),
  }),
  "alert.raised": z.object({
    alertId: id.describe("The alert"),
    severity: z.enum(SEVERITIES),
    code: z.string().nullable().describe("The `code` of the alert's `facts`"),
    ruleId: id.nullable().describe("Null if the service itself raised it"),
    productId: id.nullable(),
    title: z.string(),
  }),
} as const satisfies Record<PublicEventType, z.ZodObject>;

type PublicEvents = typeof PUBLIC_EVENTS;

export type PublicEvent = {
  [T in PublicEventType]: { readonly type: T; readonly data: z.infer<PublicEvents[T]> };
}[PublicEventType];

const TOUCH_CAUSES = [
  "write",
  "import",
  "push",
  "scrape_run",
  "match",
  "clock",
  "lapse",
  "rule",
  "schedule",
] as const;
export type TouchCause = (typeof TOUCH_CAUSES)[number];

interface InternalEvents {
  /** Products for which the rules must be evaluated again, for example because of a new price. */
  readonly "products.touched": {
    readonly cause: TouchCause;
    readonly ref: string | null;
    readonly productIds: readonly string[];
  };
  /** A domain has answered no fetch for 24 h; the event is published once per outage. */
  readonly "domain.failing": {
    readonly competitorId: string;
    readonly competitor: string;
    readonly domain: string;
    readonly since: string;
    readonly lastError: string | null;
  };
  readonly "domain.answering": { readonly domain: string };
  readonly "source.not_fetched": {
    readonly sourceId: string;
    readonly name: string;
    readonly errorCode: string;
    readonly message: string;
  };
  readonly "recipe.drifting": {
    readonly competitorId: string;
    readonly domain: string;
    readonly competitor: string;
  };
  readonly "discovery.fell_back": {
    readonly competitorId: string;
    readonly competitor: string;
    readonly takenBack: number;
    readonly of: number;
  };
  readonly "shop.held": {
    readonly competitorId: string;
    readonly competitor: string;
    readonly pattern: "down" | "up" | "same";
    readonly count: number;
    readonly seen: number;
    readonly priceCents: number | null;
    readonly currency: string | null;
  };
  readonly "price.out_of_bounds": {
    readonly productId: string;
    readonly sku: string;
    readonly title: string;
    readonly currency: string;
    readonly cents: number;
    readonly bound: BrokenBound["code"];
    readonly limitCents: number;
    readonly by: string;
  };
}

export type OutboxEvent =
  | PublicEvent
  | {
    [T in keyof InternalEvents]: { readonly type: T; readonly data: InternalEvents[T] };
  }[keyof InternalEvents];

export interface RelayedEvent {
  /** Derived from the outbox row, so that an event keeps its id in every attempt to relay it. */
  readonly eventId: string;
  readonly at: string;
  readonly stamp: string;
  /** A text by which events are sorted in the order of their publication. */
  readonly place: string;
  readonly event: OutboxEvent;
}

export function eventBody<Data>(type: string, timestamp: string, data: Data) {
  return { type, timestamp, data };
}

export function isPublicEvent(event: OutboxEvent): event is PublicEvent {
  return event.type in PUBLIC_EVENTS;
}
