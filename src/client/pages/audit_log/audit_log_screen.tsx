/** Shows who changed what, grouped by day of the workspace's time zone. */
import { useMemo, useState } from "preact/hooks";
import { AUDIT_TAGS, type AuditTag } from "../../../accounts/audit/audit_actions.ts";
import type { AuditCounts } from "../../../accounts/audit/audit_store.ts";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { DAY_MS, iso } from "../../../base/time.ts";
import { useApp, useDocument, useList } from "../../app/app.ts";
import { dayOf, daysBetween, endOfDay, longDay, startOfDay } from "../../formats/day.ts";
import {
  ClearFilter,
  type Filter,
  FilterChoice,
  FilterText,
  MainSearch,
  useFilter,
} from "../../parts/filter.tsx";
import { EmptyState, filesOf, PageHead } from "../../parts/page.tsx";
import { Chip, Menu } from "../../parts/controls.tsx";
import { type Option, optionsOf } from "../../parts/options.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";
import { actionChoices, AuditPanel, resourceChoices } from "../../parts/audit/audit_panel.tsx";
import { isDay, isFold, type LogFold, logRows, useAuditColumns } from "./audit_columns.tsx";
import { useUndoing } from "./undo_entry.ts";
import { get, where } from "../../api/call.ts";

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
] as const;

const WEEK_DAYS = 7;

type LogFilter = Filter<(typeof FILTERS)[number]>;

