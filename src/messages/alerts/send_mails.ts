import { listUsers } from "../../accounts/users/user_store.ts";
import { findWorkspace } from "../../accounts/workspace_store.ts";
import { alertText, alertWordsOf } from "../../engine/wording/alert_text.ts";
import { type Audience, createShow, languageOf, termsOf } from "../../engine/wording/show.ts";
import { longestRestMs, restAfterMs } from "../../platform/jobs/job_timing.ts";
import type { roomLog } from "../../platform/log.ts";
import { type Mailer, type MailMessage, MailTrouble } from "../../platform/mail.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { type QueueRow, walkDue, type WalkTurns } from "../../platform/store/row_queue_store.ts";
import type { StoredAlert } from "./alert.ts";
import { alerts as alertTable } from "./alert_store.ts";
import { gatherBatch } from "./gather_batch.ts";
import { mailQueue, mailStates, type QueuedMail } from "./mail_store.ts";

/** Alerts that a digest shows in full; of the others it names the titles. */
const SHOWN_MAX = 20;

interface Readers extends Audience {
  /** Name of the workspace. */
  readonly workspace: string;
  /** Base URL of the web client; `null` when unknown. */
  readonly publicUrl: string | null;
}

/** The words of a mail about one alert, or about many of one batch, in the workspace's language. */
export function composeMail(
  alerts: readonly StoredAlert[],
  { workspace, publicUrl, ...to }: Readers,
): Pick<MailMessage, "subject" | "text"> {
  const words = alertWordsOf(to.language);
  const { severities } = termsOf(to.language);
  const number = (count: number) => to.show.number(count);
  const texts = alerts.map((alert) => ({ ...alertText(to, alert), severity: alert.severity }));
  const [first] = texts;
  const subject = first && texts.length === 1 ? first.title : words.many(number(texts.length));
  const shown = texts.slice(0, SHOWN_MAX).map(({ title, severity, body }) =>
    `${title}\n${words.severity(severities[severity])}\n\n${body}\n`
  );
  const rest = texts.slice(SHOWN_MAX).map(({ title }) => `- ${title}`);
  const parts = [
    ...shown,
    ...(rest.length > 0 ? [`${words.rest(number(rest.length))}\n${rest.join("\n")}\n`] : []),
    ...(publicUrl === null ? [] : [`${words.all(publicUrl)}\n`]),
  ];
  // A line break would end the header of the mail.
  const line = `[${workspace}] ${subject}`.replace(/\p{Cc}+/gu, " ");
  return { subject: line, text: parts.join("\n--\n\n") };
}

export interface MailDeliverySetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly mailer: Mailer;
  readonly publicUrl: string | null;
  readonly log: ReturnType<typeof roomLog>;
  readonly turns: WalkTurns;
  /** 0 to 1, for the jitter of rests. */
  random(): number;
}

/** Longer than the server may take for one mail; after a crash another process tries again then. */
const LEASE_MS = 60_000;

/**
 * Sends every mail that is due, one after the other, workspaces taking turns; answers in how many
 * milliseconds the next one is. At least once: after a crash between the server's yes and the commit the same mail goes out
 * again, under the same Message-ID.
 */
export async function sendMails(
  setup: MailDeliverySetup,
  stopping: AbortSignal,
): Promise<number | null> {
  const { store, clock, turns } = setup;
  let nextMs = Infinity;
  const walk = {
    store,
    turns,
    now: () => clock.now(),
    waits: (dueMs: number) => nextMs = Math.min(nextMs, dueMs),
    // The clocks of two processes may differ by a lease: what one has in hand the other leaves alone.
    restMsMax: ({ failures }: QueuedMail) => 2 * LEASE_MS + longestRestMs(failures),
  };
  for await (const row of walkDue(mailQueue, walk)) {
    if (stopping.aborted) return null;
    const ready = await gatherBatch(setup, row);
    const claimed = ready && await claim(setup, ready);
    if (claimed) await recordAttempt(setup, claimed, await trySending(setup, claimed));
  }
  return nextMs === Infinity ? null : nextMs - clock.now().getTime();
}

/** Null when another process was faster. */
async function claim(setup: MailDeliverySetup, row: QueueRow<QueuedMail>) {
  const untilMs = setup.clock.now().getTime() + LEASE_MS;
  const isOurs = await transact(setup, async (write) => {
    const found = await mailQueue.findAgain(setup.store, row);
    // A mail that is being sent, or failed once, takes no more alerts.
    if (found) mailQueue.move(write, found, untilMs, { ...found.value, batch: null });
    return found !== null;
  });
  return isOurs ? await mailQueue.findAgain(setup.store, { ...row, dueMs: untilMs }) : null;
}

/** `null` when the mail is sent, or has no recipient left. */
async function trySending(
  { store, clock, mailer, publicUrl }: MailDeliverySetup,
  { lane, id, value }: QueueRow<QueuedMail>,
): Promise<MailTrouble | null> {
  const workspace = { store, workspaceId: lane[0] ?? "" };
  const ids = value.worded ? [] : value.alertIds;
  const found = await alertTable.getMany(workspace, ids.map((id) => ({ id })));
  const alerts = found.flatMap((one) => one ? [one.row] : []);
  const to = value.to ?? await teamOf(workspace);
  if ((alerts.length === 0 && !value.worded) || to.length === 0) return null;
  const settings = await findWorkspace(store, workspace.workspaceId);
  if (settings === null) return null;
  const { name, locale } = settings;
  const language = languageOf(locale);
  const show = createShow({ ...settings, language }, () => clock.now().getTime());
  const words = value.worded ??
    composeMail(alerts, { workspace: name, publicUrl, language, show });
  try {
    await mailer.send({ to, ...words, messageId: `<${id}@${mailer.host}>` });
    return null;
  } catch (error) {
    if (error instanceof MailTrouble) return error;
    throw error;
  }
}

/** Owners and managers who have accepted their invitation. */
async function teamOf(workspace: WorkspaceStore): Promise<string[]> {
  const users = await listUsers(workspace, { after: null, limit: null });
  return users.filter(({ role, passwordHash }) => role !== "viewer" && passwordHash !== null)
    .map(({ email }) => email);
}

async function recordAttempt(
  setup: MailDeliverySetup,
  row: QueueRow<QueuedMail>,
  trouble: MailTrouble | null,
): Promise<void> {
  const { clock, log, random } = setup;
  const failures = row.value.failures + 1;
  const restMs = trouble === null || trouble.isFinal ? null : restAfterMs(failures, random);
  const workspaceId = row.lane[0] ?? "";
  await transact(setup, async (write) => {
    const found = await mailQueue.findAgain(setup.store, row);
    // Our lease was over and another process has it: its word counts.
    if (!found) return;
    if (restMs === null) mailQueue.take(write, found);
    else {
      const dueMs = clock.now().getTime() + restMs;
      mailQueue.move(write, found, dueMs, { ...found.value, failures });
    }
    const status = trouble === null ? "sent" : restMs === null ? "failed" : "queued";
    // Alerts know their own row; those of a mail that an older version queued, the mail's.
    const ids = [row.id, ...row.value.alertIds];
    const error = trouble?.message ?? null;
    for (const id of ids) mailStates.put(write, { workspaceId }, { id, status, error });
  });
  const facts = { workspaceId, mailId: row.id, alerts: row.value.alertIds.length, failures };
  if (trouble === null) log.info("mail sent", { ...facts, failures: failures - 1 });
  else if (restMs === null) log.error("mail given up", { ...facts, reason: trouble.message });
  else log.warning("mail not taken, tried again", { ...facts, restMs, reason: trouble.message });
}
