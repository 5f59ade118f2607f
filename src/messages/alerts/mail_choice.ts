/** For each kind of cause, a person gets a mail at once, the daily mail, or no mail. */
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { CAUSE_KINDS, type CauseKind } from "./alert.ts";
import { z } from "@hono/zod-openapi";

const MAIL_CHOICES = ["now", "daily", "here"] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

const DAILY_TIME = "07:00";

export const mailChoices = defineTable<
  { readonly userId: string; readonly kind: CauseKind; readonly choice: MailChoice },
  "userId" | "kind"
>({
  prefix: "alc",
  about: "how a person gets alerts of a kind of cause; without a row, as a mail at once",
  key: { userId: "id", kind: "text" },
});

export const MailChoiceItem = z.strictObject({
  kind: z.enum(CAUSE_KINDS),
  choice: z.enum(MAIL_CHOICES)
    .describe(`\`now\`: a mail at once; \`daily\`: in one mail at ${DAILY_TIME}; \`here\`: none`),
}).meta({ id: "AlertMailChoice" });

export const MailChoiceList = z.object({
  items: z.array(MailChoiceItem).describe("One for each kind of cause"),
  email: z.string().describe("The address of the calling person"),
}).meta({ id: "AlertMailChoices" });

export async function choicesOf(
  workspace: WorkspaceStore,
  userId: string,
): Promise<z.output<typeof MailChoiceItem>[]> {
  const keys = CAUSE_KINDS.map((kind) => ({ userId, kind }));
  const found = await mailChoices.getMany(workspace, keys);
  return CAUSE_KINDS.map((kind, at) => ({ kind, choice: found[at]?.row.choice ?? "now" }));
}

export async function chooseMail(
  ctx: Context,
  { kind, choice }: z.output<typeof MailChoiceItem>,
): Promise<void> {
  const place = { userId: ctx.actor.id, kind };
  await transact(ctx, async (write) => {
    const found = await mailChoices.find(ctx, place);
    mailChoices.save(write, ctx, found, { ...place, choice });
  });
}

export function nextDailyMs(nowMs: number, timeZone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const today = now.withPlainTime(DAILY_TIME);
  return (today.epochMilliseconds > nowMs ? today : now.add({ days: 1 }).withPlainTime(DAILY_TIME))
    .epochMilliseconds;
}
