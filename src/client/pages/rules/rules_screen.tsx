/**
 * The list of rules, in the order of their precedence. After a rule is switched on, a message tells
 * how many proposals the rule has made. While rules may set prices without a person, a button stops
 * all automatic prices.
 */
import type { SerialisedRule } from "../../../rules/rule_resource.ts";
import { ruleSentence, ruleSentenceParts } from "../../../engine/wording/rule_sentence.ts";
import { useApp, useChange, useDocument, useRefresh, wholeList } from "../../app/app.ts";
import { Button, Icon, type IconName, Toggle } from "../../parts/controls.tsx";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { firstProposals } from "../../parts/first_rules.ts";
import { filesOf } from "../../parts/file_links.tsx";
import { TextField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/saved_form.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useCompetitorNames } from "./rule_form.tsx";
import { StandingText } from "./rule_editor.tsx";
import { TEMPLATE_NAMES, type TemplateName } from "./new_rule.ts";
import { makesPrice } from "./rule_draft.ts";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { addressOf, byId, get, where } from "../../api/call.ts";
import type { RuleDocument } from "../../../engine/pricing/rule.ts";

const TEMPLATE_ICONS: Readonly<Record<TemplateName, IconName>> = {
  follow: "competitors",
  margin: "warning",
  stale: "runs",
};

export function RulesScreen() {
  const { words: { rules: texts }, may } = useApp();
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
            {mayChange && <TemplateCards />}
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
    column("name", fields.rule, { width: 180, narrowWidth: 120 }).cell((rule) => (
      <a href={`/rules/${rule.id}`}>{rule.name}</a>
    )),
    column("state", columns.state, { width: 100, narrowWidth: 104 }).cell((rule) => (
      <RuleSwitch rule={rule} />
    )),
    column("says", fields.sentence, { width: 485, narrowWidth: 160 }).cell((rule) => (
      <RuleText rule={rule} />
    )),
    column("standing", texts.standing.title, { width: 250, narrowWidth: 116 }).cell((rule) => (
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

function TemplateCards() {
  const texts = useApp().words.rules.templates;
  return (
    <div class="cards">
      {TEMPLATE_NAMES.map((name) => (
        <a key={name} class="card" href={`/rules/new?template=${name}`}>
          <Icon name={TEMPLATE_ICONS[name]} />
          <strong>{texts[name]}</strong>
          <span class="fine soft">{texts[`${name}Text`]}</span>
        </a>
      ))}
    </div>
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

/** Reads the rule again before switching it, because another person may have switched the rule. */
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
