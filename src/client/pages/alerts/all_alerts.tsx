/**
 * The list of all alerts, with a panel for the details of one alert. If a manager opens an alert,
 * the alert is marked as read.
 */
import { byId, get, where } from "../../api/call.ts";
import { alertText } from "../../../engine/wording/alert_text.ts";
import type { Alert } from "../../../messages/alert_store.ts";
import { useApp, useChange, useList } from "../../app/app.ts";
import { Badge, Dialog, type Tone } from "../../parts/controls.tsx";
import { ClearFilter, type Filter, FilterChoice, useFilter } from "../../parts/filter.tsx";
import { EmptyState, Fact } from "../../parts/page.tsx";
import { filesOf } from "../../parts/file_links.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { useState } from "preact/hooks";

export const FILTERS = ["unread", "severity", "ruleId", "productId"] as const;

function NoAlerts({ isFiltered }: { isFiltered: boolean }) {
  const { alerts: texts, proposals } = useApp().words;
  return isFiltered
    ? <EmptyState icon="alerts" title={texts.noneTitle} text={texts.noneText} />
    : (
      <EmptyState icon="alerts" title={texts.emptyTitle} text={texts.emptyText}>
        <a class="button" href="/rules">{proposals.toRules}</a>
      </EmptyState>
    );
}

export function AllAlerts() {
  const { words: { alerts: texts }, may } = useApp();
  const filter = useFilter(FILTERS);
  const [open, setOpen] = useState<Alert | null>(null);
  const list = useList(
    (page) => get("/api/alerts", where({ ...filter.values, order: "desc", ...page })),
    { everyMs: 30_000 },
  );
  const read = useChange({
    ask: (api, { id }: Alert) => api.POST("/api/alerts/{id}/read", byId(id)),
    touches: ["alerts", "overview"],
  });
  const openRow = (alert: Alert) => {
    setOpen(alert);
    if (alert.readAt === null && may("manager")) read.mutate(alert);
  };
  return (
    <>
      <AlertFilter filter={filter} />
      <DataTable
        label={texts.title}
        files={filesOf("/api/alerts", { ...filter.values, order: "desc" })}
        density="double"
        columns={useAlertColumns()}
        list={list}
        idOf={({ id }) => id}
        onOpen={openRow}
        empty={<NoAlerts isFiltered={filter.isAny} />}
      />
      {open && <AlertPanel alert={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function AlertFilter({ filter }: { filter: Filter<(typeof FILTERS)[number]> }) {
  const { words: { alerts: texts, all, causes, fields } } = useApp();
  return (
    <search class="filter-bar row flow gap-8">
      <FilterChoice label={causes.label} {...filter.at("unread")} options={texts.states} />
      <FilterChoice
        label={fields.severity}
        {...filter.at("severity")}
        options={texts.severities}
        none={all}
      />
      <ClearFilter filter={filter} />
    </search>
  );
}

function useAlertColumns(): readonly Column<Alert>[] {
  const { words: { alerts: texts, fields }, show, audience } = useApp();
  const { columns } = texts;
  return [
    column("title", columns.title, { width: 560, narrowWidth: 250 }).cell((alert) => {
      const { title, body } = alertText(audience, alert);
      return (
        <>
          {alert.readAt === null
            ? (
              <strong class="unread">
                {title}
                <span class="sr-only">({texts.isUnread})</span>
              </strong>
            )
            : title}
          <small class="below" title={body}>{body}</small>
        </>
      );
    }),
    column("severity", fields.severity, { width: 105, isWide: true }).cell(({ severity }) => (
      <SeverityBadge severity={severity} />
    )),
    column("at", columns.at, { width: 110, narrowWidth: 106 }).cell(({ createdAt }) =>
      show.ago(createdAt)
    ),
    column("mail", columns.mail, { width: 150, isWide: true }).cell(({ mail }) =>
      mail === null ? <span class="soft">–</span> : texts.mails[mail]
    ),
  ];
}

function AlertPanel({ alert, onClose }: { readonly alert: Alert; onClose(): void }) {
  const { words, show, audience } = useApp();
  const texts = words.alerts;
  const { productId, ruleId, facts } = alert;
  const { title, body } = alertText(audience, alert);
  const ruleName = facts?.code === "rule_fired" ? facts.ruleName : words.fields.rule;
  const jobId = facts && "jobId" in facts ? facts.jobId : null;
  return (
    <Dialog
      kind="panel"
      title={words.alerts.columns.title}
      onClose={onClose}
      actions={productId && (
        <a class="button main" href={`/products/${productId}`}>{texts.product}</a>
      )}
    >
      <h3>{title}</h3>
      <p class="lines">{body}</p>
      <dl class="facts framed">
        <Fact label={words.fields.severity}>
          <SeverityBadge severity={alert.severity} />
        </Fact>
        <Fact label={texts.columns.at}>{show.dateTime(alert.createdAt)}</Fact>
        <Fact label={texts.source}>
          {ruleId ? <a href={`/rules/${ruleId}`}>{ruleName}</a> : texts.system}
        </Fact>
        {alert.mail !== null && <Fact label={texts.columns.mail}>{texts.mails[alert.mail]}</Fact>}
      </dl>
      <p class="flow gap-16 rows-4">
        {facts?.code === "prices_not_arrived" && (
          <a href="/imports/arrivals">{words.priceArrivals.toList}</a>
        )}
        {(facts?.code === "domain_failing" || facts?.code === "other_products") && (
          <a href="/competitors/repairs">{words.repairs.open}</a>
        )}
        {facts?.code === "recipe_drifting" && (
          <a href={`/competitors/${facts.competitorId}`}>{words.repairs.open}</a>
        )}
        {facts?.code === "discovery_fell_back" && (
          <a href={`/competitors/${facts.competitorId}`}>{facts.competitor}</a>
        )}
        {facts?.code === "other_product" && productId && (
          <a href={`/products/${productId}`}>{facts.sku}</a>
        )}
        {facts?.code === "source_silent" && (
          <a href={`/imports?source=${facts.sourceId}`}>{words.importSources.toImports}</a>
        )}
        {jobId && <a href={`/imports/${jobId}`}>{words.imports.job.undo.ofImport}</a>}
        {productId && <a href={`/alerts?view=all&productId=${productId}`}>{texts.ofProduct}</a>}
        {ruleId && <a href={`/alerts?view=all&ruleId=${ruleId}`}>{texts.ofRule}</a>}
      </p>
    </Dialog>
  );
}

const TONES: Readonly<Record<Alert["severity"], Tone>> = {
  info: "plain",
  low: "plain",
  medium: "warn",
  high: "bad",
  critical: "bad",
};

function SeverityBadge({ severity }: Pick<Alert, "severity">) {
  const { words } = useApp();
  return <Badge tone={TONES[severity]}>{words.alerts.severities[severity]}</Badge>;
}
