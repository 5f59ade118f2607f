/**
 * Keys: `ml W dueMs id` → mail to send; `mls W id` → what became of it, by the id of each alert that
 * it tells of, kept as long as alerts are; of older mails by their own id.
 * A sender moves the row to the end of its lease before it sends, so that no other sends it too.
 */
import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { createRowQueue } from "../../platform/store/row_queue_store.ts";
import { getRows } from "../../platform/store/rows.ts";
import type { MailMessage } from "../../platform/mail.ts";
import type { MailStatus } from "./alert.ts";

const KEPT_MS = 401 * 24 * 3_600_000;

/** A mail about one alert, or about many of one batch, which is worded when it is sent; or a worded one. */
export interface QueuedMail {
  readonly alertIds: readonly string[];
  /** Null: the owners and managers of that moment. */
  readonly to: readonly string[] | null;
  readonly failures: number;
  /** While it waits for others of its batch, to become one mail with them; see `gatherBatch`. */
  readonly batch?: MailBatch | null;
  /** Text of a mail without alerts. */
  readonly worded?: MailText;
}

/** The text of a mail. */
export type MailText = Pick<MailMessage, "subject" | "text">;

/** The cause of many alerts, which come in many commits. */
export interface MailBatch {
  readonly id: string;
  /** When the first and the last of the mail's alerts were raised. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The status of a mail; `off` never has a row. */
export interface MailState {
  readonly status: Exclude<MailStatus, "off">;
  /** The last failure. */
  readonly error: string | null;
}

export const mailQueue = createRowQueue<QueuedMail>("ml", 1);

const stateKey = (workspaceId: string, id: string) => ["mls", idBytes(workspaceId), idBytes(id)];

/** One mutation for each id. */
export function saveMailState(
  write: Write,
  workspaceId: string,
  ids: Iterable<string>,
  state: MailState,
): void {
  for (const id of ids) write.set(stateKey(workspaceId, id), state, KEPT_MS);
}

/** The statuses of mails, by the `mailId` of their alerts. */
export async function findMailStates(
  { store, workspaceId }: WorkspaceStore,
  ids: Iterable<string>,
): Promise<Map<string, MailState>> {
  const wanted = [...new Set(ids)];
  const rows = await getRows<MailState>(store, wanted.map((id) => stateKey(workspaceId, id)));
  const states = wanted.map((id, at) => [id, rows[at]?.value ?? null] as const);
  return new Map(states.filter((each): each is [string, MailState] => each[1] !== null));
}
