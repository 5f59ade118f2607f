/**
 * Lists what caused the unread alerts, such as a rule or a shop, grouped by urgency. The view
 * `later` lists snoozed causes; the view `all` lists single alerts and can be filtered. A click on
 * an alert opens its product or cause; a manager's click also marks the alert as read.
 */
import { useLocation } from "preact-iso";
import { DAY_MS, HOUR_MS } from "../../../base/time.ts";
import { alertText } from "../../../engine/wording/alert_text.ts";
import { byId, get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument, useList } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { Badge, Switch, type Tone } from "../../parts/controls.tsx";
import { EmptyState, filesOf, PageHead, Pending } from "../../parts/page.tsx";
import { useCauses, useExpiring } from "../../parts/shared_queries.ts";
import { CauseRow, hrefOf } from "./cause_row.tsx";
import { KEPT_HOURS } from "../../../imports/choices.ts";
import type { Alert, CauseKind } from "../../../messages/alert_store.ts";
import type { MailChoice } from "../../../messages/read_alerts.ts";
import { useMedia } from "../../parts/hooks.ts";
import { ClearFilter, FilterChoice, useFilter } from "../../parts/filter.tsx";
import { type Column, column, TIGHT } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";

type Cause = Wire<"AlertCause">;

const VIEWS = ["open", "later", "all"] as const;
const SECTIONS = ["today", "week", "info"] as const;

/** These problems stop the update of prices, so their alerts stay urgent at any age. */
const URGENT: ReadonlySet<string> = new Set(["domain_failing", "import_held"]);
const INFORMING: ReadonlySet<string> = new Set([
  "import_out_of_bounds",
  "discovery_fell_back",
  "hold_switched_on",
]);

type Ending = ReturnType<typeof useEnding>;

function endingOf({ ruleId }: Pick<Cause["latest"], "ruleId">, ending: Ending): number {
  return ending.get(ruleId ?? "")?.length ?? 0;
}

function sectionOf({ severity, latest }: Cause, ending: Ending): (typeof SECTIONS)[number] {
  const code = latest.facts?.code ?? "";
  if (URGENT.has(code) || endingOf(latest, ending) > 0) return "today";
  if (INFORMING.has(code) || severity === "info" || severity === "low") return "info";
  return Date.now() - Date.parse(latest.createdAt) < DAY_MS ? "today" : "week";
}

/** Order of causes: first those with a deadline, then missing data, then other urgent causes. */
function rankOf({ latest }: Cause, ending: Ending): number {
  const code = latest.facts?.code;
  const ageMs = Date.now() - Date.parse(latest.createdAt);
  if (endingOf(latest, ending) > 0) return 0;
  if (code === "import_held" && ageMs < KEPT_HOURS * HOUR_MS) return 1;
  if (code === "source_silent") return 2;
  return URGENT.has(code ?? "") ? 3 : 4;
}

/** Returns the proposals that expire today, by the id of their rule. */
function useEnding() {
  return Map.groupBy(useExpiring(200).data?.items ?? [], ({ ruleId }) => ruleId);
}

export function AlertsScreen() {
  const { words: { causes: texts, alerts } } = useApp();
  const { query, route } = useLocation();
  const found = useCauses();
  const ending = useEnding();
  const isFiltered = FILTERS.some((name) => query[name] !== undefined);
  const view = isFiltered ? "all" : VIEWS.find((one) => one === query.view) ?? "open";
  const items = found.data?.items ?? [];
  const open = items.filter(({ snoozed }) => snoozed === null);
  const today = open.filter((cause) => sectionOf(cause, ending) === "today").length;
  const counts = { open: open.length, later: items.length - open.length };
  return (
    <>
      <PageHead
        title={alerts.title}
        beside={open.length > 0 && <span class="soft">{texts.openCauses(open.length, today)}</span>}
      >
        <Switch
          label={texts.label}
          options={VIEWS}
          value={view}
          textOf={(one) =>
            one === "all" ? texts.views.all : texts.views[one](found.data ? counts[one] : "")}
          onValue={(one) => route(one === "open" ? "/alerts" : `/alerts?view=${one}`)}
        />
      </PageHead>
      {view === "all" ? <AllAlerts /> : (
        <div class="alerts columns gap-16">
          <div class="stack gap-12">
            {found.data
              ? (
                <Causes
                  causes={view === "open" ? open : items.filter((one) => one.snoozed)}
                  ending={ending}
                />
              )
              : <Pending of={found} />}
            {found.data?.isCut && <p class="soft">{texts.isCut}</p>}
          </div>
          <MailChoices />
        </div>
      )}
    </>
  );
}

