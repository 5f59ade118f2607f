import type { BrokenBound } from "../../base/price_doubts.ts";
import { z } from "@hono/zod-openapi";
import { IdentityEvidence, VERDICTS } from "../../engine/matching/identity_codes.ts";
import type { PublicEventType } from "./public_events.ts";

/** New suggestions that one event reports. */
export const SUGGESTED_TOGETHER_MAX = 20;

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
    severity: z.string().nullable().meta({ description: "Of the alert; null without one" }),
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
    status: z.enum(["applied", "rejected", "expired", "superseded", "rolled_back"]).meta({
      description: "What became of it",
    }),
  }),
  "price.changed": z.object({
    ...ofProduct,
    at: z.iso.datetime(),
    fromCents: cents.nullable(),
    toCents: cents.nullable(),
    currency: z.string(),
    source: z.enum(["api", "rule", "proposal", "rollback"]).meta({
      description: "What changed the price",
    }),
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
    source: z.enum(["scrape", "push"]).meta({
      description: "Whether the page was visited, or a program told of it",
    }),
    observedAt: z.iso.datetime(),
  }),
  "import.finished": z.object({
    jobId: id,
    status: z.enum(["succeeded", "failed", "cancelled"]),
    hasErrors: z.boolean(),
    label: z.string().meta({ description: "Name of the file" }),
    mode: z.string().meta({ description: "What the import could do" }),
    stats: z.record(z.string(), z.int()).meta({
      description: "How many records, and what came of them",
    }),
    errorCode: z.string().nullable(),
    undoes: id.nullable().optional().meta({
      description: "The import that this one takes back; null, or absent in earlier ones: none",
    }),
  }),
  "scrape_run.finished": z.object({
    runId: id,
    ...ofProduct,
    status: z.enum(["succeeded", "failed", "cancelled"]),
    hasErrors: z.boolean(),
    counts: z.record(z.string(), z.int()).meta({
      description: "How many pages, and what came of them",
    }),
  }),
  "match.suggested": z.object({
    competitorId: id,
    competitor: z.string().meta({ description: "The competitor's display name" }),
    suggestions: z.array(z.object({
      suggestionId: id.meta({ description: "The `id` of the suggestion" }),
      ...ofProduct,
      verdict: z.enum(VERDICTS).meta({ description: "Whether the page shows our product" }),
      score: z.number().meta({
        description: "How likely the titles name one article, from 0 to 1",
      }),
    })).meta({ description: `New ones of a batch, ${SUGGESTED_TOGETHER_MAX} at most` }),
  }),
  "match.linked": z.object({
    competitorProductId: id,
    ...ofProduct,
    competitorId: id,
    competitor: z.string().meta({ description: "The competitor's display name" }),
    url: z.string(),
    isAutomatic: z.boolean().meta({
      description: "True: discovery linked it by itself; false: a person or a key did",
    }),
  }),
  "match.mismatch": z.object({
    competitorProductId: id,
    ...ofProduct,
    competitorId: id,
    competitor: z.string().meta({ description: "The competitor's display name" }),
    url: z.string(),
    reasons: z.array(IdentityEvidence).meta({
      description: "Why the page shows another product, the deciding one first",
    }),
    isFirstCheck: z.boolean().meta({
      description: "True: pages of before are looked at in this way for the first time",
    }),
  }),
} as const satisfies Record<PublicEventType, z.ZodObject>;

type PublicEvents = typeof PUBLIC_EVENTS;

export type PublicEvent = {
  [T in PublicEventType]: { readonly type: T; readonly data: z.infer<PublicEvents[T]> };
}[PublicEventType];

/** Causes of judging products again; `ref` in the event is the job, run, rule or request. */
export const TOUCH_CAUSES = [
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

/** The `data` of events for rooms of this service alone. */
interface InternalEvents {
  /** Products whose price, cost, references or existence changed. Any number of ids: `publish` cuts. */
  readonly "products.touched": {
    readonly cause: TouchCause;
    readonly ref: string | null;
    readonly productIds: readonly string[];
  };
  /** A domain answered no fetch for 24 h (docs/decisions/scraping.md). Announced once per failure. */
  readonly "domain.failing": {
    readonly domain: string;
    readonly since: string;
    readonly lastError: string | null;
  };
  /** The file of an import source could not be fetched, with all repetitions; once until it works again. */
  readonly "source.not_fetched": {
    readonly sourceId: string;
    readonly name: string;
    readonly errorCode: string;
    readonly message: string;
  };
  /** A shop seems to show its prices elsewhere than its recipe says. Announced once a day at most. */
  readonly "recipe.drifting": {
    readonly competitorId: string;
    readonly domain: string;
    readonly competitor: string;
  };
  /** People took back what discovery had linked by itself at a shop: it suggests again. */
  readonly "discovery.fell_back": {
    readonly competitorId: string;
    readonly competitor: string;
    /** So many links were rejected or deleted … */
    readonly takenBack: number;
    /** … of so many that were made last. */
    readonly of: number;
  };
  /** Too many prices of a shop jumped one way, or became one, and wait. Announced once in a while. */
  readonly "shop.held": {
    readonly competitorId: string;
    readonly competitor: string;
    readonly pattern: "down" | "up" | "same";
    /** So many products … */
    readonly count: number;
    /** … of so many that were seen. */
    readonly seen: number;
    /** The price that they all got; null for jumps. */
    readonly priceCents: number | null;
    readonly currency: string | null;
  };
  /** A key has set an own price beyond a bound of its product. */
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

/** True for what may leave the service. */
export function isPublicEvent(event: OutboxEvent): event is PublicEvent {
  return event.type in PUBLIC_EVENTS;
}
