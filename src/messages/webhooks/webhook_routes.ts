import { keyWith, manager, viewer } from "../../accounts/route_access.ts";
import { isId } from "../../base/id.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import { pageQuery } from "../../platform/http/http.ts";
import { one, page, removed, versioned } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requireWebhook,
  rotateSecret,
} from "./change_webhook.ts";
import { Delivery, serialiseDelivery } from "./delivery.ts";
import { resendDelivery, testWebhook } from "./queue_delivery.ts";
import {
  NewWebhook,
  SecretRotation,
  serialiseWebhook,
  Webhook,
  WEBHOOK_READ_ONLY,
  WebhookPatch,
} from "./webhook.ts";
import { deliveries, webhooks } from "./webhook_store.ts";
import { z } from "@hono/zod-openapi";

export interface WebhookDeps {
  readonly limits: UrlLimits;
}

const Query = z.strictObject(pageQuery(50, 200));
type Query = z.infer<typeof Query>;

const CreatedWebhook = Webhook.extend({
  secret: z.string().meta({
    description: "The secret that signs events (Standard Webhooks, HMAC-SHA256); shown only once",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
}).meta({ id: "CreatedWebhook" });

const RotatedSecret = z.object({
  id: z.string().describe("Id of the webhook"),
  secret: CreatedWebhook.shape.secret,
  previousUntil: z.iso.datetime().nullable()
    .describe("Events are also signed with the old secret until this time; null: no longer"),
}).meta({ id: "RotatedWebhookSecret" });

const answer = (words: string) => versioned(Webhook, words, { external: "WebhookData" });
const delivery = (words: string) => one(Delivery, words, { external: "DeliveryData" });

export function webhookRoutes({ limits }: WebhookDeps) {
  const keys = keyWith("webhooks:write");
  return resource("/webhooks", {
    look: { people: viewer, keys },
    change: { people: manager, keys },
    readOnly: WEBHOOK_READ_ONLY,
  })
    .create({
      sensitive: true,
      body: NewWebhook,
      answer: versioned(CreatedWebhook, "The new webhook and its secret", {
        readOnly: [...WEBHOOK_READ_ONLY, "secret"],
      }),
    }, async ({ ctx, body }) => {
      const { secret, ...made } = await createWebhook(ctx, body, limits);
      return { ...made, secret };
    })
    .list({
      query: Query,
      answer: page(Webhook, "One page in the order of ids", { inApp: "WebhookPage" }),
    }, ({ ctx, query }) => pageOfWebhooks(ctx, query))
    .read({ answer: answer("The webhook") }, async ({ ctx, id }) => {
      return serialiseWebhook((await requireWebhook(ctx, id)).row);
    })
    .change(
      { sensitive: true, body: WebhookPatch, answer: answer("The changed webhook") },
      ({ ctx, id, body, expected }) => changeWebhook(ctx, id, body, { limits, expected }),
    )
    .remove({ answer: removed("The webhook was deleted") }, async ({ ctx, id, expected }) => {
      await deleteWebhook(ctx, id, expected);
    })
    .post("/{id}/rotate", {
      sensitive: true,
      optionalBody: SecretRotation,
      answer: one(RotatedSecret, "The new secret"),
      status: 201,
    }, async ({ ctx, id, body }) => {
      const { secret, previous } = await rotateSecret(ctx, id, body);
      return { id, secret, previousUntil: previous?.until ?? null };
    })
    .get("/{id}/deliveries", {
      query: Query,
      answer: page(Delivery, "Newest first; kept for 30 days", { inApp: "DeliveryPage" }),
    }, ({ ctx, id, query }) => pageOfDeliveries(ctx, id, query))
    .post("/{id}/deliveries/{deliveryId}/resend", {
      answer: delivery("The delivery, queued again under the same webhook-id"),
      status: 202,
    }, ({ ctx, id, deliveryId }) => resendDelivery(ctx, id, deliveryId))
    .post("/{id}/test", {
      answer: delivery("An event of the type `webhook.test`, tried once"),
      status: 202,
    }, ({ ctx, id }) => testWebhook(ctx, id)).routes;
}

const LIST = "webhooks";

/** In memory, because a workspace has few webhooks. */
async function pageOfWebhooks(ctx: Context, { limit, cursor }: Query) {
  const after = z.string().nullable().parse(openCursor(ctx, LIST, cursor));
  const rows = (await webhooks.list(ctx)).filter(({ row: { id } }) => after === null || id > after);
  const shown = rows.map(({ row }) => serialiseWebhook(row));
  return toPage(ctx, { list: LIST, rows: shown, limit, positionOf: ({ id }) => id });
}

async function pageOfDeliveries(ctx: Context, webhookId: string, { limit, cursor }: Query) {
  await requireWebhook(ctx, webhookId);
  const listName = `deliveries ${webhookId}`;
  const position = z.string().nullable().parse(openCursor(ctx, listName, cursor));
  const after = position !== null && isId(position) ? { id: position } : null;
  const page = { within: { webhookId }, after, order: "desc", limit: limit + 1 } as const;
  const shown = (await deliveries.list(ctx, page)).map(({ row }) => serialiseDelivery(row));
  return toPage(ctx, { list: listName, rows: shown, limit, positionOf: ({ id }) => id });
}
