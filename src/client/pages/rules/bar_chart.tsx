import { useApp } from "../../app/app.ts";
import { column, SimpleTable } from "../../parts/table/table.tsx";

interface Slot {
  readonly key: string;
  readonly label: string;
  readonly counts: readonly number[];
}

interface BarChartProps {
  readonly label: string;
  /** Head of the first column of the table. */
  readonly slotTitle: string;
  readonly series: readonly { readonly title: string; readonly colour: number }[];
  readonly slots: readonly Slot[];
  /** Labels below the bars: the days, or the limits between the slots. */
  readonly axis: readonly string[];
  /**
   * True if each slot is a day. Each bar of a day is drawn in front of the bars of earlier series,
   * and must not be higher. The table begins with the newest day.
   */
  readonly areDays?: boolean;
  readonly note?: string;
}

const SLOT = 10;
const BARS = 8;
const HEIGHT = 100;

export function BarChart(props: BarChartProps) {
  const { label, slotTitle, series, slots, axis, areDays = false, note } = props;
  const { show, words } = useApp();
  const highest = Math.max(1, ...slots.flatMap(({ counts }) => counts));
  return (
    <figure class="chart framed day-chart">
      <ul class="legend">
        {series.map(({ title, colour }) => (
          <li key={title}>
            <i class={`swatch bar-${colour}`} />
            {title}
          </li>
        ))}
        {note && <li>{note}</li>}
      </ul>
      <div class="day-plot">
        <span class="day-top">{show.number(highest)}</span>
        <span class="day-zero">0</span>
        <Bars {...{ label, series, slots, highest, areDays }} />
      </div>
      <div class={areDays ? "day-axis" : "day-axis edges"} aria-hidden="true">
        {axis.map((text) => <span key={text}>{text}</span>)}
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={label}
          columns={[
            column("slot", slotTitle, 160).cell((slot: Slot) => slot.label),
            ...series.map(({ title }, at) =>
              column(title, title, 120).number(({ counts }: Slot) => show.number(counts[at]))
            ),
          ]}
          rows={areDays ? slots.toReversed() : slots}
        />
      </details>
    </figure>
  );
}

type BarsProps = Required<Pick<BarChartProps, "label" | "series" | "slots" | "areDays">> & {
  readonly highest: number;
};

function Bars({ label, series, slots, highest, areDays }: BarsProps) {
  const { show } = useApp();
  const width = areDays ? BARS : BARS / series.length;
  return (
    <svg
      viewBox={`0 0 ${slots.length * SLOT} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {slots.map(({ key, label: of, counts }, slot) =>
        counts.map((count, at) => (
          <rect
            key={`${key} ${at}`}
            class={`bar-${series[at]?.colour}`}
            x={slot * SLOT + 1 + (areDays ? 0 : at * width)}
            y={HEIGHT * (1 - count / highest)}
            width={width}
            height={count / highest * HEIGHT}
          >
            <title>{`${of}: ${show.number(count)} ${series[at]?.title ?? ""}`}</title>
          </rect>
        ))
      )}
    </svg>
  );
}
