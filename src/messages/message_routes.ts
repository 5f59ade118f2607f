/** Declares the routes of alerts, webhooks and past events (docs/decisions/jobs.md, Events). */
import { requireWorkspace } from "../accounts/workspace.ts";
import { alertText } from "../engine/wording/alert_text.ts";
import { type Audience, audienceOf } from "../engine/wording/show.ts";
import { type Columns, fields, openListTable } from "../catalogue/lists/list_file.ts";
import type { Context } from "../platform/store/context.ts";
import { codeCell, storedCodeCell } from "../engine/wording/code_words.ts";
import { momentCell, type OutgoingTable } from "../platform/tables/cell.ts";
import { z } from "@hono/zod-openapi";
import { Ok, openCursor, pageById, pageQuery, toPage } from "../platform/http/http.ts";
import { one, page, removed, versioned } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { findUser } from "../accounts/users/user.ts";
import { Alert, alerts } from "./alert_store.ts";
import {
  AlertCauses,
  AlertFilter,
  AlertQuery,
  CauseRequest,
  choicesOf,
  chooseMail,
  MailChoiceItem,
  MailChoiceList,
  pageOfAlerts,
  readAlert,
  readAllAlerts,
  readCause,
  readCauses,
  snoozeCause,
  SnoozeRequest,
} from "./read_alerts.ts";
import { type MailTestDeps, MailTestResult, sendTestMail } from "./send_mails.ts";
import { keyWith, manager, owner, viewer } from "../accounts/roles.ts";
import type { UrlLimits } from "../platform/fetch/fetch_limits.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  NewWebhook,
  requireWebhook,
  rotateSecret,
  SecretRotation,
  serialiseWebhook,
  Webhook,
  WEBHOOK_READ_ONLY,
  WebhookPatch,
  webhooks,
} from "./webhook.ts";
import { deliveries, Delivery, serialiseDelivery } from "./delivery_store.ts";
import { resendDelivery, testWebhook } from "./deliver.ts";
import { refuseFields } from "../base/failure.ts";
import { DAY_MS, parseBound } from "../base/time.ts";
import { EVENT_DAYS, type LogPlace, walkEvents } from "../platform/events/outbox_store.ts";
import { firstOf } from "../base/collections.ts";

const UnreadCount = z.object({ count: z.int().describe("Number of unread alerts") });

const ReadCount = Ok.extend({ count: z.int().describe("Number of alerts that were unread") });

export function alertRoutes(deps: MailTestDeps) {
  const inbox = resource("/alerts", { read: { people: viewer }, change: { people: manager } })
    .list({
      callers: { people: viewer, keys: keyWith("alerts:read") },
      query: AlertQuery,
      answer: page(Alert, "One page in the order of ids", { inApp: "AlertPage" }),
    }, ({ ctx, query }) => pageOfAlerts(ctx, query))
    .files("", {
      query: AlertFilter,
      words: "All matching alerts, in the order of the list and the language of the workspace",
      open: openAlertTable,
    })
    .get("/unread-count", {
      answer: one(UnreadCount, "The number of unread alerts"),
    }, async ({ ctx }) => ({ count: await alerts.count(ctx, "unread") }))
    .get("/causes", {
      answer: one(AlertCauses, "The unread alerts by cause, with the person's snoozes"),
    }, ({ ctx }) => readCauses(ctx))
    .post("/causes/snooze", {
      callers: { people: viewer },
      body: SnoozeRequest,
      answer: one(AlertCauses, "The causes as they are now"),
    }, async ({ ctx, body }) => {
      await snoozeCause(ctx, body);
      return await readCauses(ctx);
    })
    .post("/causes/read", {
      body: CauseRequest,
      answer: one(ReadCount, "The number of alerts that were unread"),
    }, async ({ ctx, body }) => ({ ok: true as const, count: await readCause(ctx, body) }))
    .get("/mail-choices", {
      answer: one(MailChoiceList, "How the person learns of each kind of cause"),
    }, ({ ctx }) => readChoices(ctx))
    .put("/mail-choices", {
      callers: { people: viewer },
      body: MailChoiceItem,
      answer: one(MailChoiceList, "The choices as they are now"),
    }, async ({ ctx, body }) => {
      await chooseMail(ctx, body);
      return await readChoices(ctx);
    })
    .post("/{id}/read", {
      answer: one(Alert, "The alert, marked as read"),
    }, ({ ctx, id }) => readAlert(ctx, id))
    .post("/read-all", {
      answer: one(ReadCount, "The number of alerts that were unread"),
    }, async ({ ctx }) => ({ ok: true as const, count: await readAllAlerts(ctx) }));
  const settings = resource("/settings", { read: {}, change: { people: owner } })
    .post("/mail-test", {
      waitsForOthers: true,
      answer: one(MailTestResult, "The answer of the SMTP server"),
    }, ({ ctx }) => sendTestMail(ctx, deps));
  return [...inbox.routes, ...settings.routes];
}

async function readChoices(ctx: Context) {
  const items = await choicesOf(ctx, ctx.actor.id);
  return { items, email: (await findUser(ctx, ctx.actor.id))?.row.email ?? "" };
}

async function openAlertTable(ctx: Context, filter: AlertFilter): Promise<OutgoingTable> {
  const columns = columnsFor(audienceOf(await requireWorkspace(ctx)));
  return await openListTable(
    "alerts",
    columns,
    (page) => pageOfAlerts(ctx, { ...filter, ...page }),
  );
}