function Causes({ causes, ending }: { causes: readonly Cause[]; ending: Ending }) {
  const texts = useApp().words.causes;
  const { query } = useLocation();
  if (causes.length === 0) {
    return query.view === "later"
      ? <EmptyState icon="alerts" title={texts.emptyLater} text={texts.emptyLaterText} />
      : <NothingToDecide />;
  }
  const sections = SECTIONS.map((section) => ({
    section,
    own: causes.filter((cause) => sectionOf(cause, ending) === section)
      .toSorted((a, b) => rankOf(a, ending) - rankOf(b, ending)),
  })).filter(({ own }) => own.length > 0);
  const first = sections[0]?.own[0];
  return (
    <>
      {sections.map(({ section, own }) => (
        <section key={section} class="cause-section stack gap-8">
          <header class="row flow gap-8">
            <h2>{texts.sections[section]}</h2>
            {section === "today" && <span class="soft small">{texts.order}</span>}
          </header>
          <ul class="stack gap-8">
            {own.map((cause) => (
              <CauseRow
                key={cause.key}
                cause={cause}
                ending={endingOf(cause.latest, ending)}
                isInfo={section === "info"}
                isFirst={cause === first}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function NothingToDecide() {
  const { words: { causes: texts, proposals, alerts }, show, audience } = useApp();
  const found = useDocument(get("/api/alerts", where({ order: "desc", limit: 1 })));
  const [last] = found.data?.items ?? [];
  const said = last &&
    texts.lastOne(alertText(audience, last).title, momentText(show, last.createdAt));
  return (
    <EmptyState icon="check" title={proposals.emptyTitle} text={said ?? alerts.emptyText}>
      <a class="button" href={last ? "/alerts?view=all" : "/rules"}>
        {last ? texts.views.all : proposals.toRules}
      </a>
    </EmptyState>
  );
}

const CHOICES: readonly MailChoice[] = ["now", "daily", "here"];

function MailChoices() {
  const texts = useApp().words.causes;
  const isTight = useMedia(TIGHT);
  const found = useDocument(get("/api/alerts/mail-choices"));
  const choose = useChange({
    ask: (api, body: { readonly kind: CauseKind; readonly choice: MailChoice }) =>
      api.PUT("/api/alerts/mail-choices", { body }),
  });
  const { data } = found;
  const clicked = choose.isPending ? choose.variables : undefined;
  return (
    <details class="panel column framed mail-choices" open={!isTight}>
      <summary>{texts.mails}</summary>
      {data
        ? (
          <>
            <table class="fine">
              <thead>
                <tr>
                  <th scope="col">{texts.cause}</th>
                  {CHOICES.map((choice) => <th key={choice} scope="col">{texts.choices[choice]}
                  </th>)}
                </tr>
              </thead>
              <tbody>
                {data.items.map(({ kind, choice: chosen }) => (
                  <tr key={kind}>
                    <th scope="row">{texts.kinds[kind]}</th>
                    {CHOICES.map((choice) => (
                      <td key={choice}>
                        <input
                          type="radio"
                          name={`mail-${kind}`}
                          aria-label={`${texts.kinds[kind]}: ${texts.choices[choice]}`}
                          checked={choice === (clicked?.kind === kind ? clicked.choice : chosen)}
                          onChange={() => choose.mutate({ kind, choice })}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <p class="soft small">{texts.mailTo(data.email)}</p>
          </>
        )
        : <Pending of={found} />}
    </details>
  );
}

const FILTERS = ["unread", "severity", "ruleId", "productId"] as const;

function AllAlerts() {
  const { words: { alerts: texts, all, causes, codes, fields, proposals }, may } = useApp();
  const filter = useFilter(FILTERS);
  const { route } = useLocation();
  const list = useList(
    (page) => get("/api/alerts", where({ ...filter.values, order: "desc", ...page })),
    { everyMs: 30_000 },
  );
  const read = useChange({
    ask: (api, { id }: Alert) => api.POST("/api/alerts/{id}/read", byId(id)),
    touches: ["alerts", "overview"],
  });
  const openRow = (alert: Alert) => {
    route(alert.productId === null ? hrefOf(alert) : `/products/${alert.productId}`);
    if (alert.readAt === null && may("manager")) read.mutate(alert);
  };
  return (
    <>
      <search class="filter-bar row flow gap-8">
        <FilterChoice label={causes.label} {...filter.at("unread")} options={texts.states} />
        <FilterChoice
          label={fields.severity}
          {...filter.at("severity")}
          options={codes.severities}
          none={all}
        />
        <ClearFilter filter={filter} />
      </search>
      <DataTable
        label={texts.title}
        files={filesOf("/api/alerts", { ...filter.values, order: "desc" })}
        density="double"
        columns={useAlertColumns()}
        list={list}
        idOf={({ id }) => id}
        onOpen={openRow}
        empty={filter.isAny
          ? <EmptyState icon="alerts" title={texts.noneTitle} text={texts.noneText} />
          : (
            <EmptyState icon="alerts" title={texts.emptyTitle} text={texts.emptyText}>
              <a class="button" href="/rules">{proposals.toRules}</a>
            </EmptyState>
          )}
      />
    </>
  );
}

function useAlertColumns(): readonly Column<Alert>[] {
  const { words: { alerts: texts, codes, fields }, show, audience } = useApp();
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
      <Badge tone={TONES[severity]}>{codes.severities[severity]}</Badge>
    )),
    column("at", columns.at, { width: 110, narrowWidth: 106 }).cell(({ createdAt }) =>
      show.ago(createdAt)
    ),
    column("mail", columns.mail, { width: 150, isWide: true }).cell(({ mail }) =>
      mail === null ? <span class="soft">–</span> : codes.mails[mail]
    ),
  ];
}

const TONES: Readonly<Record<Alert["severity"], Tone>> = {
  info: "plain",
  low: "plain",
  medium: "warn",
  high: "bad",
  critical: "bad",
};
