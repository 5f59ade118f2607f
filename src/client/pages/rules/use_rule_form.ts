import { useState } from "preact/hooks";
import { type ApiError, asApiError } from "../../api/api_error.ts";
import { useApp } from "../../app/app.ts";
import { refusalAt } from "../../parts/refusal_text.ts";
import { keepTyped } from "../../parts/form/keep_typed.ts";
import { useUnsaved } from "../../parts/form/use_form.ts";
import type { ActionDraft, FieldValue, RuleDraft } from "./rule_draft.ts";

export interface RuleForm {
  readonly draft: RuleDraft;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** The last refusal; what was typed stays as it is. */
  readonly error: ApiError | null;
  set(patch: Partial<RuleDraft>): void;
  setWhen(name: string, value: FieldValue): void;
  setAction(at: number, action: ActionDraft): void;
  /** The service's refusal of the field at this path or below it. */
  errorOf(path: string): string | null;
  save(): Promise<void>;
  /** Restarts the form with this draft; later typing stays, unsaved. */
  reset(draft: RuleDraft): void;
}

interface RuleFormOptions {
  readonly initial: RuleDraft;
  /** Unsaved from the beginning, as with a template. */
  readonly isNew: boolean;
  /** Rejects when it was refused; false: nothing is saved, and what was typed is unsaved still. */
  send(draft: RuleDraft): Promise<unknown>;
}

/** The id of the form: there is one rule on a page. */
export const RULE_FORM = "rule-form";

/** State of the editor. Nothing that was typed is lost by a failed save. */
export function useRuleForm({ initial, isNew, send }: RuleFormOptions): RuleForm {
  const app = useApp();
  const [start, setStart] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<ApiError | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(start);
  useUnsaved(isDirty);
  const change = (patch: (before: RuleDraft) => Partial<RuleDraft>) =>
    setDraft((before) => ({ ...before, ...patch(before) }));
  return {
    draft,
    isDirty: isDirty || isNew,
    isSaving,
    error,
    set: (patch) => change(() => patch),
    setWhen: (name, value) => change(({ when }) => ({ when: { ...when, [name]: value } })),
    setAction: (at, action) => change(({ actions }) => ({ actions: actions.with(at, action) })),
    errorOf: (path) => refusalAt(app, error, path),
    save: async () => {
      setSaving(true);
      setError(null);
      try {
        // Saved is saved: leaving the page for the new rule's own asks no question.
        setStart(draft);
        if (await send(draft) === false) setStart(start);
      } catch (refusal) {
        setStart(start);
        setError(asApiError(refusal));
      } finally {
        setSaving(false);
      }
    },
    reset: (fresh) => {
      setStart(fresh);
      setDraft((now) => keepTyped(fresh, draft, now));
      setError(null);
    },
  };
}