function columnsFor(to: Audience): Columns<Alert> {
  return {
    createdAt: ({ createdAt }) => momentCell(createdAt),
    severity: ({ severity }) => storedCodeCell("severities", severity),
    title: (alert) => alertText(to, alert).title,
    body: (alert) => alertText(to, alert).body,
    readAt: ({ readAt }) => momentCell(readAt),
    mail: ({ mail }) => codeCell("mails", mail),
    ...fields("ruleId", "productId", "id"),
  };
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

export function webhookRoutes({ limits }: { readonly limits: UrlLimits }) {
  const keys = keyWith("webhooks:write");
  return resource("/webhooks", {
    read: { people: viewer, keys },
    change: { people: manager, keys },
    readOnly: WEBHOOK_READ_ONLY,
  })
    .create({
      sensitive: true,
      body: NewWebhook,
      answer: versioned(CreatedWebhook, "The new webhook and its secret", {
        readOnly: [...WEBHOOK_READ_ONLY, "secret"],
      }),
    }, ({ ctx, body }) => createWebhook(ctx, body, limits))
    .list({
      query: Query,
      answer: page(Webhook, "One page in the order of ids", { inApp: "WebhookPage" }),
    }, ({ ctx, query }) =>
      pageById(ctx, query, async ({ after: id, limit }) => {
        const found = await webhooks.list(ctx, { after: id === null ? null : { id }, limit });
        return found.map(({ row }) => serialiseWebhook(row));
      }))
    .read({ answer: answer("The webhook") }, async ({ ctx, id }) => {
      return serialiseWebhook((await requireWebhook(ctx, id)).row);
    })
    .change(
      { sensitive: true, body: WebhookPatch, answer: answer("The changed webhook") },
      ({ ctx, id, body, expected }) => changeWebhook(ctx, id, body, { limits, expected }),
    )
    .remove(
      { answer: removed("The webhook was deleted") },
      ({ ctx, id, expected }) => deleteWebhook(ctx, id, expected),
    )
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

async function pageOfDeliveries(ctx: Context, webhookId: string, query: Query) {
  await requireWebhook(ctx, webhookId);
  return await pageById(ctx, query, async ({ after: id, limit }) => {
    const page = { after: id === null ? null : { id }, order: "desc", limit } as const;
    const found = await deliveries.list(ctx, { within: { webhookId }, ...page });
    return found.map(({ row }) => serialiseDelivery(row));
  });
}

const EventsQuery = z.strictObject({
  ...pageQuery(100, 500),
  since: z.string().optional().describe(
    "A time or a date (inclusive), or the `nextSince` of the previous call; absent: " +
      `all events of the last ${EVENT_DAYS} days`,
  ),
});

const PastEvent = z.object({
  id: z.string().describe("Sent to webhooks as `webhook-id`"),
  type: z.string().meta({ description: "The type of the event", example: "price.changed" }),
  timestamp: z.iso.datetime().describe("When it happened"),
  data: z.record(z.string(), z.unknown()).describe("As in the webhook of this type"),
}).meta({ id: "PastEvent" });

const nextSince = z.string().nullable()
  .describe("The `since` for the next call, on the last page; null on other pages");
const isComplete = z.boolean()
  .describe(`False if \`since\` is more than ${EVENT_DAYS} days ago, so that events are missing`);

export function eventRoutes() {
  return resource("/events", { read: { keys: keyWith("events:read") }, tags: ["Past events"] })
    .list({
      query: EventsQuery,
      answer: page(PastEvent, "Events, those of a product in the order in which they happened", {
        external: "PastEventPage",
        extra: { nextSince, isComplete },
      }),
    }, ({ ctx, query }) => pageOfEvents(ctx, query)).routes;
}

const Place = z.tuple([z.number(), z.number()]).readonly();

async function pageOfEvents(ctx: Context, { limit, cursor, since }: z.output<typeof EventsQuery>) {
  const start = openCursor(ctx, cursor, Place) ?? placeSince(ctx, since);
  const rows = await firstOf(walkEvents(ctx, start), limit + 1);
  const positionOf = ({ behind }: { readonly behind: LogPlace }) => [...behind];
  const { items, nextCursor, count } = toPage(ctx, { rows, limit, positionOf });
  const end = items.at(-1)?.behind ?? start;
  const isLast = nextCursor === null;
  const [fromMs] = start;
  return {
    items: items.map(({ event }) => event),
    nextCursor,
    nextSince: isLast ? ctx.cursors.seal(scopeOf(ctx), [...end]) : null,
    isComplete: fromMs === 0 || fromMs >= ctx.now().getTime() - EVENT_DAYS * DAY_MS,
    count,
  };
}

function placeSince(ctx: Context, since: string | undefined): LogPlace {
  if (since === undefined || since === "") return [0, 0];
  const fromMs = parseBound(since, "start");
  if (fromMs !== null) return [Math.max(0, fromMs), 0];
  const place = Place.safeParse(ctx.cursors.open(scopeOf(ctx), since));
  if (place.success) return place.data;
  throw refuseFields([{
    path: "since",
    message: 'Must be a time such as 2026-08-01T09:00:00Z, a date, or a "nextSince"',
  }]);
}

function scopeOf({ workspaceId }: Context): string {
  return `${workspaceId} events since`;
}