export function AuditLogScreen() {
  const { words: { auditLog: texts, palette }, show } = useApp();
  const filter = useFilter(FILTERS);
  const [open, setOpen] = useState<AuditRow | null>(null);
  const { query, list, counts } = useLog(filter);
  const { names, imports } = useMemo(() => ({
    names: Object.fromEntries(list.pages.flatMap((page) => Object.entries(page.names))),
    imports: Object.fromEntries(list.pages.flatMap((page) => Object.entries(page.imports))),
  }), [list.pages]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const onFold = ({ id }: LogFold) =>
    setUnfolded((before) => before.symmetricDifference(new Set([id])));
  const columns = useAuditColumns({
    names,
    imports,
    rows: list.rows,
    undo: useUndoing(list.rows),
    onFold,
  });
  const rows = useMemo(
    () => logRows(shownOf(list.rows, filter.values), { byDayOf: show.timeZone, open: unfolded }),
    [list.rows, filter.key, show.timeZone, unfolded],
  );
  const inFold = useMemo(() => {
    const shown = rows.flatMap((row) => isFold(row) && row.isOpen ? row.folded : []);
    return new Set(shown.map(({ id }) => id));
  }, [rows]);
  return (
    <>
      <PageHead title={texts.title} beside={<span class="soft only-wide">{texts.about}</span>} />
      <FilterBar filter={filter} counts={counts} />
      <div class="log column">
        <DataTable
          label={texts.title}
          columns={columns}
          files={filesOf("/api/audit-logs", query)}
          list={{ ...list, rows }}
          entries={list.rows}
          isPartOf={({ id }) => inFold.has(id)}
          idOf={({ id }) => id}
          density="pair"
          total={counts && !counts.isCut && filter.values.only === "" ? counts.total : null}
          headingOf={(row) => isDay(row) ? <DayHead atMs={Date.parse(row.dayAt)} /> : null}
          onOpen={(row) => {
            if (isFold(row)) onFold(row);
            else if (!isDay(row)) setOpen(row);
          }}
          empty={<EmptyState icon="auditLog" title={palette.none} text={texts.emptyText} />}
        />
      </div>
      <p class="soft">{texts.zone(show.timeZone)}</p>
      {open && <AuditPanel row={open} names={names} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Hides entries about sales figures, unless the filter names an action or a resource. */
function shownOf(
  rows: readonly AuditRow[],
  { action, resource }: LogFilter["values"],
): readonly AuditRow[] {
  return action + resource === "" ? rows.filter((row) => row.resource.type !== "sales") : rows;
}

function useLog({ values }: LogFilter) {
  const { show } = useApp();
  const query = {
    ...values,
    from: startOfDay(values.from, show.timeZone),
    to: endOfDay(values.to, show.timeZone),
  };
  const list = useList((page) =>
    get("/api/audit-logs", where({ ...query, order: "desc", ...page }))
  );
  const ofAll = { ...query, only: "" };
  const counts = useDocument(get("/api/audit-logs/counts", where(ofAll))).data ?? null;
  return { query, list, counts };
}

function FilterBar({ filter, counts }: { filter: LogFilter; counts: AuditCounts | null }) {
  const { words: { auditLog: texts, market } } = useApp();
  const fields = useMenuFields(filter.values.resource);
  return (
    <search class="filter-bar row flow gap-8">
      <MainSearch label={texts.search} filter={filter} />
      <Menu icon="plus" label={market.filter}>
        <MenuFields filter={filter} fields={fields} />
      </Menu>
      <Chips filter={filter} fields={fields} counts={counts} />
      <ClearFilter filter={filter} />
    </search>
  );
}

interface MenuField {
  readonly name: keyof LogFilter["values"];
  readonly label: string;
  readonly options?: readonly Option[];
}

function useMenuFields(resource: string): readonly MenuField[] {
  const { words } = useApp();
  const { auditLog: texts, fields, from, to } = words;
  const people = useDocument(get("/api/people"));
  const rules = useDocument(get("/api/rules"));
  return [
    { name: "actor", label: texts.actor, options: optionsOf(people.data?.items ?? []) },
    { name: "sku", label: fields.sku },
    { name: "rule", label: fields.rule, options: optionsOf(rules.data ?? []) },
    { name: "resource", label: texts.resource, options: resourceChoices(words, resource) },
    { name: "action", label: texts.action, options: actionChoices(words, resource) },
    { name: "from", label: from },
    { name: "to", label: to },
  ];
}

interface MenuProps {
  readonly filter: LogFilter;
  readonly fields: readonly MenuField[];
}

function MenuFields({ filter: { values, at, setAll }, fields }: MenuProps) {
  const { words } = useApp();
  return (
    <>
      {fields.map(({ name, label, options }) =>
        options
          ? (
            <FilterChoice
              key={name}
              label={label}
              value={values[name]}
              options={options}
              none={words.all}
              onValue={(value) =>
                setAll({ [name]: value, ...(name === "resource" && { action: "" }) })}
            />
          )
          : (
            <FilterText
              key={name}
              label={label}
              type={name === "sku" ? "text" : "date"}
              {...at(name)}
            />
          )
      )}
    </>
  );
}

function DayHead({ atMs }: { atMs: number }) {
  const { words, show } = useApp();
  const nowMs = Date.now();
  const days = daysBetween(new Date(atMs).toISOString(), nowMs, show.timeZone);
  const near = words.auditLog.nearDays[days];
  return <>{[...(near ? [near] : []), longDay(show, atMs, nowMs)].join(", ")}</>;
}

function Chips({ filter, fields, counts }: MenuProps & { counts: AuditCounts | null }) {
  const { words: { auditLog: texts, market }, show } = useApp();
  const { values, set, setAll } = filter;
  const today = Date.parse(dayOf(iso(Date.now()), show.timeZone));
  const weekStart = dayOf(iso(today - (WEEK_DAYS - 1) * DAY_MS), "UTC");
  const isWeek = values.from === weekStart && values.to === "";
  const chosen = new Set(values.only.split(","));
  const toggled = (tag: AuditTag) =>
    AUDIT_TAGS.filter((one) => one === tag ? !chosen.has(one) : chosen.has(one)).join(",");
  const textOf = ({ name, label, options }: MenuField): string => {
    const value = values[name];
    if (name === "from" || name === "to") {
      return `${label} ${show.date(startOfDay(dayOf(value, show.timeZone), show.timeZone))}`;
    }
    const text = options ? options.find((option) => option.value === value)?.label ?? "…" : value;
    return market.chosen.field(label, text);
  };
  const active = fields.filter(({ name }) => values[name] !== "" && !(isWeek && name === "from"));
  return (
    <div class="log-chips flow gap-6" role="group" aria-label={texts.chips}>
      {active.map((field) => (
        <Chip
          key={field.name}
          text={textOf(field)}
          isOn
          drops
          onClick={() => set(field.name, "")}
        />
      ))}
      <Chip
        text={texts.week}
        isOn={isWeek}
        onClick={() => setAll({ from: isWeek ? "" : weekStart, to: "" })}
      />
      {AUDIT_TAGS.filter((tag) => counts?.[tag] !== 0 || chosen.has(tag)).map((tag) => (
        <Chip
          key={tag}
          text={texts.tags[tag]}
          count={counts?.[tag]}
          isCut={counts?.isCut}
          isOn={chosen.has(tag)}
          onClick={() => set("only", toggled(tag))}
        />
      ))}
    </div>
  );
}
