import type { MailMessage } from "../../platform/mail.ts";
import { alertText } from "../../engine/wording/alert_text.ts";
import { alertWordsOf } from "../../engine/wording/alert_words.ts";
import { type Listener, termsOf } from "../../engine/wording/language.ts";
import type { StoredAlert } from "./alert.ts";

/** Alerts that a digest shows in full; of the others it names the titles. */
const SHOWN_MAX = 20;

interface Readers extends Listener {
  /** Name of the workspace. */
  readonly workspace: string;
  /** Where the web client is; null while nobody has said. */
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
