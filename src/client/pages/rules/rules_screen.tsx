import { useLocation } from "preact-iso";
import type { ToldRule } from "../../../rules/rule.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { EmptyState } from "../../parts/empty_state.tsx";
import { filesOf } from "../../parts/file_links.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import type { Column } from "../../parts/table/column.ts";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useColumns } from "../../parts/table/use_columns.ts";
import { RuleSwitch } from "./rule_switch.tsx";
import { StopAutomation } from "./stop_automation.tsx";
import { TEMPLATE_NAMES, type TemplateName } from "./rule_templates.ts";

const TEMPLATE_ICONS: Readonly<Record<TemplateName, IconName>> = {
  follow: "competitors",
  margin: "warning",
  stale: "runs",
};

export function RulesScreen() {
  const { words, may } = useApp();
  const { route } = useLocation();
  const texts = words.rules;
  const found = useDocument({ key: ["rules"], read: (api) => api.GET("/api/rules") });
  const list = {
    rows: (found.data ?? []).toSorted((a, b) => a.priority - b.priority),
    hasMore: false,
    isPending: found.isPending,
    isLoadingMore: false,
    error: found.error,
    more: () => {},
    again: () => void found.refetch(),
  };
  const columns = useColumns("rules", useRuleColumns());
  const mayChange = may("manager");
  return (
    <>
      <PageHead title={texts.title}>
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
        columns={columns.shown}
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

function useRuleColumns(): readonly Column<ToldRule>[] {
  const app = useApp();
  const { words, show } = app;
  const { columns } = words.rules;
  const say = (rule: ToldRule) => rule.sentence[app.language.value];
  return [
    {
      key: "name",
      title: columns.name,
      width: 180,
      narrowWidth: 170,
      cell: ({ id, name }) => <a href={`/rules/${id}`}>{name}</a>,
    },
    { key: "state", title: columns.state, width: 95, cell: (rule) => <RuleSwitch rule={rule} /> },
    {
      key: "says",
      title: columns.says,
      width: 480,
      isWide: true,
      cell: (rule) => <span class="four-lines" title={say(rule)}>{say(rule)}</span>,
    },
    {
      key: "priority",
      title: columns.priority,
      width: 60,
      isWide: true,
      isNumber: true,
      cell: ({ priority }) => show.number(priority),
    },
    {
      key: "fires",
      title: columns.fires,
      width: 75,
      isNumber: true,
      cell: ({ stats }) => show.number(stats.fires30d),
    },
    {
      key: "last",
      title: columns.lastFired,
      width: 115,
      isWide: true,
      cell: ({ stats }) => show.ago(stats.lastFiredAt),
    },
  ];
}

/** Rules to begin with, while there is none. */
function TemplateCards() {
  const { words } = useApp();
  const texts = words.rules.templates;
  return (
    <div class="cards">
      {TEMPLATE_NAMES.map((name) => (
        <a key={name} class="card" href={`/rules/new?template=${name}`}>
          <Icon name={TEMPLATE_ICONS[name]} />
          <strong>{texts[name]}</strong>
          <span>{texts[`${name}Text`]}</span>
        </a>
      ))}
    </div>
  );
}
