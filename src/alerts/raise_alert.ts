import type { Context } from "../platform/context.ts";
import type { Write } from "../platform/kv.ts";
import { type NewAlert, type StoredAlert, toStoredAlert } from "./alert.ts";
import { addAlerts } from "./alert_store.ts";
import { mailQueue, saveMailState } from "./mail_store.ts";

/** Whether mails can be sent at all. */
export interface AlertDeps {
  readonly isMailOn: boolean;
}

type Raiser = Pick<Context, "workspaceId" | "now" | "newId">;

/** More alerts of one batch than this make one mail together (decisions §8, Alerts). */
const MAILS_PER_BATCH_MAX = 20;
/** What one mail tells of in full length; the rest of a batch goes into the next one. */
const ALERTS_PER_MAIL_MAX = 200;

/** Adds an alert, and its mail, to the caller's commit; answers its id. At most 8 mutations, no check. */
export function raiseAlert(write: Write, ctx: Raiser, deps: AlertDeps, alert: NewAlert): string {
  const [id] = raiseAlerts(write, ctx, deps, [alert]);
  if (id === undefined) throw new Error("An alert was raised without an id");
  return id;
}

/**
 * The alerts of one batch of an evaluation, in the caller's commit: up to 6 mutations each and 2 in
 * all. More than 20 to the same people make one mail together. Answers their ids in order.
 */
export function raiseAlerts(
  write: Write,
  ctx: Raiser,
  deps: AlertDeps,
  alerts: readonly NewAlert[],
): string[] {
  if (alerts.length === 0) return [];
  const createdAt = ctx.now().toISOString();
  const drafts = alerts.map((alert) => ({ alert, id: ctx.newId() }));
  const mailIds = deps.isMailOn ? queueMails(write, ctx, drafts) : new Map<string, string>();
  const stored = drafts.map(({ alert, id }): StoredAlert =>
    toStoredAlert(alert, {
      id,
      createdAt,
      mailId: mailIds.get(id) ?? null,
      isMailOff: alert.mailTo !== null && !deps.isMailOn,
    })
  );
  addAlerts(write, ctx.workspaceId, stored);
  return stored.map(({ id }) => id);
}

interface Draft {
  readonly alert: NewAlert;
  readonly id: string;
}

/** The mail of each alert that has one. */
function queueMails(write: Write, ctx: Raiser, drafts: readonly Draft[]): Map<string, string> {
  const mailIds = new Map<string, string>();
  const wanted = drafts.filter(({ alert }) => alert.mailTo !== null);
  for (const group of Map.groupBy(wanted, ({ alert }) => JSON.stringify(alert.mailTo)).values()) {
    const size = group.length > MAILS_PER_BATCH_MAX ? ALERTS_PER_MAIL_MAX : 1;
    for (let at = 0; at < group.length; at += size) {
      const part = group.slice(at, at + size);
      const mailId = queueMail(write, ctx, part);
      for (const { id } of part) mailIds.set(id, mailId);
    }
  }
  return mailIds;
}

function queueMail(write: Write, { workspaceId, now, newId }: Raiser, part: readonly Draft[]) {
  const id = newId();
  const mailTo = part[0]?.alert.mailTo ?? null;
  const value = {
    alertIds: part.map((draft) => draft.id),
    to: mailTo === "team" ? null : mailTo,
    failures: 0,
  };
  mailQueue.add(write, { lane: [workspaceId], id, dueMs: now().getTime(), value });
  saveMailState(write, workspaceId, id, { status: "queued", error: null });
  return id;
}
