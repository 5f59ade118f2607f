import { SEVERITIES, type Severity } from "../../base/codes.ts";
import { AlertFacts } from "../../engine/wording/alert_facts.ts";
import { alertText } from "../../engine/wording/alert_text.ts";
import { createShow } from "../../engine/wording/show.ts";
import { z } from "@hono/zod-openapi";

/** The status of an alert's mail; `null` if the alert has none. */
export const MAIL_STATUSES = ["sent", "queued", "off", "failed"] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A message to the people of a workspace. */
export const Alert = z.object({
  id: z.string(),
  severity: z.enum(SEVERITIES),
  ruleId: z.string().nullable().meta({ description: "Null if the service itself raised it" }),
  productId: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  facts: AlertFacts.nullable().default(null).meta({
    description: "The facts in title and body, for programs; null for older alerts",
  }),
  mail: z.enum(MAIL_STATUSES).nullable().meta({
    description: "`off`: no SMTP server is configured; null: no mail was requested",
  }),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
}).meta({ id: "Alert" });

export type Alert = z.infer<typeof Alert>;

/** Recipients of the mail: all owners and managers, the addresses of a rule, or none. */
export type MailTo = "team" | readonly string[] | null;

/** A new alert. Texts are cut to 300 and 4,000 characters. */
export interface NewAlert {
  readonly severity: Severity;
  /** Null for an alert of the service itself. */
  readonly ruleId: string | null;
  readonly productId: string | null;
  /** One line. */
  readonly title: string;
  /** Plain text, which contains the name of the rule if there is one. */
  readonly body: string;
  readonly facts?: AlertFacts;
  readonly mailTo: MailTo;
}

const SPEAKER = {
  language: "en",
  show: createShow({ locale: "en", timeZone: "UTC", currency: "EUR" }, () => 0),
} as const;

/**
 * An alert of the service itself, in English, with severity high and a mail to owners and managers.
 */
export function systemAlert(facts: AlertFacts, productId: string | null = null): NewAlert {
  const { title, body } = alertText(SPEAKER, { title: "", body: "", facts });
  return { severity: "high", ruleId: null, productId, title, body, facts, mailTo: "team" };
}

/** The stored form. The status of the mail is in a separate row. */
export interface StoredAlert extends Omit<Alert, "mail"> {
  /**
   * The id of that row: the alert's own id, or the mail's id for older alerts; null without a mail.
   */
  readonly mailId: string | null;
  /** True if a mail was requested while no server was configured. */
  readonly isMailOff: boolean;
}

/**
 * Converts an alert to its stored form. Removes control characters, which would break a mail's
 * header.
 */
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
