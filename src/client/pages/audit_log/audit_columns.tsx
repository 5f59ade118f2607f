import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { changePct } from "../../../base/percent.ts";
import { type App, useApp } from "../../app/app.ts";
import {
  actionText,
  actorText,
  changeSides,
  resourceText,
  ruleText,
} from "../../parts/audit/audit_text.ts";
import { type Column, column, numberColumn } from "../../parts/table/column.ts";
import { isDay, isFold, type LogFold, type LogRow } from "./log_rows.ts";
import type { Undo } from "./use_undoing.ts";

interface LogColumns {
  /** Current names of things. */
  readonly names: Readonly<Record<string, string>>;
  /** The day stands above. */
  readonly isByDay: boolean;
  readonly undo: Undo;
  onFold(fold: LogFold): void;
}

/** Columns of the audit log: who, what, from what to what, why, and undo. */
export function useAuditColumns(
  { names, isByDay, undo, onFold }: LogColumns,
): readonly Column<LogRow>[] {
  const app = useApp();
  const { words, show } = app;
  const { columns, quote } = words.auditLog;
  const linkOf = ({ resource, after, before }: AuditRow) => {
    const productId = resource.type === "product" && resource.id !== "bulk"
      ? resource.id
      : after?.productId ?? before?.productId;
    if (resource.type === "rule") return `/rules/${resource.id}`;
    if (resource.type === "import") return `/imports/${resource.id}`;
    return typeof productId === "string" ? `/products/${productId}` : null;
  };
  const undoLink = (entries: readonly AuditRow[]) => {
    const takeBack = undo.of(entries);
    return takeBack && (
      <button type="button" class="link" disabled={undo.isBusy} onClick={takeBack}>
        {words.auditLog.undo}
      </button>
    );
  };
  const entries: readonly Column<AuditRow>[] = [
    column(
      "at",
      columns.at,
      { width: isByDay ? 72 : 152, narrowWidth: isByDay ? 72 : 118 },
      ({ at }) => isByDay ? show.time(at) : show.dateTime(at),
    ),
    column("actor", columns.actor, 144, (row) => actorText(words, row)),
    column(
      "action",
      columns.action,
      { width: 206, narrowWidth: 160 },
      (row) => <span title={row.action}>{actionText(words, row)}</span>,
    ),
    column("resource", columns.resource, { width: 172, narrowWidth: 130 }, (row) => {
      const text = resourceText(words, row, names);
      const href = linkOf(row);
      return href === null
        ? <span title={text}>{text}</span>
        : <a href={href} title={text}>{text}</a>;
    }),
    numberColumn("before", columns.before, 96, (row) => changeSides(app, row).before),
    column("after", columns.after, 160, (row) => {
      const { before, after } = changeSides(app, row);
      return <strong>{before !== "" && after !== "" ? `→ ${after}` : after}</strong>;
    }),
    column("reason", columns.reason, 176, (row) => {
      const { more } = changeSides(app, row);
      const rule = ruleText(words, row, names);
      const soft = [...(rule ? [rule] : []), ...more].join("; ");
      const text = [row.reason ? quote(row.reason) : "", soft].filter(Boolean).join(" ");
      return (
        <span title={text}>
          {row.reason && quote(row.reason)} {soft && <span class="soft">{soft}</span>}
        </span>
      );
    }),
    column("undo", columns.undo, 142, (row) => undoLink([row])),
  ];
  /** Time and person are those of the first entry. */
  const ofFold: Readonly<
    Record<string, (fold: LogFold, first: AuditRow) => ReturnType<Column<LogFold>["cell"]>>
  > = {
    action: (fold) => foldAction(app, fold),
    resource: (fold) => {
      const text = foldResource(app, fold, names);
      return <span title={text}>{text}</span>;
    },
    before: () => "",
    after: (fold) => <strong>{foldAfter(app, fold)}</strong>,
    reason: ({ told }) => {
      const reason = same(told.map((row) => row.reason ?? null));
      return reason !== null && <span title={reason}>{quote(reason)}</span>;
    },
    undo: (fold) => (
      <span class="log-fold">
        <button
          type="button"
          class="link"
          aria-expanded={fold.isOpen}
          onClick={() => onFold(fold)}
        >
          <span aria-hidden="true">{fold.isOpen ? "▾ " : "▸ "}</span>
          {words.auditLog.lines(show.number(fold.entries.length))}
        </button>
        {undoLink(fold.entries)}
      </span>
    ),
  };
  return entries.map(({ cell, ...column }) => ({
    ...column,
    cell: (row) => {
      if (isDay(row)) return null;
      if (!isFold(row)) return cell(row);
      const [first] = row.entries;
      return first === undefined ? null : ofFold[column.key]?.(row, first) ?? cell(first);
    },
  }));
}

type Names = Readonly<Record<string, string>>;
type Told = Pick<App, "words" | "show">;

/** "24 Preise gesetzt". */
function foldAction({ words, show }: Told, { told }: LogFold): string {
  const { many } = words.auditLog;
  const count = show.number(told.length);
  const [first] = told;
  if (first === undefined) return count;
  const isPrice = first.action === "product.update" && "ourPriceCents" in (first.after ?? {});
  if (isPrice) return many.price(count);
  const [type, deed = ""] = first.action.split(".");
  return type === "proposal" && isDecision(deed)
    ? many[deed](count)
    : many.other(count, actionText(words, first));
}

const DECISIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

function isDecision(deed: string): deed is (typeof DECISIONS)[number] {
  return DECISIONS.some((one) => one === deed);
}

/** The rule that all of them are by; else the first of what it was done to, and how many more. */
function foldResource({ words, show }: Told, { told }: LogFold, names: Names): string {
  const rule = same(told.map((row) => ruleText(words, row, names)));
  if (rule !== null) return rule;
  const [first, ...others] = told;
  if (first === undefined) return "";
  const text = resourceText(words, first, names);
  return words.auditLog.andMore(text, show.number(others.length));
}

/** The common new values; for prices the size of the change. */
function foldAfter(app: Told, { told }: LogFold): string {
  const changes = told.flatMap((row) => {
    const [was, is] = pricesOf(row);
    return typeof was === "number" && typeof is === "number" && was > 0 ? [changePct(was, is)] : [];
  });
  if (changes.length === told.length) {
    const sum = changes.reduce((all, one) => all + one, 0);
    return app.words.auditLog.average(app.show.percentChange(sum / changes.length));
  }
  return same(told.map((row) => changeSides(app, row).after)) ?? "";
}

/** From what to what a price was set; nothing where none was. */
function pricesOf({ action, before, after }: AuditRow): readonly unknown[] {
  if (action === "product.update") return [before?.ourPriceCents, after?.ourPriceCents];
  if (action !== "proposal.approve") return [];
  return [after?.currentCents, after?.appliedCents ?? after?.proposedCents];
}

/** Null where they differ, or say nothing. */
function same(texts: readonly (string | null)[]): string | null {
  const [first = null, ...others] = texts;
  return others.every((text) => text === first) ? first || null : null;
}
