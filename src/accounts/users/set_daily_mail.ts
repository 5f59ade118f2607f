import { changedFields } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { requireUser } from "./require_user.ts";
import { saveUser } from "./user_store.ts";

/** Whether the person who asks gets the mail of the morning. */
export async function setDailyMail(ctx: Context, isOn: boolean): Promise<void> {
  await transact(ctx, async (write) => {
    const { user, versionstamp } = await requireUser(ctx, ctx.actor.id);
    const { dailyMail = false } = user;
    if (dailyMail === isOn) return;
    saveUser(write, { ...user, dailyMail: isOn }, versionstamp);
    addAuditRow(write, ctx, {
      action: "user.update",
      resource: { type: "user", id: user.id, label: user.email },
      ...changedFields({ dailyMail }, { dailyMail: isOn }),
    });
  });
}
