/**
 * A webhook is the address of a program that receives our events. The secret of the webhook signs
 * each event. Secrets are stored encrypted, and a secret is shown only once, in the answer to the
 * request that creates it. After a secret is replaced, events are signed with both secrets for
 * `overlapHours`, so that the receiver has time to take the new secret.
 */
import { z } from "@hono/zod-openapi";
import { PUBLIC_EVENT_TYPES } from "../platform/events/public_events.ts";
import type { StoredSecret } from "../platform/store/secret_store.ts";
import { defineTable, type Found } from "../platform/store/table.ts";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { Failure, requireById } from "../base/failure.ts";
import { requireUrl, type UrlLimits } from "../platform/fetch/fetch_limits.ts";
import { requireVersion, versionOf } from "../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { HOUR_MS } from "../base/time.ts";
import { transact } from "../platform/store/kv.ts";
import { randomBytes } from "node:crypto";
import { auditOf } from "../accounts/audit/audit.ts";

const URL_CHARACTERS_MAX = 2_048;
const ENABLED_DEFAULT = true;

const Events = z.array(z.enum(PUBLIC_EVENT_TYPES)).min(1, "Must name at least one event")
  .refine((events) => new Set(events).size === events.length, "Must not name an event twice")
  .meta({ uniqueItems: true });

const URL_WORDS = "The address that events are sent to";

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

export const WEBHOOK_READ_ONLY = ["id", "failingSince", "disabledAt", "createdAt", "updatedAt"];

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

export function signingFields({ previous }: StoredWebhook, now: Date): readonly string[] {
  const isOverlapping = previous !== undefined && Date.parse(previous.until) > now.getTime();
  return isOverlapping ? ["secret", "previous.secret"] : ["secret"];
}

export const SecretRotation = z.strictObject({
  overlapHours: z.int().min(0).max(168).default(24)
    .describe("Time in which each event is signed with both secrets"),
}).meta({ id: "WebhookSecretRotation" });

export type SecretRotation = z.infer<typeof SecretRotation>;

export const webhooks = defineTable<StoredWebhook, "id">({
  prefix: "wh",
  about: "webhook with its encrypted secret",
  key: { id: "id" },
  valueHasKey: true,
  sealed: ["secret", "previous.secret"],
  version: "whv",
});

const hostOf = ({ url }: StoredWebhook) => new URL(url).host;

export const webhookAudit = auditOf("webhook", hostOf, {
  shown: serialiseWebhook,
  hidden: ["updatedAt"],
});

export async function changeWebhook(
  ctx: Context,
  id: string,
  patch: WebhookPatch,
  { limits, expected }: {
    readonly limits: UrlLimits;
    readonly expected: string | null;
  },
): Promise<Webhook> {
  const value = await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    const { row: before } = found;
    requireVersion(expected, versionOf(serialiseWebhook(before), WEBHOOK_READ_ONLY));
    const enabled = patch.enabled === null ? ENABLED_DEFAULT : patch.enabled ?? before.enabled;
    const { url: sent, events = before.events } = patch;
    const url = sent === undefined ? before.url : requireUrl("url", sent, limits, URL_ERRORS);
    const isAnew = url !== before.url || (enabled && !before.enabled);
    const failingSince = isAnew ? null : before.failingSince;
    const disabledAt = enabled ? null : before.disabledAt;
    const merged = { ...before, events, enabled, url, failingSince, disabledAt };
    if (JSON.stringify(merged) === JSON.stringify(before)) return before;
    const after = { ...merged, updatedAt: ctx.now().toISOString() };
    webhooks.save(write, ctx, found, after);
    addAuditRow(write, ctx, webhookAudit("webhook.update", before, after));
    return after;
  });
  return serialiseWebhook(value);
}

export async function deleteWebhook(ctx: Context, id: string, expected: string | null = null) {
  await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    requireVersion(expected, versionOf(serialiseWebhook(found.row), WEBHOOK_READ_ONLY));
    webhooks.remove(write, ctx, found);
    addAuditRow(write, ctx, webhookAudit("webhook.delete", found.row, null));
  });
}

export async function requireWebhook(
  workspace: WorkspaceStore,
  id: string,
): Promise<Found<StoredWebhook>> {
  return await requireById("webhook", id, (id) => webhooks.find(workspace, { id }));
}

const URL_ERRORS = {
  malformed: "Must be a URL such as https://erp.example/hook",
  scheme: "Must begin with https:// or http://",
};

/** The number of webhooks is limited, because one commit adds deliveries for all of them. */
const WEBHOOKS_MAX = 20;
const SECRET_BYTES = 32;

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export async function rotateSecret(ctx: Context, id: string, { overlapHours }: SecretRotation) {
  return await transact(ctx, async (write) => {
    const found = await requireWebhook(ctx, id);
    const { previous: _, ...before } = found.row;
    const now = ctx.now();
    const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
    const secret = newSecret();
    const after: StoredWebhook = {
      ...before,
      secret: await webhooks.seal(ctx, { id }, "secret", secret),
      updatedAt: now.toISOString(),
      ...(overlapHours > 0 && { previous: { secret: await earlierSecret(ctx, before), until } }),
    };
    webhooks.save(write, ctx, found, after);
    addAuditRow(write, ctx, {
      action: "webhook.rotate",
      resource: { type: "webhook", id, label: hostOf(after) },
      after: { until },
    });
    ctx.receipt?.put(write, null);
    return { ...after, secret };
  });
}

async function earlierSecret(ctx: Context, before: StoredWebhook) {
  const secret = await webhooks.open(ctx, before, "secret");
  return await webhooks.seal(ctx, before, "previous.secret", secret);
}

/** The webhook receives only events that the outbox relays after the webhook's creation. */
export async function createWebhook(
  ctx: Context,
  { url, events, enabled }: NewWebhook,
  limits: UrlLimits,
) {
  const createdAt = ctx.now().toISOString();
  const id = ctx.newId();
  const secret = newSecret();
  const webhook: StoredWebhook = {
    id,
    url: requireUrl("url", url, limits, URL_ERRORS),
    events,
    enabled,
    failingSince: null,
    disabledAt: null,
    createdAt,
    updatedAt: createdAt,
    secret: await webhooks.seal(ctx, { id }, "secret", secret),
  };
  await transact(ctx, async (write) => {
    const version = await webhooks.version(ctx);
    if ((await webhooks.list(ctx)).length >= WEBHOOKS_MAX) {
      throw new Failure("conflict", `A workspace has at most ${WEBHOOKS_MAX} webhooks`);
    }
    webhooks.checkVersion(write, ctx, version);
    webhooks.put(write, ctx, webhook);
    addAuditRow(write, ctx, webhookAudit("webhook.create", null, webhook));
    // A GET of the webhook cannot repeat a lost answer, because it does not return the secret.
    ctx.receipt?.put(write, null);
  });
  return { ...webhook, secret };
}
