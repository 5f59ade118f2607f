import { shopClass, useShopColours } from "./shops.tsx";

interface RangeTick {
  readonly key: string;
  readonly cents: number;
  readonly shopId?: string;
}

interface RangeBarProps {
  readonly ticks: readonly RangeTick[];
  readonly ourCents: number | null;
  readonly spoken: string;
  readonly isSmall?: boolean;
}

const SIDE = 15;
/** Sizes in pixels. Only `edge`, the free space at each end, is in percent of the width. */
const LARGE = { height: 40, tick: 14, radius: 9, edge: 3 };
const SMALL = { height: 16, tick: 5, radius: 5, edge: 6 };

export function placeInRange(cents: number, all: readonly number[], edge = LARGE.edge): number {
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return high === low ? 50 : edge + (cents - low) / (high - low) * (100 - 2 * edge);
}

export function RangeBar({ ticks, ourCents, spoken, isSmall = false }: RangeBarProps) {
  const colours = useShopColours();
  const { height, tick, radius, edge } = isSmall ? SMALL : LARGE;
  const middle = height / 2;
  const all = [...ticks.map(({ cents }) => cents), ...(ourCents === null ? [] : [ourCents])];
  const placeOf = (cents: number) => `${placeInRange(cents, all, edge)}%`;
  return (
    <svg
      class={isSmall ? "range-bar mini-range" : "range-bar"}
      width="100%"
      height={height}
      role="img"
      aria-label={spoken}
    >
      {isSmall ? <line class="range-axis" x1="0" x2="100%" y1={middle} y2={middle} /> : (
        <>
          <rect class="range-below" x="0" y="18" width={`${SIDE}%`} height="4" />
          <rect class="range-mid" x={`${SIDE}%`} y="18" width={`${100 - 2 * SIDE}%`} height="4" />
          <rect class="range-above" x={`${100 - SIDE}%`} y="18" width={`${SIDE}%`} height="4" />
        </>
      )}
      {/* The dot is drawn before the ticks, so that the dot hides no tick. */}
      {ourCents !== null && (
        <circle class="range-own" cx={placeOf(ourCents)} cy={middle} r={radius} />
      )}
      {ticks.map(({ key, shopId, cents }) => (
        <line
          key={key}
          class={shopId === undefined
            ? "range-tick"
            : `range-tick ${shopClass(colours.get(shopId) ?? 1)}`}
          x1={placeOf(cents)}
          x2={placeOf(cents)}
          y1={middle - tick}
          y2={middle + tick}
        />
      ))}
    </svg>
  );
}
