/**
 * Shows the audit log as a table. A row is a day's heading, one entry, or a group of similar
 * entries that one person or API key made in quick succession. Texts are translated when shown,
 * because the entries store only codes.
 */
import type { ComponentChildren } from "preact";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { changePct } from "../../../base/fraction.ts";
import { type App, type Speaker, useApp } from "../../app/app.ts";
import {
  actionText,
  changeSides,
  fileEndOf,
  resourceText,
  ruleText,
} from "../../parts/audit/audit_panel.tsx";
import { actorText } from "../../parts/field_text.ts";
import type { Wire } from "../../api/call.ts";
import { heldTexts, isHeld, UndoUntil } from "../../parts/import/import_state.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { pricesOfDecisions, type Undo } from "./undo_entry.ts";
import { dayOf } from "../../formats/day.ts";

interface LogColumns {
  readonly names: Names;
  readonly imports: Wire<"AuditPage">["imports"];
  readonly rows: readonly AuditRow[];
  readonly undo: Undo;
  onFold(fold: LogFold): void;
}

export function useAuditColumns(options: LogColumns): readonly Column<LogRow>[] {
  const app = useApp();
  const ofFold = foldCells(app, options);
  const hasChange = options.rows.some((row) => changeOf(app, row) !== "");
  const shown = entryColumns(app, options).filter(({ key }) => key !== "change" || hasChange);
  return shown.map(({ cell, ...column }) => ({
    ...column,
    cell: (row) => {
      if (isDay(row)) return null;
      const { show } = app;
      return isFold(row) ? ofFold[column.key]?.(row) ?? cell(row.folded[0], show) : cell(row, show);
    },
  }));
}

function entryColumns(app: App, { names, imports, undo }: LogColumns): readonly Column<AuditRow>[] {
  const { words, show } = app;
  const { columns } = words.auditLog;
  return [
    column("at", columns.at, { width: 72, narrowWidth: 60 }).cell(({ at }) => show.time(at)),
    column("what", words.fields.action, { width: 650, narrowWidth: 238 }).cell((row) => (
      <EntrySentence row={row} names={names} state={imports[row.resource.id]} />
    )),
    column("change", words.fields.change, { width: 170, narrowWidth: 118 }).cell((
      row,
    ) => <strong>{changeOf(app, row)}</strong>),
    column("actor", words.fields.actor, { width: 140, narrowWidth: 132 }).cell((row) =>
      actorText(words, row)
    ),
    column("undo", words.auditLog.undo, { width: 160, narrowWidth: 118 }).cell((row) => {
      const { action, resource: { id } } = row;
      const state = imports[id];
      if (action !== "import.finish") return <UndoLink undo={undo} entries={[row]} />;
      return state && <UndoUntil job={{ jobId: id, ...state }} text={words.auditLog.undo} />;
    }),
  ];
}

type FoldCells = Readonly<Record<string, (fold: LogFold) => ComponentChildren>>;

function foldCells(app: App, { names, undo, onFold }: LogColumns): FoldCells {
  const { words } = app;
  return {
    what: (fold) => {
      const { isOpen, folded } = fold;
      const [first] = folded;
      const reason = commonText(folded.map((row) => row.reason ?? null));
      const rule = commonText(folded.map((row) => ruleText(words, row, names)));
      const others = new Set(folded.map((row) => resourceText(app, row, names))).size - 1;
      return (
        <Sentence
          action={foldAction(app, fold)}
          about={resourceText(app, first, names)}
          href={linkOf(first)}
          reasons={[reason && words.auditLog.quote(reason), rule]}
          more={
            <>
              {others > 0 && `${words.auditLog.andMore(others)} `}
              <button
                type="button"
                class="link log-fold"
                aria-expanded={isOpen}
                onClick={() => onFold(fold)}
              >
                <span aria-hidden="true">{isOpen ? "▾ " : "▸ "}</span>
                {isOpen ? words.auditLog.showLess : words.auditLog.showAll(folded.length)}
              </button>
            </>
          }
        />
      );
    },
    change: (fold) => <strong>{foldAfter(app, fold)}</strong>,
    undo: (fold) => <UndoLink undo={undo} entries={fold.folded} />,
  };
}

function linkOf({ resource, after, before }: AuditRow): string | null {
  const productId = resource.type === "product" && resource.id !== "bulk"
    ? resource.id
    : after?.productId ?? before?.productId;
  if (resource.type === "rule") return `/rules/${resource.id}`;
  if (resource.type === "import") return `/imports/${resource.id}`;
  return typeof productId === "string" ? `/products/${productId}` : null;
}

interface SentenceProps {
  readonly action: string;
  readonly about: string;
  readonly href: string | null;
  readonly reasons: readonly (string | null | undefined)[];
  readonly more?: ComponentChildren;
}

function Sentence({ action, about, href, reasons, more }: SentenceProps) {
  const reason = reasons.filter(Boolean).join("; ");
  return (
    <span
      class="log-sentence breaks"
      title={[`${action}: ${about}`, reason].filter(Boolean).join(" · ")}
    >
      <b>{about === "" ? action : `${action}:`}</b>{" "}
      {href === null ? about : <a href={href}>{about}</a>} {more}
      {reason !== "" && <span class="soft">{` · ${reason}`}</span>}
    </span>
  );
}

interface EntryProps {
  readonly row: AuditRow;
  readonly names: Names;
  readonly state: Wire<"AuditPage">["imports"][string] | undefined;
}

