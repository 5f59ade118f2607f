/**
 * Sends queued mails: alerts, and mails with a finished text. If a mail is sent twice, both copies
 * have the same Message-ID. The texts of alerts and the receivers in the team are determined only
 * when the mail is sent. Alerts that are raised together share a mail if there are many.
 */
import { z } from "@hono/zod-openapi";
import { hasJoined, listUsers, requireUser } from "../accounts/users/user.ts";
import { findWorkspace, requireWorkspace } from "../accounts/workspace.ts";
import { batchesOf, sumOf } from "../base/collections.ts";
import { HOUR_MS } from "../base/time.ts";
import { alertSentence, alertText } from "../engine/wording/alert_text.ts";
import { type Audience, audienceOf } from "../engine/wording/show.ts";
import { TERMS } from "../engine/wording/terms.ts";
import { backOffMs, type Ready, Sender, type SenderSetup } from "../platform/jobs/work_loop.ts";
import type { Mailer, MailTrouble } from "../platform/mail.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { COMMIT_MAX, transact } from "../platform/store/kv.ts";
import type { QueueRow } from "../platform/store/row_queue_store.ts";
import {
  alerts as alertTable,
  causeOf,
  mailQueue,
  mailStates,
  type MailText,
  type QueuedMail,
  QUIET_MS,
  type StoredAlert,
} from "./alert_store.ts";
import { mailChoices, nextDailyMs } from "./read_alerts.ts";
import { isJudging } from "../platform/events/outbox_store.ts";

const SHOWN_MAX = 20;

interface Readers extends Audience {
  readonly workspace: string;
  readonly publicUrl: string | null;
}

export function composeMail(
  alerts: readonly StoredAlert[],
  { workspace, publicUrl, ...to }: Readers,
): MailText {
  const { severities } = TERMS[to.language];
  const texts = alerts.map((alert) => ({ ...alertText(to, alert), severity: alert.severity }));
  const [first] = texts;
  const subject = first && texts.length === 1
    ? first.title
    : alertSentence(to, "many", { count: texts.length });
  const shown = texts.slice(0, SHOWN_MAX).map(({ title, severity, body }) =>
    [title, alertSentence(to, "severity", { severity: severities[severity] }), "", body, ""].join(
      "\n",
    )
  );
  const rest = texts.slice(SHOWN_MAX).map(({ title }) => `- ${title}`);
  const parts = [
    ...shown,
    ...(rest.length > 0
      ? [[alertSentence(to, "rest", { count: rest.length }), ...rest, ""].join("\n")]
      : []),
    ...(publicUrl === null ? [] : [`${alertSentence(to, "all", { address: publicUrl })}\n`]),
  ];
  // Control characters are replaced, because a line break would end the header of the mail.
  const line = `[${workspace}] ${subject}`.replace(/\p{Cc}+/gu, " ");
  return { subject: line, text: parts.join("\n--\n\n") };
}

interface MailSetup extends SenderSetup {
  readonly mailer: Mailer;
  readonly publicUrl: string | null;
}

export function createMailSender(setup: MailSetup): Sender<QueuedMail, Ready<QueuedMail>> {
  return new Sender(setup, {
    name: "mail",
    queue: mailQueue,
    slots: 1,
    async prepare(due) {
      const row = await gatherBatch(setup, due);
      return row && { row };
    },
    // Alerts must not be added to a mail after the first attempt to send it.
    claim: (_write, { value }) => ({ ...value, batch: null }),
    async send({ row }) {
      const letter = await letterOf(setup, row);
      const { to, text } = letter;
      const isSent = text !== null && to.length > 0;
      const trouble = isSent ? await setup.mailer.send({ id: row.id, to, ...text }) : null;
      await recordAttempt(setup, row, letter, trouble);
    },
  });
}

type Letter = Awaited<ReturnType<typeof letterOf>>;

async function letterOf(
  { store, publicUrl }: MailSetup,
  { partition, value }: QueueRow<QueuedMail>,
) {
  const workspace = { store, workspaceId: partition[0] ?? "" };
  const ids = value.worded ? [] : value.alertIds;
  const found = await alertTable.getMany(workspace, ids.map((id) => ({ id })));
  const alerts = found.flatMap((one) => one ? [one.row] : []);
  const settings = await findWorkspace(store, workspace.workspaceId);
  if (settings === null || (alerts.length === 0 && !value.worded)) {
    return { to: [], daily: [], text: null };
  }
  const text = value.worded ??
    composeMail(alerts, { workspace: settings.name, publicUrl, ...audienceOf(settings) });
  return value.to && value.userId === undefined
    ? { to: value.to, daily: [], text }
    : { ...await teamOf(workspace, alerts[0] ?? null, value.userId), text };
}

