/** Keys: `ml W dueMs id` → mail to send. While it is being sent, `dueMs` is the end of a lease. */
import type { Sendable } from "../../platform/jobs/sender.ts";
import { createRowQueue } from "../../platform/store/row_queue_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { MailMessage } from "../../platform/mail.ts";
import type { MailStatus } from "./alert.ts";

/** Holds either a finished text (`worded`), or alerts whose text is written when the mail is sent. */
export interface QueuedMail extends Sendable {
  readonly alertIds: readonly string[];
  /** Null means the owners and managers at the time of sending. */
  readonly to: readonly string[] | null;
  /** Set while the mail waits to be merged with other mails of its batch; see `gatherBatch`. */
  readonly batch?: MailBatch | null;
  readonly worded?: MailText;
}

export type MailText = Pick<MailMessage, "subject" | "text">;

/** Alerts that many commits raise for the same reason. */
interface MailBatch {
  readonly id: string;
  /** Times of the first and the last alert of the mail. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Mails with status `off` have no row. */
interface MailState {
  readonly status: Exclude<MailStatus, "off">;
  readonly error: string | null;
}

export const mailQueue = createRowQueue<QueuedMail>("ml", 1);

/** The key is the id of each alert, or the mail's own id for older mails. Kept as long as alerts. */
export const mailStates = defineTable<MailState & { readonly id: string }, "id">({
  prefix: "mls",
  about: "the status of a mail, by the id of each of its alerts",
  key: { id: "id" },
  expireInMs: 401 * 24 * 3_600_000,
});
