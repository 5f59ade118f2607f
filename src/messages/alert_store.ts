/**
 * Keys (`W`: id of the workspace): `ml W dueMs id` → mail that is due at `dueMs`. While a process
 * sends the mail, `dueMs` is the time until which other processes leave it alone.
 *
 * Alerts are messages to the people of a workspace. An alert stores a code with values, such as the
 * product and its prices. The web client shows alerts in the reader's language; mails use the
 * workspace's language. An alert also stores an English text, for programs. The commit that raises
 * an alert also publishes an event and queues the alert's mail, if any.
 */
import { z } from "@hono/zod-openapi";
import { SEVERITIES, type Severity } from "../base/codes.ts";
import { once } from "../base/collections.ts";
import { AlertFacts } from "../engine/wording/alert_facts.ts";
import { alertText } from "../engine/wording/alert_text.ts";
import { audienceOf } from "../engine/wording/show.ts";
import type { Context, Tools, WorkspaceStore } from "../platform/store/context.ts";
import { defineTable } from "../platform/store/table.ts";
import { publish } from "../platform/events/outbox_store.ts";
import type { Write } from "../platform/store/kv.ts";
import type { Sendable } from "../platform/jobs/work_loop.ts";
import { RowQueue } from "../platform/store/row_queue_store.ts";
import type { MailMessage } from "../platform/mail.ts";

const MAIL_STATUSES = ["sent", "queued", "off", "failed"] as const;

export const Alert = z.object({
  id: z.string(),
  severity: z.enum(SEVERITIES),
  ruleId: z.string().nullable().describe("Null if the service itself raised it"),
  productId: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  facts: AlertFacts.nullable().default(null)
    .describe("The facts in title and body, for programs; null for older alerts"),
  mail: z.enum(MAIL_STATUSES).nullable()
    .describe("`off`: no SMTP server is configured; null: no mail was requested"),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
}).meta({ id: "Alert" });

export type Alert = z.infer<typeof Alert>;

/** Receivers of a mail: addresses, or `team` (owners and managers who want it); null: no mail. */
type MailTo = "team" | readonly string[] | null;

export interface NewAlert {
  readonly severity: Severity;
  readonly ruleId: string | null;
  readonly productId: string | null;
  readonly title: string;
  readonly body: string;
  readonly facts?: AlertFacts;
  readonly mailTo: MailTo;
}

const english = once(() => audienceOf({ locale: "en", timeZone: "UTC", currency: "EUR" }));

export function systemAlert(facts: AlertFacts, productId: string | null = null): NewAlert {
  const { title, body } = alertText(english(), { title: "", body: "", facts });
  return { severity: "high", ruleId: null, productId, title, body, facts, mailTo: "team" };
}

export interface StoredAlert extends Omit<Alert, "mail"> {
  readonly mailId: string | null;
  readonly isMailOff: boolean;
}

/** Cuts long texts. Replaces the title's control characters, which would break a mail's header. */
export function toStoredAlert(
  { severity, ruleId, productId, title, body, facts }: NewAlert,
  rest: Pick<StoredAlert, "id" | "createdAt" | "mailId" | "isMailOff">,
): StoredAlert {
  return {
    ...rest,
    severity,
    ruleId,
    productId,
    title: cut(title.replace(/\p{Cc}+/gu, " "), 300),
    body: cut(body, 4_000),
    facts: facts ?? null,
    readAt: null,
  };
}

