import type { CatalogueSimulation } from "../../../evaluation/simulations.ts";
import { useApp } from "../../app/app.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

type Gap = NonNullable<CatalogueSimulation["result"]>["gap"];

interface Bin {
  readonly label: string;
  readonly counts: readonly number[];
}

const HEIGHT = 100;
const BAR = 4;
const SLOT = 10;

/** Products by their gap to the cheapest offer, before and after, and the same as a table. */
export function GapHistogram({ gap: { edges, before, stored, after } }: { gap: Gap }) {
  const { words, show } = useApp();
  const texts = words.rules.catalogue;
  // With a stored rule the change of the rule is what is looked at.
  const titles = [stored ? texts.stored : texts.before, texts.after];
  const bins = after.map((count, at): Bin => {
    const [low, high] = [edges[at - 1], edges[at]];
    return {
      label: low === undefined
        ? `< ${show.number(high)}`
        : high === undefined
        ? `≥ ${show.number(low)}`
        : `${show.number(low)} … ${show.number(high)}`,
      counts: [(stored ?? before)[at] ?? 0, count],
    };
  });
  const highest = Math.max(1, ...bins.flatMap(({ counts }) => counts));
  return (
    <figure class="chart day-chart">
      <ul class="legend">
        {titles.map((title, at) => (
          <li key={title}>
            <i class={`bar-swatch bar-${at + 1}`} />
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
                class={`bar-${at + 1}`}
                x={bin * SLOT + 1 + at * BAR}
                y={HEIGHT * (1 - count / highest)}
                width={BAR}
                height={count / highest * HEIGHT}
              >
                <title>{`${label} %: ${show.number(count)} ${titles[at] ?? ""}`}</title>
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
            { key: "gap", title: texts.gap, width: 160, cell: ({ label }: Bin) => `${label} %` },
            ...titles.map((title, at) => ({
              key: title,
              title,
              width: 120,
              isNumber: true,
              cell: ({ counts }: Bin) => show.number(counts[at]),
            })),
          ]}
          rows={bins}
          idOf={({ label }) => label}
        />
      </details>
    </figure>
  );
}
