import { useState } from "preact/hooks";
import type { AuditRow } from "../../../audit/audit.ts";
import type { User } from "../../../identity/users/user.ts";
import type { Page } from "../../api/page.ts";
import { useDocument } from "../../app/use_document.ts";
import { useList } from "../../app/use_list.ts";
import { endOfDay, startOfDay } from "../../formats/day.ts";
import { useApp } from "../../app/app.ts";
import { ClearFilter } from "../../parts/clear_filter.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { FilterChoice, FilterText } from "../../parts/filter_fields.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import type { Column } from "../../parts/table/column.ts";
import { DataTable } from "../../parts/table/data_table.tsx";
import { labelIn } from "../../words/label.ts";
import { useFilter } from "../../parts/use_filter.ts";
import {
  actionChoices,
  auditActionText,
  changeText,
  resourceChoices,
} from "../../parts/audit/audit_text.ts";
import { AuditPanel } from "../../parts/audit/audit_panel.tsx";

/** The names are those of the service's query. */
const FILTERS = ["sku", "actor", "action", "resource", "from", "to", "order"] as const;

/** As many people as the service gives at once. */
const PEOPLE_MAX = 200;
/** An id that nothing has. */
const NO_ID = "0".repeat(24);

export function AuditLogScreen() {
  const { words, show, may } = useApp();
  const texts = words.auditLog;
  const filter = useFilter(FILTERS);
  const [open, setOpen] = useState<AuditRow | null>(null);
  const { values, set } = filter;
  const { sku, ...asked } = values;
  const product = useDocument<Page<{ readonly id: string }>>({
    key: ["products", "bySku"],
    path: "/api/products",
    query: { sku, limit: 1, includeDeleted: true },
    isWanted: sku !== "",
  });
  const people = useDocument<Page<User>>({
    key: ["users", "choices"],
    path: "/api/users",
    query: { limit: PEOPLE_MAX },
    isWanted: may("owner"),
  });
  // Of a SKU that nobody has there are no entries.
  const ofSku = sku === "" ? {} : { resource: `product:${product.data?.items[0]?.id ?? NO_ID}` };
  const list = useList<AuditRow>({
    key: ["audit"],
    path: "/api/audit-logs",
    query: {
      ...asked,
      ...ofSku,
      from: startOfDay(values.from, show.timeZone),
      to: endOfDay(values.to, show.timeZone),
      order: values.order || "desc",
    },
  });
  return (
    <>
      <PageHead title={texts.title} />
      <search class="filter-bar">
        <FilterText
          label={words.products.sku}
          type="search"
          isMain
          value={sku}
          onValue={(value) => set("sku", value)}
        />
        {may("owner") && (
          <FilterChoice
            label={texts.columns.actor}
            value={values.actor}
            options={[
              { value: "", label: words.all },
              ...(people.data?.items ?? []).map(({ id, email }) => ({ value: id, label: email })),
            ]}
            onValue={(value) => set("actor", value)}
          />
        )}
        <FilterChoice
          label={texts.resource}
          value={values.resource}
          options={[
            { value: "", label: words.all },
            ...resourceChoices(words, values.resource),
          ]}
          onValue={(value) => filter.setAll({ resource: value, action: "" })}
        />
        <FilterChoice
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
          value={values.from}
          onValue={(value) => set("from", value)}
        />
        <FilterText
          label={words.to}
          type="date"
          value={values.to}
          onValue={(value) => set("to", value)}
        />
        <FilterChoice
          label={texts.order}
          value={values.order || "desc"}
          options={[{ value: "desc", label: texts.newest }, { value: "asc", label: texts.oldest }]}
          onValue={(value) => set("order", value)}
        />
        <ClearFilter filter={filter} />
      </search>
      <DataTable
        label={texts.title}
        columns={useAuditColumns()}
        list={list}
        idOf={({ id }) => id}
        onOpen={(row) => setOpen(row)}
        empty={<EmptyState icon="auditLog" title={texts.emptyTitle} text={texts.emptyText} />}
      />
      {open && <AuditPanel row={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function useAuditColumns(): readonly Column<AuditRow>[] {
  const app = useApp();
  const { words, show } = app;
  const { columns } = words.auditLog;
  return [
    {
      key: "at",
      title: columns.at,
      width: 140,
      narrowWidth: 118,
      cell: ({ at }) => show.dateTime(at),
    },
    {
      key: "action",
      title: columns.action,
      width: 210,
      narrowWidth: 160,
      cell: ({ action }) => <span title={action}>{auditActionText(words, action)}</span>,
    },
    {
      key: "resource",
      title: columns.resource,
      width: 160,
      narrowWidth: 110,
      cell: ({ resource }) => resource.label || labelIn(words.auditLog.resources, resource.type),
    },
    {
      key: "change",
      title: columns.change,
      width: 300,
      cell: (row) => {
        const text = changeText(app, row);
        return <span title={text}>{text}</span>;
      },
    },
    { key: "actor", title: columns.actor, width: 180, cell: ({ actor }) => actor.name },
  ];
}
