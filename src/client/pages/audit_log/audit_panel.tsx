import type { AuditRow } from "../../../audit/audit.ts";
import { useApp } from "../../frame/app.ts";
import { CopyText } from "../../parts/copy_text.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SimpleTable } from "../../parts/simple_table.tsx";

interface AuditPanelProps {
  readonly row: AuditRow;
  onClose(): void;
}

/** Everything about one entry: which fields were what before, and are what now. */
export function AuditPanel({ row, onClose }: AuditPanelProps) {
  const { words, show } = useApp();
  const texts = words.auditLog;
  const names = [...new Set([...Object.keys(row.before ?? {}), ...Object.keys(row.after ?? {})])];
  return (
    <Dialog kind="panel" title={texts.detail} onClose={onClose}>
      <dl class="facts">
        <div>
          <dt>{texts.columns.at}</dt>
          <dd>{show.dateTime(row.at)}</dd>
        </div>
        <div>
          <dt>{texts.columns.actor}</dt>
          <dd>{row.actor.name}</dd>
        </div>
        <div>
          <dt>{texts.columns.action}</dt>
          <dd>
            <code>{row.action}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.columns.resource}</dt>
          <dd>
            {row.resource.label} <code>{row.resource.type}:{row.resource.id}</code>
          </dd>
        </div>
      </dl>
      <SimpleTable
        label={texts.detail}
        rows={names}
        idOf={(name) => name}
        columns={[
          {
            key: "field",
            title: texts.field,
            width: 120,
            cell: (name) => words.fields[name] ?? name,
          },
          {
            key: "before",
            title: texts.before,
            width: 150,
            cell: (name) => shown(row.before?.[name]),
          },
          {
            key: "after",
            title: texts.after,
            width: 150,
            cell: (name) => shown(row.after?.[name]),
          },
        ]}
      />
      <CopyText text={row.requestId} label={words.requestId} />
    </Dialog>
  );
}

/** As it was recorded: amounts are minor units there. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
