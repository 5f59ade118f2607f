import { publish } from "../../platform/events/outbox_store.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { ClockAndIds, Context } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import {
  alerts as alertRows,
  causeOf,
  type NewAlert,
  type StoredAlert,
  toStoredAlert,
} from "./alert.ts";
import { ALERTS_PER_MAIL_MAX, MAILS_PER_BATCH_MAX, QUIET_MS } from "./gather_batch.ts";
import { mailQueue, mailStates } from "./mail_store.ts";

export interface AlertDeps {
  readonly isMailOn: boolean;
}

/** Id of the batch for all alerts of rules (`gatherBatch`). */
export const BY_RULES = "rules";

export interface AlertSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly deps: AlertDeps;
}

type Raiser = Pick<Context, "workspaceId" | "now" | "newId">;

/** Returns the id. Costs the caller's commit at most 9 mutations and no check. */
export function raiseAlert(write: Write, ctx: Raiser, deps: AlertDeps, alert: NewAlert): string {
  const [id] = raiseAlerts(write, ctx, deps, [alert]);
  if (id === undefined) throw new Error("An alert was raised without an id");
  return id;
}

/** Returns the ids in the order of `alerts`. Costs 8 mutations per alert, and one more in total. */
export function raiseAlerts(
  write: Write,
  ctx: Raiser,
  deps: AlertDeps,
  alerts: readonly NewAlert[],
  batch: string | null = null,
): string[] {
  if (alerts.length === 0) return [];
  const createdAt = ctx.now().toISOString();
  const drafts = alerts.map((alert) => ({ alert, id: ctx.newId() }));
  const isMailed = ({ mailTo }: NewAlert) => deps.isMailOn && mailTo !== null;
  const stored = drafts.map(({ alert, id }): StoredAlert =>
    toStoredAlert(alert, {
      id,
      createdAt,
      mailId: isMailed(alert) ? id : null,
      isMailOff: alert.mailTo !== null && !deps.isMailOn,
    })
  );
  for (const alert of stored) alertRows.put(write, ctx, alert);
  publish(write, ctx, stored.map(raisedEvent));
  queueMails(write, ctx, drafts.filter(({ alert }) => isMailed(alert)), batch);
  return stored.map(({ id }) => id);
}

function raisedEvent(
  { id: alertId, severity, facts, ruleId, productId, title }: StoredAlert,
): OutboxEvent {
  const code = facts?.code ?? null;
  return { type: "alert.raised", data: { alertId, severity, code, ruleId, productId, title } };
}

interface Draft {
  readonly alert: NewAlert;
  readonly id: string;
}

function queueMails(
  write: Write,
  ctx: Raiser,
  drafts: readonly Draft[],
  batch: string | null,
): void {
  const ids = drafts.map(({ id }) => id);
  for (const id of ids) mailStates.put(write, ctx, { id, status: "queued", error: null });
  // A mail contains alerts of one kind only, because people choose mails per kind of cause.
  const mailOf = ({ alert }: Draft) =>
    JSON.stringify([alert.mailTo, causeOf({ facts: null, ...alert }).kind]);
  for (const group of Map.groupBy(drafts, mailOf).values()) {
    const size = group.length > MAILS_PER_BATCH_MAX ? ALERTS_PER_MAIL_MAX : 1;
    for (let at = 0; at < group.length; at += size) {
      queueMail(write, ctx, group.slice(at, at + size), batch);
    }
  }
}

function queueMail(
  write: Write,
  { workspaceId, now, newId }: Raiser,
  part: readonly Draft[],
  batch: string | null,
): void {
  const raisedMs = now().getTime();
  const mailTo = part[0]?.alert.mailTo ?? null;
  mailQueue.add(write, {
    partition: [workspaceId],
    id: newId(),
    dueMs: batch === null ? raisedMs : raisedMs + QUIET_MS,
    value: {
      alertIds: part.map((draft) => draft.id),
      to: mailTo === "team" ? null : mailTo,
      failures: 0,
      batch: batch === null ? null : { id: batch, fromMs: raisedMs, toMs: raisedMs },
    },
  });
}
