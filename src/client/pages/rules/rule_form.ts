import { useState } from "preact/hooks";
import { type ApiError, asApiError } from "../../api/api_error.ts";
import { useApp } from "../../app/app.ts";
import { refusalAt } from "../../parts/page.tsx";
import { keepTyped, useUnsaved } from "../../parts/form/fields.tsx";
import type { ActionDraft, bodyOf, FieldValue, RuleDraft } from "./rule_draft.ts";
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import type { Simulation } from "../../parts/decision/decision.ts";
import { useSettled } from "../../parts/use_settled.ts";
import type { ClauseCounts } from "../../../rules/evaluation/count_clauses.ts";
import type { ClauseCount } from "./clause.tsx";

export interface RuleForm {
  readonly draft: RuleDraft;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** The last refusal; the input stays. */
  readonly error: ApiError | null;
  set(patch: Partial<RuleDraft>): void;
  setWhen(name: string, value: FieldValue): void;
  setAction(at: number, action: ActionDraft): void;
  /** The refusal of the field at this path or below it. */
  errorOf(path: string): string | null;
  save(): Promise<void>;
  /** Starts the form with this draft. Input typed meanwhile stays, unsaved. */
  reset(draft: RuleDraft): void;
}

interface RuleFormOptions {
  readonly initial: RuleDraft;
  /** True if the form starts unsaved, for example from a template. */
  readonly isNew: boolean;
  /** Rejects if the service refuses the draft. Resolves to false if nothing was saved. */
  send(draft: RuleDraft): Promise<unknown>;
}

/** Constant, because a page has only one rule. */
export const RULE_FORM = "rule-form";

/** State of the editor. A failed save loses no input. */
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
        // Saved before `send`, which may leave the page: leaving must not ask about changes.
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

const PAUSE_MS = 350;

interface SimulationState {
  /** The last answer; of an earlier draft while `isRunning`. */
  readonly simulation: Simulation | null;
  readonly isRunning: boolean;
  readonly error: unknown;
  /** The request body after a pause in typing. Other requests about the draft use it, too. */
  readonly asked: string;
  again(): void;
}

/** The effect of the rule in the form, requested again after a pause in typing. */
export function useSimulation(
  rule: ReturnType<typeof bodyOf>,
  ruleId: string | null,
): SimulationState {
  const { call } = useApp();
  // A rule can be simulated before it has a name.
  const wanted = JSON.stringify({
    rule: { ...rule, name: rule.name || "–", description: null },
    ruleId,
  });
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery<Simulation>({
    queryKey: ["simulation", asked],
    queryFn: ({ signal }) =>
      call((api) => api.POST("/api/rules/simulate", { body: JSON.parse(asked) }), { signal }),
    placeholderData: keepPreviousData,
  });
  return {
    simulation: found.data ?? null,
    isRunning: found.isFetching || asked !== wanted,
    error: found.error,
    asked,
    again: () => void found.refetch(),
  };
}

/** The counts by clause, and the conflicts with other rules. */
export interface SaidCounts
  extends Readonly<Record<"scope" | "who" | "when" | "then" | "floor", ClauseCount | null>> {
  readonly rivals: Pick<ClauseCounts, "asks" | "conflicts" | "isCut">;
}

/**
 * The counts after each clause, requested after a pause in typing. `null` while unknown, and for an
 * invalid draft, whose errors the simulation shows.
 */
export function useClauseCounts(asked: string): SaidCounts | null {
  const { call, words, show } = useApp();
  const texts = words.rules.counts;
  const { data, error } = useQuery<ClauseCounts>({
    queryKey: ["clause counts", asked],
    queryFn: ({ signal }) =>
      call((api) => api.POST("/api/rules/counts", { body: JSON.parse(asked) }), { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!data || error) return null;
  type Unit = keyof typeof texts.units;
  const say = (clause: Unit, count: number, tell: (count: string) => string): ClauseCount => {
    const text = data.isCut ? texts.atLeast(show.number(count)) : show.number(count);
    return { text: texts.units[clause](text), told: tell(text) };
  };
  return {
    scope: say("scope", data.scope, texts.scope),
    who: say("who", data.withOffers, (count) => texts.who(show.number(data.offers), count)),
    when: say("when", data.fires, texts.when),
    then: say("then", data.moves, texts.then),
    rivals: data,
    floor: data.bound === 0 ? null : say("floor", data.bound, texts.floor),
  };
}
