/** Alerts in the app (docs/decisions/rules.md): everybody sees them, managers mark them as read. */

import { listFiles, manager, owner, viewer } from "../../accounts/route_access.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { alertText } from "../../engine/wording/alert_text.ts";
import { createShow, languageOf, type Listener } from "../../engine/wording/show.ts";
import { jsonAnswer, Ok, pageOf, room, route } from "../../platform/http/http.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  codeCell,
  momentCell,
  type OutgoingTable,
  storedCodeCell,
} from "../../platform/tables/cell.ts";
import { Alert } from "./alert.ts";
import { countUnreadAlerts } from "./alert_store.ts";
import { AlertFilter, AlertQuery, pageOfAlerts, readAlert, readAllAlerts } from "./read_alerts.ts";
import { type MailTestDeps, MailTestResult, sendTestMail } from "./send_test_mail.ts";
import { z } from "@hono/zod-openapi";

const list = route({
  method: "get",
  path: "/api/alerts",
  access: viewer,
  request: { query: AlertQuery },
  responses: { 200: jsonAnswer(pageOf(Alert).meta({ id: "AlertPage" }), "One page by id") },
});

const files = listFiles({
  path: "/api/alerts",
  access: viewer,
  query: AlertFilter,
  describes: "Every alert that fits, in the order of the list and the language of the workspace",
  open: openAlertTable,
});

const count = route({
  method: "get",
  path: "/api/alerts/unread-count",
  access: viewer,
  responses: {
    200: jsonAnswer(
      z.object({ count: z.int().meta({ description: "How many nobody has read" }) }),
      "How many nobody has read",
    ),
  },
});

const read = route({
  method: "post",
  path: "/api/alerts/{id}/read",
  access: manager,
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: jsonAnswer(Alert, "The alert, read") },
});

const readAll = route({
  method: "post",
  path: "/api/alerts/read-all",
  access: manager,
  responses: {
    200: jsonAnswer(
      Ok.extend({ count: z.int().meta({ description: "How many were unread" }) }),
      "How many were unread",
    ),
  },
});

const mailTest = route({
  method: "post",
  path: "/api/settings/mail-test",
  access: owner,
  waitsForOthers: true,
  responses: { 200: jsonAnswer(MailTestResult, "What the SMTP server said") },
});

export function alertRoutes(deps: MailTestDeps) {
  return room()
    .openapi(list, async (c) => c.json(await pageOfAlerts(c.var.ctx, c.req.valid("query")), 200))
    .route("/", files)
    .openapi(count, async (c) => c.json({ count: await countUnreadAlerts(c.var.ctx) }, 200))
    .openapi(read, async (c) => c.json(await readAlert(c.var.ctx, c.req.valid("param").id), 200))
    .openapi(readAll, async (c) => {
      return c.json({ ok: true as const, count: await readAllAlerts(c.var.ctx) }, 200);
    })
    .openapi(mailTest, async (c) => c.json(await sendTestMail(c.var.ctx, deps), 200));
}

/** Every alert that fits, in the order of the list. */
export async function openAlertTable(ctx: Context, filter: AlertFilter): Promise<OutgoingTable> {
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

function columnsFor(to: Listener): Columns<Alert> {
  return {
    createdAt: ({ createdAt }) => momentCell(createdAt),
    severity: ({ severity }) => storedCodeCell("severities", severity),
    title: (alert) => alertText(to, alert).title,
    body: (alert) => alertText(to, alert).body,
    readAt: ({ readAt }) => momentCell(readAt),
    mail: ({ mail }) => codeCell("mails", mail),
    ruleId: ({ ruleId }) => ruleId,
    productId: ({ productId }) => productId,
    id: ({ id }) => id,
  };
}
