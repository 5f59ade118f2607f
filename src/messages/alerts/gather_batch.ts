import { isJudging } from "../../platform/events/rejudge.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import { COMMIT_MAX, type Store, transact } from "../../platform/store/kv.ts";
import type { QueueRow } from "../../platform/store/row_queue_store.ts";
import { mailQueue, type QueuedMail } from "./mail_store.ts";

interface GatherSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
}

type MailRow = QueueRow<QueuedMail>;

/** A batch with more alerts than this becomes a single mail (docs/decisions/rules.md, Alerts). */
export const MAILS_PER_BATCH_MAX = 20;
/** One commit writes the status of each alert in a mail, so the number of alerts is limited. */
export const ALERTS_PER_MAIL_MAX = 900;
/** Id of the batch of daily mails, which are always merged. */
export const DAILY_BATCH = "daily";
export const QUIET_MS = 5_000;
/** Maximum number of mails that one commit merges into another mail. */
const ROWS_PER_COMMIT = COMMIT_MAX.checks - 1;

/**
 * Merges the mails of a batch if it has more than 20 alerts for the same people. Returns the mail
 * to send now. Null if the batch may still grow, or if another process has taken the mail.
 */
export async function gatherBatch(setup: GatherSetup, row: MailRow): Promise<MailRow | null> {
  if (!row.value.batch) return row;
  const rows = await findBatchRows(setup, row);
  const count = rows.reduce((sum, { value }) => sum + value.alertIds.length, 0);
  const isApart = count <= MAILS_PER_BATCH_MAX && row.value.batch.id !== DAILY_BATCH;
  const others = isApart ? [] : rows.filter(({ id }) => id !== row.id);
  let gathered: MailRow | null = row;
  for (let at = 0; gathered !== null && at < others.length; at += ROWS_PER_COMMIT) {
    if (gathered.value.alertIds.length >= ALERTS_PER_MAIL_MAX) break;
    gathered = await merge(setup, gathered, others.slice(at, at + ROWS_PER_COMMIT));
  }
  if (gathered === null || count >= ALERTS_PER_MAIL_MAX) return gathered;
  const nowMs = setup.clock.now().getTime();
  const isOver = !await isJudging({ store: setup.store, workspaceId: row.partition[0] ?? "" });
  const dueMs = dueOf(rows, nowMs, isOver);
  if (dueMs <= nowMs) return gathered;
  await postpone(setup, gathered, dueMs);
  return null;
}

async function findBatchRows(
  { store }: GatherSetup,
  { partition, value }: MailRow,
): Promise<MailRow[]> {
  const who = JSON.stringify(value.to);
  const rows: MailRow[] = [];
  // At most 1,000 queued mails of a workspace are searched.
  for await (const one of mailQueue.list(store, partition, 1_000)) {
    const isOfBatch = one.value.batch?.id === value.batch?.id &&
      JSON.stringify(one.value.to) === who;
    if (isOfBatch) rows.push(one);
  }
  return rows;
}

function dueOf(rows: readonly MailRow[], nowMs: number, isOver: boolean): number {
  const batches = rows.flatMap(({ value }) => value.batch ?? []);
  const newestMs = Math.max(...batches.map(({ toMs }) => toMs));
  const oldestMs = Math.min(...batches.map(({ fromMs }) => fromMs));
  // A time in the future was stored before the clock was set back. Send such a mail at once.
  if (newestMs > nowMs + QUIET_MS) return nowMs;
  // The first alert of a batch waits for at most ten minutes.
  return Math.min((isOver ? newestMs : nowMs) + QUIET_MS, oldestMs + 10 * 60_000);
}

/** Null if `row` is no longer in the queue. */
async function merge(
  { store }: GatherSetup,
  row: MailRow,
  others: readonly MailRow[],
): Promise<MailRow | null> {
  await transact({ store }, async (write) => {
    const found = await mailQueue.findAgain(store, row);
    if (!found) return;
    let value = found.value;
    for (const other of others) {
      const latest = await mailQueue.findAgain(store, other);
      const merged = latest && mergedOf(value, latest.value);
      if (!merged) continue;
      mailQueue.take(write, latest);
      value = merged;
    }
    mailQueue.move(write, found, found.dueMs, value);
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

async function postpone({ store }: GatherSetup, row: MailRow, dueMs: number): Promise<void> {
  await transact({ store }, async (write) => {
    const found = await mailQueue.findAgain(store, row);
    if (found) mailQueue.move(write, found, dueMs, found.value);
  });
}
