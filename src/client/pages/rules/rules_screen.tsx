/**
 * Lists the rules in the order of their precedence. After a pricing rule is switched on, a message
 * tells how many proposals it has made. A button stops all automatic prices.
 */
import type { SerialisedRule } from "../../../rules/rule_resource.ts";
import { ruleSentence, ruleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import { useApp, useChange, useDocument, useRefresh, wholeList } from "../../app/app.ts";
import { Button, Icon, Toggle } from "../../parts/controls.tsx";
import { EmptyState, filesOf, PageHead } from "../../parts/page.tsx";
import { FIRST_RULE_NAMES, FIRST_RULES, firstProposals } from "../../parts/rule_parts.tsx";
import { TextField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog, type Values } from "../../parts/form/saved_form.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useCompetitorNames } from "./rule_form.tsx";
import { StandingText } from "./rule_editor.tsx";
import { ALWAYS_TRIGGER, EMPTY_SCOPE_ROW, makesPrice, NEW_AIM } from "./rule_draft.ts";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { addressOf, byId, get, where } from "../../api/call.ts";
import type { RuleDocument } from "../../../engine/pricing/rule.ts";
import { SCOPE_FIELDS } from "../../../engine/pricing/codes.ts";
import type { Scope } from "../../../engine/pricing/scope.ts";
import type { Words } from "../../words/words.ts";

export function RulesScreen() {
  const { words: { rules: texts, start }, may } = useApp();
  const { route } = useLocation();
  const found = useDocument(get("/api/rules"));
  const list = wholeList(found, (found.data ?? []).toSorted((a, b) => a.priority - b.priority));
  const columns = useRuleColumns();
  const mayChange = may("manager");
  return (
    <>
      <PageHead
        title={texts.title}
        beside={list.rows.length > 1 && <span class="soft only-wide">{texts.order}</span>}
      >
        {mayChange && <StopAutomation />}
        {mayChange && (
          <a class="button main" href="/rules/new">
            <Icon name="plus" />
            {texts.create}
          </a>
        )}
      </PageHead>
      <DataTable
        label={texts.title}
        density="tall"
        files={filesOf("/api/rules")}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        onOpen={({ id }) => route(`/rules/${id}`)}
        empty={
          <EmptyState icon="rules" title={texts.emptyTitle} text={texts.emptyText}>
            {mayChange && (
              <div class="card-choices">
                {FIRST_RULE_NAMES.map((name) => (
                  <a
                    key={name}
                    class="card stack framed gap-4"
                    href={`/rules/new?template=${name}`}
                  >
                    <strong>{start.rules[name].name}</strong>
                    <span class="fine soft">{start.rules[name].text}</span>
                  </a>
                ))}
              </div>
            )}
          </EmptyState>
        }
      />
    </>
  );
}

function useRuleColumns(): readonly Column<SerialisedRule>[] {
  const { words: { rules: { columns, ...texts }, fields }, show } = useApp();
  const { data } = useDocument(get("/api/proposals/summary", where({})));
  const waiting = data && new Map(data.rules.map(({ ruleId, count }) => [ruleId, count]));
  return [
    column("name", fields.rule, { width: 180, narrowWidth: 105 }).cell((rule) => (
      <a href={`/rules/${rule.id}`}>{rule.name}</a>
    )),
    column("state", columns.state, { width: 100 }).cell((rule) => <RuleSwitch rule={rule} />),
    column("says", fields.sentence, { width: 320, narrowWidth: 140 }).cell((rule) => (
      <RuleText rule={rule} />
    )),
    column("standing", texts.standing.title, { width: 250, narrowWidth: 105 }).cell((rule) => (
      <div>
        {rule.enabled ? <StandingText rule={rule} /> : "–"}
        {waiting && <OpenProposals rule={rule} count={waiting.get(rule.id) ?? 0} />}
      </div>
    )),
    column("fires", fields.fires30d, { width: 165, narrowWidth: 160 }).number(({ stats }) => (
      <>
        {texts.firedTimes(stats.fires30d)}
        {stats.lastFiredAt !== null && (
          <small class="below">{texts.lastFired(show.ago(stats.lastFiredAt))}</small>
        )}
      </>
    )),
  ];
}

function RuleText({ rule }: { rule: SerialisedRule }) {
  const { words: { rules: { priority, priorityHint } }, show, audience } = useApp();
  const speaker = { ...audience, nameOf: useCompetitorNames() };
  const { cooldownMinutes: _cooldown, priority: rank, ...others } = rule;
  const parts = ruleSentenceParts(rule, speaker).rest;
  const cooldown = parts.find(({ path }) => path === "cooldownMinutes")?.text;
  return (
    <>
      {ruleSentence(others, speaker)}
      <small class="below" title={priorityHint}>
        {cooldown && `${cooldown} · `}
        {priority} {show.number(rank)}
      </small>
    </>
  );
}

interface OpenProposalsProps {
  readonly rule: Pick<SerialisedRule, "id" | "enabled" | "standing">;
  readonly count: number;
}

function OpenProposals({ rule: { id, enabled, standing }, count }: OpenProposalsProps) {
  const { words: { rules: { openProposals, standing: texts } } } = useApp();
  const rest = enabled && standing ? standing.owns - standing.reached - count : 0;
  if (count === 0 && rest <= 0) return null;
  return (
    <small class="below">
      {count > 0 && <a href={addressOf("/proposals", { ruleId: id })}>{openProposals(count)}</a>}
      {count > 0 && rest > 0 && " · "}
      {rest > 0 && texts.rest(rest)}
    </small>
  );
}

function StopAutomation() {
  const { words } = useApp();
  const [isAsked, setAsked] = useState(false);
  const found = useDocument(get("/api/settings"));
  if (!found.data?.autoApply || found.data.automationStop !== null) return null;
  return (
    <>
      <Button kind="caution" onClick={() => setAsked(true)}>{words.automation.stop}</Button>
      {isAsked && <StopDialog onClose={() => setAsked(false)} />}
    </>
  );
}

function StopDialog({ onClose }: { onClose(): void }) {
  const { words: { automation: texts }, toasts } = useApp();
  const found = useDocument(get("/api/automation"));
  const stop = useChange({
    ask: (api, reason: string) => api.POST("/api/automation/stop", { body: { reason } }),
    touches: ["automation", "audit-logs"],
    onDone() {
      toasts.tell(texts.stopped);
      onClose();
    },
    showsError: true,
  });
  const form = useForm({
    initial: { reason: "" },
    save: ({ reason }) => stop.mutateAsync(reason),
    isGuarded: false,
  });
  const { rules = 0, applied24h = 0 } = found.data ?? {};
  return (
    <FormDialog title={texts.stopAll} kind="danger" form={form} onClose={onClose}>
      {found.data && <p class="wide">{rules === 0 ? texts.none : texts.now(rules, applied24h)}</p>}
      <p class="wide">{texts.effect}</p>
      <TextField {...form.text("reason", texts.reason)} isWide isRequired hasFocus />
    </FormDialog>
  );
}

/** Reads the rule first, because toggling again would undo another person's switch. */
export function RuleSwitch({ rule }: { rule: RuleDocument }) {
  const { call, words: { rules: texts }, toasts, may } = useApp();
  const refresh = useRefresh("rules", "proposals", "products");
  const tellOutcome = async () => {
    const count = await firstProposals(call, rule.id);
    toasts.tell(count === 0 ? texts.didNothing(rule.name) : texts.didNow(rule.name, count));
    await refresh();
  };
  const toggle = useChange({
    run: async (call, wanted: boolean) => {
      const now = await call(get("/api/rules/{id}", byId(rule.id)));
      if (now.enabled === wanted) return now;
      return await call((api) => api.POST("/api/rules/{id}/toggle", byId(rule.id)));
    },
    touches: ["rules", "products", "audit-logs"],
    onDone: ({ enabled }) => {
      toasts.tell(enabled ? texts.toggledOn(rule.name) : texts.toggledOff(rule.name));
      const judgesNow = enabled && rule.schedule?.only !== true;
      if (judgesNow && rule.actions.some(({ type }) => makesPrice(type))) {
        void tellOutcome().catch(toasts.refuse);
      }
    },
  });
  const state = rule.enabled ? texts.on : texts.off;
  if (!may("manager")) return <span class={rule.enabled ? undefined : "soft"}>{state}</span>;
  return (
    <Toggle
      label={texts.toggle(rule.name)}
      isOn={rule.enabled}
      isBusy={toggle.isPending}
      onToggle={() => toggle.mutate(!rule.enabled)}
    >
      {state}
    </Toggle>
  );
}

const EMPTY_DRAFT: Values = {
  cooldownUnit: "minutes",
  when: { trigger: ALWAYS_TRIGGER, always: true },
  scope: { mode: "all", matches: [EMPTY_SCOPE_ROW] },
  actions: [{ type: "propose_price", price: NEW_AIM }],
};

/** Returns a new rule's form values for `skus` or, without SKUs, for the filters in `query`. */
export function beginningOf(
  query: Readonly<Record<string, string>>,
  skus: readonly string[],
  words: Words,
): Values {
  const draft = templateOf(query.template, words);
  const scoped = (mode: Scope["mode"], of: Values) => ({
    ...draft,
    scope: { mode, matches: [EMPTY_SCOPE_ROW], ...of },
  });
  if (skus.length > 0) return scoped("sku", { list: skus.join("\n") });
  const matches = SCOPE_FIELDS.flatMap((field): Values[] => {
    const value = query[field];
    return value ? [{ field, op: field === "tier" ? "eq" : "contains", value }] : [];
  });
  return matches.length > 0 ? scoped("attribute", { matches }) : draft;
}

function templateOf(name: string | undefined, words: Words): Values {
  const first = FIRST_RULE_NAMES.find((known) => known === name);
  if (first === undefined) return EMPTY_DRAFT;
  const { kind, pct, direction, floorPct } = FIRST_RULES[first];
  const price = { ...NEW_AIM, reference: { kind, nth: "2" }, adjust: `${pct ?? ""}`, direction };
  return {
    ...EMPTY_DRAFT,
    name: words.start.rules[first].name,
    marginFloor: { pct: `${floorPct ?? ""}` },
    actions: [{ type: "propose_price", price }],
  };
}
