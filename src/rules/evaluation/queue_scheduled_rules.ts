/** Queues the products of rules with a schedule at the scheduled time. */
import { rejudge } from "../../platform/events/rejudge.ts";
import { eachWorkspace } from "../../accounts/each_workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { type Actor, contextFor } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { dueSlot } from "../../engine/pricing/rule.ts";
import type { StoredRule } from "../rule.ts";
import { askedSlots, checkRule, findRule, type RuleSetup } from "../rule_store.ts";

const SCHEDULE: Actor = { type: "system", id: "schedule", name: "Schedule" };

/** The pass of every minute; each time of a rule once, however many processes ask. Returns their number. */
export async function queueScheduledRules(setup: RuleSetup): Promise<number> {
  let count = 0;
  await eachWorkspace(setup.store, "scheduled rules", async (workspace) => {
    const page = await setup.ruleCache.rulesOf(workspace);
    for (const rule of page.byId.values()) {
      if (rule.schedule !== null && await queueOne(setup, workspace.workspaceId, rule)) count++;
    }
  });
  return count;
}

/** Mark and job are one commit. A time before the rule said what it says is none of its own. */
async function queueOne(
  { store, clock }: RuleSetup,
  workspaceId: string,
  { id: ruleId, version, schedule, updatedAt }: StoredRule,
): Promise<boolean> {
  const ctx = contextFor({ store, clock, requestId: "schedule" }, workspaceId, SCHEDULE);
  const { timeZone } = await requireWorkspace(ctx);
  const due = schedule && dueSlot(schedule, ctx.now(), timeZone);
  if (!due || due.atMs < Date.parse(updatedAt)) return false;
  return await transact(ctx, async (write) => {
    const found = await findRule(ctx, ruleId);
    const mark = await askedSlots.find(ctx, { ruleId });
    // A rule that goes meanwhile takes its mark along, and no later commit puts one back.
    if (!found || mark?.row.slot === due.slot) return false;
    checkRule(write, workspaceId, found);
    askedSlots.save(write, ctx, mark, { ruleId, slot: due.slot });
    rejudge(write, ctx, { by: "rule", ruleId, version, isAsked: true });
    return true;
  });
}
