/** Keys: `ml W dueMs id` → mail to send; `dueMs` ends a lease while it is sent. */
import type { Sendable } from "../../platform/jobs/sender.ts";
import { createRowQueue } from "../../platform/store/row_queue_store.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { MailMessage } from "../../platform/mail.ts";
import type { MailStatus } from "./alert.ts";

const KEPT_MS = 401 * 24 * 3_600_000;

/**
 * A mail about one alert, or about many of a batch, whose text is composed when it is sent; or a mail
 * with a composed text.
 */
export interface QueuedMail extends Sendable {
  readonly alertIds: readonly string[];
  /** Null: the owners and managers at the time of sending. */
  readonly to: readonly string[] | null;
  /** Set while it waits to be merged with other mails of its batch; see `gatherBatch`. */
  readonly batch?: MailBatch | null;
  readonly worded?: MailText;
}

export type MailText = Pick<MailMessage, "subject" | "text">;

/** The common cause of many alerts, which are raised in many commits. */
export interface MailBatch {
  readonly id: string;
  /** When the first and the last of the mail's alerts were raised. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The status of a mail; `off` never has a row. */
export interface MailState {
  readonly status: Exclude<MailStatus, "off">;
  readonly error: string | null;
}

export const mailQueue = createRowQueue<QueuedMail>("ml", 1);

/** By the id of each alert of the mail; for older mails by their own id. Kept as long as alerts are. */
export const mailStates = defineTable<MailState & { readonly id: string }, "id">({
  prefix: "mls",
  about: "status of a mail, by the id of each of its alerts",
  key: { id: "id" },
  keyOnly: ["id"],
  expireInMs: KEPT_MS,
});
