import { Fact } from "../page.tsx";
import { column, SimpleTable } from "../table/table.tsx";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { useApp } from "../../app/app.ts";
import { CopyText } from "../copy_text.tsx";
import { actionText, actorText, currencyOf, resourceText } from "./audit_text.ts";
import { Dialog } from "../controls.tsx";
import { fieldName, fieldText } from "../field_text.ts";

interface AuditPanelProps {
  readonly row: AuditRow;
  readonly names?: Readonly<Record<string, string>>;
  onClose(): void;
}

export function AuditPanel({ row, names: called = {}, onClose }: AuditPanelProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.auditLog;
  const names = Object.keys({ ...row.before, ...row.after });
  return (
    <Dialog kind="panel" title={texts.detail} onClose={onClose}>
      <dl class="facts framed">
        <Fact label={texts.columns.at}>{show.dateTime(row.at)}</Fact>
        <Fact label={words.fields.actor}>{actorText(words, row)}</Fact>
        <Fact label={texts.action}>
          {actionText(words, row)} <code>{row.action}</code>
        </Fact>
        <Fact label={texts.resource}>
          {resourceText(app, row, called)} <code>{row.resource.type}:{row.resource.id}</code>
        </Fact>
        {row.reason && <Fact label={words.fields.reason}>{row.reason}</Fact>}
      </dl>
      <SimpleTable
        label={texts.detail}
        rows={names}
        columns={[
          column("field", words.fields.field, 96).cell<string>((name) => fieldName(words, name)),
          column("before", texts.before, 104).cell<string>((name) =>
            fieldText(app, name, row.before?.[name], currencyOf(row, "before"))
          ),
          column("after", texts.after, 104).cell<string>((name) =>
            fieldText(app, name, row.after?.[name], currencyOf(row, "after"))
          ),
        ]}
      />
      <CopyText text={row.requestId} label={words.fields.requestId} />
    </Dialog>
  );
}
