/**
 * The table of runs, grouped by parts of today and by earlier days in the workspace's time zone. If
 * not all runs of a group are loaded, the group's head shows only the number of loaded runs.
 */
import { sumOf } from "../../../base/collections.ts";
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { type List, useApp } from "../../app/app.ts";
import { longDay } from "../../formats/moment.ts";
import { More } from "../../parts/page.tsx";
import { RunState } from "../../parts/run/run_state.tsx";
import { Unbroken } from "../../parts/unbroken.tsx";
import type { Run } from "../../../scraping/runs/run.ts";
import { dayOf, hourOf } from "../../formats/day.ts";

const COLUMNS = 7;

export function RunsTable({ list }: { list: List<Run> }) {
  const { words, show } = useApp();
  const { columns } = words.runs;
  const groups = groupRuns(list, show.timeZone, new Date());
  return (
    <div class="simple-scroll framed runs row-cards">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{columns.product}</th>
            <th scope="col">{words.status}</th>
            <th scope="col" class="number">{columns.targets}</th>
            <th scope="col" class="number">{columns.failed}</th>
            <th scope="col" class="extra">{columns.trigger}</th>
            <th scope="col" class="number">{columns.at}</th>
            <th scope="col" class="number extra">{columns.took}</th>
          </tr>
        </thead>
        {groups.map((group, at) => (
          <Group key={`${group.date} ${group.part}`} group={group} isFirst={at === 0} />
        ))}
      </table>
      {list.hasMore && (
        <footer>
          <More of={list} />
        </footer>
      )}
    </div>
  );
}

function Group(
  { group: { date, part, runs, isWhole }, isFirst }: { group: RunGroup; isFirst: boolean },
) {
  const { words: { arrivals: texts }, show } = useApp();
  const [isOpen, setOpen] = useState(part !== null || isFirst);
  const [, from = 0, to = 0] = DAY_PARTS.find(([name]) => name === part) ?? [];
  const two = (hour: number) => String(hour).padStart(2, "0");
  const noonMs = Date.parse(`${date}T12:00:00Z`);
  const name = part === null
    ? longDay(show, noonMs, Date.now())
    : `${texts.parts[part]}, ${texts.hours(two(from), two(to))}`;
  const sum = (of: "targets" | "failed") => sumOf(runs, ({ counts }) => counts[of]);
  const failed = sum("failed");
  const count = show.number(runs.length);
  const facts = isWhole
    ? [
      texts.runs(count),
      texts.pages(show.number(sum("targets"))),
      ...(failed > 0 ? [texts.failedPages(show.number(failed))] : []),
    ]
    : [texts.loadedRuns(count)];
  return (
    <tbody>
      <tr class="group">
        <th colSpan={COLUMNS} scope="rowgroup">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <span class="opener" aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
            <span>
              {name} <span class="soft">· {facts.join(" · ")}</span>
            </span>
          </button>
        </th>
      </tr>
      {isOpen && runs.map((run) => <Row key={run.id} run={run} />)}
    </tbody>
  );
}

function Row({ run }: { run: Run }) {
  const { words, show } = useApp();
  const texts = words.runs;
  const { route } = useLocation();
  const { id, sku, title, counts, trigger, requestedBy, startedAt, finishedAt } = run;
  return (
    <tr
      class="opens"
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("a") === null) route(`/runs/${id}`);
      }}
    >
      <th scope="row">
        <a href={`/runs/${id}`}>
          <Unbroken text={title ?? sku} />
        </a>{" "}
        {title !== null && (
          <small>
            <Unbroken text={sku} />
          </small>
        )}
      </th>
      <td>
        <RunState run={run} />
      </td>
      <td class="number" data-label={texts.columns.targets}>{show.number(counts.targets)}</td>
      <td class={counts.failed > 0 ? "number loss" : "number"} data-label={texts.columns.failed}>
        {show.number(counts.failed)}
      </td>
      <td class="extra">
        {trigger === "manual" ? words.arrivals.byPerson(requestedBy.name) : texts.triggers[trigger]}
      </td>
      <td class="number" data-label={texts.columns.at}>{show.time(beginOf(run))}</td>
      <td class="number extra">
        {startedAt && finishedAt
          ? show.duration(Date.parse(finishedAt) - Date.parse(startedAt))
          : "–"}
      </td>
    </tr>
  );
}

/** Each part of the day with the hours of its start and its end. */
const DAY_PARTS = [
  ["night", 0, 6],
  ["early", 6, 10],
  ["day", 10, 18],
  ["evening", 18, 24],
] as const;

type DayPart = (typeof DAY_PARTS)[number][0];

interface RunGroup {
  /** For example `2026-11-25`. */
  readonly date: string;
  readonly part: DayPart | null;
  readonly runs: readonly Run[];
  /** False if further runs of the group are not loaded. */
  readonly isWhole: boolean;
}

const beginOf = ({ startedAt, createdAt }: Pick<Run, "startedAt" | "createdAt">) =>
  startedAt ?? createdAt;

export function groupRuns(
  { rows, hasMore }: Pick<List<Run>, "rows" | "hasMore">,
  timeZone: string,
  now: Date,
): RunGroup[] {
  const today = dayOf(now.toISOString(), timeZone);
  const groups = Map.groupBy(rows, (run) => {
    const date = dayOf(beginOf(run), timeZone);
    if (date !== today) return date;
    const hour = hourOf(beginOf(run), timeZone);
    return DAY_PARTS.find(([, , to]) => hour < to)?.[0] ?? date;
  });
  return [...groups].map(([key, runs], at) => {
    const part = DAY_PARTS.find(([name]) => name === key)?.[0] ?? null;
    const isWhole = !hasMore || at < groups.size - 1;
    return { date: part === null ? key : today, part, runs, isWhole };
  });
}
