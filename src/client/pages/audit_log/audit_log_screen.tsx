import { useMemo, useState } from "preact/hooks";
import { AUDIT_TAGS, type AuditTag } from "../../../accounts/audit/audit_actions.ts";
import type { AuditCounts } from "../../../accounts/audit/audit_store.ts";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { useDocument, useList } from "../../app/queries.ts";
import { endOfDay, startOfDay } from "../../formats/day.ts";
import { daysBetween, longDay } from "../../formats/moment.ts";
import { useApp } from "../../app/app.ts";
import { ClearFilter, FilterChoice, FilterText, useFilter } from "../../parts/filter.tsx";
import { EmptyState, PageHead } from "../../parts/page.tsx";
import { FileLinks, filesOf } from "../../parts/file_links.tsx";
import { Menu } from "../../parts/controls.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { NARROW } from "../../parts/table/table.tsx";
import { useMedia } from "../../parts/use_media.ts";
import { actionChoices, resourceChoices } from "../../parts/audit/audit_text.ts";
import { AuditPanel } from "../../parts/audit/audit_panel.tsx";
import { isDay, isFold, type LogFold, logRows, useAuditColumns } from "./audit_columns.tsx";
import { useUndoing } from "./use_undoing.ts";

/** The names are those of the service's query. */
const FILTERS = [
  "q",
  "sku",
  "rule",
  "actor",
  "action",
  "resource",
  "only",
  "from",
  "to",
  "order",
] as const;

const IN_MENU = ["sku", "rule", "resource", "action", "from", "to", "order"] as const;
const WEEK_DAYS = 7;
/** Five lines. */
const CARD_PX = 148;

interface Named {
  readonly id: string;
  readonly name: string;
}

