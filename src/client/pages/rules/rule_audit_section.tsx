import { useState } from "preact/hooks";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Section } from "../../parts/section.tsx";
import { fieldName } from "../../parts/field_text.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import { AuditPanel } from "../../parts/audit/audit_panel.tsx";

const ROWS = 20;

/** Who has changed the rule, when, and which of its fields. */
export function RuleAuditSection({ ruleId }: { ruleId: string }) {
  const { words, show } = useApp();
  const texts = words.rules.audit;
  const { columns } = words.auditLog;
  const [open, setOpen] = useState<AuditRow | null>(null);
  const resource = `rule:${ruleId}`;
  const list = useList({
    key: ["audit", ruleId],
    read: (api, page) =>
      api.GET("/api/audit-logs", { params: { query: { resource, order: "desc", ...page } } }),
    limit: ROWS,
  });
  return (
    <Section
      title={texts.title}
      actions={<a href={`/audit-log?resource=${resource}`}>{texts.open}</a>}
    >
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={texts.title}
          rows={list.rows}
          idOf={({ id }) => id}
          empty={<p class="soft">{list.isPending ? words.loading : texts.empty}</p>}
          columns={[
            { key: "at", title: columns.at, width: 140, cell: ({ at }) => show.dateTime(at) },
            { key: "who", title: columns.actor, width: 180, cell: ({ actor }) => actor.name },
            { key: "what", title: texts.changed, width: 220, cell: (row) => <Change row={row} /> },
            {
              key: "open",
              title: "",
              width: 90,
              cell: (row) => (
                <Button kind="quiet" onClick={() => setOpen(row)}>{words.auditLog.detail}</Button>
              ),
            },
          ]}
        />
      )}
      {list.hasMore && (
        <Button kind="quiet" isBusy={list.isLoadingMore} onClick={list.more}>
          {words.table.more}
        </Button>
      )}
      {open && <AuditPanel row={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function Change({ row }: { row: AuditRow }) {
  const { words } = useApp();
  const texts = words.rules.audit;
  const { action, before, after } = row;
  if (action === "rule.toggle") return <>{after?.enabled === true ? texts.on : texts.off}</>;
  const fields = action === "rule.update" ? Object.keys({ ...before, ...after }) : [];
  const what = texts.actions[action] ?? action;
  return (
    <>
      {fields.length > 0
        ? `${what}: ${fields.map((name) => fieldName(words, name)).join(", ")}`
        : what}
    </>
  );
}
