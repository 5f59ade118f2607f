/**
 * Shows for which share of products we are the cheapest, in the middle or the dearest, today and
 * over 30 days.
 */
import { column, SimpleTable } from "../../parts/table/table.tsx";
import { sharesPct } from "../../../base/fraction.ts";
import { DAY_MS } from "../../../base/time.ts";
import type { MarketSummary as Summary } from "../../../market/table/summary.ts";
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { dayOf, daysOf, shortDay } from "../../formats/day.ts";
import { Card, ErrorNote, Pending } from "../../parts/page.tsx";
import type { z } from "zod";
import { useMarketSummary } from "../../parts/shared_queries.ts";

export type MarketSummary = z.output<typeof Summary>;

type TrendPoint = Wire<"MarketTrend">["points"][number];

const TREND_DAYS = 30;
const DRAWN_DAYS = 3;
const POSITIONS = ["cheapest", "middle", "dearest"] as const;
type Position = (typeof POSITIONS)[number];
const MARGIN_PCT = 10;
const STATES = [
  "no_links",
  "unreadable",
  "never_seen",
  "not_comparable",
  "stale",
  "sold_out",
] as const;

export function PositionCard() {
  const { words: { overview: { position: texts } }, show } = useApp();
  const found = useMarketSummary();
  const room = useMarketSummary({ roomAbovePct: 0 });
  const margin = useMarketSummary({ marginBelowPct: MARGIN_PCT });
  const trend = useDocument(get("/api/market/trend", where({ days: TREND_DAYS })));
  const all = found.data?.items[0];
  const points = trend.data?.points ?? [];
  const [first] = points;
  const error = found.error ?? trend.error ?? room.error ?? margin.error;
  if (!all) {
    return (
      <Card title={texts.title}>
        <Pending of={{ ...found, error }} />
      </Card>
    );
  }
  const beside = all.indexPct !== null && (
    <>
      <strong>{texts.index(show.tenths(all.indexPct))}</strong>{" "}
      {first && first.indexPct !== null && points.length >= DRAWN_DAYS && (
        <span class="soft">{texts.indexBefore(daysOf(points), show.tenths(first.indexPct))}</span>
      )}
    </>
  );
  const note = texts.compared(all.compared);
  const foot = <Links all={all} room={countOf(room)} margin={countOf(margin)} />;
  return (
    <Card title={texts.title} note={note} beside={beside} foot={foot}>
      {all.compared === 0
        ? <p class="note info">{texts.none}</p>
        : <Shares all={all} points={points} isKnown={trend.data !== undefined} />}
      {trend.error && <ErrorNote error={trend.error} onAgain={() => void trend.refetch()} />}
      {points.length >= DRAWN_DAYS && <TrendTable points={points} />}
    </Card>
  );
}

const countOf = ({ data }: ReturnType<typeof useMarketSummary>) => data?.items[0]?.products ?? 0;

function Links({ all, room, margin }: Pick<SharesProps, "all"> & { room: number; margin: number }) {
  const { words: { overview: { position: texts }, codes }, show } = useApp();
  return (
    <>
      <a href="/products?roomAbovePct=0">{texts.room(room)}</a>
      <a href={`/products?marginBelowPct=${MARGIN_PCT}`}>
        {texts.margin(margin, show.percent(MARGIN_PCT))}
      </a>
      {STATES.filter((state) => all.states[state] > 0).map((state) => (
        <a key={state} href={`/products?state=${state}`}>
          {show.number(all.states[state])} {codes.marketStates[state]}
        </a>
      ))}
    </>
  );
}

interface SharesProps {
  readonly all: MarketSummary["items"][number];
  readonly points: readonly TrendPoint[];
  readonly isKnown: boolean;
}

function Shares({ all, points, isKnown }: SharesProps) {
  const { words: { overview: { position: texts }, frame, codes }, show } = useApp();
  const trends = POSITIONS.map((position) => trendValues(points, position, show.timeZone));
  const high = Math.ceil(Math.max(1, ...trends.flat().map((value) => value ?? 0)) / 10) * 10;
  const isDrawn = points.length >= DRAWN_DAYS;
  const began = points.find(({ compared }) => compared > 0)?.date;
  const tenths = sharesOf(all, 1);
  return (
    <>
      <ShareBar all={all} />
      <div class="share-trends">
        {POSITIONS.map((position, at) => {
          const values = trends[at] ?? [];
          const known = values.filter((value) => value !== null);
          const share = tenths[position];
          const [from = share] = known;
          return (
            <a key={position} href={`/products?position=${position}`}>
              <span class="share-name row gap-8">
                <i class={`swatch ${position}`} />
                <strong>{codes.marketPositions[position]}</strong>
                <span class="end">{frame.products(all[position])}</span>
              </span>
              {known.length >= DRAWN_DAYS
                ? <TrendLine values={values} high={high} kind={position} />
                : <span class="trend-line" />}
              <small class="flow spread gap-8 rows-2">
                {known.length >= DRAWN_DAYS && began
                  ? (
                    <>
                      <span>{shortDay(show, `${began}T12:00:00Z`)}: {show.share(from)}</span>
                      <span>{texts.points(show.tenthsChange(share - from))}</span>
                      <span>{texts.today(show.share(share))}</span>
                    </>
                  )
                  : isKnown && <span>{texts.noTrend}</span>}
              </small>
            </a>
          );
        })}
      </div>
      {isDrawn && <p class="soft small">{texts.scale(show.percent(high), daysOf(points))}</p>}
    </>
  );
}