/**
 * Returns the owners and managers who have joined and want this alert at once (`to`), and those who
 * want it in their daily mail. With `userId`, returns only this person, for the daily mail.
 */
async function teamOf(
  workspace: WorkspaceStore,
  alert: StoredAlert | null,
  userId: string | undefined,
) {
  const users = (await listUsers(workspace, { after: null, limit: null }))
    .filter((user) => user.role !== "viewer" && hasJoined(user));
  if (userId !== undefined) {
    return { to: users.flatMap(({ id, email }) => id === userId ? [email] : []), daily: [] };
  }
  const kind = alert && causeOf(alert).kind;
  const keys = kind === null ? [] : users.map(({ id }) => ({ userId: id, kind }));
  const found = await mailChoices.getMany(workspace, keys);
  const who = (choice: "now" | "daily") =>
    users.filter((_, at) => (found[at]?.row.choice ?? "now") === choice);
  return { to: who("now").map(({ email }) => email), daily: who("daily") };
}

async function recordAttempt(
  setup: MailSetup,
  row: QueueRow<QueuedMail>,
  { to, daily }: Letter,
  trouble: MailTrouble | null,
): Promise<void> {
  const { clock, log, random } = setup;
  const failures = row.value.failures + 1;
  const delayMs = trouble === null || trouble.isFinal ? null : backOffMs(failures, random);
  const workspaceId = row.partition[0] ?? "";
  await transact(setup, async (write) => {
    const found = await mailQueue.findAgain(setup.store, row);
    if (!found) return;
    if (delayMs === null) {
      mailQueue.take(write, found);
      const dueMs = clock.now().getTime();
      const batch = { id: DAILY_BATCH, fromMs: dueMs, toMs: dueMs };
      const { alertIds } = found.value;
      for (const { id: userId, email } of daily) {
        const value = { alertIds, to: [email], userId, failures: 0, batch };
        mailQueue.add(write, { partition: row.partition, id: clock.newId(), dueMs, value });
      }
    } else {
      const dueMs = clock.now().getTime() + delayMs;
      mailQueue.move(write, found, dueMs, { ...found.value, failures, isInHand: false });
    }
    const isQueued = trouble === null ? to.length === 0 && daily.length > 0 : delayMs !== null;
    const status = isQueued ? "queued" : trouble === null ? "sent" : "failed";
    // Earlier versions stored the mail's id as `mailId`, so the status is stored for both ids.
    const ids = [row.id, ...row.value.alertIds];
    const error = trouble?.message ?? null;
    for (const id of ids) mailStates.put(write, { workspaceId }, { id, status, error });
  });
  const facts = { workspaceId, mailId: row.id, alerts: row.value.alertIds.length, failures };
  const reason = trouble?.message;
  if (trouble === null) log.info("mail sent", { ...facts, failures: failures - 1 });
  else if (delayMs === null) log.error("mail given up", { ...facts, reason });
  else log.warning("the mail was not accepted, is sent again", { ...facts, delayMs, reason });
}

export interface MailTestDeps {
  readonly mailer: Mailer | null;
}

export const MailTestResult = z.object({
  status: z.enum(["sent", "failed", "off"])
    .describe("`sent`: the server has accepted it; `off`: no SMTP_URL is configured"),
  to: z.string().nullable().describe("The address that it was sent to; null if it was not sent"),
  message: z.string().nullable().describe("Why the server did not accept it"),
}).meta({ id: "MailTest" });

export type MailTestResult = z.infer<typeof MailTestResult>;

export async function sendTestMail(
  ctx: Context,
  { mailer }: MailTestDeps,
): Promise<MailTestResult> {
  return await sendToCaller(ctx, mailer, async () => {
    const audience = audienceOf(await requireWorkspace(ctx));
    const subject = alertSentence(audience, "testSubject");
    return { subject, text: `${alertSentence(audience, "test")}\n` };
  });
}

export async function sendToCaller(
  ctx: Context,
  mailer: Mailer | null,
  write: () => Promise<MailText>,
): Promise<MailTestResult> {
  if (mailer === null) return { status: "off", to: null, message: "SMTP_URL is not set" };
  const { row: { email: to } } = await requireUser(ctx, ctx.actor.id);
  const trouble = await mailer.send({ id: ctx.newId(), to: [to], ...await write() });
  return { status: trouble ? "failed" : "sent", to, message: trouble?.message ?? null };
}

