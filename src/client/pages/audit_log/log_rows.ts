/** The rows of the audit log: headings of days, single entries, and folds of entries. */
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { dayOf } from "../../formats/day.ts";
import { fileEndOf } from "../../parts/audit/audit_text.ts";

interface LogDay {
  readonly id: string;
  readonly dayAt: string;
}

export interface LogFold {
  /** Stays the same while more entries are loaded. */
  readonly id: string;
  readonly entries: readonly AuditRow[];
  /** All entries except price changes that result from a decision in `entries`. */
  readonly shown: readonly AuditRow[];
  readonly isOpen: boolean;
}

export type LogRow = AuditRow | LogDay | LogFold;

export function isDay(row: LogRow): row is LogDay {
  return "dayAt" in row;
}

export function isFold(row: LogRow): row is LogFold {
  return "shown" in row;
}

/** `rows` are sorted by time, in either direction. */
export function logRows(
  rows: readonly AuditRow[],
  options: {
    readonly byDayOf: string;
    readonly open: ReadonlySet<string>;
  },
): LogRow[] {
  const { byDayOf: timeZone, open } = options;
  let last = "";
  const sameDay = (one: AuditRow, other: AuditRow) =>
    dayOf(one.at, timeZone) === dayOf(other.at, timeZone);
  return foldEntries(rows, sameDay).flatMap(({ entries, shown }): LogRow[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const day = dayOf(first.at, timeZone);
    const heading = day !== last ? [{ id: `day ${day}`, dayAt: first.at }] : [];
    last = day;
    if (shown.length === 1 || !isOneKind(shown)) return [...heading, ...shown];
    const id = `fold ${first.requestId}`;
    const isOpen = open.has(id);
    return [...heading, { id, entries, shown, isOpen }, ...(isOpen ? shown : [])];
  });
}

/** Maximum time between two actions of one person that are folded into one row. */
const PAUSE_MAX_MS = 120_000;

/** False for entries of different days, because each day has a heading. */
type MayJoin = (one: AuditRow, other: AuditRow) => boolean;

interface Group {
  readonly entries: AuditRow[];
  shown: readonly AuditRow[];
}

/** A group is listed at the place of its first entry. */
function foldEntries(rows: readonly AuditRow[], mayJoin: MayJoin): readonly Group[] {
  const groupOf = new Map<AuditRow, Group>();
  for (const group of joined(groupedByRequest(rows), mayJoin)) {
    for (const row of group.entries) groupOf.set(row, group);
  }
  const begun = new Set<Group>();
  return rows.flatMap((row): Group[] => {
    const group = groupOf.get(row);
    if (group === undefined) return [{ entries: [row], shown: [row] }];
    if (!isOneKind(group.shown)) return [{ entries: [row], shown: [row] }];
    if (begun.has(group)) return [];
    begun.add(group);
    return [group];
  });
}

function groupedByRequest(rows: readonly AuditRow[]): Group[] {
  const groups: Group[] = [];
  const latest = new Map<string, Group>();
  for (const row of rows) {
    const known = latest.get(row.requestId);
    if (known !== undefined && isSoon(known.entries, row)) {
      known.entries.push(row);
      continue;
    }
    const group: Group = { entries: [row], shown: [row] };
    groups.push(group);
    latest.set(row.requestId, group);
  }
  return groups.map(({ entries }) => ({ entries, shown: shownOf(entries) }));
}

function joined(groups: readonly Group[], mayJoin: MayJoin): Group[] {
  const found: Group[] = [];
  for (const group of groups) {
    const last = found.at(-1);
    if (last === undefined || !goesOn(last, group, mayJoin)) {
      found.push(group);
      continue;
    }
    last.entries.push(...group.entries);
    last.shown = shownOf(last.entries);
  }
  return found;
}

function goesOn(before: Group, group: Group, mayJoin: MayJoin): boolean {
  const [one] = before.entries;
  const [other] = group.entries;
  return one !== undefined && other !== undefined &&
    one.actor.id === other.actor.id && one.reason === other.reason &&
    mayJoin(one, other) && isSoon(before.entries, other) &&
    isOneKind([...before.shown, ...group.shown]);
}

function isSoon(entries: readonly AuditRow[], { at }: AuditRow): boolean {
  return Math.abs(Date.parse(entries.at(-1)?.at ?? at) - Date.parse(at)) <= PAUSE_MAX_MS;
}

/** Removes price changes that result from a decision in `entries`. */
function shownOf(entries: readonly AuditRow[]): readonly AuditRow[] {
  const decisions = entries.filter(({ resource }) => resource.type === "proposal");
  const decided = new Set(decisions.map(({ after }) => after?.productId));
  const isSetByDecision = ({ action, resource }: AuditRow) =>
    action === "product.update" && decided.has(resource.id);
  return entries.filter((row) => !isSetByDecision(row));
}

function isOneKind(rows: readonly AuditRow[]): boolean {
  return new Set(rows.map(kindOf)).size === 1;
}

function kindOf(row: AuditRow): string {
  const { action, after } = row;
  const { status, error, hasErrors } = fileEndOf(row) ?? {};
  const isPrice = after !== null && "ourPriceCents" in after;
  return [action, isPrice, status, error?.code, hasErrors].join(" ");
}
