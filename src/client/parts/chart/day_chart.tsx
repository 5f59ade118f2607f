import { column, numberColumn } from "../table/column.ts";
import { useApp } from "../../app/app.ts";
import { SimpleTable } from "../table/simple_table.tsx";

interface DayCount {
  /** `2026-03-02` */
  readonly date: string;
  /** One per series; a later one is a part of the one before. */
  readonly counts: readonly number[];
}

interface DayChartProps {
  readonly label: string;
  /** Head of the first column of the table. */
  readonly dayTitle: string;
  /** Names of the series, the larger one first. */
  readonly titles: readonly string[];
  /** Oldest first, no day left out. */
  readonly days: readonly DayCount[];
}

const SLOT = 10;
const BAR = 7;
const HEIGHT = 100;

/** A bar per day, with a table of the same figures. */
export function DayChart({ label, dayTitle, titles, days }: DayChartProps) {
  const { show, words } = useApp();
  const highest = Math.max(1, ...days.flatMap(({ counts }) => counts));
  const dayOf = (date: string) => show.date(`${date}T12:00:00Z`);
  const columns = [
    column("day", dayTitle, 140, ({ date }: DayCount) => dayOf(date)),
    ...titles.map((title, at) =>
      numberColumn(title, title, 120, ({ counts }: DayCount) => show.number(counts[at]))
    ),
  ];
  return (
    <figure class="chart day-chart">
      <ul class="legend">
        {titles.map((title, at) => (
          <li key={title}>
            <i class={`bar-swatch bar-${at + 1}`} />
            {title}
          </li>
        ))}
      </ul>
      <div class="day-plot">
        <span class="day-top">{show.number(highest)}</span>
        <span class="day-zero">0</span>
        <svg
          viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {days.map(({ date, counts }, day) =>
            counts.map((count, at) => {
              const height = count / highest * HEIGHT;
              return (
                <rect
                  key={`${date}-${at}`}
                  class={`bar-${at + 1}`}
                  x={day * SLOT + (SLOT - BAR) / 2}
                  y={HEIGHT - height}
                  width={BAR}
                  height={height}
                >
                  <title>{`${dayOf(date)}: ${show.number(count)} ${titles[at] ?? ""}`}</title>
                </rect>
              );
            })
          )}
        </svg>
      </div>
      <div class="day-axis" aria-hidden="true">
        <span>{dayOf(days[0]?.date ?? "")}</span>
        <span>{dayOf(days.at(-1)?.date ?? "")}</span>
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={label}
          columns={columns}
          rows={days.toReversed()}
          idOf={({ date }) => date}
        />
      </details>
    </figure>
  );
}
