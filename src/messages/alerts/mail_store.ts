/**
 * Keys (`W`: id of the workspace): `ml W dueMs id` → mail in the queue. While the mail is being
 * sent, `dueMs` is the end of a lease.
 *
 * Stores the queue of mails, and the status of each alert's mail.
 */
import type { Sendable } from "../../platform/jobs/work_loop.ts";
import { RowQueue } from "../../platform/store/row_queue_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { MailMessage } from "../../platform/mail.ts";

export const MAILS_PER_BATCH_MAX = 20;
export const ALERTS_PER_MAIL_MAX = 900;
/** If no rule is being evaluated, a batch of alerts is mailed this long after its newest alert. */
export const QUIET_MS = 5_000;

/** Contains either a text (`worded`), or alerts whose text is written when the mail is sent. */
export interface QueuedMail extends Sendable {
  readonly alertIds: readonly string[];
  readonly to: readonly string[] | null;
  /** Set while the mail may be merged with other mails (`gatherBatch`). */
  readonly batch?: MailBatch | null;
  readonly worded?: MailText;
}

export type MailText = Pick<MailMessage, "subject" | "text">;

interface MailBatch {
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface MailState {
  readonly status: "sent" | "queued" | "failed";
  readonly error: string | null;
}

export const mailQueue = new RowQueue<QueuedMail>("ml", 1);

/** `id` is the alert's id or, for mails of earlier versions of Kurant, the mail's id. */
export const mailStates = defineTable<MailState & { readonly id: string }, "id">({
  prefix: "mls",
  about: "the status of a mail, by the id of each of its alerts",
  key: { id: "id" },
  expireInMs: 401 * 24 * 3_600_000,
});
