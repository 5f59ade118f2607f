import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import type { z } from "zod";
import type { SingleRule } from "../../../rules/rule.ts";
import { ApiError } from "../../api/api_error.ts";
import { Overtaken, saveOver } from "../../api/save_over.ts";
import { useApp } from "../../app/app.ts";
import { bodyOf, draftOf, type References } from "./rule_draft.ts";
import { type RuleForm, useRuleForm } from "./use_rule_form.ts";

export type OneRule = z.infer<typeof SingleRule>;

interface StoredRuleForm {
  readonly form: RuleForm;
  /** True when somebody else has saved other terms, and taking them over would lose what is typed. */
  readonly isBehind: boolean;
  takeTheirs(): void;
}

/**
 * The form of a stored rule. A save over what somebody else has saved meanwhile is made only after
 * the person has seen that; switching the rule on or off is no such change.
 */
export function useStoredRule(rule: OneRule, references: References): StoredRuleForm {
  const { call, words, show, toasts } = useApp();
  const client = useQueryClient();
  const textOf = (one: OneRule) => JSON.stringify(draftOf(one, show.locale));
  const [base, setBase] = useState(textOf(rule));
  const path = `/api/rules/${rule.id}`;
  const shown = textOf(rule);
  const form = useRuleForm({
    initial: draftOf(rule, show.locale),
    isNew: false,
    send: async (draft) => {
      const body = bodyOf(draft, references, show.locale);
      const saved = await saveOver<OneRule>(call, {
        path,
        body,
        isSeen: (latest) => [base, shown].includes(textOf(latest)),
      }).catch((error: unknown) => {
        if (!(error instanceof Overtaken)) throw error;
        client.setQueryData(["rules", rule.id, {}], error.latest);
        const message = words.rules.versionTitle;
        throw new ApiError({ code: "version_conflict", message, status: 412, requestId: null });
      });
      take(saved);
      client.setQueryData(["rules", rule.id, {}], saved);
      toasts.tell(words.saved);
      await Promise.all(
        ["rules", "audit", "products"].map((area) =>
          client.invalidateQueries({ queryKey: [area] })
        ),
      );
    },
  });
  const take = (one: OneRule) => {
    form.reset(draftOf(one, show.locale));
    setBase(textOf(one));
  };
  const isOther = shown !== base;
  useEffect(() => {
    if (isOther && !form.isDirty && !form.isSaving) take(rule);
  }, [isOther, form.isDirty, form.isSaving]);
  return {
    form,
    isBehind: isOther && form.isDirty && !form.isSaving,
    takeTheirs: () => take(rule),
  };
}