function ShareBar({ all }: Pick<SharesProps, "all">) {
  const { words: { codes: { marketPositions: positions } }, show } = useApp();
  const whole = sharesOf(all, 0);
  return (
    <div class="shares flow gap-2">
      {POSITIONS.filter((position) => all[position] > 0).map((position) => (
        <a
          key={position}
          class={position}
          href={`/products?position=${position}`}
          style={{ flexGrow: all[position] }}
          title={`${positions[position]}: ${show.number(all[position])}`}
        >
          <span class="sr-only">{positions[position]}</span>
          {show.percent(whole[position])}
        </a>
      ))}
    </div>
  );
}

type Counts = Readonly<Record<Position, number>>;

function sharesOf({ cheapest, middle, dearest }: Counts, decimals: number): Counts {
  const [first = 0, second = 0, third = 0] = sharesPct([cheapest, middle, dearest], decimals);
  return { cheapest: first, middle: second, dearest: third };
}

function trendValues(
  points: readonly TrendPoint[],
  position: Position,
  timeZone: string,
): TrendValues {
  const last = points.at(-1);
  if (!last) return [];
  const byDay = new Map(points.map((point) => [point.date, point]));
  const lastMs = Date.parse(dayOf(last.date, timeZone));
  const days = daysOf(points);
  return Array.from({ length: days + 1 }, (_, at) => {
    const date = new Date(lastMs - (days - at) * DAY_MS).toISOString().slice(0, 10);
    const point = byDay.get(date);
    return point && point.compared > 0 ? sharesOf(point, 1)[position] : null;
  });
}

function TrendTable({ points }: { points: readonly TrendPoint[] }) {
  const { words: { chart, codes, fields, overview: { position: texts }, market }, show } = useApp();
  const figures = POSITIONS.map((position) =>
    column(position, codes.marketPositions[position], 90).number((point: TrendPoint) =>
      point.compared === 0 ? "–" : show.share(sharesOf(point, 1)[position])
    )
  );
  return (
    <details>
      <summary>{chart.asTable}</summary>
      <SimpleTable
        label={texts.table}
        columns={[
          column("date", fields.day, 110).date(({ date }: TrendPoint) => `${date}T12:00:00Z`),
          ...figures,
          column("index", market.columns.index, 90).number(({ indexPct }: TrendPoint) =>
            indexPct === null ? "–" : show.tenths(indexPct)
          ),
        ]}
        rows={points.toReversed()}
      />
    </details>
  );
}

type TrendValues = readonly (number | null)[];

const WIDTH = 300;
const HEIGHT = 40;
const EDGE = 3;
/** Hidden from screen readers, because the table contains the same values. */
function TrendLine({ values, high, kind }: { values: TrendValues; high: number; kind: Position }) {
  const path = trendPath(values, high);
  return (
    <svg
      class={`trend-line ${kind}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {!values.includes(null) && <path class="area" d={`${path}V${HEIGHT}H0Z`} />}
      <path class="ground" d={`M0,${HEIGHT - 0.5}H${WIDTH}`} />
      <path class="before" d={`M0,${/^M[\d.]+,([\d.]+)/.exec(path)?.[1] ?? "0"}H${WIDTH}`} />
      <path d={path} />
    </svg>
  );
}

export function trendPath(values: TrendValues, high: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  const yOf = (value: number) => HEIGHT - EDGE - value / high * (HEIGHT - 2 * EDGE);
  return values.map((value, at) => {
    if (value === null) return "";
    const isBegun = typeof values[at - 1] === "number";
    const [x, y] = [at * step, yOf(value)].map((place) => Math.round(place * 10) / 10);
    // A single day between two gaps is drawn as a dot: a line of length 0 with round ends.
    const isAlone = !isBegun && typeof values[at + 1] !== "number";
    return `${isBegun ? "L" : "M"}${x},${y}${isAlone ? `L${x},${y}` : ""}`;
  }).join("");
}
