import { rejudge } from "../platform/events/rejudge.ts";
import type { Context } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { sayingOf, type StoredRule } from "./rule.ts";

/**
 * An enabled rule that is new, was disabled, or says something else than before is asked of the products
 * of its scope, without waiting for anything to happen to them. When it is switched off, its open proposals
 * are closed and their products go to the other rules. `before` is null for a new one.
 */
export function rejudgeScope(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "now" | "newId">,
  before: StoredRule | null,
  after: StoredRule,
): void {
  const wasSaid = before?.enabled === true && sayingOf(before) === sayingOf(after);
  // One that is asked by its time alone waits for it.
  const isAsked = after.enabled && !wasSaid && after.schedule?.only !== true;
  const isSwitchedOff = before?.enabled === true && !after.enabled;
  if (!isAsked && !isSwitchedOff) return;
  rejudge(write, ctx, { by: "rule", ruleId: after.id, version: after.version });
}
