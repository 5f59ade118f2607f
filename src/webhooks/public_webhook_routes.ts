/** Webhooks on the external interface: those of the app, for keys that may write them (docs/decisions/identity.md). */
import { z } from "@hono/zod-openapi";
import {
  answerVersioned,
  dataPageOf,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  RemovedData,
  room,
  route,
} from "../platform/http/http.ts";
import { changeWebhook, deleteWebhook } from "./change_webhook.ts";
import { createWebhook } from "./create_webhook.ts";
import { Delivery } from "./delivery.ts";
import { requireWebhook } from "./require_webhook.ts";
import { resendDelivery, testWebhook } from "./send_again.ts";
import { NewWebhook, shownWebhook, Webhook, WEBHOOK_READ_ONLY, WebhookPatch } from "./webhook.ts";
import {
  CreatedWebhook,
  pageOfDeliveries,
  pageOfWebhooks,
  type WebhookDeps,
  WebhookPageQuery,
} from "./webhook_routes.ts";

const BASE = "/api/public/v1/webhooks";
const access = { by: "key", scopes: ["webhooks:write"] } as const;
const params = z.object({ id: z.string() });
const Data = z.object({ data: Webhook }).meta({ id: "WebhookData" });

const create = route({
  method: "post",
  path: "/api/public/v1/webhooks",
  access,
  request: { body: jsonBody(ignoring(WEBHOOK_READ_ONLY, NewWebhook)) },
  responses: {
    201: jsonAnswer(z.object({ data: CreatedWebhook }), "The new webhook and its secret"),
  },
});

const list = route({
  method: "get",
  path: "/api/public/v1/webhooks",
  access,
  request: { query: WebhookPageQuery },
  responses: { 200: jsonAnswer(dataPageOf(Webhook), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/public/v1/webhooks/{id}",
  access,
  request: { params },
  responses: { 200: jsonAnswer(Data, "The webhook") },
});

const change = route({
  method: "patch",
  path: "/api/public/v1/webhooks/{id}",
  access,
  versioned: true,
  request: { params, body: jsonBody(ignoring(WEBHOOK_READ_ONLY, WebhookPatch)) },
  responses: { 200: jsonAnswer(Data, "The webhook as it is now") },
});

const remove = route({
  method: "delete",
  path: "/api/public/v1/webhooks/{id}",
  access,
  versioned: true,
  request: { params },
  responses: {
    200: jsonAnswer(RemovedData, "Nothing is sent any more"),
  },
});

const log = route({
  method: "get",
  path: "/api/public/v1/webhooks/{id}/deliveries",
  access,
  request: { params, query: WebhookPageQuery },
  responses: { 200: jsonAnswer(dataPageOf(Delivery), "Newest first; kept for 30 days") },
});

const DeliveryData = z.object({ data: Delivery }).meta({ id: "DeliveryData" });

const resend = route({
  method: "post",
  path: "/api/public/v1/webhooks/{id}/deliveries/{deliveryId}/resend",
  access,
  request: { params: params.extend({ deliveryId: z.string() }) },
  responses: {
    202: jsonAnswer(DeliveryData, "The delivery, queued again under the same webhook-id"),
  },
});

const test = route({
  method: "post",
  path: "/api/public/v1/webhooks/{id}/test",
  access,
  request: { params },
  responses: { 202: jsonAnswer(DeliveryData, "An event of the type `webhook.test`, tried once") },
});

/** For keys that may write webhooks. */
export function publicWebhookRoutes({ limits }: Pick<WebhookDeps, "limits">) {
  return room()
    .openapi(create, async (c) => {
      const { secret, ...made } = await createWebhook(c.var.ctx, c.req.valid("json"), limits);
      const readOnly = [...WEBHOOK_READ_ONLY, "secret"];
      const headers = { Location: `${BASE}/${made.id}` };
      return answerVersioned(c, { ...made, secret }, readOnly, 201, headers, true);
    })
    .openapi(list, async (c) => {
      const { items, ...page } = await pageOfWebhooks(c.var.ctx, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(read, async (c) => {
      const { webhook } = await requireWebhook(c.var.ctx, c.req.valid("param").id);
      return answerVersioned(c, shownWebhook(webhook), WEBHOOK_READ_ONLY, 200, {}, true);
    })
    .openapi(change, async (c) => {
      const options = { limits, expected: expectedVersions(c) };
      const { id } = c.req.valid("param");
      const changed = await changeWebhook(c.var.ctx, id, c.req.valid("json"), options);
      return answerVersioned(c, changed, WEBHOOK_READ_ONLY, 200, {}, true);
    })
    .openapi(remove, async (c) => {
      const { id } = c.req.valid("param");
      await deleteWebhook(c.var.ctx, id, expectedVersions(c));
      return c.json({ data: { id } }, 200);
    })
    .openapi(log, async (c) => {
      const { id } = c.req.valid("param");
      const { items, ...page } = await pageOfDeliveries(c.var.ctx, id, c.req.valid("query"));
      return c.json({ data: items, ...page }, 200);
    })
    .openapi(resend, async (c) => {
      const { id, deliveryId } = c.req.valid("param");
      return c.json({ data: await resendDelivery(c.var.ctx, id, deliveryId) }, 202);
    })
    .openapi(test, async (c) => {
      return c.json({ data: await testWebhook(c.var.ctx, c.req.valid("param").id) }, 202);
    });
}
