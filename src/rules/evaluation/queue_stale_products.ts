/** Queues products whose prices become stale, because no event says so. */

import { countInWorkspaces, eachWorkspace } from "../../accounts/each_workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { dueSlot } from "../../engine/pricing/rule.ts";
import { rejudge } from "../../platform/events/rejudge.ts";
import { type Actor, contextFor, type WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { StoredRule } from "../rule.ts";
import { askedSlots, checkRule, findRule, type RuleSetup } from "../rule_store.ts";
import { rulesFor } from "./evaluate_dirty.ts";
import { everyProduct, isIdle, judge, rulesOf } from "./judge.ts";
import { queueDirty } from "./queue_ended.ts";
import { readSurroundings } from "./situation_reader.ts";

export const stalePasses = defineTable<{ readonly slotMs: number }>({
  prefix: "rsp",
  about: "the slot of the last pass for what is out of date, in milliseconds",
  key: {},
  codec: { encode: ({ slotMs }) => slotMs, decode: (value) => ({ slotMs: Number(value) }) },
});

/** 30 bytes of value for each product. */
const PER_COMMIT = 5_000;

/** Queues products for which a clock-driven rule would act, once per slot. Returns their number. */
export async function queueStaleProducts(setup: RuleSetup, slot: Date): Promise<number> {
  return await countInWorkspaces(setup.store, "stale products", (workspace) => {
    return queueOf(setup, workspace, slot);
  });
}

async function queueOf(
  setup: RuleSetup,
  workspace: WorkspaceStore,
  slot: Date,
): Promise<number> {
  const page = rulesFor(await setup.ruleCache.rulesOf(workspace), { cause: "clock", ref: null });
  if (page.compiled.length === 0 || !(await takeSlot(setup, workspace, slot))) return 0;
  const found: { id: string; shard: number }[] = [];
  const surroundings = await readSurroundings(workspace);
  const moment = { nowMs: setup.clock.now().getTime(), mode: "live" } as const;
  const products = everyProduct(workspace, { surroundings, wanted: null });
  // An open proposal is reviewed when another cause judges the product.
  await judge(products, rulesOf(page), moment, {
    history: null,
    take: ({ situation: { product: { id, sku } } }, answer) => {
      if (!isIdle(answer)) found.push({ id, shard: shard(sku) });
    },
  });
  // Neighbours share generations, so that a commit takes many.
  found.sort((a, b) => a.shard - b.shard);
  for (let at = 0; at < found.length; at += PER_COMMIT) {
    const ids = found.slice(at, at + PER_COMMIT).map(({ id }) => id);
    await transact(setup, (write) => {
      queueDirty(write, workspace.workspaceId, setup.clock, ids, "clock");
    });
  }
  return found.length;
}

async function takeSlot(setup: RuleSetup, workspace: WorkspaceStore, slot: Date) {
  return await transact(setup, async (write) => {
    const last = await stalePasses.find(workspace, {});
    if (last && last.row.slotMs >= slot.getTime()) return false;
    stalePasses.save(write, workspace, last, { slotMs: slot.getTime() });
    return true;
  });
}

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