function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax).toWellFormed()}…`;
}

export const alerts = defineTable<StoredAlert, "id", "unread" | "rule" | "product">({
  prefix: "al",
  about: "alert",
  key: { id: "id" },
  valueHasKey: true,
  version: "alv",
  indexes: {
    unread: {
      prefix: "alu",
      key: {},
      of: ({ readAt }) => readAt === null ? [{}] : [],
      count: "aln",
    },
    rule: { prefix: "alr", key: { ruleId: "id" } },
    product: { prefix: "alp", key: { productId: "id" } },
  },
  keep: {
    what: "alerts",
    days: 400,
    isOld: ({ createdAt }, before) => createdAt < before.toISOString(),
    isInOrder: true,
  },
});

/** The commit fails if alerts changed since `version` was read, so read it before `unread`. */
export function markRead(
  write: Write,
  workspace: WorkspaceStore,
  version: string | null,
  unread: readonly StoredAlert[],
  now: Date,
): void {
  if (unread.length === 0) return;
  alerts.checkVersion(write, workspace, version);
  const readAt = now.toISOString();
  for (const row of unread) alerts.put(write, workspace, { ...row, readAt }, row);
}

/** The kinds are public and stored, so never remove a kind. */
export const CAUSE_KINDS = [
  "rule",
  "shop",
  "prices",
  "links",
  "import",
  "delivery",
  "system",
] as const;

export type CauseKind = (typeof CAUSE_KINDS)[number];

export function causeOf(alert: Pick<StoredAlert, "facts" | "ruleId" | "title">) {
  const [kind, ...parts] = partsOf(alert);
  return { kind, key: [kind, ...parts].join(" ").slice(0, 300).toWellFormed() };
}

function partsOf(
  { facts, ruleId, title }: Pick<StoredAlert, "facts" | "ruleId" | "title">,
): readonly [CauseKind, ...string[]] {
  switch (facts?.code) {
    case "rule_fired":
      return ["rule", ruleId ?? facts.ruleName];
    case "brake_closed":
      return ["rule", "brake", ruleId ?? facts.ruleName];
    case "domain_failing":
    case "recipe_drifting":
      return ["shop", facts.domain];
    case "shop_held":
      return ["prices", facts.competitorId];
    case "price_out_of_bounds":
    case "import_out_of_bounds":
      return ["prices", "bounds"];
    case "other_product":
    case "other_products":
      return ["links", "other"];
    case "discovery_fell_back":
      return ["links", facts.competitorId];
    case "import_failed":
    case "import_held":
      return ["import", facts.code, facts.label];
    case "import_overdue":
    case "prices_not_arrived":
      return ["delivery", facts.code];
    case "not_fetched":
    case "source_silent":
      return ["delivery", facts.sourceId];
    case "webhook_disabled":
      return ["system", facts.host];
    case "hold_switched_on":
      return ["system", facts.code];
    default:
      return ruleId === null ? ["system", title] : ["rule", ruleId];
  }
}

export interface AlertDeps {
  readonly isMailOn: boolean;
}

export const BY_RULES = "rules";

export interface AlertSetup extends Tools {
  readonly deps: AlertDeps;
}

type Raiser = Pick<Context, "workspaceId" | "now" | "newId">;

/** Adds to the commit at most 8 mutations per alert plus 1, and no version checks. */
export function raiseAlerts(
  write: Write,
  ctx: Raiser,
  deps: AlertDeps,
  raised: readonly NewAlert[],
  batch: string | null = null,
): string[] {
  if (raised.length === 0) return [];
  const createdAt = ctx.now().toISOString();
  const stored = raised.map((alert): StoredAlert => {
    const id = ctx.newId();
    const isMailed = deps.isMailOn && alert.mailTo !== null;
    if (isMailed) queueMail(write, ctx, { id, mailTo: alert.mailTo }, batch);
    const isMailOff = alert.mailTo !== null && !deps.isMailOn;
    return toStoredAlert(alert, { id, createdAt, mailId: isMailed ? id : null, isMailOff });
  });
  for (const alert of stored) alerts.put(write, ctx, alert);
  const events = stored.map(({ id: alertId, severity, facts, ruleId, productId, title }) => {
    const code = facts?.code ?? null;
    const data = { alertId, severity, code, ruleId, productId, title };
    return { type: "alert.raised", data } as const;
  });
  publish(write, ctx, events);
  return stored.map(({ id }) => id);
}

/** `gatherBatch` may later merge queued mails with the same `batch` into one mail. */
function queueMail(
  write: Write,
  { workspaceId, now, newId }: Raiser,
  { id, mailTo }: Pick<NewAlert, "mailTo"> & { readonly id: string },
  batch: string | null,
): void {
  const raisedMs = now().getTime();
  mailStates.put(write, { workspaceId }, { id, status: "queued", error: null });
  mailQueue.add(write, {
    partition: [workspaceId],
    id: newId(),
    dueMs: batch === null ? raisedMs : raisedMs + QUIET_MS,
    value: {
      alertIds: [id],
      to: mailTo === "team" ? null : mailTo,
      failures: 0,
      batch: batch === null ? null : { id: batch, fromMs: raisedMs, toMs: raisedMs },
    },
  });
}

/** A batch is mailed this many ms after its newest alert, or later while rules still run. */
export const QUIET_MS = 5_000;

/** A mail has either a text (`worded`), or alerts, whose text is written when the mail is sent. */
export interface QueuedMail extends Sendable {
  readonly alertIds: readonly string[];
  readonly to: readonly string[] | null;
  /** Only in a daily mail: id of the recipient. */
  readonly userId?: string;
  /** Null or absent if the mail must not be merged with other mails (`gatherBatch`). */
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
  readonly id: string;
  readonly status: "sent" | "queued" | "failed";
  readonly error: string | null;
}

export const mailQueue = new RowQueue<QueuedMail>("ml", 1);

/** `id` is the alert's `mailId`: the alert's own id, or a mail's id in alerts of old versions. */
export const mailStates = defineTable<MailState, "id">({
  prefix: "mls",
  about: "the status of the mail about this alert",
  key: { id: "id" },
  expireInMs: 401 * 24 * 3_600_000,
});
