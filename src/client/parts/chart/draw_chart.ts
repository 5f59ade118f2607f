import uPlot from "uplot";
import type { PriceSeries } from "./price_points.ts";

interface ChartPlan {
  readonly box: HTMLElement;
  readonly series: readonly PriceSeries[];
  /** One per series; a canvas knows no variables of a style sheet. */
  readonly colours: readonly string[];
  readonly text: string;
  readonly line: string;
  readonly timeZone: string;
  /** Told where the pointer stands on the axis of time; null when it has left. */
  onPoint(atMs: number | null): void;
  showCents(cents: number): string;
  showDate(atMs: number): string;
}

const HEIGHT_PX = 260;
/** Ours is solid; the others differ by more than their colour. */
const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [3, 6]];

/** Draws into the box and answers the way to take it down again. */
export function drawChart(plan: ChartPlan): () => void {
  const { box, series, colours, text, line } = plan;
  const tables = series.map(({ points }): uPlot.AlignedData => [
    points.map(({ atMs }) => atMs / 1_000),
    points.map(({ cents }) => cents),
  ]);
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT_PX,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), plan.timeZone),
      cursor: { y: false },
      legend: { show: false },
      hooks: {
        setCursor: [
          ({ cursor: { left = -1 }, posToVal }) =>
            plan.onPoint(left < 0 ? null : posToVal(left, "x") * 1_000),
        ],
      },
      series: [
        {},
        ...series.map(({ label }, at) => ({
          label,
          stroke: colours[at] ?? text,
          width: at === 0 ? 2.5 : 1.5,
          dash: DASHES[at % DASHES.length] ?? [],
          points: { show: false },
          ...(stepped && { paths: stepped }),
        })),
      ],
      axes: [
        {
          ...axis,
          values: (_, splits) => splits.map((seconds) => plan.showDate(seconds * 1_000)),
          space: 90,
          size: 30,
        },
        { ...axis, size: 84, values: (_, splits) => splits.map(plan.showCents) },
      ],
    },
    uPlot.join(tables),
    box,
  );
  const observer = new ResizeObserver(() =>
    chart.setSize({ width: box.clientWidth, height: HEIGHT_PX })
  );
  observer.observe(box);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}