function EntrySentence({ row, names, state }: EntryProps) {
  const app = useApp();
  const { words } = app;
  const end = fileEndOf(row);
  const held = state && end && isHeld(end) ? heldTexts(app, state) : null;
  return (
    <Sentence
      action={actionText(words, row)}
      about={resourceText(app, row, names)}
      href={linkOf(row)}
      reasons={[
        row.reason && words.auditLog.quote(row.reason),
        ruleText(words, row, names),
        ...changeSides(app, row, held?.why).more,
      ]}
      more={held?.until && (
        <a href={`/imports/${row.resource.id}`}>{words.imports.job.hold.review(held.until)}</a>
      )}
    />
  );
}

function UndoLink({ undo, entries }: { undo: Undo; entries: readonly AuditRow[] }) {
  const { words } = useApp();
  const takeBack = undo.of(entries);
  return takeBack && (
    <button
      type="button"
      class="link"
      title={words.auditLog.undoHow}
      disabled={undo.isBusy}
      onClick={takeBack}
    >
      {words.auditLog.undo}
    </button>
  );
}

type Names = Readonly<Record<string, string>>;

function foldAction({ words }: Speaker, { folded }: LogFold): string {
  const { many } = words.auditLog;
  const count = folded.length;
  const [first] = folded;
  const isPrice = first.action === "product.update" && "ourPriceCents" in (first.after ?? {});
  if (isPrice) return many.price(count);
  const decision = DECISIONS.find((verb) => first.action === `proposal.${verb}`);
  return decision ? many[decision](count) : many.other(count, actionText(words, first));
}

const DECISIONS = ["approve", "reject", "later", "reopen", "rollback"] as const;

function foldAfter(app: Speaker, { folded }: LogFold): string {
  const changes = folded.flatMap((row) => {
    const [was, is] = pricesOf(row);
    return typeof was === "number" && typeof is === "number" && was > 0 ? [changePct(was, is)] : [];
  });
  if (changes.length === folded.length) {
    const sum = changes.reduce((all, one) => all + one, 0);
    return app.words.proposals.accept.mean(app.show.percentChange(sum / changes.length));
  }
  return commonText(folded.map((row) => changeOf(app, row))) ?? "";
}

function changeOf(app: Speaker, row: AuditRow): string {
  const { before, after } = changeSides(app, row);
  return [before, after].filter((side) => side !== "").join(" → ");
}

function pricesOf({ action, before, after }: AuditRow): readonly unknown[] {
  if (action === "product.update") return [before?.ourPriceCents, after?.ourPriceCents];
  if (action !== "proposal.approve") return [];
  return [after?.currentCents, after?.appliedCents ?? after?.proposedCents];
}

function commonText(texts: readonly (string | null)[]): string | null {
  const [first = null, ...others] = texts;
  return others.every((text) => text === first) ? first || null : null;
}

interface LogDay {
  readonly id: string;
  readonly dayAt: string;
}

type Entries = [AuditRow, ...AuditRow[]];

export interface LogFold {
  readonly id: string;
  readonly folded: Readonly<Entries>;
  readonly isOpen: boolean;
}

type LogRow = AuditRow | LogDay | LogFold;

export function isDay(row: LogRow): row is LogDay {
  return "dayAt" in row;
}

export function isFold(row: LogRow): row is LogFold {
  return "folded" in row;
}

/** Requires rows sorted by time. Hides a price change if `rows` contain its decision. */
export function logRows(
  rows: readonly AuditRow[],
  { byDayOf: timeZone, open }: { readonly byDayOf: string; readonly open: ReadonlySet<string> },
): LogRow[] {
  const isSetByDecision = pricesOfDecisions(rows);
  let last = "";
  const listed = rows.filter((row) => !isSetByDecision(row));
  return foldEntries(listed, timeZone).flatMap(({ day, folded }): LogRow[] => {
    const [first] = folded;
    const heading = day !== last ? [{ id: `day ${day}`, dayAt: first.at }] : [];
    last = day;
    if (folded.length === 1) return [...heading, first];
    const id = `fold ${first.id}`;
    const isOpen = open.has(id);
    return [...heading, { id, folded, isOpen }, ...(isOpen ? folded : [])];
  });
}

/** Maximum time between two successive entries of a group. */
const PAUSE_MAX_MS = 120_000;

function foldEntries(rows: readonly AuditRow[], timeZone: string) {
  const folds: { readonly day: string; readonly folded: Entries }[] = [];
  const latest = new Map<string, Entries>();
  for (const row of rows) {
    const day = dayOf(row.at, timeZone);
    const step = JSON.stringify([day, row.actor.id, row.reason, kindOf(row)]);
    const earlier = latest.get(step);
    const isNext = earlier === folds.at(-1)?.folded;
    if (earlier !== undefined && goesOn(earlier, row, isNext)) {
      earlier.push(row);
      continue;
    }
    const folded: Entries = [row];
    folds.push({ day, folded });
    latest.set(step, folded);
  }
  return folds;
}

function goesOn(entries: readonly AuditRow[], row: AuditRow, isNext: boolean): boolean {
  const last = entries.at(-1);
  return last !== undefined && (isNext || last.requestId === row.requestId) &&
    Math.abs(Date.parse(last.at) - Date.parse(row.at)) <= PAUSE_MAX_MS;
}

function kindOf(row: AuditRow): string {
  const { action, after } = row;
  const { status, error, hasErrors } = fileEndOf(row) ?? {};
  const isPrice = after !== null && "ourPriceCents" in after;
  return [action, isPrice, status, error?.code, hasErrors].join(" ");
}
