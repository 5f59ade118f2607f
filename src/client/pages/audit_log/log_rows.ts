/** Rows of the log: entries, a heading per day, and one line per bulk action. */
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { dayOf } from "../../formats/day.ts";

interface LogDay {
  readonly id: string;
  /** Of its first entry. */
  readonly dayAt: string;
}

/** The entries of one bulk action, shown as one line. */
export interface LogFold {
  /** Stays the same while more of them are loaded. */
  readonly id: string;
  /** In the order of the list. */
  readonly entries: readonly AuditRow[];
  /** Those that the line tells of: of a decision and the price that it set the decision alone. */
  readonly told: readonly AuditRow[];
  /** Its entries stand below it. */
  readonly isOpen: boolean;
}

export type LogRow = AuditRow | LogDay | LogFold;

export function isDay(row: LogRow): row is LogDay {
  return "dayAt" in row;
}

export function isFold(row: LogRow): row is LogFold {
  return "told" in row;
}

/** Entries come in the order of time, in either direction; so do lines of several, by their first entry. */
export function logRows(
  rows: readonly AuditRow[],
  options: {
    /** Null where days have no headings. */
    readonly byDayOf: string | null;
    /** Which lines are open, by their ids. */
    readonly open: ReadonlySet<string>;
  },
): LogRow[] {
  const { byDayOf: timeZone, open } = options;
  let last = "";
  return foldEntries(rows).flatMap(({ entries, told }): LogRow[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const day = timeZone === null ? "" : dayOf(first.at, timeZone);
    const heading = day !== last ? [{ id: `day ${day}`, dayAt: first.at }] : [];
    last = day;
    if (told === null) return [...heading, ...entries];
    const id = `fold ${first.requestId}`;
    const isOpen = open.has(id);
    return [...heading, { id, entries, told, isOpen }, ...(isOpen ? entries : [])];
  });
}

/** Entries of one action follow each other more closely, also where it was sent in several requests. */
const PAUSE_MAX_MS = 10_000;

interface Group {
  readonly entries: AuditRow[];
  /** Null where nothing is told in one line. */
  told: readonly AuditRow[] | null;
}

/** Those of one action stand where the first of them is, also when others came between; what is not folded stays. */
function foldEntries(rows: readonly AuditRow[]): readonly Group[] {
  const groupOf = new Map<AuditRow, Group>();
  for (const group of joined(groupedByRequest(rows))) {
    for (const row of group.entries) groupOf.set(row, group);
  }
  const begun = new Set<Group>();
  return rows.flatMap((row): Group[] => {
    const group = groupOf.get(row);
    if (group === undefined || group.told === null) return [{ entries: [row], told: null }];
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
    const group = { entries: [row], told: null };
    groups.push(group);
    latest.set(row.requestId, group);
  }
  return groups.map(({ entries }) => ({ entries, told: toldOf(entries) }));
}

/** A large action is sent in several requests, each but the last of many. */
function joined(groups: readonly Group[]): Group[] {
  const found: Group[] = [];
  for (const group of groups) {
    const last = found.at(-1);
    if (last === undefined || !goesOn(last, group)) {
      found.push(group);
      continue;
    }
    last.entries.push(...group.entries);
    last.told = toldOf(last.entries);
  }
  return found;
}

function goesOn(before: Group, group: Group): boolean {
  const [one] = before.entries;
  const [other] = group.entries;
  return one !== undefined && other !== undefined &&
    (before.told !== null || group.told !== null) &&
    one.actor.id === other.actor.id && one.reason === other.reason &&
    isSoon(before.entries, other) && toldOf([...before.entries, ...group.entries]) !== null;
}

function isSoon(entries: readonly AuditRow[], { at }: AuditRow): boolean {
  return Math.abs(Date.parse(entries.at(-1)?.at ?? at) - Date.parse(at)) <= PAUSE_MAX_MS;
}

/** Null for a single one, and for entries that tell of different deeds. */
function toldOf(entries: readonly AuditRow[]): readonly AuditRow[] | null {
  const decisions = entries.filter(({ resource }) => resource.type === "proposal");
  const decided = new Set(decisions.map(({ after }) => after?.productId));
  const isSetByDecision = ({ action, resource }: AuditRow) =>
    action === "product.update" && decided.has(resource.id);
  const told = entries.filter((row) => !isSetByDecision(row));
  const kinds = new Set(told.map(kindOf));
  return told.length > 1 && kinds.size === 1 ? told : null;
}

/**
 * The kind of an entry, distinguished by the changed field where one action changes different
 * things.
 */
function kindOf({ action, after }: AuditRow): string {
  return `${action} ${after !== null && "ourPriceCents" in after ? "price" : ""}`;
}
