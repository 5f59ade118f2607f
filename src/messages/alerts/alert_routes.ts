import { requireWorkspace } from "../../accounts/workspace.ts";
import { alertText } from "../../engine/wording/alert_text.ts";
import { languageOf } from "../../base/codes.ts";
import { type Audience, createShow } from "../../engine/wording/show.ts";
import { type Columns, fields, openListTable } from "../../catalogue/lists/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import { momentCell, type OutgoingTable } from "../../platform/tables/cell.ts";
import { z } from "@hono/zod-openapi";
import { Ok } from "../../platform/http/http.ts";
import { one, page } from "../../platform/http/answer.ts";
import { resource } from "../../platform/http/resource.ts";
import { findUser } from "../../accounts/users/user.ts";
import { Alert, alerts } from "./alert.ts";
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
import { keyWith, manager, owner, viewer } from "../../accounts/roles.ts";

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
  return { items, email: (await findUser(ctx, ctx.actor.id))?.user.email ?? "" };
}

async function openAlertTable(ctx: Context, filter: AlertFilter): Promise<OutgoingTable> {
  const settings = await requireWorkspace(ctx);
  const language = languageOf(settings.locale);
  const show = createShow({ ...settings, language }, () => ctx.now().getTime());
  const columns = columnsFor({ language, show });
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
