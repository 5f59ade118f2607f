/** Alerts as a table that leaves the service, in the words of the workspace's language. */

import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { alertText } from "../../engine/wording/alert_text.ts";
import { createShow, languageOf, type Listener } from "../../engine/wording/show.ts";
import { type Columns, openListTable } from "../../platform/http/list_file.ts";
import type { Context } from "../../platform/store/context.ts";
import {
  codeCell,
  momentCell,
  type OutgoingTable,
  storedCodeCell,
} from "../../platform/tables/cell.ts";
import type { Alert } from "./alert.ts";
import { type AlertFilter, pageOfAlerts } from "./read_alerts.ts";

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
