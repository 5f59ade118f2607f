/**
 * Webhooks (docs/decisions/identity.md): everybody sees them, managers make, change, try and remove
 * them.
 */
import { z } from "@hono/zod-openapi";
import { isId } from "../base/id.ts";
import type { UrlLimits } from "../platform/fetch/address_guard.ts";
import type { Context } from "../platform/store/context.ts";
import {
  answerVersioned,
  expectedVersions,
  ignoring,
  jsonAnswer,
  jsonBody,
  Ok,
  pageOf,
  pageQuery,
  room,
  route,
} from "../platform/http/http.ts";
import { openCursor, toPage } from "../platform/http/page.ts";
import { changeWebhook, deleteWebhook } from "./change_webhook.ts";
import { createWebhook } from "./create_webhook.ts";
import { Delivery, shownDelivery } from "./delivery.ts";
import { requireWebhook } from "./require_webhook.ts";
import { resendDelivery, testWebhook } from "./send_again.ts";
import { NewWebhook, shownWebhook, Webhook, WEBHOOK_READ_ONLY, WebhookPatch } from "./webhook.ts";
import { listDeliveries, listWebhooks } from "./webhook_store.ts";
import { manager, viewer } from "../identity/route_access.ts";

/** Where webhooks may lead. */
export interface WebhookDeps {
  readonly limits: UrlLimits;
}

const Path = z.object({ id: z.string() });
/** A page of webhooks or of their deliveries. */
export const WebhookPageQuery = z.strictObject(pageQuery(50, 200));
type Query = z.infer<typeof WebhookPageQuery>;

/** The one answer with the secret. */
export const CreatedWebhook = Webhook.extend({
  secret: z.string().meta({
    description: "Signs what is sent (Standard Webhooks, HMAC-SHA256); shown this once",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  }),
}).meta({ id: "CreatedWebhook" });

const create = route({
  method: "post",
  path: "/api/webhooks",
  access: manager,
  request: { body: jsonBody(ignoring(WEBHOOK_READ_ONLY, NewWebhook)) },
  responses: { 201: jsonAnswer(CreatedWebhook, "The new webhook and its secret") },
});

const list = route({
  method: "get",
  path: "/api/webhooks",
  access: viewer,
  request: { query: WebhookPageQuery },
  responses: { 200: jsonAnswer(pageOf(Webhook).meta({ id: "WebhookPage" }), "One page by id") },
});

const read = route({
  method: "get",
  path: "/api/webhooks/{id}",
  access: viewer,
  request: { params: Path },
  responses: { 200: jsonAnswer(Webhook, "The webhook") },
});

const change = route({
  method: "patch",
  path: "/api/webhooks/{id}",
  access: manager,
  versioned: true,
  request: { params: Path, body: jsonBody(ignoring(WEBHOOK_READ_ONLY, WebhookPatch)) },
  responses: { 200: jsonAnswer(Webhook, "The webhook as it is now") },
});

const remove = route({
  method: "delete",
  path: "/api/webhooks/{id}",
  access: manager,
  versioned: true,
  request: { params: Path },
  responses: { 200: jsonAnswer(Ok, "Nothing is sent any more") },
});

const log = route({
  method: "get",
  path: "/api/webhooks/{id}/deliveries",
  access: viewer,
  request: { params: Path, query: WebhookPageQuery },
  responses: {
    200: jsonAnswer(
      pageOf(Delivery).meta({ id: "DeliveryPage" }),
      "Newest first; kept for 30 days",
    ),
  },
});

const resend = route({
  method: "post",
  path: "/api/webhooks/{id}/deliveries/{deliveryId}/resend",
  access: manager,
  request: { params: Path.extend({ deliveryId: z.string() }) },
  responses: { 202: jsonAnswer(Delivery, "The delivery, queued again under the same webhook-id") },
});

const test = route({
  method: "post",
  path: "/api/webhooks/{id}/test",
  access: manager,
  request: { params: Path },
  responses: { 202: jsonAnswer(Delivery, "An event of the type `webhook.test`, tried once") },
});

export function webhookRoutes({ limits }: WebhookDeps) {
  return room()
    .openapi(create, async (c) => {
      const { secret, ...made } = await createWebhook(c.var.ctx, c.req.valid("json"), limits);
      const headers = { Location: `/api/webhooks/${made.id}` };
      return answerVersioned(
        c,
        { ...made, secret },
        [...WEBHOOK_READ_ONLY, "secret"],
        201,
        headers,
      );
    })
    .openapi(list, async (c) => c.json(await pageOfWebhooks(c.var.ctx, c.req.valid("query")), 200))
    .openapi(read, async (c) => {
      const { webhook } = await requireWebhook(c.var.ctx, c.req.valid("param").id);
      return answerVersioned(c, shownWebhook(webhook), WEBHOOK_READ_ONLY);
    })
    .openapi(change, async (c) => {
      const { id } = c.req.valid("param");
      const options = { limits, expected: expectedVersions(c) };
      const changed = await changeWebhook(c.var.ctx, id, c.req.valid("json"), options);
      return answerVersioned(c, changed, WEBHOOK_READ_ONLY);
    })
    .openapi(remove, async (c) => {
      await deleteWebhook(c.var.ctx, c.req.valid("param").id, expectedVersions(c));
      return c.json({ ok: true as const }, 200);
    })
    .openapi(log, async (c) => {
      const { id } = c.req.valid("param");
      return c.json(await pageOfDeliveries(c.var.ctx, id, c.req.valid("query")), 200);
    })
    .openapi(resend, async (c) => {
      const { id, deliveryId } = c.req.valid("param");
      const queued = await resendDelivery(c.var.ctx, id, deliveryId);
      return c.json(queued, 202);
    })
    .openapi(test, async (c) => {
      const queued = await testWebhook(c.var.ctx, c.req.valid("param").id);
      return c.json(queued, 202);
    });
}

const LIST = "webhooks";

/** By id; they are few. */
export async function pageOfWebhooks(ctx: Context, { limit, cursor }: Query) {
  const after = z.string().nullable().parse(openCursor(ctx, LIST, cursor));
  const rows = (await listWebhooks(ctx)).filter(({ id }) => after === null || id > after);
  const shown = rows.map(shownWebhook);
  return toPage(ctx, { list: LIST, rows: shown, limit, positionOf: ({ id }) => id });
}

/** The newest first. */
export async function pageOfDeliveries(ctx: Context, webhookId: string, { limit, cursor }: Query) {
  await requireWebhook(ctx, webhookId);
  const listName = `deliveries ${webhookId}`;
  const position = z.string().nullable().parse(openCursor(ctx, listName, cursor));
  const before = position !== null && isId(position) ? position : null;
  const rows = await listDeliveries(ctx, webhookId, { before, limit: limit + 1 });
  const shown = rows.map(shownDelivery);
  return toPage(ctx, { list: listName, rows: shown, limit, positionOf: ({ id }) => id });
}
