/**
 * Webhooks, the same on both interfaces (docs/decisions/identity.md): everybody sees them, managers
 * and keys that may write them make, change, try and remove them.
 */

import { keyWith, manager, viewer } from "../../accounts/route_access.ts";
import { isId } from "../../base/id.ts";
import type { UrlLimits } from "../../platform/fetch/address_guard.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { bothFaces, told, toldPage } from "../../platform/http/face.ts";
import {
  answerVersioned,
  dataPageOf,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  RemovedData,
  room,
  route,
} from "../../platform/http/http.ts";
import { openCursor, toPage } from "../../platform/http/page.ts";
import type { Context } from "../../platform/store/context.ts";
import { changeWebhook, createWebhook, deleteWebhook, requireWebhook } from "./change_webhook.ts";
import { Delivery, shownDelivery } from "./delivery.ts";
import { resendDelivery, testWebhook } from "./send_again.ts";
import { NewWebhook, shownWebhook, Webhook, WEBHOOK_READ_ONLY, WebhookPatch } from "./webhook.ts";
import { listDeliveries, listWebhooks } from "./webhook_store.ts";
import { z } from "@hono/zod-openapi";

/** Rules for the addresses of webhooks. */
export interface WebhookDeps {
  readonly limits: UrlLimits;
}

const params = z.object({ id: z.string() });
/** A page of webhooks or of their deliveries. */
const Query = z.strictObject(pageQuery(50, 200));
type Query = z.infer<typeof Query>;