export function AuditLogScreen() {
  const { words, show } = useApp();
  const texts = words.auditLog;
  const filter = useFilter(FILTERS);
  const [open, setOpen] = useState<AuditRow | null>(null);
  const { values, set } = filter;
  const people = useDocument({ key: ["users", "names"], read: (api) => api.GET("/api/people") });
  const rules = useDocument({ key: ["rules", "names"], read: (api) => api.GET("/api/rules") });
  const { order, ...asked } = values;
  const query = {
    ...asked,
    from: startOfDay(values.from, show.timeZone),
    to: endOfDay(values.to, show.timeZone),
  };
  const ofAll = { ...query, only: "" };
  const list = useList({
    key: ["audit", { ...query, order: order || "desc" }],
    read: (api, page) =>
      api.GET("/api/audit-logs", {
        params: { query: { ...query, order: order || "desc", ...page } },
      }),
  });
  const counts = useDocument({
    key: ["audit", "counts", ofAll],
    read: (api) => api.GET("/api/audit-logs/counts", { params: { query: ofAll } }),
  });
  const names = useMemo(() => list.first?.names ?? {}, [list.first]);
  const isByDay = !useMedia(NARROW);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const onFold = ({ id }: LogFold) =>
    setUnfolded((before) =>
      before.has(id) ? before.difference(new Set([id])) : new Set([...before, id])
    );
  const columns = useAuditColumns({ names, isByDay, undo: useUndoing(list.rows), onFold });
  const rows = useMemo(
    () => logRows(list.rows, { byDayOf: isByDay ? show.timeZone : null, open: unfolded }),
    [list.rows, isByDay, show.timeZone, unfolded],
  );
  const inFold = useMemo(
    () =>
      new Set(
        rows.flatMap((row) => isFold(row) && row.isOpen ? row.entries.map(({ id }) => id) : []),
      ),
    [rows],
  );
  const inMenu = IN_MENU.filter((name) => values[name] !== "").length;
  const choices = (items: readonly Named[] | undefined) => [
    { value: "", label: words.all },
    ...(items ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <PageHead title={texts.title} beside={<span class="soft only-wide">{texts.about}</span>}>
        <FileLinks {...filesOf("/api/audit-logs", query)} />
      </PageHead>
      <search class="filter-bar">
        <FilterText
          label={texts.search}
          type="search"
          isMain
          value={values.q}
          onValue={(value) => set("q", value)}
        />
        <Chips
          only={values.only}
          counts={counts.data ?? null}
          onOnly={(value) => set("only", value)}
          isWeek={values.from === weekAgo() && values.to === ""}
          onWeek={(isWeek) => filter.setAll({ from: isWeek ? weekAgo() : "", to: "" })}
        />
        <FilterChoice
          label={texts.columns.actor}
          value={values.actor}
          options={choices(people.data?.items)}
          onValue={(value) => set("actor", value)}
        />
        <Menu label={inMenu > 0 ? `${words.market.filter} (${inMenu})` : words.market.filter}>
          <FilterText
            label={words.products.sku}
            place="in-menu"
            value={values.sku}
            onValue={(value) => set("sku", value)}
          />
          <MenuChoice
            label={texts.rule}
            value={values.rule}
            options={choices(rules.data)}
            onValue={(value) => set("rule", value)}
          />
          <MenuChoice
            label={texts.resource}
            value={values.resource}
            options={[
              { value: "", label: words.all },
              ...resourceChoices(words, values.resource),
            ]}
            onValue={(value) => filter.setAll({ resource: value, action: "" })}
          />
          <MenuChoice
            label={texts.action}
            value={values.action}
            options={[
              { value: "", label: words.all },
              ...actionChoices(words, values.resource),
            ]}
            onValue={(value) => set("action", value)}
          />
          <FilterText
            label={words.from}
            type="date"
            place="in-menu"
            value={values.from}
            onValue={(value) => set("from", value)}
          />
          <FilterText
            label={words.to}
            type="date"
            place="in-menu"
            value={values.to}
            onValue={(value) => set("to", value)}
          />
          <MenuChoice
            label={texts.order}
            value={order || "desc"}
            options={[
              { value: "desc", label: texts.newest },
              { value: "asc", label: texts.oldest },
            ]}
            onValue={(value) => set("order", value)}
          />
        </Menu>
        <ClearFilter filter={filter} />
      </search>
      <div class="log">
        <DataTable
          label={texts.title}
          columns={columns}
          list={{ ...list, rows }}
          entries={list.rows}
          isPartOf={({ id }) => inFold.has(id)}
          idOf={({ id }) => id}
          density="double"
          cardPx={CARD_PX}
          total={counts.data && !counts.data.isCut && values.only === "" ? counts.data.total : null}
          headingOf={(row) => isDay(row) ? <DayHead atMs={Date.parse(row.dayAt)} /> : null}
          onOpen={(row) => {
            if (isFold(row)) onFold(row);
            else if (!isDay(row)) setOpen(row);
          }}
          empty={<EmptyState icon="auditLog" title={texts.emptyTitle} text={texts.emptyText} />}
        />
      </div>
      <p class="soft">{texts.zone(show.timeZone)}</p>
      {open && <AuditPanel row={open} names={names} onClose={() => setOpen(null)} />}
    </>
  );
}

/** "Heute, Freitag, 20. November". */
function DayHead({ atMs }: { atMs: number }) {
  const { words, show } = useApp();
  const nowMs = Date.now();
  const days = daysBetween(new Date(atMs).toISOString(), nowMs, show.timeZone);
  const near = words.auditLog.nearDays[days];
  return <>{[...(near ? [near] : []), longDay(show, atMs, nowMs)].join(", ")}</>;
}

/** Laid out like the fields of a menu, with the name above the choice. */
function MenuChoice(props: Parameters<typeof FilterChoice>[0]) {
  return (
    <div class="log-choice">
      <FilterChoice {...props} />
    </div>
  );
}

/** The day that is a week before today, as a field of a date says it. */
function weekAgo(): string {
  const day = new Date();
  day.setDate(day.getDate() - WEEK_DAYS + 1);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

interface ChipsProps {
  /** Tags with commas between. */
  readonly only: string;
  readonly counts: AuditCounts | null;
  readonly isWeek: boolean;
  onOnly(only: string): void;
  onWeek(isWeek: boolean): void;
}

/** Filters with how many they leave; pressed is on. */
function Chips({ only, counts, isWeek, onOnly, onWeek }: ChipsProps) {
  const { words, show } = useApp();
  const texts = words.auditLog;
  const chosen = new Set(only.split(",").filter((tag) => tag !== ""));
  const toggled = (tag: AuditTag) =>
    AUDIT_TAGS.filter((one) => one === tag ? !chosen.has(one) : chosen.has(one)).join(",");
  return (
    <div class="log-chips" role="group" aria-label={texts.chips}>
      <button type="button" aria-pressed={isWeek} onClick={() => onWeek(!isWeek)}>
        {texts.week}
      </button>
      {AUDIT_TAGS.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-pressed={chosen.has(tag)}
          onClick={() => onOnly(toggled(tag))}
        >
          {texts.tags[tag]}
          {counts && <span class="soft">{show.number(counts[tag])}{counts.isCut ? "+" : ""}</span>}
        </button>
      ))}
    </div>
  );
}
