/** Detects superlinear work on hostile texts by CPU time of the thread. */
import { leastCostMs, orRefusal } from "../processor_time.ts";
import { IS_LONG } from "../proof.ts";

/**
 * Lengths of the texts. Short texts show exponential growth. Each text is compared with a text of a
 * quarter of its length.
 */
const SIZES = IS_LONG
  ? [8, 32, 128, 512, 2_048, 8_192, 32_768]
  // A quadratic expression takes about 3 ns per step: 600 ms for 20,480 characters, or 100 ms if it
  // restarts only at every fifth. GROWTH_MAX detects 64 ms or more, including TICK_MS.
  : [8, 32, 128, 512, 2_048, 20_480];
/**
 * In the short form, the longest texts are only tried if the second longest take this time or more.
 * Quadratic work that takes 64 ms on the longest texts takes 0.64 ms on the second longest.
 */
const SUSPECT_FROM_MS = 0.6;
/** Shorter times are ignored, because garbage collection alone may take them. */
const JUDGED_FROM_MS = 40;
/**
 * The most allowed growth for a text four times as long: linear work grows by 4, quadratic work by
 * 16.
 */
const GROWTH_MAX = 8;
/** The granularity of CPU time on some kernels. */
const TICK_MS = 4;

/**
 * Returns two costs if the cost of `work` grows faster than its text; else null. `textOf(n)` has
 * about `n` characters. The wall clock, which never shows less than the CPU time, only selects
 * candidates.
 */
export function superlinearity(textOf: (n: number) => string, work: (text: string) => unknown) {
  const onText = (text: string) => orRefusal(() => work(text));
  for (const n of SIZES) {
    const whole = onText(textOf(n));
    const tookMs = wallMs(whole);
    if (
      !IS_LONG && n === SIZES.at(-2) &&
      (tookMs < SUSPECT_FROM_MS || wallMs(whole) < SUSPECT_FROM_MS)
    ) return null;
    if (tookMs < JUDGED_FROM_MS) continue;
    const four = leastCostMs(whole);
    if (four < JUDGED_FROM_MS) continue;
    const one = leastCostMs(onText(textOf(n / 4)));
    if (four > GROWTH_MAX * (one + TICK_MS)) {
      return `${n / 4} characters cost ${one.toFixed(1)} ms, ${n} cost ${four.toFixed(1)} ms`;
    }
  }
  return null;
}

function wallMs(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
