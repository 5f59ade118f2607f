import { SEVERITIES } from "../../base/codes.ts";
import { noSuch } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { choiceFilter, pageQuery } from "../../platform/http/http.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { type Alert, type AlertIndex, alerts, type StoredAlert, walkAlerts } from "./alert.ts";
import { mailStates } from "./mail_store.ts";
import { z } from "@hono/zod-openapi";

const filterId = z.string().max(100).optional();

/** An empty text means no filter (docs/decisions/rules.md). */
export const AlertFilter = z.strictObject({
  severity: choiceFilter(SEVERITIES),
  ruleId: filterId,
  productId: filterId,
  unread: z.enum(["", "true", "false"]).optional(),
  order: z.enum(["asc", "desc"]).default("asc").describe("`desc` is newest first"),
});

export type AlertFilter = z.infer<typeof AlertFilter>;

export const AlertQuery = z.strictObject({ ...pageQuery(50, 200), ...AlertFilter.shape });

export type AlertQuery = z.infer<typeof AlertQuery>;

export async function pageOfAlerts(ctx: Context, query: AlertQuery): Promise<Page<Alert>> {
  const { limit, cursor, order, ...filter } = query;
  const list = `alerts ${JSON.stringify({ order, ...filter })}`;
  const after = z.string().nullable().parse(openCursor(ctx, list, cursor));
  const index = indexOf(filter);
  const rows: StoredAlert[] = [];
  if (index) {
    for await (const alert of walkAlerts(ctx, { index, after, order })) {
      if (isWanted(alert, filter)) rows.push(alert);
      if (rows.length > limit) break;
    }
  }
  const { items, ...page } = toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
  return { items: await shown(ctx, items), ...page };
}

type Filter = Pick<AlertQuery, "severity" | "ruleId" | "productId" | "unread">;

/** Null if no alert can match. */
function indexOf({ productId, ruleId, unread }: Filter): AlertIndex | null {
  if (productId) return isId(productId) ? { by: "product", id: productId } : null;
  if (ruleId) return isId(ruleId) ? { by: "rule", id: ruleId } : null;
  return unread === "true" ? { by: "unread" } : { by: "all" };
}

function isWanted(alert: StoredAlert, { severity, ruleId, productId, unread }: Filter): boolean {
  return (!severity || alert.severity === severity) && (!ruleId || alert.ruleId === ruleId) &&
    (!productId || alert.productId === productId) &&
    (!unread || (alert.readAt === null) === (unread === "true"));
}

export async function shown(ctx: Context, page: readonly StoredAlert[]): Promise<Alert[]> {
  const mailIds = [...new Set(page.flatMap(({ mailId }) => mailId ?? []))];
  const found = await mailStates.getMany(ctx, mailIds.map((id) => ({ id })));
  const states = new Map(found.flatMap((one) => one ? [[one.row.id, one.row]] : []));
  return page.map(({ mailId, isMailOff, facts = null, ...alert }) => ({
    ...alert,
    facts,
    mail: isMailOff ? "off" : mailId === null ? null : states.get(mailId)?.status ?? "sent",
  }));
}

/** Throws `not_found`. */
export async function readAlert(ctx: Context, id: string): Promise<Alert> {
  const value = await transact(ctx, async (write) => {
    const found = isId(id) ? await alerts.find(ctx, { id }) : null;
    if (!found) throw noSuch("alert", id);
    const { row: alert } = found;
    if (alert.readAt !== null) return alert;
    const readAt = ctx.now().toISOString();
    alerts.save(write, ctx, found, { ...alert, readAt });
    ctx.receipt?.put(write, null);
    return { ...alert, readAt };
  });
  const [alert] = await shown(ctx, [value]);
  if (!alert) throw new Error("An alert was read and not shown");
  return alert;
}

const READ_BATCH = 100;

/** Returns the number of alerts. */
export async function readAllAlerts(ctx: Context): Promise<number> {
  const upTo = ctx.newId();
  let count = 0;
  for (;;) {
    const value = await transact(ctx, async (write) => {
      const version = await alerts.version(ctx);
      const unread = (await alerts.listBy(ctx, "unread", {}, { limit: READ_BATCH }))
        .filter(({ row }) => row.id <= upTo);
      if (unread.length === 0) return 0;
      alerts.checkVersion(write, ctx, version);
      const readAt = ctx.now().toISOString();
      for (const { row } of unread) alerts.put(write, ctx, { ...row, readAt }, row);
      return unread.length;
    });
    if (value === 0) return count;
    count += value;
  }
}
