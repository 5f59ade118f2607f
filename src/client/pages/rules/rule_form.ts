/**
 * The state of the rule editor: the draft, the refusals of the service, and the effect of the
 * draft. A refused save loses no input. Input that is typed during a save stays as an unsaved
 * change.
 */
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
  readonly error: ApiError | null;
  set(patch: Partial<RuleDraft>): void;
  setWhen(name: string, value: FieldValue): void;
  setAction(at: number, action: ActionDraft): void;
  /** The message for a refused field at this path, or at a path that starts with it. */
  errorOf(path: string): string | null;
  save(): Promise<void>;
  /** Starts the form with this draft. Input that is typed during a save stays unsaved. */
  reset(draft: RuleDraft): void;
}

interface RuleFormOptions {
  readonly initial: RuleDraft;
  /** True if the form starts unsaved, for example from a template. */
  readonly isNew: boolean;
  /** Rejects if the service refuses the draft. Resolves to false if nothing was saved. */
  send(draft: RuleDraft): Promise<unknown>;
}

/** The id of the form. A page contains only one rule form. */
export const RULE_FORM = "rule-form";

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
        // Set before `send`, because `send` may leave the page, and leaving must not ask about
        // changes.
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

interface EffectState {
  /** While `isRunning` is true, the simulation belongs to an earlier draft. */
  readonly simulation: Simulation | null;
  readonly counts: ClauseTexts | null;
  readonly isRunning: boolean;
  readonly error: unknown;
  again(): void;
}

export function useEffectOf(rule: ReturnType<typeof bodyOf>, ruleId: string | null): EffectState {
  const { call } = useApp();
  // A rule can be simulated before it has a name.
  const wanted = JSON.stringify({
    rule: { ...rule, name: rule.name || "–", description: null },
    ruleId,
  });
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery({
    queryKey: ["simulation", asked],
    queryFn: async ({ signal }) => {
      const draft = JSON.parse(asked);
      const counting = call((api) => api.POST("/api/rules/counts", { body: draft }), { signal });
      // Without counts, the dry run chooses its products, and reports what is wrong with the draft.
      const counts: ClauseCounts | null = await counting.catch(() => null);
      const body = { ...draft, sampleProductIds: counts?.sample };
      const simulation: Simulation = await call(
        (api) => api.POST("/api/rules/simulate", { body }),
        { signal },
      );
      return { counts, simulation };
    },
    placeholderData: keepPreviousData,
  });
  const counts = found.error ? null : found.data?.counts;
  return {
    simulation: found.data?.simulation ?? null,
    counts: useClauseTexts(counts ?? null),
    isRunning: found.isFetching || asked !== wanted,
    error: found.error,
    again: () => void found.refetch(),
  };
}

export interface ClauseTexts
  extends Readonly<Record<"scope" | "who" | "when" | "then" | "floor", ClauseCount | null>> {
  readonly fires: string;
  readonly data: ClauseCounts;
}

/** Null while unknown. */
function useClauseTexts(data: ClauseCounts | null): ClauseTexts | null {
  const { words, show } = useApp();
  if (data === null) return null;
  const texts = words.rules.counts;
  const numberOf = (count: number) =>
    data.isCut ? texts.atLeast(show.number(count)) : show.number(count);
  type Unit = keyof typeof texts.units;
  const say = (clause: Unit, count: number, tell: (count: string) => string): ClauseCount => ({
    text: texts.units[clause](numberOf(count)),
    title: tell(numberOf(count)),
  });
  return {
    fires: words.rules.simulation.of(numberOf(data.fires), numberOf(data.scope)),
    scope: say("scope", data.scope, texts.scope),
    who: say("who", data.withEnough, (count) => texts.who(show.number(data.offers), count)),
    when: say("when", data.fires, texts.when),
    then: say("then", data.moves, texts.then),
    data,
    floor: data.bound === 0 ? null : say("floor", data.bound, texts.floor),
  };
}
