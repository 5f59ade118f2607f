/** The course of a share over some days; a day that nobody took stays open. */

/** By day, null where it was not taken. */
export type TrendValues = readonly (number | null)[];

interface TrendLineProps {
  readonly values: TrendValues;
  readonly kind: "cheapest" | "middle" | "dearest";
}

const WIDTH = 300;
const HEIGHT = 40;
const EDGE = 3;
/** A line of less height than so many percentage points would show noise. */
const SPAN_MIN = 4;

/** Nobody needs to read it: figures stand beside it, and a table below. */
export function TrendLine({ values, kind }: TrendLineProps) {
  return (
    <svg
      class={`trend-line ${kind}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="ground" d={`M0,${HEIGHT - 0.5}H${WIDTH}`} />
      <path d={trendPath(values)} />
    </svg>
  );
}

/** The path of a line through all values, begun anew behind each gap. */
export function trendPath(values: TrendValues): string {
  const known = values.filter((value) => value !== null);
  const lowest = Math.min(...known);
  const span = Math.max(SPAN_MIN, Math.max(...known) - lowest);
  const spare = (span - (Math.max(...known) - lowest)) / 2;
  const step = WIDTH / Math.max(1, values.length - 1);
  const yOf = (value: number) =>
    HEIGHT - EDGE - (value - lowest + spare) / span * (HEIGHT - 2 * EDGE);
  return values.map((value, at) => {
    if (value === null) return "";
    const isBegun = typeof values[at - 1] === "number";
    const [x, y] = [at * step, yOf(value)].map((place) => Math.round(place * 10) / 10);
    // A day between two gaps is a dot: a line of no length with round ends.
    const isAlone = !isBegun && typeof values[at + 1] !== "number";
    return `${isBegun ? "L" : "M"}${x},${y}${isAlone ? `L${x},${y}` : ""}`;
  }).join("");
}
