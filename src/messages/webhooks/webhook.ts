import { z } from "@hono/zod-openapi";
import { PUBLIC_EVENT_TYPES } from "../../platform/events/public_events.ts";
import type { StoredSecret } from "../../platform/store/sealed_fields.ts";

const URL_CHARACTERS_MAX = 2_048;
export const ENABLED_DEFAULT = true;

const Events = z.array(z.enum(PUBLIC_EVENT_TYPES)).min(1, "Must name at least one event")
  .refine((events) => new Set(events).size === events.length, "Must not name an event twice")
  .meta({ uniqueItems: true });

const URL_WORDS = "The address that events are sent to";

/** The URL is checked later by `requireUrl`. */
export const NewWebhook = z.strictObject({
  url: z.string().max(URL_CHARACTERS_MAX).meta({
    description: URL_WORDS,
    example: "https://erp.example/hooks/kurant",
  }),
  events: Events,
  enabled: z.boolean().default(ENABLED_DEFAULT),
}).meta({ id: "NewWebhook" });

export type NewWebhook = z.infer<typeof NewWebhook>;

/** Absent fields keep their values; null resets a field to its default (docs/decisions/http.md). */
export const WebhookPatch = z.strictObject({
  url: z.string().max(URL_CHARACTERS_MAX).optional().describe(URL_WORDS),
  events: Events.optional(),
  enabled: z.boolean().nullish(),
}).meta({ id: "WebhookPatch" });

export type WebhookPatch = z.infer<typeof WebhookPatch>;

/** Fields that only the service writes. */
export const WEBHOOK_READ_ONLY = ["id", "failingSince", "disabledAt", "createdAt", "updatedAt"];

/** An external receiver of events (docs/decisions/identity.md, Webhooks). */
export const Webhook = z.object({
  id: z.string(),
  url: z.string().describe(URL_WORDS),
  events: z.array(z.string()),
  enabled: z.boolean(),
  failingSince: z.iso.datetime().nullable().describe(
    "Nothing has arrived since this time; after three days, the next delivery that is given " +
      "up disables the webhook",
  ),
  disabledAt: z.iso.datetime().nullable().describe(
    "When the service disabled it because of failures; null: never, or a person disabled it",
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}).meta({ id: "Webhook" });

export type Webhook = z.infer<typeof Webhook>;

export interface StoredWebhook extends Webhook {
  readonly secret: StoredSecret;
  /** The previous secret, which also signs events until the time `until`. */
  readonly previous?: { readonly secret: StoredSecret; readonly until: string };
}

export function serialiseWebhook(
  { secret: _, previous: _previous, ...webhook }: StoredWebhook,
): Webhook {
  return webhook;
}

/** Names of the fields whose secrets sign an event. The current secret comes first. */
export function signingFields({ previous }: StoredWebhook, now: Date): readonly string[] {
  const isOverlapping = previous !== undefined && Date.parse(previous.until) > now.getTime();
  return isOverlapping ? ["secret", "previous.secret"] : ["secret"];
}

export const SecretRotation = z.strictObject({
  overlapHours: z.int().min(0).max(168).default(24)
    .describe("Time in which each event is signed with both secrets"),
}).meta({ id: "WebhookSecretRotation" });

export type SecretRotation = z.infer<typeof SecretRotation>;
