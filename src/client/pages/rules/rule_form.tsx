/** Keeps the state of the rule form, and simulates the rule while a person types. */
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { type ComponentChildren, createContext } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SentencePart } from "../../../engine/wording/price_sentence.ts";
import { ruleSentence, ruleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import type { ClauseCounts } from "../../../rules/evaluation/count_clauses.ts";
import { get, PAGE_SIZE_MAX, where } from "../../api/call.ts";
import { useApp, useDocument, useList, useRequired } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import type { Simulation } from "../../parts/decision/decision.tsx";
import { listAt, type PathForm, type Value } from "../../parts/form/saved_form.tsx";
import { useSettled } from "../../parts/hooks.ts";
import type { Words } from "../../words/words.ts";
import { bodyOf, type References } from "./rule_draft.ts";

type ClauseName = keyof Words["rules"]["clauses"];

interface ClauseCount {
  readonly text: string;
  readonly title: string;
}

interface ClauseProps {
  readonly name: ClauseName;
  readonly parts: readonly SentencePart[];
  readonly none: string;
  /** True if the clause is open at first in a new rule. */
  readonly opens?: boolean;
  readonly paths: readonly string[];
  readonly children: ComponentChildren;
}

export function Clause({ name, parts, none, opens = false, paths, children }: ClauseProps) {
  const lead = useApp().words.rules.clauses[name];
  const { form, ruleId, effect: { counts } } = useRule();
  const count = counts?.of[name];
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(opens && ruleId === null);
  const [wanted, setWanted] = useState<string | null>(null);
  const isShown = isAsked || paths.some((path) => form.errorOf(path) !== null);
  // A layout effect sets the focus before the next key press.
  useLayoutEffect(() => {
    if (wanted !== null && body.current) fieldAt(body.current, wanted)?.focus();
  }, [wanted]);
  const press = (path: string) => {
    const isSecond = isAsked && wanted === path;
    setAsked(!isSecond);
    setWanted(isSecond ? null : path);
  };
  const pieces = parts.length === 0 ? [{ path: "", text: none }] : parts;
  return (
    <div class="clause" role="group" aria-labelledby={id}>
      <span class="clause-lead" id={id}>{lead}</span>
      <div class="pieces flow gap-6">
        {pieces.map(({ path, text }) => (
          <button
            key={path + text}
            type="button"
            class={parts.length === 0 ? "piece unset" : "piece"}
            aria-expanded={isShown}
            aria-controls={`${id}-body`}
            onClick={() => press(path)}
          >
            {text === "" ? none : text}
          </button>
        ))}
      </div>
      {count && (
        <span class="clause-count soft nowrap" title={count.title}>
          <span aria-hidden="true">{count.text}</span>
          <span class="sr-only">{count.title}</span>
        </span>
      )}
      <div class="clause-body" id={`${id}-body`} ref={body}>{isShown && children}</div>
    </div>
  );
}

/** Returns the field named `path`, or one below or above this path, or the first field. */
function fieldAt(body: HTMLElement, path: string): HTMLElement | null {
  const fields = [...body.querySelectorAll<HTMLElement>("[name], [data-name]")];
  const nameOf = (field: HTMLElement) =>
    field.getAttribute("name") ?? field.getAttribute("data-name") ?? "";
  return fields.find((field) => nameOf(field) === path) ??
    fields.find((field) => `${nameOf(field)}.`.startsWith(`${path}.`)) ??
    fields.find((field) => path.startsWith(`${nameOf(field)}.`)) ?? fields[0] ?? null;
}

export function useReferences() {
  const triggers = useDocument(get("/api/rules/triggers"));
  const actions = useDocument(get("/api/rules/actions"));
  return {
    references: triggers.data && actions.data
      ? { triggers: triggers.data.data, actions: actions.data.data }
      : null,
    error: triggers.error ?? actions.error,
    again: () => {
      void triggers.refetch();
      void actions.refetch();
    },
  };
}

export function useCompetitors() {
  return useList((page) => get("/api/competitors", where(page)), { limit: PAGE_SIZE_MAX });
}

export function useCompetitorNames(): (id: string) => string {
  const { rows } = useCompetitors();
  const names = new Map(rows.map(({ id, displayName }) => [id, displayName]));
  return (id) => names.get(id) ?? id;
}

interface RuleInForm {
  readonly form: PathForm;
  readonly references: References;
  /** Id of the edited rule; null for a new rule. */
  readonly ruleId: string | null;
  readonly isOn: boolean;
  readonly isReadOnly: boolean;
}

const RuleContext = createContext<ReturnType<typeof useRuleState> | null>(null);

export const useRule = () => useRequired(RuleContext);

export function EditedRule(
  { rule, children }: { readonly rule: RuleInForm; readonly children: ComponentChildren },
) {
  return <RuleContext value={useRuleState(rule)}>{children}</RuleContext>;
}

function useRuleState(rule: RuleInForm) {
  const { show, audience } = useApp();
  const speaker = { ...audience, nameOf: useCompetitorNames() };
  const body = bodyOf(rule.form.draft, rule.references, show);
  const [parts, sentence] = [ruleSentenceParts(body, speaker), ruleSentence(body, speaker)];
  return { ...rule, body, parts, sentence, effect: useRuleEffect(rule.ruleId, body) };
}

export const RULE_FORM = "rule-form";

interface AddRowProps {
  readonly path: string;
  readonly row: Value;
  readonly isFirst?: boolean;
  readonly text: string;
}

export function AddRow({ path, row, isFirst = false, text }: AddRowProps) {
  const { form } = useRule();
  const rows = listAt(form.draft, path);
  return (
    <Button
      kind="quiet"
      icon="plus"
      onClick={() => form.put(path, isFirst ? [row, ...rows] : [...rows, row])}
    >
      {text}
    </Button>
  );
}

export function RemoveRow(
  { path, at, label }: { readonly path: string; readonly at: number; readonly label: string },
) {
  const { form } = useRule();
  return (
    <Button
      kind="quiet"
      icon="close"
      label={label}
      onClick={() => form.put(path, listAt(form.draft, path).toSpliced(at, 1))}
    />
  );
}

const PAUSE_MS = 350;

function useRuleEffect(ruleId: string | null, rule: ReturnType<typeof bodyOf>) {
  const { call } = useApp();
  // The service requires a name, which a new rule does not have yet.
  const wanted = JSON.stringify({
    rule: { ...rule, name: rule.name || "–", description: null },
    ruleId,
  });
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery({
    queryKey: ["simulation", asked],
    queryFn: async ({ signal }) => {
      const draft = JSON.parse(asked);
      const counts: ClauseCounts = await call(
        (api) => api.POST("/api/rules/counts", { body: draft }),
        { signal },
      );
      const body = { ...draft, sampleProductIds: counts.sample };
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

function useClauseTexts(data: ClauseCounts | null) {
  const { words, show } = useApp();
  if (data === null) return null;
  const texts = words.rules.counts;
  const numberOf = (count: number) => data.isCut ? texts.atLeast(count) : show.number(count);
  type Unit = keyof typeof texts.units;
  const say = (clause: Unit, count: number, tell: (count: string) => string): ClauseCount => ({
    text: texts.units[clause](numberOf(count)),
    title: tell(numberOf(count)),
  });
  const of: Partial<Record<ClauseName, ClauseCount>> = {
    scope: say("scope", data.scope, texts.scope),
    who: say("who", data.withEnough, (count) => texts.who(data.offers, count)),
    when: say("when", data.fires, texts.when),
    then: say("then", data.moves, texts.then),
    ...(data.bound > 0 && { floor: say("floor", data.bound, texts.floor) }),
  };
  return { fires: words.position.partOf(numberOf(data.fires), numberOf(data.scope)), of, data };
}
