import { useQueryClient } from "@tanstack/preact-query";
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { z } from "zod";
import type { SingleRule } from "../../../rules/rule.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import { bodyOf, draftOf, type References } from "./rule_draft.ts";
import { RULE_FORM, type RuleForm, useRuleForm } from "./use_rule_form.ts";

export type OneRule = z.infer<typeof SingleRule>;

interface StoredRuleForm {
  readonly form: RuleForm;
  /** Stands in the form while it is asked whose terms are to be kept. */
  readonly note: ComponentChild;
}

/**
 * The form of a stored rule. A save over what somebody else has saved meanwhile is made only after
 * the person has seen that; switching the rule on or off is no such change.
 */
export function useStoredRule(rule: OneRule, references: References): StoredRuleForm {
  const { words, show, toasts } = useApp();
  const client = useQueryClient();
  const textOf = (one: OneRule) => JSON.stringify(draftOf(one, show));
  const [base, setBase] = useState(textOf(rule));
  const shown = textOf(rule);
  const form = useRuleForm({
    initial: draftOf(rule, show),
    isNew: false,
    send: async (draft) => {
      const saved = await over.save(bodyOf(draft, references, show));
      if (saved === null) return false;
      take(saved);
      client.setQueryData(["rules", rule.id], saved);
      toasts.tell(words.saved);
      await Promise.all(
        ["rules", "audit", "products"].map((area) =>
          client.invalidateQueries({ queryKey: [area] })
        ),
      );
      return true;
    },
  });
  const over = useSaveOver({
    read: (api) => api.GET("/api/rules/{id}", { params: { path: { id: rule.id } } }),
    write: (api, body: Wire<"RulePatch">) =>
      api.PATCH("/api/rules/{id}", { params: { path: { id: rule.id } }, body }),
    resource: `rule:${rule.id}`,
    document: rule,
    formId: RULE_FORM,
    textOf,
    onTheirs: (one) => {
      // Else the page would fill the form again with what it has read before.
      client.setQueryData(["rules", rule.id], one);
      take(one);
    },
  });
  const take = (one: OneRule) => {
    form.reset(draftOf(one, show));
    setBase(textOf(one));
  };
  const isOther = shown !== base;
  useEffect(() => {
    if (!isOther || form.isDirty || form.isSaving) return;
    take(rule);
    over.follow(rule);
  }, [shown, isOther, form.isDirty, form.isSaving]);
  return { form, note: over.note };
}
