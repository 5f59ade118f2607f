/** Groups runs by the part of the day in which they began. An earlier day is one group. */
import type { Run } from "../../../scraping/runs/run.ts";
import { dayOf, hourOf } from "../../formats/day.ts";

/** Each part with its first hour and the hour of its end. */
export const DAY_PARTS = [
  ["night", 0, 6],
  ["early", 6, 10],
  ["day", 10, 18],
  ["evening", 18, 24],
] as const;

type DayPart = (typeof DAY_PARTS)[number][0];

export interface RunGroup {
  /** The date, as `2026-11-25`. */
  readonly date: string;
  /** Null for a day before today. */
  readonly part: DayPart | null;
  readonly runs: readonly Run[];
}

export const beginOf = ({ startedAt, createdAt }: Pick<Run, "startedAt" | "createdAt">) =>
  startedAt ?? createdAt;

export function groupRuns(runs: readonly Run[], timeZone: string, now: Date): RunGroup[] {
  const today = dayOf(now.toISOString(), timeZone);
  const groups = Map.groupBy(runs, (run) => {
    const date = dayOf(beginOf(run), timeZone);
    if (date !== today) return date;
    const hour = hourOf(beginOf(run), timeZone);
    return DAY_PARTS.find(([, , to]) => hour < to)?.[0] ?? date;
  });
  return [...groups].map(([key, own]) => {
    const part = DAY_PARTS.find(([name]) => name === key)?.[0] ?? null;
    return { date: part === null ? key : today, part, runs: own };
  });
}
