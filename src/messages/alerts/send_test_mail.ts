import { findUser } from "../../accounts/users/user_store.ts";
import { findWorkspace } from "../../accounts/workspace_store.ts";
import { alertWordsOf } from "../../engine/wording/alert_text.ts";
import { languageOf } from "../../base/language.ts";
import { type Mailer, MailTrouble } from "../../platform/mail.ts";
import type { Context } from "../../platform/store/context.ts";
import type { MailText } from "./mail_store.ts";
import { z } from "@hono/zod-openapi";

export interface MailTestDeps {
  /** Null if no SMTP server is configured. */
  readonly mailer: Mailer | null;
}

export const MailTestResult = z.object({
  status: z.enum(["sent", "failed", "off"]).meta({
    description: "`sent`: the server has accepted it; `off`: no SMTP_URL is configured",
  }),
  to: z.string().nullable().meta({
    description: "The address that it was sent to; null if it was not sent",
  }),
  message: z.string().nullable().meta({ description: "Why the server did not accept it" }),
}).meta({ id: "MailTest" });

export type MailTestResult = z.infer<typeof MailTestResult>;

/** Sends a mail to the calling person, at once and without retries; returns the server's answer. */
export async function sendTestMail(
  ctx: Context,
  { mailer }: MailTestDeps,
): Promise<MailTestResult> {
  if (mailer === null) return { status: "off", to: null, message: "SMTP_URL is not set" };
  const to = (await findUser(ctx, ctx.actor.id))?.user.email ?? ctx.actor.name;
  const locale = (await findWorkspace(ctx.store, ctx.workspaceId))?.locale ?? "";
  const words = alertWordsOf(languageOf(locale));
  const test = { subject: words.testSubject, text: `${words.test}\n` };
  return await sendAtOnce(mailer, { to, id: ctx.newId(), ...test });
}

/** Makes one attempt and returns its result. */
export async function sendAtOnce(
  mailer: Mailer,
  { to, id, ...text }: MailText & { readonly to: string; readonly id: string },
): Promise<MailTestResult> {
  try {
    await mailer.send({ to: [to], ...text, messageId: `<${id}@${mailer.host}>` });
    return { status: "sent", to, message: null };
  } catch (error) {
    if (!(error instanceof MailTrouble)) throw error;
    return { status: "failed", to, message: error.message };
  }
}
