/** Unsaved rules, judged while a person edits them. */

import type { JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { NewRule, type RuleTerms } from "../../engine/pricing/rule.ts";
import { ignoring } from "../../platform/http/http.ts";
import type { Context } from "../../platform/store/context.ts";
import { requireRule, requireSound } from "../change_rule.ts";
import { RULE_READ_ONLY } from "../rule.ts";
import { z } from "@hono/zod-openapi";

/** Request fields that hold an unsaved rule; `edited` describes the purpose of the stored rule. */
export function draftFields(edited: string) {
  return {
    rule: ignoring(RULE_READ_ONLY, NewRule),
    ruleId: z.string().nullish().meta({ description: edited }),
  };
}

/**
 * The rule in the place of the stored one, or as a new one. Refuses with `validation_failed` what could
 * not be saved either, and with `not_found` a `ruleId` that names no rule.
 */
export async function requireDraft(
  ctx: Context,
  { rule, ruleId }: { readonly rule: RuleTerms; readonly ruleId?: string | null | undefined },
): Promise<JudgedRule> {
  await requireSound(ctx, rule, "rule.");
  const stored = ruleId ? (await requireRule(ctx, ruleId)).rule : null;
  const { id, createdAt } = stored ?? { id: ctx.newId(), createdAt: ctx.now().toISOString() };
  return { ...rule, id, createdAt };
}
