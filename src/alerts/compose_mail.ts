import type { MailMessage } from "../platform/mail.ts";
import type { StoredAlert } from "./alert.ts";

/** Alerts that a digest shows in full; of the others it names the titles. */
const SHOWN_MAX = 20;

/** The words of a mail about one alert, or about many of one batch. */
export function composeMail(
  alerts: readonly StoredAlert[],
  { workspace, publicUrl }: { readonly workspace: string; readonly publicUrl: string | null },
): Pick<MailMessage, "subject" | "text"> {
  const [first] = alerts;
  const subject = first && alerts.length === 1
    ? `[${workspace}] ${first.title}`
    : `[${workspace}] ${alerts.length} alerts`;
  const shown = alerts.slice(0, SHOWN_MAX).map(({ title, severity, body }) =>
    `${title}\nSeverity: ${severity}\n\n${body}\n`
  );
  const rest = alerts.slice(SHOWN_MAX).map(({ title }) => `- ${title}`);
  const parts = [
    ...shown,
    ...(rest.length > 0 ? [`And ${rest.length} more:\n${rest.join("\n")}\n`] : []),
    ...(publicUrl === null ? [] : [`All alerts: ${publicUrl}\n`]),
  ];
  return { subject, text: parts.join("\n--\n\n") };
}
