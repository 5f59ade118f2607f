/**
 * The distribution of price changes in a preview, as bars and as a table. Bars of excluded prices
 * are hatched.
 */
import type { ProposalPreview } from "../../../rules/proposals/preview_many.ts";
import { useApp } from "../../app/app.ts";
import { binLabel } from "../chart/chart_scale.ts";
import { column, numberColumn, SimpleTable } from "../table/table.tsx";

const SLOT = 32;
const BAR = 28;
const TOP = 16;
const PLOT = 112;
const BASE = TOP + PLOT;

interface Bin {
  readonly label: string;
  readonly accepted: number;
  readonly leftOut: number;
}

interface HistogramProps {
  readonly preview: ProposalPreview;
}

export function ChangeHistogram({ preview }: HistogramProps) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const { found, accepted, edges } = preview;
  const bins = found.changes.map((all, at): Bin => {
    const kept = accepted.changes[at] ?? 0;
    return { label: binLabel(edges, at, show), accepted: kept, leftOut: all - kept };
  });
  const side = ({ count, meanPct }: typeof found.down) =>
    [show.number(count), meanPct === null ? "" : show.percentChange(meanPct)] as const;
  const sides = [texts.sink(...side(found.down)), texts.rise(...side(found.up))];
  return (
    <figure class="change-bars">
      <svg
        viewBox={`0 0 ${bins.length * SLOT} ${BASE + 20}`}
        role="img"
        aria-label={`${texts.changes}: ${sides.join("; ")}`}
      >
        <Bars bins={bins} edges={edges} />
      </svg>
      <figcaption>
        {sides.map((text) => <span key={text}>{text}</span>)}
        {found.count > accepted.count && (
          <span>
            <i class="hatched-swatch" /> {texts.leftOut}
          </span>
        )}
      </figcaption>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={texts.changes}
          columns={[
            column<Bin>("change", words.proposals.columns.change, 100, ({ label }) =>
              label + show.percentSign),
            numberColumn<Bin>("accepted", texts.prices, 70, (bin) =>
              show.number(bin.accepted)),
            numberColumn<Bin>("left", texts.leftOut, 100, (bin) =>
              show.number(bin.leftOut)),
          ]}
          rows={bins}
          idOf={({ label }) =>
            label}
        />
      </details>
    </figure>
  );
}

interface BarsProps {
  readonly bins: readonly Bin[];
  readonly edges: readonly number[];
}

function Bars({ bins, edges }: BarsProps) {
  const { show } = useApp();
  const highest = Math.max(1, ...bins.map(({ accepted, leftOut }) => accepted + leftOut));
  const heightOf = (count: number) => count / highest * PLOT;
  const zero = edges.indexOf(0) + 1;
  return (
    <>
      <defs>
        <pattern id="left-out" width="4" height="6" patternUnits="userSpaceOnUse">
          <path d="M-1,7L5,-1M-3,4L1,-2M3,8L7,2" />
        </pattern>
      </defs>
      {bins.map(({ label, accepted, leftOut }, at) => {
        const place = { x: at * SLOT + (SLOT - BAR) / 2, width: BAR };
        const [solid, hatched] = [heightOf(accepted), heightOf(leftOut)];
        return (
          <g key={label} class={at < zero ? "down" : "up"}>
            <rect {...place} y={BASE - solid} height={solid} />
            {leftOut > 0 && (
              <rect class="hatched" {...place} y={BASE - solid - hatched} height={hatched} />
            )}
            {accepted + leftOut > 0 && (
              <text class="count" x={at * SLOT + SLOT / 2} y={BASE - solid - hatched - 4}>
                {show.number(accepted + leftOut)}
              </text>
            )}
          </g>
        );
      })}
      <path class="base" d={`M0,${BASE}H${bins.length * SLOT}`} />
      <path class="zero" d={`M${zero * SLOT},${TOP - 6}V${BASE + 5}`} />
      {edges.map((edge, at) =>
        edge % 4 === 0 && (
          <text key={edge} x={(at + 1) * SLOT} y={BASE + 17}>
            {edge === 0 ? show.percent(0) : `${edge < 0 ? "−" : "+"}${Math.abs(edge)}`}
          </text>
        )
      )}
    </>
  );
}