/** The one answer with the secret. */
const CreatedWebhook = Webhook.extend({
  secret: z.string().meta({
    description: "Signs what is sent (Standard Webhooks, HMAC-SHA256); shown this once",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
}).meta({ id: "CreatedWebhook" });

const key = keyWith("webhooks:write");

const FACES = bothFaces({
  look: viewer,
  change: manager,
  created: CreatedWebhook,
  webhook: Webhook,
  webhooks: pageOf(Webhook).meta({ id: "WebhookPage" }),
  removed: Ok,
  delivery: Delivery,
  deliveries: pageOf(Delivery).meta({ id: "DeliveryPage" }),
}, {
  look: key,
  change: key,
  created: z.object({ data: CreatedWebhook }),
  webhook: z.object({ data: Webhook }).meta({ id: "WebhookData" }),
  webhooks: dataPageOf(Webhook),
  removed: RemovedData,
  delivery: z.object({ data: Delivery }).meta({ id: "DeliveryData" }),
  deliveries: dataPageOf(Delivery),
});

type WebhookFace = (typeof FACES)[number];

function declared({ base, look, change, created, removed, ...schemas }: WebhookFace) {
  const { webhook, webhooks, delivery, deliveries } = schemas;
  return {
    create: route({
      method: "post",
      path: `${base}/webhooks`,
      access: change,
      request: { body: jsonBody(ignoring(WEBHOOK_READ_ONLY, NewWebhook)) },
      responses: { 201: jsonAnswer(created, "The new webhook and its secret") },
    }),
    list: route({
      method: "get",
      path: `${base}/webhooks`,
      access: look,
      request: { query: Query },
      responses: { 200: jsonAnswer(webhooks, "One page by id") },
    }),
    read: route({
      method: "get",
      path: `${base}/webhooks/{id}`,
      access: look,
      request: { params },
      responses: { 200: jsonAnswer(webhook, "The webhook") },
    }),
    change: route({
      method: "patch",
      path: `${base}/webhooks/{id}`,
      access: change,
      versioned: true,
      request: { params, body: jsonBody(ignoring(WEBHOOK_READ_ONLY, WebhookPatch)) },
      responses: { 200: jsonAnswer(webhook, "The webhook as it is now") },
    }),
    remove: route({
      method: "delete",
      path: `${base}/webhooks/{id}`,
      access: change,
      versioned: true,
      request: { params },
      responses: { 200: jsonAnswer(removed, "Nothing is sent any more") },
    }),
    log: route({
      method: "get",
      path: `${base}/webhooks/{id}/deliveries`,
      access: look,
      request: { params, query: Query },
      responses: { 200: jsonAnswer(deliveries, "Newest first; kept for 30 days") },
    }),
    resend: route({
      method: "post",
      path: `${base}/webhooks/{id}/deliveries/{deliveryId}/resend`,
      access: change,
      request: { params: params.extend({ deliveryId: z.string() }) },
      responses: {
        202: jsonAnswer(delivery, "The delivery, queued again under the same webhook-id"),
      },
    }),
    test: route({
      method: "post",
      path: `${base}/webhooks/{id}/test`,
      access: change,
      request: { params },
      responses: { 202: jsonAnswer(delivery, "An event of the type `webhook.test`, tried once") },
    }),
  };
}

export function webhookRoutes(deps: WebhookDeps) {
  return FACES.map((face) => routesOf(face, deps));
}

function routesOf(face: WebhookFace, { limits }: WebhookDeps) {
  const { create, list, read, change, remove, log, resend, test } = declared(face);
  const answer = (c: AppContext, webhook: Webhook) =>
    answerVersioned(c, webhook, WEBHOOK_READ_ONLY, 200, {}, face.isEnveloped);
  return room()
    .openapi(create, async (c) => {
      const { secret, ...made } = await createWebhook(c.var.ctx, c.req.valid("json"), limits);
      const readOnly = [...WEBHOOK_READ_ONLY, "secret"];
      const headers = { Location: `${face.base}/webhooks/${made.id}` };
      return answerVersioned(c, { ...made, secret }, readOnly, 201, headers, face.isEnveloped);
    })
    .openapi(list, async (c) => {
      return c.json(toldPage(face, await pageOfWebhooks(c.var.ctx, c.req.valid("query"))), 200);
    })
    .openapi(read, async (c) => {
      const { webhook } = await requireWebhook(c.var.ctx, c.req.valid("param").id);
      return answer(c, shownWebhook(webhook));
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const options = { limits, expected: expectedVersions(c) };
      return answer(c, await changeWebhook(c.var.ctx, id, c.req.valid("json"), options));
    })
    .openapi(remove, async (c) => {
      const { id } = c.req.valid("param");
      await deleteWebhook(c.var.ctx, id, expectedVersions(c));
      return c.json(face.isEnveloped ? { data: { id } } : { ok: true as const }, 200);
    })
    .openapi(log, async (c) => {
      const { id } = c.req.valid("param");
      const page = await pageOfDeliveries(c.var.ctx, id, c.req.valid("query"));
      return c.json(toldPage(face, page), 200);
    })
    .openapi(resend, async (c) => {
      const { id, deliveryId } = c.req.valid("param");
      return c.json(told(face, await resendDelivery(c.var.ctx, id, deliveryId)), 202);
    })
    .openapi(test, async (c) => {
      return c.json(told(face, await testWebhook(c.var.ctx, c.req.valid("param").id)), 202);
    });
}

const LIST = "webhooks";

/** By id; they are few. */
async function pageOfWebhooks(ctx: Context, { limit, cursor }: Query) {
  const after = z.string().nullable().parse(openCursor(ctx, LIST, cursor));
  const rows = (await listWebhooks(ctx)).filter(({ id }) => after === null || id > after);
  const shown = rows.map(shownWebhook);
  return toPage(ctx, { list: LIST, rows: shown, limit, positionOf: ({ id }) => id });
}

/** The newest first. */
async function pageOfDeliveries(ctx: Context, webhookId: string, { limit, cursor }: Query) {
  await requireWebhook(ctx, webhookId);
  const listName = `deliveries ${webhookId}`;
  const position = z.string().nullable().parse(openCursor(ctx, listName, cursor));
  const before = position !== null && isId(position) ? position : null;
  const rows = await listDeliveries(ctx, webhookId, { before, limit: limit + 1 });
  const shown = rows.map(shownDelivery);
  return toPage(ctx, { list: listName, rows: shown, limit, positionOf: ({ id }) => id });
}
