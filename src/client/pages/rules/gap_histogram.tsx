import { column, numberColumn } from "../../parts/table/column.ts";
import type { CatalogueSimulation } from "../../../rules/evaluation/simulations.ts";
import { useApp } from "../../app/app.ts";
import { binLabel } from "../../parts/chart/chart_scale.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

type Gap = NonNullable<CatalogueSimulation["result"]>["gap"];

interface Bin {
  readonly label: string;
  readonly counts: readonly number[];
}

const HEIGHT = 100;
/** The bars of a bin, together. */
const BARS = 8;
const SLOT = 10;

/**
 * Products by their gap to the cheapest offer, before and after, and the same as a table; between them
 * what the stored rule makes of it, where that is something else.
 */
export function GapHistogram({ gap: { edges, before, stored, after } }: { gap: Gap }) {
  const { words, show } = useApp();
  const texts = words.rules.catalogue;
  const isChanged = stored?.some((count, at) => count !== after[at]) ?? false;
  const series = [
    { title: texts.before, colour: 1, of: before },
    ...(stored && isChanged ? [{ title: texts.stored, colour: 3, of: stored }] : []),
    { title: texts.after, colour: 2, of: after },
  ];
  const width = BARS / series.length;
  const bins = after.map((_, at): Bin => ({
    label: binLabel(edges, at, show),
    counts: series.map((one) => one.of[at] ?? 0),
  }));
  const highest = Math.max(1, ...bins.flatMap(({ counts }) => counts));
  return (
    <figure class="chart day-chart">
      <ul class="legend">
        {series.map(({ title, colour }) => (
          <li key={title}>
            <i class={`bar-swatch bar-${colour}`} />
            {title}
          </li>
        ))}
        <li>{texts.sides}</li>
      </ul>
      <div class="day-plot">
        <span class="day-top">{show.number(highest)}</span>
        <span class="day-zero">0</span>
        <svg
          viewBox={`0 0 ${bins.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={texts.gap}
        >
          {bins.map(({ label, counts }, bin) =>
            counts.map((count, at) => (
              <rect
                key={`${label} ${at}`}
                class={`bar-${series[at]?.colour}`}
                x={bin * SLOT + 1 + at * width}
                y={HEIGHT * (1 - count / highest)}
                width={width}
                height={count / highest * HEIGHT}
              >
                <title>{`${label} %: ${show.number(count)} ${series[at]?.title ?? ""}`}</title>
              </rect>
            ))
          )}
        </svg>
      </div>
      <div class="day-axis" aria-hidden="true">
        <span>{`${bins[0]?.label ?? ""} %`}</span>
        <span>0 %</span>
        <span>{`${bins.at(-1)?.label ?? ""} %`}</span>
      </div>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={texts.gap}
          columns={[
            column("gap", texts.gap, 160, ({ label }: Bin) => `${label} %`),
            ...series.map(({ title }, at) =>
              numberColumn(title, title, 120, ({ counts }: Bin) => show.number(counts[at]))
            ),
          ]}
          rows={bins}
          idOf={({ label }) => label}
        />
      </details>
    </figure>
  );
}