type MailRow = QueueRow<QueuedMail>;

const DAILY_BATCH = "daily";
const MAILS_PER_BATCH_MAX = 20;
const ALERTS_PER_MAIL_MAX = 900;
const ROWS_PER_COMMIT = COMMIT_MAX.checks - 1;

/**
 * Merges the mails of a batch to the same people if these mails together have more than 20 alerts.
 * Daily mails are always merged. Returns the mail to send; null if more alerts may join the batch,
 * or if another process sends the mail.
 */
async function gatherBatch(setup: SenderSetup, row: MailRow): Promise<MailRow | null> {
  if (!row.value.batch) return row;
  const rows = await findBatchRows(setup, row);
  const count = sumOf(rows, ({ value }) => value.alertIds.length);
  const isDaily = row.value.batch.id === DAILY_BATCH;
  const isApart = count <= MAILS_PER_BATCH_MAX && !isDaily;
  const others = isApart ? [] : rows.filter(({ id }) => id !== row.id);
  let gathered: MailRow | null = row;
  for await (const merged of batchesOf(others, ROWS_PER_COMMIT)) {
    if (gathered === null || gathered.value.alertIds.length >= ALERTS_PER_MAIL_MAX) break;
    gathered = await rewrite(setup, gathered, { merged });
  }
  if (gathered === null || (count >= ALERTS_PER_MAIL_MAX && !isDaily)) return gathered;
  const nowMs = setup.clock.now().getTime();
  const place = { store: setup.store, workspaceId: row.partition[0] ?? "" };
  const dueMs = isDaily
    ? await dailyDueMs(place, gathered)
    : dueOf(rows, nowMs, !await isJudging(place));
  if (dueMs <= nowMs) return gathered;
  // Check a daily mail every hour, because the time zone of the workspace may change.
  await rewrite(setup, gathered, { dueMs: Math.min(dueMs, nowMs + HOUR_MS) });
  return null;
}

async function dailyDueMs({ store, workspaceId }: WorkspaceStore, { value }: MailRow) {
  const { timeZone = "UTC" } = await findWorkspace(store, workspaceId) ?? {};
  // Subtract 1, because `fromMs` is already the due time in rows of earlier versions.
  return nextDailyMs((value.batch?.fromMs ?? 0) - 1, timeZone);
}

async function findBatchRows(
  { store }: SenderSetup,
  { partition, value }: MailRow,
): Promise<MailRow[]> {
  const who = JSON.stringify(value.to);
  const rows = await Array.fromAsync(mailQueue.list(store, partition, 1_000));
  return rows.filter(({ value: { batch, to } }) =>
    batch?.id === value.batch?.id && JSON.stringify(to) === who
  );
}

function dueOf(rows: readonly MailRow[], nowMs: number, isOver: boolean): number {
  const batches = rows.flatMap(({ value }) => value.batch ?? []);
  const newestMs = Math.max(...batches.map(({ toMs }) => toMs));
  const oldestMs = Math.min(...batches.map(({ fromMs }) => fromMs));
  // If the clock was set back, stored times may be in the future; such mails are due at once.
  if (newestMs > nowMs + QUIET_MS) return nowMs;
  // The first alert of a batch waits for at most ten minutes.
  return Math.min((isOver ? newestMs : nowMs) + QUIET_MS, oldestMs + 10 * 60_000);
}

async function rewrite(
  { store }: SenderSetup,
  row: MailRow,
  { merged = [], dueMs = row.dueMs }: { readonly merged?: readonly MailRow[]; dueMs?: number },
): Promise<MailRow | null> {
  await transact({ store }, async (write) => {
    const found = await mailQueue.findAgain(store, row);
    if (!found) return;
    let value = found.value;
    for (const other of merged) {
      const latest = await mailQueue.findAgain(store, other);
      const both = latest && mergedOf(value, latest.value);
      if (!both) continue;
      mailQueue.take(write, latest);
      value = both;
    }
    mailQueue.move(write, found, dueMs, value);
  });
  return await mailQueue.findAgain(store, row);
}

function mergedOf(a: QueuedMail, b: QueuedMail): QueuedMail | null {
  const alertIds = [...a.alertIds, ...b.alertIds];
  if (!a.batch || !b.batch || alertIds.length > ALERTS_PER_MAIL_MAX) return null;
  const fromMs = Math.min(a.batch.fromMs, b.batch.fromMs);
  const toMs = Math.max(a.batch.toMs, b.batch.toMs);
  return { ...a, alertIds, batch: { ...a.batch, fromMs, toMs } };
}
